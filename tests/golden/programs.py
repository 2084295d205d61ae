"""Exported programs and calibration batches as the files that Greenbox reads (.pt2, .npz)."""
from __future__ import annotations

import io
import re

import numpy as np
import torch
from torch.utils import _pytree as pytree

PATH = re.compile(r'File "([^"]*)"')


def export(module, example, kwargs=None, dynamic_shapes=None):
    """An exported program of the module, without a path of this machine in it."""
    program = torch.export.export(module, example, kwargs, dynamic_shapes=dynamic_shapes)
    cut_paths(program)
    return program


def cut_paths(program):
    """Cuts the file names in the nodes' stack traces down to what follows site-packages, or to the file's own name."""
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            if node.stack_trace:
                node.meta["stack_trace"] = PATH.sub(lambda found: f'File "{short_path(found[1])}"', node.stack_trace)


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
