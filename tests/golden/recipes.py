"""Turns a recipe (formats.md section 1) into the torchao quantizer that it names."""
from __future__ import annotations

import importlib
from functools import reduce

import torch
from torchao.quantization.pt2e.quantizer import ComposableQuantizer
from torchao.quantization.pt2e.quantizer import arm_inductor_quantizer as arm
from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
from torchao.quantization.pt2e.quantizer.embedding_quantizer import EmbeddingQuantizer
from torchao.testing.pt2e import _xnnpack_quantizer as xnnpack

from rules import RulesQuantizer


def quantizer(recipe):
    """The quantizer; an error of torchao's own setters passes through."""
    kind = recipe["quantizer"]
    if kind not in QUANTIZERS:
        raise ValueError(f"quantizer is {kind!r}, one of {', '.join(QUANTIZERS)} expected")
    return QUANTIZERS[kind](recipe)


def make_xnnpack(recipe):
    made = xnnpack.XNNPACKQuantizer()
    apply(recipe, xnnpack.get_symmetric_quantization_config, [
        ("operator_type", aten, made.set_operator_type),
        ("module_type", dotted, made.set_module_type),
        ("module_name", str, made.set_module_name),
    ], made.set_global)
    return made


def make_inductor(made, config, recipe):
    """X86InductorQuantizer and ArmInductorQuantizer have the same setters."""
    apply(recipe, config, [
        ("function_type", dotted, made.set_function_type_qconfig),
        ("module_type", dotted, made.set_module_type_qconfig),
        ("module_name", str, made.set_module_name_qconfig),
    ], made.set_global)
    return made


def make_x86(recipe):
    return make_inductor(x86.X86InductorQuantizer(), x86.get_default_x86_inductor_quantization_config, recipe)


def make_arm(recipe):
    return make_inductor(arm.ArmInductorQuantizer(), arm.get_default_arm_inductor_quantization_config, recipe)


def make_embedding(recipe):
    return EmbeddingQuantizer()


def make_composable(recipe):
    return ComposableQuantizer([quantizer(member) for member in recipe["quantizers"]])


QUANTIZERS = {
    "xnnpack": make_xnnpack,
    "x86_inductor": make_x86,
    "arm_inductor": make_arm,
    "embedding": make_embedding,
    "composable": make_composable,
    "rules": RulesQuantizer,
}


def apply(recipe, config, settings, set_global):
    """Hands each setting of the recipe to its setter; `config` makes torchao's object from the JSON one."""
    def made(row):
        return None if row is None else config(**row)

    if "global" in recipe:
        set_global(made(recipe["global"]))
    for key, resolve, setter in settings:
        for name, row in recipe.get(key, {}).items():
            setter(resolve(name), made(row))


def dotted(path):
    """The class or function at a path such as torch.nn.modules.linear.Linear."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def aten(name):
    """aten.conv2d -> the overload packet, aten.conv2d.default -> the overload."""
    return reduce(getattr, name.split("."), torch.ops)
