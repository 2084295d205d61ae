"""Makes the built-in samples: `python make_samples.py` (packages: ../tests/golden/requirements.txt).

Writes models/NAME.pt2 with the sample inputs inside, and inputs/NAME.npz with four calibration
batches, the first of which is the sample input. The same versions give the same bytes.

`python make_samples.py --check` writes nothing: it runs torchao on each pair of model and recipe in
PAIRS, and says how many observers each gives.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch

import sample_models as models

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests" / "golden"))

import programs  # noqa: E402


def image():
    return (torch.randn(2, 3, 16, 16),)


SAMPLES = {
    "conv_relu": (models.ConvRelu, image),
    "residual": (models.Residual, image),
    "tiny": (models.Tiny, image),
    "cat": (models.Cat, image),
    "linear": (models.Linear, lambda: (torch.randn(32, 12),)),
    "addmul": (models.AddMul, lambda: (torch.randn(8, 32), torch.randn(8, 32))),
    "gate": (models.Gate, lambda: (torch.randn(2, 24, 16),)),
}

# which recipe is worth seeing on which sample; README.md says why
PAIRS = {
    "xnnpack": list(SAMPLES),
    "xnnpack_per_tensor": ["conv_relu", "linear"],
    "xnnpack_linear_only": ["tiny"],
    "xnnpack_linear_by_name": ["tiny", "linear"],
    "xnnpack_conv_by_name": ["residual"],
    "relu_output": ["conv_relu", "residual", "tiny"],
    "conv_relu_fused": ["residual", "conv_relu"],
    "conv_relu_minmax": ["residual", "conv_relu"],
    "moving_average": ["linear"],
    "derived_bias": ["conv_relu", "residual"],
    "shared_cat": ["cat"],
    "shared_add": ["addmul"],
    "implicit_sharing": ["residual"],
    "no_implicit_sharing": ["residual"],
    "sigmoid_fixed": ["gate"],
    "fixed_point": ["gate", "addmul"],
    "float16_linear": ["linear"],
}

EMPTY = {"xnnpack_conv_by_name"}  # labels nothing, which is the lesson


def make():
    """Writes every sample."""
    for folder in ("models", "inputs"):
        (HERE / folder).mkdir(exist_ok=True)
    for name, (build, sample) in SAMPLES.items():
        torch.manual_seed(0)
        module = build().eval()
        example = sample()
        batches = programs.scaled_batches(example, sample)
        (HERE / "models" / f"{name}.pt2").write_bytes(programs.to_bytes(programs.export(module, example)))
        np.savez(HERE / "inputs" / f"{name}.npz", **programs.batch_arrays(batches))


def check():
    """Runs every pair through torchao; the exit status is 1 where one is refused, or finds nothing and should."""
    import flow

    bad = 0
    for recipe_name, names in PAIRS.items():
        recipe = json.loads((HERE / "recipes" / f"{recipe_name}.json").read_text())
        for name in names:
            content = (HERE / "models" / f"{name}.pt2").read_bytes()
            with np.load(HERE / "inputs" / f"{name}.npz") as arrays:
                run = flow.Case(name, content, recipe, programs.batches_of(arrays)).run()
            observers = run.dump["stages"].get("prepared", {}).get("observers", {})
            bad += bool(run.dump["error"]) or bool(observers) == (recipe_name in EMPTY)
            print(f"{recipe_name:20} {name:10} {len(observers)} observers {run.dump['error'] or ''}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(check() if "--check" in sys.argv[1:] else make())
