"""The project's own cases: a model, a recipe and how it is run. The names begin with `own.`."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import torch
from torch.utils import _pytree as pytree

import models as m
import programs
import rule_recipes as r
from flow import Case

XNN = {"quantizer": "xnnpack", "global": {"is_per_channel": True}}
XNN_TENSOR = {"quantizer": "xnnpack", "global": {}}
LINEAR_TYPE, CONV_TYPE = r.LINEAR_TYPE, "torch.nn.modules.conv.Conv2d"


@dataclass
class Row:
    """sample makes a tuple of inputs; with `keywords` its last member is a dict of keyword arguments.

    export are arguments of programs.export, options are fields of flow.Case.
    """

    name: str
    build: Callable
    sample: Callable
    recipe: dict
    keywords: bool = False
    training: bool = False
    export: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)

    def case(self):
        torch.manual_seed(0)
        module = self.build().train(self.training)
        drawn = self.sample()
        args, kwargs = (drawn[:-1], drawn[-1]) if self.keywords else (drawn, {})
        program = programs.export(module, args, kwargs, **self.export)
        batches = programs.scaled_batches(flat(drawn), lambda: flat(self.sample()))
        return Case(f"own.{self.name}", programs.to_bytes(program), self.recipe, batches, **self.options)


def flat(drawn):
    return tuple(pytree.tree_leaves(drawn))


def normal(*shapes):
    """Samples with one normal tensor for each shape."""
    return lambda: tuple(torch.randn(*shape) for shape in shapes)


IMAGE = normal((2, 3, 8, 8))


def wanted(names):
    """The cases with these names, or all; one at a time."""
    for row in all_rows():
        if not names or f"own.{row.name}" in names:
            yield row.case()


def all_rows():
    import qat_cases

    yield from qat_cases.rows()
    for rows in (weights, elementwise, sources, sharing, ends, settings, chains, labels, refusals):
        yield from rows()


def weights():
    """Convs, linears and batch norms under XNNPACKQuantizer."""
    yield Row("linear_relu", m.linear_relu, normal((5, 6)), XNN)
    yield Row("linear_two_users", m.linear_two_users, normal((5, 6)), XNN)
    yield Row("conv_settings", m.conv_settings, normal((2, 3, 11, 9)), XNN)
    yield Row("conv_settings_per_tensor", m.conv_settings, normal((2, 3, 11, 9)), XNN_TENSOR)
    yield Row("conv_bn_chain", m.conv_bn_chain, IMAGE, XNN)
    yield Row("conv_bn_not_affine", m.conv_bn_not_affine, IMAGE, XNN)
    yield Row("conv_clamps", m.conv_clamps, IMAGE, XNN)
    yield Row("conv1d_relu", m.conv1d_relu, normal((2, 3, 13)), XNN)
    yield Row("conv_transpose", m.conv_transpose, normal((1, 3, 5, 4)), XNN)
    yield Row("depthwise", m.depthwise, normal((1, 6, 7, 7)), XNN)
    yield Row("linear_bn1d", m.linear_bn1d, normal((7, 6)), XNN)
    yield Row("tied", m.tied, normal((5, 4)), XNN)
    yield Row("basic_block", m.basic_block, IMAGE, XNN)
    yield Row("inverted_residual", m.inverted_residual, IMAGE, XNN)
    yield Row("embedded", m.embedded, lambda: (torch.randint(0, 12, (3, 5)),), XNN)


def elementwise():
    """add and mul under XNNPACKQuantizer."""
    yield Row("add_scalar", m.add_scalar, IMAGE, XNN)
    yield Row("mul_scalar", m.mul_scalar, IMAGE, XNN)
    yield Row("add_alpha", m.add_alpha, normal((3, 4)), XNN)
    yield Row("large_scalar", m.large_scalar, normal((3, 4)), XNN)
    yield Row("same_operand", m.same_operand, IMAGE, XNN)
    yield Row("add_mul_relu", m.add_mul_relu, normal((4, 6), (4, 6)), XNN)
    yield Row("inplace_arithmetic", m.inplace_arithmetic, IMAGE, XNN)
    yield Row("broadcast", m.broadcast, normal((2, 3, 4)), XNN)
    yield Row("integers", m.integers, lambda: (torch.randn(3, 4), torch.randint(0, 9, (3, 4))), XNN)


def sources():
    """Rules that ask for the source function of an op: a strict export keeps it, the usual one does not."""
    deep = normal((3, 4), (3, 2))
    for suffix, how in (("", {}), ("_strict", {"strict": True})):
        yield Row(f"cat_three{suffix}", m.cat_three, IMAGE, XNN, export=how)
        yield Row(f"cat_same{suffix}", m.cat_same, IMAGE, XNN, export=how)
        yield Row(f"cat_of_cats{suffix}", m.cat_of_cats, deep, XNN, export=how)
        yield Row(f"pools{suffix}", m.pools, normal((2, 3, 12, 12)), XNN, export=how)
        yield Row(f"pool_first{suffix}", m.pool_first, IMAGE, XNN, export=how)


def sharing():
    """Ops between quantized ops: some share an observer, some have no rule."""
    yield Row("layout", m.layout, normal((2, 3, 2, 2)), XNN)
    yield Row("means", m.means, IMAGE, XNN)
    yield Row("activations", m.activations, normal((4, 5)), XNN)
    yield Row("softmaxed", m.softmaxed, normal((4, 5)), XNN)
    yield Row("hard_functions", m.hard_functions, IMAGE, XNN)
    yield Row("smooth_functions", m.smooth_functions, normal((4, 5)), XNN)
    yield Row("dropped", m.dropped, normal((4, 5)), XNN)
    yield Row("slices", m.slices, IMAGE, XNN)
    yield Row("upsampled", m.upsampled, normal((1, 3, 5, 5)), XNN)
    yield Row("chunks", m.chunks, IMAGE, XNN)


def ends():
    """What goes in and what comes out."""
    vectors = normal((3, 4), (3, 4))
    yield Row("two_in_two_out", m.two_in_two_out, normal((3, 4), (2,), (3, 4)), XNN)
    yield Row("dict_output", m.dict_output, normal((3, 4)), XNN)
    yield Row("keywords", m.Keywords, named_gain_offset, XNN, keywords=True)
    yield Row("pairs", m.Pairs, lambda: (vectors(), {"gain": torch.randn(4)}), XNN)
    yield Row("returns_input", m.returns_input, vectors, XNN)
    yield Row("same_output_twice", m.same_output_twice, normal((3, 4)), XNN)
    yield Row("buffers", m.buffers, normal((5, 3)), XNN)
    batch = ({0: torch.export.Dim("batch", min=2, max=64)},)
    yield Row("any_batch", m.any_batch, some_images, XNN, export={"dynamic_shapes": batch})


def named_gain_offset():
    return torch.randn(3, 4), {"offset": torch.randn(4), "gain": torch.randn(3, 4)}


def some_images():
    """Another number of them each time."""
    return (torch.randn(int(torch.randint(2, 7, ())), 3, 4, 4),)


def settings():
    """Settings of XNNPACKQuantizer, and options of the run."""
    vector = normal((5, 6))
    narrow = {"is_per_channel": True, "act_qmin": -100, "act_qmax": 100, "weight_qmin": -7, "weight_qmax": 7}
    yield Row("narrow_ranges", m.linear_relu, vector, {"quantizer": "xnnpack", "global": narrow})
    by_name = {"body.fc2": {"is_per_channel": True}, "head": {}}
    yield Row("by_name", m.classifier, vector, {"quantizer": "xnnpack", "module_name": by_name})
    yield Row("by_name_and_global", m.classifier, vector, {**XNN_TENSOR, "module_name": {"body": {"is_per_channel": True}}})
    by_type = {**XNN, "module_type": {LINEAR_TYPE: {"act_qmin": 0, "act_qmax": 127}}}
    # labels nothing: the conv rule also asks the weight for its module, and a weight has none
    yield Row("by_type_and_global", m.conv_clamps, IMAGE, {**XNN, "module_type": {CONV_TYPE: {}}})
    yield Row("by_type_name_and_global", m.classifier, vector, {**by_type, "module_name": {"head": {}}})
    yield Row("never_calibrated", m.linear_relu, vector, XNN, options={"calibrate": []})
    yield Row("some_batches", m.conv_bn_chain, IMAGE, XNN, options={"calibrate": [2, 0]})
    yield Row("not_folded", m.conv_bn_chain, IMAGE, XNN, options={"fold_quantize": False})
    yield Row("empty_recipe", m.linear_relu, vector, {"quantizer": "xnnpack"})


def chains():
    """Rules: which chains match."""
    yield Row("rules_where_name", m.two_convs, IMAGE, r.WHERE_NAME)
    yield Row("rules_where_module", m.mixed_blocks, normal((5, 6)), r.WHERE_MODULE)
    yield Row("rules_where_type", m.mixed_blocks, normal((5, 6)), r.WHERE_TYPE)
    yield Row("rules_long_chain", m.functions, normal((4, 6)), r.LONG_CHAIN)
    yield Row("rules_branch_breaks_chain", m.branches, IMAGE, r.CHAIN_IN_BRANCHES)
    yield Row("rules_no_mark", m.two_convs, IMAGE, r.NO_MARK)
    yield Row("rules_marked_again", m.two_convs, IMAGE, r.MARKED_AGAIN)
    yield Row("rules_replace", m.two_convs, IMAGE, r.REPLACE)
    yield Row("rules_matches_nothing", m.functions, normal((4, 6)), r.NO_MATCH)


def labels():
    """Rules: what a spec can say."""
    pair = normal((4, 6))
    yield Row("rules_null", m.two_convs, IMAGE, r.NULL_EDGES)
    yield Row("rules_half", m.linear_relu, normal((5, 6)), r.HALF)
    yield Row("rules_moving_average", m.two_convs, IMAGE, r.MOVING_AVERAGE)
    yield Row("rules_symmetric", m.two_convs, IMAGE, r.SYMMETRIC)
    yield Row("rules_wide_and_narrow", m.two_convs, IMAGE, r.WIDE_AND_NARROW)
    yield Row("rules_channel_axis", m.linear_relu, normal((5, 6)), r.CHANNEL_AXIS)
    yield Row("rules_two_types", m.functions, pair, r.TWO_TYPES)
    yield Row("rules_shared_node", m.branches, IMAGE, r.SHARED_NODE)
    yield Row("rules_shared_output", m.functions, pair, r.SHARED_OUTPUT)
    yield Row("rules_shared_chain", m.functions, pair, r.SHARED_CHAIN)
    yield Row("rules_three_users", m.branches, IMAGE, r.THREE_USERS)
    yield Row("rules_one_forbids", m.branches, IMAGE, r.ONE_FORBIDS)
    yield Row("rules_derived_per_tensor", m.two_convs, IMAGE, r.DERIVED_PER_TENSOR)
    yield Row("rules_fixed_input", m.functions, pair, r.FIXED_INPUT)
    yield Row("rules_few_bins", m.functions, pair, r.FEW_BINS)


def refusals():
    """Rules that torchao, or the reference of the rules quantizer, refuses."""
    pair = normal((4, 6))
    yield Row("rules_unknown_node", m.functions, pair, r.UNKNOWN_NODE)
    yield Row("rules_no_such_argument", lambda: m.two_convs(bias=False), IMAGE, r.NO_SUCH_ARGUMENT)
    yield Row("rules_tensor_keyword", m.tensor_keyword, sorted_rows, r.TENSOR_KEYWORD)
    yield Row("rules_range_upside_down", m.functions, pair, r.UPSIDE_DOWN)
    yield Row("rules_shared_unlabelled", m.functions, pair, r.SHARED_UNLABELLED)


def sorted_rows():
    x = torch.randn(2, 5)
    return x, torch.argsort(x.clamp(min=0), dim=1)
