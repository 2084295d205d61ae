"""Channels of a weight by torch itself: for the tests of core/numbers/channels.h and channel_counts.h.

    python channel_figures.py ../data/numbers/channels.json

Value i of channel c is sin(1.3 i + c), in channel 1 100 times that: five channels of [2, 4], which C++ makes again.
"""
from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import torch
from torchao.quantization.pt2e.observer import MinMaxObserver, PerChannelMinMaxObserver
from torchao.quantization.utils import compute_error

BINS = 16


def weight():
    values = [math.sin(1.3 * i + c) * (100 if c == 1 else 1) for c in range(5) for i in range(8)]
    return torch.tensor(values, dtype=torch.float32).reshape(5, 2, 4)


def histogram(values):
    return torch.histc(values, BINS, float(values.min()), float(values.max())).tolist()


def observed(axis, scheme):
    kind = MinMaxObserver if axis < 0 else PerChannelMinMaxObserver
    keywords = {} if axis < 0 else {"ch_axis": axis}
    name = f"per_{'tensor' if axis < 0 else 'channel'}_{scheme}"
    made = kind(dtype=torch.int8, qscheme=getattr(torch, name), quant_min=-127, quant_max=127, **keywords)
    x = weight()
    made(x)
    scale, zero_point = made.calculate_qparams()
    if axis < 0:
        y = torch.fake_quantize_per_tensor_affine(x, scale, zero_point.int(), -127, 127)
    else:
        y = torch.fake_quantize_per_channel_affine(x, scale, zero_point.int(), axis, -127, 127)
    return {"min": made.min_val.flatten().tolist(), "max": made.max_val.flatten().tolist(),
            "scale": scale.flatten().tolist(), "zero_point": zero_point.flatten().tolist(),
            "sqnr": float(compute_error(x.double(), y.double()))}


def main(target):
    x = weight().double()
    least, most = float(x.min()), float(x.max())
    out = {"bins": BINS,
           "counts": [torch.histc(x[c], BINS, least, most).tolist() for c in range(5)],
           "own": [histogram(x[c]) for c in range(5)],
           "observers": {f"{scheme} {axis}": observed(axis, scheme) for scheme in ("symmetric", "affine")
                         for axis in (-1, 0, 1)}}
    Path(target).write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
