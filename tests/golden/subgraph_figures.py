"""Errors inside a sub-graph by torch itself: cumulative figures of each op of a while_loop's body, over all rounds.

    python subgraph_figures.py MODEL.pt2 RECIPE.json INPUTS.npz ../data/numbers/subgraph_errors.json

The bodies run by an interpreter that keeps what each node gave in each round.
"""
from __future__ import annotations

import copy
import io
import json
import sys
from pathlib import Path

import numpy
import torch
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

import recipes
from error_figures import QUANTIZE, figures, output_chain


class KeepRounds(torch.fx.Interpreter):
    def __init__(self, module, kept):
        super().__init__(module, garbage_collect_values=False)
        self.kept = kept

    def run_node(self, node):
        value = super().run_node(node)
        if isinstance(value, torch.Tensor):
            self.kept.setdefault(node.name, []).append(value.clone())
        return value


def watched(model):
    """Runs each sub-graph through KeepRounds; {path: {node: [value of each round]}}."""
    kept = {}
    for path, sub in model.named_modules():
        if path and isinstance(sub, torch.fx.GraphModule):
            values = kept.setdefault(path, {})
            plain = copy.copy(sub)
            sub.forward = lambda *args, plain=plain, values=values: KeepRounds(plain, values).run(*args)
    return kept


@torch.no_grad()
def main(model_file, recipe_file, inputs, target):
    def load():  # anew: modules of one program share their sub-graphs
        return torch.export.load(io.BytesIO(Path(model_file).read_bytes())).module()

    arrays = numpy.load(inputs)
    keys = sorted({key.split(".")[0] for key in arrays})
    batches = [[torch.from_numpy(arrays[k]) for k in sorted(arrays) if k.startswith(key + ".")] for key in keys]
    recipe = json.loads(Path(recipe_file).read_text())
    model = prepare_pt2e(load(), recipes.quantizer(recipe))
    for batch in batches:
        model(*batch)
    floats = load()
    exact = watched(floats)
    converted = convert_pt2e(model)
    other = watched(converted)
    for batch in batches:
        floats(*batch)
        converted(*batch)
    out = {}
    for path, values in other.items():
        graph = converted.get_submodule(path).graph
        for node in graph.nodes:
            if node.op != "call_function" or str(node.target).startswith(("quantized_decomposed", *QUANTIZE)):
                continue
            if node.name not in exact.get(path, {}):
                continue
            chain = output_chain(node)
            end = chain[1] if chain else node
            mine, theirs = exact[path][node.name], values[end.name]
            rounds = min(len(mine), len(theirs))
            out[f"{path}.{node.name}"] = figures(torch.cat([v.flatten() for v in mine[:rounds]]),
                                                 torch.cat([v.flatten() for v in theirs[:rounds]]))
    Path(target).write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
