"""Values of a graph as JSON, as formats.md section 3 writes them."""
from __future__ import annotations

import hashlib
import math

import torch
from torch.fx import Node


def to_json(value):
    """A value that JSON can hold; a float reads back to the same double."""
    if isinstance(value, Node):
        return {"node": value.name}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [to_json(each) for each in value]
    if isinstance(value, slice):
        return {"slice": [to_json(each) for each in (value.start, value.stop, value.step)]}
    if isinstance(value, torch.dtype):
        return {"dtype": dtype_name(value)}
    if isinstance(value, torch.qscheme):
        return without_torch(value)
    if isinstance(value, torch.Tensor):
        return [to_json(each) for each in value.detach().cpu().reshape(-1).tolist()]
    return {"repr": str(value)}


def dtype_name(dtype):
    return without_torch(dtype)


def without_torch(value):
    """int8 for torch.int8, per_tensor_affine for torch.per_tensor_affine."""
    return str(value).removeprefix("torch.")


def shape_and_dtype(value):
    """Shape (a symbolic size as text) and dtype of a tensor; null and null of anything else."""
    if not isinstance(value, torch.Tensor):
        return None, None
    shape = [str(size) if isinstance(size, torch.SymInt) else int(size) for size in value.shape]
    return shape, dtype_name(value.dtype)


def digest(tensor):
    """Dtype, shape and the SHA-256 of the raw contiguous bytes."""
    tensor = tensor.detach().cpu().contiguous()
    raw = tensor.reshape(-1).view(torch.uint8).numpy().tobytes()  # as bytes, since numpy has no bfloat16
    shape, dtype = shape_and_dtype(tensor)
    return {"dtype": dtype, "shape": shape, "sha256": hashlib.sha256(raw).hexdigest()}
