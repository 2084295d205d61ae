"""Recipes of the `rules` quantizer for our own cases, one point of the contract each."""
from __future__ import annotations

CONV, LINEAR, ADD, MUL = "aten.conv2d.default", "aten.linear.default", "aten.add.Tensor", "aten.mul.Tensor"
RELU, SIGMOID, TANH = "aten.relu.default", "aten.sigmoid.default", "aten.tanh.default"
LINEAR_TYPE = "torch.nn.modules.linear.Linear"

EPS = {"eps": 2**-12}


def act(observer="MinMaxObserver", low=-128, high=127, dtype="int8", qscheme="per_tensor_affine", **args):
    return {
        "kind": "quantization", "dtype": dtype, "quant_min": low, "quant_max": high, "qscheme": qscheme,
        "observer": observer, "observer_args": {**EPS, **args},
    }


def weight(observer="PerChannelMinMaxObserver", ch_axis=0, qscheme="per_channel_symmetric", low=-127, high=127):
    return {**act(observer, low, high, qscheme=qscheme), "ch_axis": ch_axis}


def edge(arg, of=0):
    return {"edge": {"of": of, "arg": arg}}


def shared(position):
    return {"kind": "shared", "with": position}


def rule(name, *pattern, inputs=(), output=None, **more):
    """inputs: (argument, spec) of the chain's first node; output: the spec of its last."""
    row = {"name": name, "pattern": list(pattern)}
    if inputs:
        row["inputs"] = [{"of": 0, "arg": arg, "spec": spec} for arg, spec in inputs]
    if output is not None:
        row["outputs"] = [{"of": len(pattern) - 1, "spec": output}]
    return {**row, **more}


def rules(specs, *rows):
    return {"quantizer": "rules", "specs": specs, "rules": list(rows)}


BASE = {"act": act(), "weight": weight()}
WEIGHT_TENSOR = weight("MinMaxObserver", None, "per_tensor_symmetric")
UNIT = {
    "kind": "fixed", "dtype": "uint8", "scale": 1 / 256, "zero_point": 0,
    "quant_min": 0, "quant_max": 255, "qscheme": "per_tensor_affine",
}
BOTH = [(0, "act"), (1, "weight")]

# -- which chains match ---------------------------------------------------------------------------

WHERE_NAME = rules(BASE, rule("the second conv", CONV, RELU, inputs=BOTH, output="act", where={"name": "relu_1"}))
WHERE_MODULE = rules(BASE, rule("in the block", LINEAR, inputs=BOTH, output="act", where={"module": "block"}))
WHERE_TYPE = rules(
    BASE,
    rule("relus written in a block", RELU, output="act", where={"module_type": "models.Block"}),
    rule("the linear called after", LINEAR, inputs=BOTH, where={"module": "after", "module_type": LINEAR_TYPE}),
)
LONG_CHAIN = rules(BASE, rule("three functions", RELU, [TANH, SIGMOID], [TANH, SIGMOID], inputs=[(0, "act")], output="act"))
CHAIN_IN_BRANCHES = rules(
    BASE,
    rule("never: the relu has three users", RELU, SIGMOID, output="act"),
    rule("never: the conv is the first argument, the sigmoid the second", SIGMOID, ADD, output="act"),
    rule("conv and add", CONV, ADD, inputs=BOTH, output="act"),
)
NO_MARK = rules(
    {**BASE, "u8": act(dtype="uint8", low=0, high=255)},
    rule("labels without a mark", RELU, output="act", mark=False),
    rule("finds them unmarked, and takes the label's place", RELU, output="u8"),
    rule("finds them marked, and leaves them", RELU, inputs=[(0, "act")]),
)
MARKED_AGAIN = rules(
    BASE,
    rule("conv and relu", CONV, RELU, inputs=BOTH, output="act"),
    rule("adds to what stands there", CONV, inputs=[(2, None)], output="act", skip_marked=False),
)
REPLACE = rules(
    {**BASE, "u8": act(dtype="uint8", low=0, high=255)},
    rule("conv and relu", CONV, RELU, inputs=BOTH, output="act"),
    rule("begins anew", CONV, inputs=[(0, "u8")], skip_marked=False, replace=True),
)
NO_MATCH = rules(BASE, rule("no such op", "aten.gelu.default", output="act"))

# -- what a spec can say --------------------------------------------------------------------------

NULL_EDGES = rules(BASE, rule("only the weight", CONV, inputs=[(0, None), (1, "weight"), (2, None)]))
HALF = rules(
    {"half": {"kind": "quantization", "dtype": "float16", "observer": "PlaceholderObserver"}},
    rule("linear in half precision", LINEAR, inputs=[(0, "half"), (1, "half")], output="half"),
)
MOVING_AVERAGE = rules(
    {
        "act": act("MovingAverageMinMaxObserver", averaging_constant=0.3),
        "weight": weight("MovingAveragePerChannelMinMaxObserver"),
    },
    rule("conv", CONV, inputs=BOTH, output="act"),
)
SYMMETRIC = rules(
    {"act": act("HistogramObserver", qscheme="per_tensor_symmetric"), "weight": WEIGHT_TENSOR},
    rule("conv and relu", CONV, RELU, inputs=BOTH, output="act"),
)
WIDE_AND_NARROW = rules(
    {
        "act": act(dtype="int16", low=-32768, high=32767),
        "weight": weight(low=-8, high=7),
        "u8": act(dtype="uint8", low=0, high=127),
    },
    rule("conv", CONV, inputs=BOTH),
    rule("relu", RELU, output="u8"),
)
CHANNEL_AXIS = rules(
    {**BASE, "weight": weight(ch_axis=1, qscheme="per_channel_affine")},
    rule("a scale for each input channel", LINEAR, inputs=BOTH, output="act"),
)
TWO_TYPES = rules(
    {**BASE, "u8": act(dtype="uint8", low=0, high=255)},
    rule("written as int8", RELU, output="act"),
    rule("read as uint8", SIGMOID, inputs=[(0, "u8")], output="u8"),
    rule("read as written", TANH, inputs=[(0, "u8")]),
)
SHARED_NODE = rules(
    {**BASE, "relu": shared({"node": "relu"})},
    rule("relu", RELU, output="act"),
    rule("the other branches on the scale of the relu", SIGMOID, inputs=[(0, "relu")], output="relu"),
    rule("mul too", MUL, output="relu"),
)
SHARED_OUTPUT = rules(
    {**BASE, "first": shared({"output": {"of": 0}}), "edge": shared(edge(0, of=1))},
    {
        **rule("one scale along a chain", RELU, SIGMOID, TANH),
        "inputs": [{"of": 1, "arg": 0, "spec": "first"}],
        "outputs": [{"of": 0, "spec": "act"}, {"of": 1, "spec": "first"}, {"of": 2, "spec": "edge"}],
    },
)
SHARED_CHAIN = rules(
    {**BASE, "input": shared(edge(0)), "relu": shared({"node": "relu"}), "sigmoid": shared({"node": "sigmoid"})},
    rule("relu on its input's scale", RELU, inputs=[(0, "act")], output="input"),
    rule("sigmoid on the relu's", SIGMOID, inputs=[(0, "relu")], output="relu"),
    rule("tanh on the sigmoid's", TANH, output="sigmoid"),
)
READERS = ((CONV, "conv2d"), (SIGMOID, "sigmoid"), (MUL, "mul"))
THREE_USERS = rules(
    BASE,
    rule("written", RELU, output="act"),
    *(rule(f"read by {name}", op, inputs=[(0, "act")]) for op, name in READERS),
)
ONE_FORBIDS = rules(
    BASE,
    *(rule(f"read by {name}", op, inputs=[(0, "act")], allow_implicit_sharing=name != "sigmoid") for op, name in READERS),
)
DERIVED_PER_TENSOR = rules(
    {
        "act": act(), "weight": WEIGHT_TENSOR,
        "bias": {
            "kind": "derived", "from": [edge(0), edge(1)], "derive": "bias", "dtype": "int32",
            "quant_min": -(2**31), "quant_max": 2**31 - 1, "qscheme": "per_tensor_symmetric",
        },
    },
    rule("conv with int32 bias", CONV, inputs=[*BOTH, (2, "bias")], output="act"),
)
FIXED_INPUT = rules(
    {**BASE, "unit": UNIT},
    rule("sigmoid writes", SIGMOID, output="unit"),
    rule("tanh reads the same", TANH, inputs=[(0, "unit")], output="act"),
)
FEW_BINS = rules(
    {"act": act("HistogramObserver", bins=16), "u8": act("HistogramObserver", dtype="uint8", low=0, high=255, bins=300)},
    rule("relu", RELU, inputs=[(0, "act")], output="u8"),
)

# -- what is refused ------------------------------------------------------------------------------

UNKNOWN_NODE = rules(
    {"gone": shared({"node": "gelu_7"})},
    rule("shares with a node that is not there", SIGMOID, output="gone"),
)
NO_SUCH_ARGUMENT = rules(
    BASE,
    rule("the second conv has two arguments", CONV, inputs=[(2, None)], where={"name": "conv2d_1"}),
)
TENSOR_KEYWORD = rules(BASE, rule("takes a tensor by keyword", "aten.searchsorted.Tensor", inputs=[(0, "act")]))
UPSIDE_DOWN = rules({"act": act(low=127, high=-128)}, rule("relu", RELU, output="act"))
SHARED_UNLABELLED = rules(
    {"gone": shared({"node": "relu"})},
    rule("shares with a node that has no label", SIGMOID, output="gone"),
)
