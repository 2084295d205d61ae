"""Records observer cases from torchao (formats.md section 7).

    python observers.py OUT                  the project's own cases (observer_cases.py)
    python observers.py --from FOLDER OUT    the cases in FOLDER again

OUT/observers.npz holds every array, OUT/observers.json one row for each case: an observer or fake quantize,
its arguments, the arrays that it saw in order, and the state and qparams that torchao then reports. The
inputs are given, so every figure is to be met to the last bit.
"""
from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import numpy as np
import torch

import specs
import stages
import values

warnings.filterwarnings("ignore")


def record(case, arrays):
    """The row of one case, and what a fake quantize returned for its last input (else None)."""
    row = {key: case[key] for key in ("observer", "args", "inputs")}
    try:
        module = specs.observer_class(case["observer"])(**keyword_arguments(case["args"]))
        for name in case["inputs"]:
            returned = module(torch.from_numpy(arrays[name]))
        row.update(stages.state(stages.inner_observer(module)))
        scale, zero_point = module.calculate_qparams()
    except Exception as error:  # a refusal is an answer too
        return {**row, "error": f"{type(error).__name__}: {stages.first_line(error)}"}, None
    row.update(scale=values.to_json(scale), zero_point=values.to_json(zero_point))
    return row, None if stages.inner_observer(module) is module else returned.detach().numpy()


def keyword_arguments(args):
    """torchao's own objects for the names in `args`."""
    def torch_value(name):
        return getattr(torch, name)

    kinds = {"dtype": torch_value, "qscheme": torch_value, "observer": specs.observer_class}
    return {key: kinds[key](value) if key in kinds else value for key, value in args.items()}


def record_all(cases, arrays):
    """All rows, and all arrays: the inputs and what fake quantizes returned."""
    rows, everything = [], dict(arrays)
    for case in cases:
        row, returned = record(case, arrays)
        if returned is not None:
            row["output"] = f"out.{len(rows)}"
            everything[row["output"]] = returned
        rows.append(row)
    return rows, everything


def read(folder):
    """The cases of a folder and its input arrays."""
    with np.load(folder / "observers.npz") as stored:
        arrays = {name: stored[name] for name in stored.files if not name.startswith("out.")}
    return json.loads((folder / "observers.json").read_text()), arrays


def write(folder, rows, arrays):
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "observers.npz", **arrays)
    (folder / "observers.json").write_text(json.dumps(rows, separators=(",", ":")) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="folder", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    if arguments.folder:
        cases, arrays = read(arguments.folder)
    else:
        import observer_cases

        cases, arrays = observer_cases.cases(), observer_cases.arrays()
    rows, everything = record_all(cases, arrays)
    write(arguments.out, rows, everything)
    print(f"{len(rows)} cases, {sum('error' in row for row in rows)} of them refusals")


if __name__ == "__main__":
    main()
