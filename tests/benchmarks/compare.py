"""This program against torch and torchao, in one run on the same machine.

    python compare.py BUILD RECIPE.json [torchvision model ...]

BUILD is the folder of a release build with the targets greenbox, bench_flow and bench_batches. Needs torch, torchvision
and torchao, see ../golden/requirements.txt. For each model it prints medians and their ratio of

    flow       annotate + prepare + convert, without loading and calibration
    float      one batch through the exported model
    calibrate  one batch through the prepared model
    run        the whole process: import or start, load, float output, prepare, five batches, convert, converted output

Nothing here is a test.
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

import numpy
import torch
import torchvision

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))
import recipes  # noqa: E402
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e  # noqa: E402

warnings.filterwarnings("ignore")
RUNS = 9
WHOLE_RUNS = 3


def exported(name: str, folder: Path) -> Path:
    """The model with seeded random weights, as a .pt2."""
    torch.manual_seed(0)
    model = getattr(torchvision.models, name)(weights=None).eval()
    side = 299 if name.startswith("inception") else 224
    path = folder / f"{name}.pt2"
    torch.export.save(torch.export.export(model, (torch.randn(1, 3, side, side),)), path)
    return path


def milliseconds(work) -> float:
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def torch_flow(path: Path, recipe: dict) -> list[float]:
    """prepare_pt2e and convert_pt2e, without the load and without calibration."""
    out = []
    for _ in range(RUNS):
        module = torch.export.load(path).module()
        out.append(milliseconds(lambda: convert_pt2e(prepare_pt2e(module, recipes.quantizer(recipe)))))
    return out


def torch_batches(path: Path, recipe: dict) -> tuple[list[float], list[float]]:
    program = torch.export.load(path)
    batch = program.example_inputs[0]
    module, prepared = program.module(), prepare_pt2e(program.module(), recipes.quantizer(recipe))
    with torch.no_grad():
        pairs = [(milliseconds(lambda: module(*batch)), milliseconds(lambda: prepared(*batch))) for _ in range(RUNS)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def numbers(*command: str | Path) -> list[list[float]]:
    """What a benchmark prints: a row of numbers a run."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def whole(path: Path, recipe: str, batches: Path) -> None:
    """What a user's script does, in a process of its own: `compare.py --whole MODEL RECIPE BATCHES`."""
    program = torch.export.load(path)
    arrays = numpy.load(batches)
    inputs = [torch.from_numpy(arrays[key]) for key in arrays]
    with torch.no_grad():
        program.module()(inputs[0])
        prepared = prepare_pt2e(program.module(), recipes.quantizer(json.loads(Path(recipe).read_text())))
        for batch in inputs:
            prepared(batch)
        convert_pt2e(prepared)(inputs[0])


def show(model: str, what: str, theirs: list[float], mine: list[float]) -> None:
    a, b = statistics.median(theirs), statistics.median(mine)
    print(f"{model:16} {what:10} torch {a:9.1f} ms   greenbox {b:8.2f} ms   {a / b:6.2f} times faster", flush=True)


def compare(build: Path, recipe: str, name: str, folder: Path) -> None:
    data = json.loads(Path(recipe).read_text())
    path = exported(name, folder)
    benchmarks = build / "tests" / "benchmarks"
    flow = numbers(benchmarks / "bench_flow", path, recipe, str(RUNS))
    show(name, "flow", torch_flow(path, data), [row[0] for row in flow])
    # before torch's: its threads go on spinning for a while
    batches = numbers(benchmarks / "bench_batches", path, recipe, str(RUNS))
    floats, prepared = torch_batches(path, data)
    show(name, "float", floats, [row[0] for row in batches])
    show(name, "calibrate", prepared, [row[1] for row in batches])

    shape = torch.export.load(path).example_inputs[0][0].shape
    arrays = folder / "batches.npz"
    numpy.savez(arrays, **{f"{i:03}.0": torch.randn(shape).numpy() for i in range(5)})
    theirs = [sys.executable, __file__, "--whole", path, recipe, arrays]
    mine = [build / "app" / "greenbox", "run", path, "--recipe", recipe, "--inputs", arrays]
    show(name, "run", *([milliseconds(lambda: subprocess.run(command, capture_output=True, check=True))
                         for _ in range(WHOLE_RUNS)] for command in (theirs, mine)))


def main() -> None:
    if sys.argv[1] == "--whole":
        whole(Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4]))
        return
    build, recipe, *names = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name in names or ["resnet18", "mobilenet_v2", "vit_b_16"]:
            compare(Path(build), recipe, name, Path(folder))


if __name__ == "__main__":
    main()
