"""Figures of runs by torchao itself, for the tests of core/numbers: each observer after each batch, each move of the
histogram search, and what changes of a calibrated model do to its output.

    python run_figures.py ../data/cases ../data/numbers/runs.json
"""
from __future__ import annotations

import copy
import io
import json
import sys
from pathlib import Path

import numpy
import torch
from torchao.quantization.pt2e.observer import HistogramObserver, MinMaxObserver
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

import recipes
from error_figures import Keep, figures

CASES = ["conv_relu.xnnpack", "tiny.xnnpack"]


def load(case, folder):
    """The prepared model, its batches, and a fresh float model."""
    recipe = json.loads((folder / f"{case}.recipe.json").read_text())
    data = (folder / f"{case}.pt2").read_bytes()
    arrays = numpy.load(folder / f"{case}.inputs.npz")
    keys = sorted({key.split(".")[0] for key in arrays})
    batches = [[torch.from_numpy(arrays[k]) for k in sorted(arrays) if k.startswith(key + ".")] for key in keys]
    model = prepare_pt2e(torch.export.load(io.BytesIO(data)).module(), recipes.quantizer(recipe))
    return model, batches, torch.export.load(io.BytesIO(data)).module()


def observers(model):
    return [(name, module) for name, module in model.named_modules() if "activation_post_process" in name]


def history(model, batches):
    out = {name: [] for name, _ in observers(model)}
    for batch in batches:
        model(*batch)
        for name, module in observers(model):
            out[name].append({"min": float(module.min_val.min()), "max": float(module.max_val.max())})
    return out


def search(observer):
    moves = []
    real = observer._compute_quantization_error

    def watched(start, end):
        norm = float(real(start, end))
        moves.append({"start": int(start), "end": int(end), "norm": norm})
        return norm

    observer._compute_quantization_error = watched
    low, high = observer._non_linear_param_search()
    del observer._compute_quantization_error
    return {"moves": moves, "min": float(low), "max": float(high)}


def nodes_of(model, observer):
    return [n for n in model.graph.nodes if n.op == "call_module" and model.get_submodule(n.target) is observer]


def bypass(model, node):
    node.replace_all_uses_with(node.args[0])
    model.graph.erase_node(node)


def changed(calibrated, batches, change):
    """A copy of the calibrated model with one change, as core/numbers/what_if.h describes them."""
    model = copy.deepcopy(calibrated)
    kind, site = change["kind"], change["site"]
    if kind == "float_op":
        op = next(n for n in model.graph.nodes if n.name == site)
        for source in list(op.all_input_nodes):
            if source.op == "call_module":
                op.replace_input_with(source, source.args[0])
                if not source.users:
                    model.graph.erase_node(source)
        for user in list(op.users):
            if user.op == "call_module":
                bypass(model, user)
        model.recompile()
        return model
    old = model.get_submodule(site)
    if kind == "float_observer":
        for node in nodes_of(model, old):
            bypass(model, node)
        model.recompile()
        return model
    made = MinMaxObserver(dtype=old.dtype, quant_min=old.quant_min, quant_max=old.quant_max, eps=float(old.eps),
                          qscheme=getattr(torch, change["qscheme"]) if "qscheme" in change else old.qscheme)
    if kind == "range":
        made.min_val, made.max_val = torch.tensor(change["min"]), torch.tensor(change["max"])
    else:
        watch = copy.deepcopy(calibrated)
        for batch in batches:
            keep = Keep(watch)
            keep.run(*batch)
            for node in nodes_of(model, old):
                made(keep.kept[node.args[0].name])
    for name, module in list(model.named_modules()):
        if module is old:
            setattr(model, name, made)
    return model


def changes_of(case):
    first = {"kind": "observer", "site": "activation_post_process_0", "qscheme": "per_tensor_symmetric"}
    last = "activation_post_process_2" if case.startswith("conv_relu") else "activation_post_process_4"
    return [first, {"kind": "float_op", "site": "conv2d"}, {"kind": "float_observer", "site": last},
            {"kind": "range", "site": last, "min": -0.25, "max": 0.5}, {"kind": "observer", "site": last}]


def what_if(calibrated, floats, batches, case):
    out = []
    exact = floats(*batches[0])
    exact = exact[0] if isinstance(exact, (tuple, list)) else exact
    for change in changes_of(case):
        other = convert_pt2e(changed(calibrated, batches, change))(*batches[0])
        other = other[0] if isinstance(other, (tuple, list)) else other
        out.append({**change, **figures(exact, other)})
    return out


@torch.no_grad()
def main(folder, target):
    result = {}
    for case in CASES:
        model, batches, floats = load(case, folder)
        row = {"history": history(model, batches)}
        row["search"] = {name: search(copy.deepcopy(module)) for name, module in observers(model)
                         if isinstance(module, HistogramObserver)}
        row["what_if"] = what_if(model, floats, batches, case)
        result[case] = row
    Path(target).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
