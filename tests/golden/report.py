"""Says in words what changed between two folders of recorded data: dumps, observer rows, calls of ops.

    python report.py OLD NEW [--relative 0.00002]

Standard library only. A case is named once with its changes, stage by stage; the summary groups them by kind,
since a release that changes something changes it in many cases. Exit status: 0 nothing changed, 1 something did.
"""
from __future__ import annotations

import argparse
import json
import math
import struct
import sys
from collections import Counter
from pathlib import Path

DUMP = ".dump.json"
STAGES = ("exported", "folded", "annotated", "prepared", "calibrated", "converted")
SHOWN = 6  # changes of one case that are written out


def differences(old, new, where, relative):
    """(place, old text, new text) of each value that differs; a float may differ by `relative`."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            path = f"{where}.{key}" if where else key
            if key not in new:
                yield path, brief(old[key]), "nothing"
            elif key not in old:
                yield path, "nothing", brief(new[key])
            else:
                yield from differences(old[key], new[key], path, relative)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (before, after) in enumerate(zip(old, new)):
            yield from differences(before, after, f"{where}[{i}]", relative)
    elif not same(old, new, relative):
        yield where, brief(old), brief(new)


def same(old, new, relative):
    if isinstance(old, float) and isinstance(new, float):
        return old == new or math.isclose(old, new, rel_tol=relative)
    return old == new and type(old) is type(new)


def brief(value):
    text = json.dumps(value)
    return text if len(text) <= 90 else text[:87] + "..."


def graph_changes(old, new, relative):
    """(kind, sentence) for one stage of one graph: its nodes, observers, tensors and sub-graphs."""
    before, after = ({node["name"]: node for node in graph.get("nodes", [])} for graph in (old, new))
    yield from member_changes("node", before, after, relative)
    if before.keys() == after.keys() and list(before) != list(after):
        yield "order", "the same nodes stand in another order"
    for part in ("observers", "tensors"):
        yield from member_changes(part[:-1], old.get(part, {}), new.get(part, {}), relative)
    for name in {**old.get("subgraphs", {}), **new.get("subgraphs", {})}:
        inner = (graph.get("subgraphs", {}).get(name, {}) for graph in (old, new))
        for kind, sentence in graph_changes(*inner, relative):
            yield kind, f"{name}: {sentence}"


def member_changes(part, old, new, relative):
    """(kind, sentence) for the nodes, observers or tensors of a graph, by name."""
    for name in {**old, **new}:
        if name not in new:
            yield f"{part} gone", f"- {part} {name} {old[name].get('target', '')}".rstrip()
        elif name not in old:
            yield f"{part} added", f"+ {part} {name} {new[name].get('target', '')}".rstrip()
        else:
            for place, was, now in differences(old[name], new[name], "", relative):
                yield f"{part} {kind_of(place)}", f"{part} {name}: {place} was {was}, is {now}"


def kind_of(place):
    """The last name in a place, without positions: what kind of fact it is."""
    return place.rpartition(".")[2].partition("[")[0]


def dump_changes(old, new, relative):
    """(stage, kind, sentence) for everything that differs between two dumps of one case."""
    if old["error"] != new["error"]:
        yield "error", "error", f"was {brief(old['error'])}, is {brief(new['error'])}"
    for stage in STAGES:
        before, after = old["stages"].get(stage), new["stages"].get(stage)
        if before is None or after is None:
            if before is not after:
                yield stage, "stage", "no longer reached" if after is None else "now reached"
            continue
        for kind, sentence in graph_changes(before, after, relative):
            yield stage, kind, sentence


def observer_changes(old, new, relative):
    """The same for the rows of two observers.json; their cases stand in the same order."""
    if len(old) != len(new):
        yield "observers", "count", f"{len(old)} cases before, {len(new)} now"
    for i, (before, after) in enumerate(zip(old, new)):
        for place, was, now in differences(before, after, "", relative):
            sentence = f"case {i}, {before['observer']} on {before['inputs'][0]}: {place} was {was}, is {now}"
            yield "observers", f"{before['observer']} {kind_of(place)}", sentence


def op_changes(old, new, relative):
    """The same for the calls of one family of ops; a tensor is its dtype, shape and elements."""
    if len(old) != len(new):
        yield "ops", "count", f"{len(old)} calls before, {len(new)} now"
    for i, (before, after) in enumerate(zip(old, new)):
        for place, was, now in differences(before, after, "", relative):
            yield "ops", f"{before['target']} {kind_of(place)}", f"call {i}, {before['target']}: {place} was {was}, is {now}"


FORMATS = {"float32": "f", "float64": "d", "int8": "b", "uint8": "B", "bool": "?", "int16": "h", "int32": "i", "int64": "q"}


def with_elements(value, raw):
    """A recorded value with each tensor's elements in place of where they lie in the .bin file."""
    if isinstance(value, list):
        return [with_elements(each, raw) for each in value]
    if not isinstance(value, dict):
        return value
    if set(value) != {"tensor"}:
        return {key: with_elements(each, raw) for key, each in value.items()}
    spec = {key: each for key, each in value["tensor"].items() if key != "at"}
    letter = FORMATS.get(spec["dtype"], "H")  # half types as their bits
    found = struct.unpack_from(f"<{math.prod(spec['shape'])}{letter}", raw, value["tensor"]["at"])
    return {"tensor": {**spec, "elements": [str(each) if each != each else each for each in found]}}


def read(path):
    rows = json.loads(path.read_text())
    raw = path.with_suffix(".bin")
    return with_elements(rows, raw.read_bytes()) if raw.exists() else rows


def compared(old, new, relative):
    """(case, its changes, or None where it was not recorded again)."""
    calls = [path for path in old.glob("*.json") if path.with_suffix(".bin").exists()]
    for before in sorted([*old.glob("*" + DUMP), *old.glob("observers.json"), *calls]):
        after = new / before.name
        changes = op_changes if before in calls else dump_changes if before.name.endswith(DUMP) else observer_changes
        found = list(changes(read(before), read(after), relative)) if after.exists() else None
        yield before.name.removesuffix(DUMP), found


def show(name, found):
    """One case that changed, or is missing."""
    print(name)
    if found is None:
        print("  not recorded again")
        return
    for stage, _, sentence in found[:SHOWN]:
        print(f"  {stage:10} {sentence}")
    if len(found) > SHOWN:
        print(f"  and {len(found) - SHOWN} more")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--relative", type=float, default=0.0, help="how far a float may move, as a part of it")
    arguments = parser.parse_args()
    total, changed, kinds = 0, 0, Counter()
    for name, found in compared(arguments.old, arguments.new, arguments.relative):
        total += 1
        if found != []:
            changed += 1
            show(name, found)
            kinds.update({(stage, kind) for stage, kind, _ in found or [("files", "not recorded again", "")]})
    if kinds:
        print("\nin how many cases what changed")
        for (stage, kind), count in sorted(kinds.items(), key=lambda item: (-item[1], item[0])):
            print(f"  {count:5}  {stage} {kind}")
    print(f"{total - changed} of {total} cases unchanged")
    sys.exit(int(changed > 0 or total == 0))


if __name__ == "__main__":
    main()
