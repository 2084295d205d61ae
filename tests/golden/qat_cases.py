"""Our own cases of quantization-aware training: what happens to convolutions with batch norms. Names begin with `own.qat_`."""
from __future__ import annotations

import qat_models as m
import rule_recipes as r
from cases import IMAGE, Row, normal

XNN = {"quantizer": "xnnpack", "global": {"is_per_channel": True, "is_qat": True}}
XNN_TENSOR = {"quantizer": "xnnpack", "global": {"is_qat": True}}
ARM = {"quantizer": "arm_inductor", "global": {"is_qat": True}}
X86 = {"quantizer": "x86_inductor", "global": {"is_qat": True}}
CONV, NORM, RELU = "aten.conv2d.default", "aten.batch_norm.default", "aten.relu.default"
FUSED = "FusedMovingAvgObsFakeQuantize"

ACT, WEIGHT = r.act(FUSED), r.weight()
BIAS = {
    "kind": "derived", "from": [r.edge(0), r.edge(1)], "derive": "bias", "dtype": "int32", "quant_min": -(2**31),
    "quant_max": 2**31 - 1, "qscheme": "per_channel_symmetric", "ch_axis": 0,
}
SPECS = {"act": ACT, "weight": WEIGHT, "bias": BIAS}


def row(name, build, sample, recipe, **options):
    """In training mode, unless `training` says otherwise."""
    training = options.pop("training", True)
    return Row(f"qat_{name}", build, sample, recipe, training=training, options={"mode": "qat", **options})


def rows():
    for part in (shapes, graphs, settings, inductor, own_rules):
        yield from part()


def shapes():
    yield row("settings", m.settings, normal((2, 3, 12, 12)), XNN)
    yield row("settings_per_tensor", m.settings, normal((2, 3, 12, 12)), XNN_TENSOR)
    yield row("conv1d", m.one_dimension, normal((2, 3, 13)), XNN)
    yield row("conv3d", m.three_dimensions, normal((2, 2, 5, 5, 5)), XNN)
    yield row("transposed", lambda: m.transposed(True), normal((2, 3, 5, 5)), XNN_TENSOR)
    yield row("transposed_no_bias", lambda: m.transposed(False), normal((2, 3, 5, 5)), XNN)
    yield row("transposed1d", m.transposed_one_dimension, normal((2, 3, 7)), XNN_TENSOR)
    yield row("named_padding", m.named_padding, IMAGE, XNN)


def graphs():
    yield row("residual", m.residual, IMAGE, XNN)
    yield row("inverted_residual", m.inverted_residual, normal((2, 4, 6, 6)), XNN)
    yield row("twice", m.twice, normal((2, 4, 6, 6)), XNN)
    yield row("two_users", m.two_users, IMAGE, XNN)
    yield row("two_norms", m.two_norms, IMAGE, XNN)
    yield row("tied", m.tied, normal((2, 4, 6, 6)), XNN)
    yield row("concatenated", m.concatenated, IMAGE, XNN)
    yield row("linear_norm", m.linear_norm, normal((7, 6)), XNN)
    yield row("classifier", m.pooled_classifier, normal((2, 3, 12, 12)), XNN)


def settings():
    yield row("not_affine", m.not_affine, IMAGE, XNN)
    yield row("not_tracked", m.not_tracked, IMAGE, XNN)
    yield row("other_settings", m.other_settings, IMAGE, XNN)
    yield row("evaluating", m.two_blocks, IMAGE, XNN, training=False)
    yield row("never_calibrated", m.one_block, IMAGE, XNN, calibrate=[])
    yield row("not_folded", m.two_blocks, IMAGE, XNN, fold_quantize=False)
    yield row("one_block_only", m.two_blocks, IMAGE, {"quantizer": "xnnpack", "module_name": {"second": {"is_per_channel": True, "is_qat": True}}})
    first = {"quantizer": "xnnpack", "module_name": {"first": {"is_per_channel": True, "is_qat": True}}}
    yield row("composed", m.two_blocks, IMAGE, {"quantizer": "composable", "quantizers": [first, XNN_TENSOR]})
    yield row("nothing_labelled", m.two_blocks, IMAGE, {"quantizer": "xnnpack"})


def inductor():
    yield row("x86_add", lambda: m.add_two(False), IMAGE, X86)
    yield row("x86_add_relu", lambda: m.add_two(True), IMAGE, X86)
    yield row("x86_residual", m.residual, IMAGE, X86)
    yield row("x86_activations", m.activations, IMAGE, X86)
    yield row("x86_inverted_residual", m.inverted_residual, normal((2, 4, 6, 6)), X86)
    yield row("x86_evaluating", m.two_blocks, IMAGE, X86, training=False)
    yield row("x86_one_block_only", m.two_blocks, IMAGE, {"quantizer": "x86_inductor", "module_name": {"first": {"is_qat": True}}})
    yield row("arm_residual", m.residual, IMAGE, ARM)
    yield row("x86_classifier", m.pooled_classifier, normal((2, 3, 12, 12)), X86)


def own_rules():
    both = [(0, "act"), (1, "weight")]
    yield row("rules_bias", m.one_block, IMAGE, r.rules(SPECS, r.rule("conv, norm, relu", CONV, NORM, RELU, inputs=[*both, (2, "bias")], output="act")))
    yield row("rules_no_output", m.two_blocks, IMAGE, r.rules(SPECS, r.rule("conv alone", CONV, inputs=both)))
    yield row("rules_output_only", m.one_block, IMAGE, r.rules(SPECS, r.rule("conv alone", CONV, output="act")))
    shared = {**SPECS, "same": r.shared({"edge": {"of": 0, "arg": 0}})}
    yield row("rules_shared", m.one_block, IMAGE, r.rules(shared, r.rule("conv, norm, relu", CONV, NORM, RELU, inputs=both, output="same")))
    yield row("rules_weight_first", m.one_block, IMAGE, r.rules(SPECS, r.rule("conv, norm", CONV, NORM, inputs=both[::-1], output="act")))
