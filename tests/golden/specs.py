"""Specs between JSON (formats.md section 2) and torchao's objects, in both directions."""
from __future__ import annotations

import inspect

import torch
from torch.fx import Node
from torchao.quantization.pt2e import fake_quantize, observer
from torchao.quantization.pt2e.quantizer import (
    DerivedQuantizationSpec,
    FixedQParamsQuantizationSpec,
    QuantizationSpec,
    SharedQuantizationSpec,
)

import values

# -- JSON to torchao ------------------------------------------------------------------------------


def to_torchao(row, position):
    """The spec object for a JSON object; `position` finds the edge or node that a JSON position means."""
    return MAKERS[row["kind"]](row, position)


def make_shared(row, position):
    return SharedQuantizationSpec(position(row["with"]))


def make_derived(row, position):
    if row["derive"] != "bias":
        raise ValueError(f"derive is {row['derive']!r}, only 'bias' is known")
    return DerivedQuantizationSpec(
        derived_from=[position(place) for place in row["from"]],
        derive_qparams_fn=bias_qparams,
        ch_axis=row.get("ch_axis"),
        **common(row),
    )


def make_fixed(row, position):
    return FixedQParamsQuantizationSpec(scale=row["scale"], zero_point=row["zero_point"], **common(row))


def make_quantization(row, position):
    return QuantizationSpec(
        ch_axis=row.get("ch_axis"),
        is_dynamic=row.get("is_dynamic", False),
        observer_or_fake_quant_ctr=constructor(row["observer"], row.get("observer_args", {})),
        **common(row),
    )


MAKERS = {"shared": make_shared, "derived": make_derived, "fixed": make_fixed, "quantization": make_quantization}


def common(row):
    """The fields that every kind with numbers of its own has."""
    return {
        "dtype": getattr(torch, row["dtype"]),
        "quant_min": row.get("quant_min"),
        "quant_max": row.get("quant_max"),
        "qscheme": getattr(torch, row["qscheme"]) if row.get("qscheme") else None,
    }


def bias_qparams(observers):
    """Scale = activation scale x weight scale, zero point 0; observers are those of activation and weight."""
    activation, weight = (each.calculate_qparams()[0] for each in observers)
    scale = torch.tensor([float(activation)]) * weight
    return scale, torch.zeros_like(scale, dtype=torch.int64)


def observer_class(name):
    """An observer or fake quantize class of torchao, by its name."""
    return getattr(observer, name, None) or getattr(fake_quantize, name)


def constructor(name, args):
    """An observer class with its keyword arguments; an argument may be an observer itself."""
    kwargs = {
        key: constructor(value["observer"], value.get("args", {})) if isinstance(value, dict) else value
        for key, value in args.items()
    }
    return observer_class(name).with_args(**kwargs) if kwargs else observer_class(name)


# -- torchao to JSON ------------------------------------------------------------------------------


def to_json(spec):
    """A spec of an annotation as JSON; None stays null."""
    if spec is None:
        return None
    if isinstance(spec, SharedQuantizationSpec):
        return {"kind": "shared", "with": position_json(spec.edge_or_node)}
    if isinstance(spec, DerivedQuantizationSpec):
        places = [position_json(place) for place in spec.derived_from]
        return {"kind": "derived", "from": places, **numbers_json(spec), "ch_axis": spec.ch_axis}
    if isinstance(spec, FixedQParamsQuantizationSpec):
        return {"kind": "fixed", "scale": spec.scale, "zero_point": spec.zero_point, **numbers_json(spec)}
    name, args = constructor_json(spec.observer_or_fake_quant_ctr)
    return {
        "kind": "quantization",
        **numbers_json(spec),
        "ch_axis": spec.ch_axis,
        "is_dynamic": bool(spec.is_dynamic),
        "observer": name,
        "observer_args": args,
    }


def numbers_json(spec):
    return {
        "dtype": values.dtype_name(spec.dtype),
        "quant_min": spec.quant_min,
        "quant_max": spec.quant_max,
        "qscheme": values.to_json(spec.qscheme),
    }


def position_json(place):
    """A node, or an edge from an upstream node to its consumer."""
    return {"node": place.name} if isinstance(place, Node) else {"edge": [node.name for node in place]}


def constructor_json(made):
    """(class name, keyword arguments) of an observer constructor, whose with_args wrappers may nest."""
    kwargs = {}
    while hasattr(made, "p"):
        kwargs = {**made.p.keywords, **kwargs}
        made = made.p.func
    return made.__name__, {key: argument_json(value) for key, value in kwargs.items()}


def argument_json(value):
    if inspect.isclass(value) or hasattr(value, "p"):
        name, args = constructor_json(value)
        return {"observer": name, "args": args}
    return values.to_json(value)
