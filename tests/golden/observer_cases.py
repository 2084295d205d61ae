"""The project's own observer cases: inputs and settings that the conformance corpus lacks."""
from __future__ import annotations

from itertools import groupby

import torch

INT8 = {"dtype": "int8", "quant_min": -128, "quant_max": 127}
UINT8 = {"dtype": "uint8", "quant_min": 0, "quant_max": 255}
INT4 = {"dtype": "int8", "quant_min": -8, "quant_max": 7}
WEIGHT = {"dtype": "int8", "quant_min": -127, "quant_max": 127}
INT16 = {"dtype": "int16", "quant_min": -32768, "quant_max": 32767}
AFFINE, SYMMETRIC = {"qscheme": "per_tensor_affine"}, {"qscheme": "per_tensor_symmetric"}
CHANNEL_AFFINE, CHANNEL_SYMMETRIC = {"qscheme": "per_channel_affine"}, {"qscheme": "per_channel_symmetric"}
EPS = {"eps": 2**-12}

MINMAX, AVERAGE, HISTOGRAM = "MinMaxObserver", "MovingAverageMinMaxObserver", "HistogramObserver"
CHANNEL, CHANNEL_AVERAGE = "PerChannelMinMaxObserver", "MovingAveragePerChannelMinMaxObserver"


def arrays():
    """Every input, under NAME.BATCH."""
    return {f"{name}.{i}": batch.numpy() for name, batches in inputs().items() for i, batch in enumerate(batches)}


def inputs():
    """Batches by name; each stands for one way in which ranges can move, or for one awkward size or value."""
    generator = torch.Generator().manual_seed(11)

    def normal(*shape):
        return torch.randn(*shape, generator=generator)

    return {**ranges(normal), **sizes(normal), **values(normal), **channels(normal)}


def ranges(normal):
    return {
        "ten_batches": [normal(3, 50) * (1 + 0.3 * i) for i in range(10)],
        "wider_below": [normal(400), normal(400) - 2, normal(400) - 9],
        "wider_above": [normal(400).abs(), normal(400).abs() * 1.01, normal(400).abs() * 40],
        "inside": [normal(500) * 10, normal(500), normal(500) * 0.01],
        "apart": [normal(300) - 100, normal(300) + 100],
        "zeros_then_wide": [torch.zeros(32), normal(320)],
        "wide_then_constant": [normal(320), torch.full((32,), 0.5)],
        "two_constants": [torch.full((9,), -1.25), torch.full((9,), 4.5)],
        "other_shapes": [normal(2, 3, 4), normal(7, 3, 4), normal(1, 3, 4)],
        "empty_between": [normal(40), torch.zeros(0), normal(40) * 2],
    }


def sizes(normal):
    """Counts around the widths at which a sum is cut into lanes."""
    return {f"size_{n}": [normal(n), normal(n) * 1.7] for n in (2, 7, 8, 9, 15, 17, 31, 33, 127, 1025, 30_000)}


def values(normal):
    tiny = torch.finfo(torch.float32).tiny
    large = torch.finfo(torch.float32).max
    return {
        "negative_zero": [torch.tensor([-0.0, 0.0, -0.0])],
        "denormal": [normal(64) * tiny * 0.01],
        "near_overflow": [normal(64).sign() * large * 0.75],
        "integers": [torch.arange(-20, 21).float(), torch.arange(0, 100).float()],
        "all_nan": [torch.full((8,), float("nan"))],
        "nan_later": [normal(64), torch.cat([normal(63), torch.tensor([float("nan")])])],
        "inf_later": [normal(64), torch.cat([normal(63), torch.tensor([float("-inf")])])],
        "double": [normal(200).double() / 3, normal(200).double() * 3],
        "half": [normal(200).half(), normal(200).half() * 3],
        "whole_numbers": [torch.arange(-5, 6)],
    }


def channels(normal):
    return {
        "video": [normal(2, 3, 4, 2, 5), normal(1, 3, 4, 2, 5) * 2],
        "row": [normal(6), normal(6) * 3],
        "one_channel": [normal(1, 30)],
        "mixed_signs": [torch.stack([normal(20).abs(), -normal(20).abs(), torch.zeros(20), normal(20) * 1e-6])],
        "batch_grows": [normal(2, 5), normal(9, 5)],
    }


def by_array():
    """Input names in order, by the name without its batch."""
    return {name: list(group) for name, group in groupby(arrays(), lambda key: key.rpartition(".")[0])}


def cases():
    """Rows with observer, args and inputs."""
    names = by_array()
    for observer, args, wanted in [*whole_tensors(names), *settings(), *each_channel(), *refused(), *fake_quantizes()]:
        for name in wanted:
            yield {"observer": observer, "args": args, "inputs": names[name]}


def whole_tensors(names):
    """Every input under the usual settings."""
    few = [name for name in names if name != "size_30000"]
    yield MINMAX, {**INT8, **AFFINE, **EPS}, few
    yield MINMAX, {**INT4, **SYMMETRIC}, few
    yield AVERAGE, {**UINT8, **AFFINE, **EPS, "averaging_constant": 0.25}, few
    yield HISTOGRAM, {**INT8, **AFFINE, **EPS}, list(names)
    yield HISTOGRAM, {**UINT8, **SYMMETRIC, **EPS, "bins": 100}, list(names)


def settings():
    """A few inputs under unusual settings."""
    some = ["ten_batches", "wider_below", "inside", "size_1025"]
    for constant in (0.0, 0.5, 1.0):
        yield AVERAGE, {**INT8, **SYMMETRIC, "averaging_constant": constant}, some
    for bins in (1, 2, 3, 16, 1000, 3001):
        yield HISTOGRAM, {**INT8, **AFFINE, **EPS, "bins": bins}, some
    yield HISTOGRAM, {**INT4, **AFFINE, **EPS}, some
    yield HISTOGRAM, {**INT16, **AFFINE, **EPS}, some
    for eps in (1.0, 1e-30):
        yield MINMAX, {**INT8, **AFFINE, "eps": eps}, [*some, "denormal"]
    yield MINMAX, {**AFFINE, "dtype": "int8"}, some
    yield MINMAX, {**SYMMETRIC, "dtype": "uint8"}, some
    yield MINMAX, {"dtype": "int32", "quant_min": -(2**31), "quant_max": 2**31 - 1, **SYMMETRIC}, some
    yield MINMAX, {"dtype": "int8", "quant_min": 0, "quant_max": 127, **AFFINE}, some


def each_channel():
    for axis in (0, 1, 2, 4, -1):
        yield CHANNEL, {**WEIGHT, **CHANNEL_SYMMETRIC, **EPS, "ch_axis": axis}, ["video"]
    for observer in (CHANNEL, CHANNEL_AVERAGE):
        yield observer, {**WEIGHT, **CHANNEL_SYMMETRIC, **EPS, "ch_axis": 0}, ["row", "one_channel", "mixed_signs"]
        yield observer, {**UINT8, **CHANNEL_AFFINE, **EPS, "ch_axis": 0}, ["row", "one_channel", "mixed_signs"]
        yield observer, {**INT8, **CHANNEL_AFFINE, "ch_axis": 1}, ["batch_grows", "other_shapes", "video"]
    yield CHANNEL, {**INT4, **CHANNEL_SYMMETRIC, "ch_axis": 0}, ["batch_grows"]


def refused():
    """Settings and inputs that torchao refuses, and observers without qparams."""
    one = ["size_9"]
    yield "PlaceholderObserver", {"dtype": "float16"}, one
    yield MINMAX, {**INT8, **CHANNEL_AFFINE}, one
    yield HISTOGRAM, {**INT8, **CHANNEL_SYMMETRIC}, one
    yield CHANNEL, {**WEIGHT, **AFFINE, "ch_axis": 0}, one
    yield CHANNEL, {**WEIGHT, **CHANNEL_SYMMETRIC, "ch_axis": 3}, one
    yield MINMAX, {"dtype": "int8", "quant_min": 10, "quant_max": -10, **AFFINE}, one
    yield MINMAX, {"dtype": "int8", "quant_min": 5, "quant_max": 100, **AFFINE}, one
    yield HISTOGRAM, {**INT8, **AFFINE, "bins": 0}, one


def fake_quantizes():
    some = ["ten_batches", "apart", "negative_zero", "integers"]
    yield "FakeQuantize", {"observer": MINMAX, **INT4, **AFFINE, **EPS}, some
    yield "FakeQuantize", {"observer": HISTOGRAM, **INT8, **AFFINE, **EPS}, some
    fused = {"observer": AVERAGE, **UINT8, **SYMMETRIC, **EPS, "averaging_constant": 0.5}
    yield "FusedMovingAvgObsFakeQuantize", fused, some
