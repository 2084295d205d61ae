"""Observers side by side on the same values, by torchao itself: for the tests of core/numbers/zoo.h.

    python zoo_figures.py ../data/numbers/zoo.json

The values are made by a formula that C++ makes again: value i of batch b is sin(0.37 i + b) * (1 + b), and 40 times
that for each 97th.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
from torchao.quantization.pt2e import observer as observers
from torchao.quantization.utils import compute_error

ZOO = [
    ("HistogramObserver", {"qscheme": "per_tensor_affine"}),
    ("HistogramObserver", {"qscheme": "per_tensor_symmetric", "bins": 256}),
    ("MinMaxObserver", {"qscheme": "per_tensor_affine"}),
    ("MinMaxObserver", {"qscheme": "per_tensor_symmetric"}),
    ("MovingAverageMinMaxObserver", {"qscheme": "per_tensor_affine", "averaging_constant": 0.5}),
    ("PerChannelMinMaxObserver", {"qscheme": "per_channel_symmetric", "ch_axis": 0}),
    ("PerChannelMinMaxObserver", {"qscheme": "per_channel_affine", "ch_axis": 1}),
]


def batch(index):
    values = []
    for i in range(1536):
        value = float(torch.sin(torch.tensor(0.37 * i + index, dtype=torch.float64))) * (1 + index)
        values.append(value * (40 if i % 97 == 0 else 1))
    return torch.tensor(values, dtype=torch.float32).reshape(4, 6, 64)


def rounded(x, scale, zero_point, low, high, axis):
    if scale.numel() > 1:
        return torch.fake_quantize_per_channel_affine(x, scale.float(), zero_point.int(), axis, low, high)
    return torch.fake_quantize_per_tensor_affine(x, scale.float(), zero_point.int(), low, high)


def figures(name, args, batches):
    keywords = {key: getattr(torch, value) if key == "qscheme" else value for key, value in args.items()}
    made = getattr(observers, name)(dtype=torch.int8, quant_min=-128, quant_max=127, **keywords)
    for values in batches:
        made(values)
    scale, zero_point = made.calculate_qparams()
    exact = torch.cat(batches)
    axis = args.get("ch_axis", 0)
    back = torch.cat([rounded(values, scale, zero_point, -128, 127, axis) for values in batches])
    shape = [1] * exact.dim()
    shape[axis] = -1
    wide_scale = scale.double().reshape(shape) if scale.numel() > 1 else scale.double()
    wide_zero = zero_point.double().reshape(shape) if scale.numel() > 1 else zero_point.double()
    if scale.numel() > 1 and axis == 0:  # batches lie on top of each other on axis 0
        wide_scale = wide_scale.repeat(len(batches), 1, 1)
        wide_zero = wide_zero.repeat(len(batches), 1, 1)
    low = (-128 - wide_zero - 0.5) * wide_scale
    high = (127 - wide_zero + 0.5) * wide_scale
    clipped = ((exact.double() < low) | (exact.double() > high)).double().mean()
    levels = torch.round(back.double() / wide_scale).long()
    return {"observer": name, "args": args, "scale": scale.flatten().tolist(), "zero_point": zero_point.flatten().tolist(),
            "sqnr": float(compute_error(exact.double(), back.double())), "clipped": float(clipped),
            "levels": int(torch.unique(levels).numel()) if scale.numel() == 1 else None}


def main(target):
    batches = [batch(b) for b in range(3)]
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(json.dumps([figures(name, args, batches) for name, args in ZOO], indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
