"""Live torchao objects as the stages of a greenbox-dump (formats.md section 3).

Every figure is read from the objects; nothing is computed here that torchao computes itself.
"""
from __future__ import annotations

from torch.fx import GraphModule
from torchao.quantization.pt2e.fake_quantize import FakeQuantize

import specs
import values
from rules import KEY

GUARDS = "_guards_fn"  # a node that export adds, which is no part of the model
OWN_FIELDS = ("input_qspec_map", "output_qspec", "_annotated", "allow_implicit_sharing")
SETTINGS = ("dtype", "qscheme", "quant_min", "quant_max", "ch_axis", "is_dynamic", "averaging_constant", "bins")
STATE = ("min_val", "max_val", "histogram")


# -- graphs ---------------------------------------------------------------------------------------


def graph(module):
    """The nodes of a graph module in graph order, and those of its sub-graphs."""
    return with_subgraphs(module, {"nodes": [node_row(node) for node in nodes(module)]}, graph)


def prepared(module):
    """A prepared graph with its observers as they were inserted."""
    row = {"nodes": [node_row(node) for node in nodes(module)], "observers": observers(module, observer_row)}
    return with_subgraphs(module, row, prepared)


def calibrated(module):
    """What the observers of a graph and of its sub-graphs hold after the batches."""
    return with_subgraphs(module, {"observers": observers(module, calibrated_row)}, calibrated)


def converted(module):
    """A converted graph and the digests of all tensors in the module."""
    tensors = {**named(module.named_parameters), **named(module.named_buffers)}
    return {**graph(module), "tensors": {name: values.digest(tensor) for name, tensor in sorted(tensors.items())}}


def named(members):
    return dict(members(remove_duplicate=False))


def nodes(module):
    return [node for node in module.graph.nodes if node.name != GUARDS]


def subgraphs(module):
    """The graph modules that get_attr nodes hand to control flow or to the no_grad wrapper, by target."""
    modules = dict(module.named_modules())
    targets = [str(node.target) for node in module.graph.nodes if node.op == "get_attr"]
    return {target: modules[target] for target in targets if isinstance(modules.get(target), GraphModule)}


def with_subgraphs(module, row, stage):
    """The row of one graph, with `stage` of each of its sub-graphs where it has any."""
    inner = {target: stage(sub) for target, sub in subgraphs(module).items()}
    return {**row, "subgraphs": inner} if inner else row


def node_row(node):
    shape, dtype = values.shape_and_dtype(node.meta.get("val"))
    row = {
        "name": node.name,
        "op": node.op,
        "target": str(node.target),
        "args": values.to_json(node.args),
        "kwargs": {key: values.to_json(value) for key, value in node.kwargs.items()},
        "shape": shape,
        "dtype": dtype,
    }
    annotation = node.meta.get(KEY)
    return row if annotation is None else {**row, "annotation": annotation_row(annotation)}


def annotation_row(annotation):
    """The four fields of torchao's own, and under `extra` those that a backend adds."""
    row = {
        "inputs": [{"from": node.name, "spec": specs.to_json(spec)} for node, spec in annotation.input_qspec_map.items()],
        "output": specs.to_json(annotation.output_qspec),
        "annotated": bool(annotation._annotated),
        "allow_implicit_sharing": bool(annotation.allow_implicit_sharing),
    }
    extra = {key: values.to_json(value) for key, value in vars(annotation).items() if key not in OWN_FIELDS}
    return {**row, "extra": extra} if extra else row


# -- observers ------------------------------------------------------------------------------------


def observers(module, row):
    """`row` of each observer or fake quantize node of a prepared graph, by node name."""
    modules = dict(module.named_modules(remove_duplicate=False))
    return {node.name: row(node, modules[node.target]) for node in nodes(module) if node.op == "call_module"}


def inner_observer(module):
    """The observer that measures: inside a fake quantize, or the module itself."""
    return module.activation_post_process if isinstance(module, FakeQuantize) else module


def observer_row(node, module):
    """What the module is, where it stands and with which settings."""
    observer = inner_observer(module)
    row = {
        "module": node.target,
        "type": type(module).__name__,
        "observes": node.args[0].name,
        "users": [user.name for user in node.users],
    }
    if observer is not module:
        row["observer"] = type(observer).__name__
        row["observer_enabled"] = bool(module.observer_enabled.item())
        row["fake_quant_enabled"] = bool(module.fake_quant_enabled.item())
    for key in SETTINGS:
        if hasattr(observer, key):
            value = getattr(observer, key)
            row[key] = values.dtype_name(value) if key == "dtype" else values.to_json(value)
    if hasattr(observer, "eps"):
        row["eps"] = float(observer.eps)
    return row


def calibrated_row(node, module):
    """The settings, then the state and the qparams, or torchao's sentence where there are none."""
    observer = inner_observer(module)
    row = {**observer_row(node, module), **state(observer)}
    if observer is not module:  # what the fake quantize last rounded with
        row["used_scale"], row["used_zero_point"] = values.to_json(module.scale), values.to_json(module.zero_point)
    try:
        scale, zero_point = module.calculate_qparams()
    except Exception as error:  # torchao raises plain Exception here
        return {**row, "no_qparams": first_line(error) or type(error).__name__}
    return {**row, "scale": values.to_json(scale), "zero_point": values.to_json(zero_point)}


def state(observer):
    """The ranges and the histogram that an observer has collected."""
    return {key: values.to_json(getattr(observer, key)) for key in STATE if hasattr(observer, key)}


def first_line(error):
    return str(error).partition("\n")[0]
