"""Annotate + prepare + convert: this program against torchao, in one run on the same machine.

    python compare.py BENCH_FLOW RECIPE.json [torchvision model ...]

BENCH_FLOW is the program that bench_flow.cpp makes (build it with the release preset). Needs torch, torchvision and
torchao, see ../golden/requirements.txt. Prints medians and their ratio; nothing here is a test.
"""
from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import torch
import torchvision

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))
import recipes  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e  # noqa: E402

warnings.filterwarnings("ignore")
RUNS = 9


def exported(name: str, folder: Path) -> Path:
    """The model with seeded random weights, as a .pt2."""
    torch.manual_seed(0)
    model = getattr(torchvision.models, name)(weights=None).eval()
    side = 299 if name.startswith("inception") else 224
    path = folder / f"{name}.pt2"
    torch.export.save(torch.export.export(model, (torch.randn(1, 3, side, side),)), path)
    return path


def torchao_times(path: Path, recipe: dict) -> list[float]:
    """Milliseconds of prepare_pt2e and convert_pt2e, without the load and without calibration."""
    out = []
    for _ in range(RUNS):
        module = torch.export.load(path).module()
        start = time.perf_counter()
        convert_pt2e(prepare_pt2e(module, recipes.quantizer(recipe)))
        out.append(1000 * (time.perf_counter() - start))
    return out


def own_times(bench: str, path: Path, recipe: str) -> list[float]:
    done = subprocess.run([bench, path, recipe, str(RUNS)], capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def main() -> None:
    bench, recipe, *names = sys.argv[1:]
    data = json.loads(Path(recipe).read_text())
    with tempfile.TemporaryDirectory() as folder:
        for name in names or ["resnet18", "mobilenet_v2", "vit_b_16"]:
            path = exported(name, Path(folder))
            theirs, mine = statistics.median(torchao_times(path, data)), statistics.median(own_times(bench, path, recipe))
            print(f"{name:20} torchao {theirs:9.1f} ms   greenbox {mine:7.2f} ms   {theirs / mine:6.0f} times faster", flush=True)


if __name__ == "__main__":
    main()
