"""Exported programs and calibration batches as the files that Greenbox reads (.pt2, .npz)."""
from __future__ import annotations

import io
import re

import numpy as np
import torch
from torch.utils import _pytree as pytree

PATH = re.compile(r'File "([^"]*)"')


def export(module, example, kwargs=None, dynamic_shapes=None, strict=False):
    """An exported program of the module, without a path or an address of this machine in it.

    strict: through the tracer that reads bytecode, which keeps the source functions that some rules ask for.
    """
    program = torch.export.export(module, example, kwargs, dynamic_shapes=dynamic_shapes, strict=strict)
    forget_machine(program)
    return program


def forget_machine(program):
    """Cuts paths in stack traces down to what follows site-packages or to the file's own name, and drops addresses."""
    numbers = {}
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            node.meta.pop("from_node", None)  # a history for debuggers, with addresses in it
            if node.stack_trace:
                node.meta["stack_trace"] = PATH.sub(lambda found: f'File "{short_path(found[1])}"', node.stack_trace)
            if "nn_module_stack" in node.meta:
                node.meta["nn_module_stack"] = renumbered(node.meta["nn_module_stack"], numbers)


def renumbered(stack, numbers):
    """The module stack with 1, 2, ... for the addresses that a strict export takes as keys."""
    def stable(key):
        return str(numbers.setdefault(key, len(numbers) + 1)) if key.isdigit() else key

    return {stable(key): entry for key, entry in stack.items()}


def short_path(path):
    """torch/nn/modules/conv.py, or models.py: a path as it may stand in a published file."""
    installed = "site-packages/"
    return path.rpartition(installed if installed in path else "/")[2]


def to_bytes(program):
    """The program as the bytes of a .pt2 file; the same program gives the same bytes."""
    stream = io.BytesIO()
    torch.export.save(program, stream)
    return stream.getvalue()


def from_bytes(content):
    """The program that a reader of the .pt2 file gets."""
    return torch.export.load(io.BytesIO(content))


def to_array(value):
    """A tensor (or a number) as an array; numpy has no bfloat16, float32 holds it exactly."""
    if not isinstance(value, torch.Tensor):
        return np.asarray(value)
    value = value.detach().cpu()
    return (value.float() if value.dtype == torch.bfloat16 else value).numpy()


def leaves(value):
    """The arrays in a model's result or inputs, in torch's own order, without the Nones."""
    return [to_array(leaf) for leaf in pytree.tree_leaves(value) if leaf is not None]


def batch_arrays(batches):
    """Calibration batches, each a tuple of tensors, under the names BATCH.INPUT of an .npz."""
    return {f"{b:03d}.{i}": to_array(value) for b, batch in enumerate(batches) for i, value in enumerate(batch)}


def batches_of(arrays):
    """The batches of an .npz, as tuples of tensors: what batch_arrays wrote."""
    rows = {}
    for name in sorted(arrays.files):
        batch, _, index = name.partition(".")
        rows.setdefault(batch, []).append((int(index), torch.from_numpy(arrays[name])))
    return [tuple(value for _, value in sorted(row, key=lambda pair: pair[0])) for _, row in sorted(rows.items())]


def scaled_batches(example, sample):
    """Four batches: the example, then samples of other ranges, so that every batch moves an observer."""
    def scaled(factor):
        return tuple(t * factor if t.is_floating_point() else t for t in sample())

    return [example, *(scaled(factor) for factor in (1.0, 3.0, 0.5))]
