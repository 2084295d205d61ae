"""A folder of cases: NAME.pt2, NAME.recipe.json, NAME.inputs.npz, NAME.outputs.npz, NAME.dump.json."""
from __future__ import annotations

import json

import numpy as np

import programs
from flow import Case

DUMP = ".dump.json"


def names(folder):
    """The cases that can be run: those with a program."""
    return sorted(path.name.removesuffix(".pt2") for path in folder.glob("*.pt2"))


def read(folder, name):
    """A case from its files; mode and options stand in the dump, where there is one."""
    with np.load(folder / f"{name}.inputs.npz") as arrays:
        batches = programs.batches_of(arrays)
    recipe = json.loads((folder / f"{name}.recipe.json").read_text())
    content = (folder / f"{name}.pt2").read_bytes()
    before = read_dump(folder, name) if (folder / (name + DUMP)).exists() else {}
    return Case(name, content, recipe, batches, before.get("mode", "ptq"), **before.get("options", {}))


def read_dump(folder, name):
    return json.loads((folder / (name + DUMP)).read_text())


def write_case(folder, case):
    """The files that go into a run."""
    (folder / f"{case.name}.pt2").write_bytes(case.content)
    (folder / f"{case.name}.recipe.json").write_text(json.dumps(case.recipe, indent=1) + "\n")
    np.savez(folder / f"{case.name}.inputs.npz", **programs.batch_arrays(case.batches))


def write_run(folder, name, run):
    """The files that come out of a run."""
    np.savez(folder / f"{name}.outputs.npz", **run.outputs)
    (folder / (name + DUMP)).write_text(json.dumps(run.dump, separators=(",", ":")) + "\n")
