"""Where the accuracy goes, by torch itself: error figures of each op of recorded cases, for the tests of core/numbers.

    python error_figures.py ../data/cases ../data/numbers/errors.json

Each op of the converted graph is run again on the float model's own values: with quantized inputs, with quantized
weights, and its exact output through its quantize and dequantize; local is its weights and its output together. SQNR is torchao's compute_error, cosine is
torch's cosine_similarity.
"""
from __future__ import annotations

import copy
import io
import json
import math
import sys
from pathlib import Path

import numpy
import torch
from torch.fx import Interpreter
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.utils import compute_error

import recipes

CASES = ["conv_relu.xnnpack", "tiny.xnnpack", "residual.xnnpack", "linear.xnnpack_dynamic", "tiny.x86"]
QUANTIZE = ("quantized_decomposed.quantize", "quantized_decomposed.dequantize")


class Keep(Interpreter):
    """Runs a graph and keeps what each node gave."""

    def __init__(self, module):
        super().__init__(module, garbage_collect_values=False)
        self.kept = {}

    def run_node(self, node):
        value = super().run_node(node)
        self.kept[node.name] = value.clone() if isinstance(value, torch.Tensor) else value
        return value


class Local:
    """Values of the converted graph's nodes when all before the quantization of an edge is exact."""

    def __init__(self, floats, interpreter, weights):
        self.floats = floats
        self.weights = weights
        self.interpreter = interpreter

    def exact(self, node, given=None):
        given = given or {}
        if node.name in given:
            return given[node.name]
        if node.op == "get_attr":
            return self.interpreter.fetch_attr(node.target)
        if node.name in self.floats and not str(node.target).startswith(QUANTIZE):
            return self.floats[node.name]
        return self.call(node, lambda arg: self.exact(arg, given))

    def plain(self, node):
        """The float value of an edge."""
        name = self.weights.get(node.name, source(node).name)
        return self.floats[name] if name in self.floats else self.exact(node)

    @staticmethod
    def call(node, value):
        args = torch.fx.node.map_arg(node.args, value)
        kwargs = torch.fx.node.map_arg(node.kwargs, value)
        return node.target(*args, **kwargs)


def is_constant(node):
    return node.op == "get_attr" or (node.op == "call_function" and bool(node.all_input_nodes)
                                     and all(is_constant(n) for n in node.all_input_nodes))


def source(node):
    while str(node.target).startswith(QUANTIZE):
        node = node.args[0]
    return node


def figures(exact, other):
    x, y = exact.double().flatten(), other.double().flatten()
    sqnr = float(compute_error(x, y))
    return {"sqnr": sqnr if math.isfinite(sqnr) else str(sqnr), "largest": float((x - y).abs().max()),
            "cosine": float(torch.nn.functional.cosine_similarity(x, y, dim=0))}


def output_chain(node):
    for user in node.users:
        if str(user.target).startswith(QUANTIZE[0]) and user.users:
            return user, next(iter(user.users))
    return None


def clipping(q, exact):
    """The exact values, cut off at what the quantize node can represent."""
    scale, zero_point, low, high = q.args[1:5]
    return exact.double().clamp((low - zero_point) * scale, (high - zero_point) * scale)


def measure(case, folder, weights):
    recipe = json.loads((folder / f"{case}.recipe.json").read_text())
    program = torch.export.load(io.BytesIO((folder / f"{case}.pt2").read_bytes()))
    arrays = numpy.load(folder / f"{case}.inputs.npz")
    keys = sorted({key.split(".")[0] for key in arrays})
    batches = [[torch.from_numpy(arrays[k]) for k in sorted(arrays) if k.startswith(key + ".")] for key in keys]
    model = prepare_pt2e(program.module(), recipes.quantizer(recipe))
    for batch in batches:
        model(*batch)
    first = Keep(copy.deepcopy(model))  # its observers see one batch more
    first.run(*batches[0])
    floats = {name: value for name, value in first.kept.items() if isinstance(value, torch.Tensor)}
    converted = convert_pt2e(model)
    second = Keep(converted)
    second.run(*batches[0])
    local = Local(floats, second, weights)
    out = {}
    for node in converted.graph.nodes:
        own = node.op == "call_function" and not str(node.target).startswith("quantized_decomposed")
        if node.name not in floats or not (own or node.op == "placeholder" and output_chain(node)):
            continue
        out[node.name] = op_figures(node, floats[node.name], local, second.kept)
    return out


def op_figures(node, exact, local, kept):
    row = {}
    chain = output_chain(node)
    end = chain[1] if chain else node
    row["cumulative"] = figures(exact, kept[end.name])
    constant = {n: is_constant(n) for n in node.all_input_nodes}
    plain = {n: local.plain(n) for n in node.all_input_nodes}
    quantized = {n for n in node.all_input_nodes if str(n.target).startswith(QUANTIZE)}
    value = exact
    if any(constant[n] for n in quantized):
        value = local.call(node, lambda n: local.exact(n) if constant[n] else plain[n])
        row["weights"] = figures(exact, value)
    if any(not constant[n] for n in quantized):
        row["inputs"] = figures(exact, local.call(node, lambda n: plain[n] if constant[n] else local.exact(n)))
    if chain:
        once = local.exact(chain[1])
        if "per_tensor.default" in str(chain[0].target):
            inside = clipping(chain[0], exact)
            row["clipping"] = figures(exact, inside)
            row["rounding"] = figures(exact, exact.double() + (once.double() - inside))
        value = local.exact(chain[1], {node.name: value})
    if "weights" in row or chain:
        row["local"] = figures(exact, value)
    return row


def main(folder, target):
    result = {}
    for case in CASES:
        result[case] = measure(case, folder, weights_of(case, folder))
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(json.dumps(result, indent=1) + "\n")


def weights_of(case, folder):
    """Dequantize node of a weight -> the weight's node, read off an unfolded conversion of the same case."""
    recipe = json.loads((folder / f"{case}.recipe.json").read_text())
    program = torch.export.load(io.BytesIO((folder / f"{case}.pt2").read_bytes()))
    arrays = numpy.load(folder / f"{case}.inputs.npz")
    model = prepare_pt2e(program.module(), recipes.quantizer(recipe))
    model(*[torch.from_numpy(arrays[k]) for k in sorted(arrays) if k.startswith(min(arrays).split(".")[0] + ".")])
    unfolded = convert_pt2e(model, fold_quantize=False)
    return {n.name: source(n).name for n in unfolded.graph.nodes
            if str(n.target).startswith(QUANTIZE[1]) and is_constant(n)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
