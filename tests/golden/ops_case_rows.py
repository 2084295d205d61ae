"""The cases of ops_cases.py: for each family rows (target, args, kwargs, tolerance)."""
import torch

A = "aten."
Q = "quantized_decomposed."
NAN, INF = float("nan"), float("inf")
CLOSE = 2e-6  # relative to the largest output: float sums in another order


def r(*shape):
    return torch.randn(*shape)


def strided(*shape):
    """The same kind of values, transposed in memory."""
    return torch.randn(*shape[:-2], shape[-1], shape[-2]).transpose(-1, -2)


def special():
    return torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 3.0, -3.0, 6.0, 7.5, 1e-8, 1e8, -30.0, 30.0, 90.0, INF, -INF, NAN])


def conv():
    for stride, padding, dilation, groups in [(1, 0, 1, 1), (2, 1, 1, 1), (1, 2, 2, 1), (1, 1, 1, 2), (3, 0, 1, 4)]:
        yield A + "conv2d.default", [r(2, 8, 11, 13), r(12, 8 // groups, 3, 3), r(12), [stride, stride], [padding, padding], [dilation, dilation], groups], {}, CLOSE
        yield A + "conv1d.default", [r(2, 8, 17), r(12, 8 // groups, 3), r(12), [stride], [padding], [dilation], groups], {}, CLOSE
        yield A + "conv3d.default", [r(1, 8, 5, 6, 7), r(4, 8 // groups, 3, 2, 3), None, [stride] * 3, [padding] * 3, [1] * 3, groups], {}, CLOSE
        yield A + "conv_transpose2d.input", [r(2, 8, 5, 6), r(8, 6 // (2 if groups == 4 else groups), 3, 3), None, [stride, stride], [padding, padding], [0, 0], 2 if groups == 4 else groups, [dilation, dilation]], {}, CLOSE
    yield A + "conv2d.default", [r(1, 3, 8, 8), r(4, 3, 3, 3)], {}, CLOSE
    yield A + "conv2d.default", [r(3, 8, 8), r(4, 3, 3, 3), r(4)], {}, CLOSE
    yield A + "conv2d.default", [r(1, 3, 8, 9), r(4, 3, 2, 5), None, [2, 1], [0, 3], [3, 1]], {}, CLOSE
    yield A + "conv2d.default", [r(1, 64, 14, 14), r(128, 64, 1, 1), r(128)], {}, CLOSE
    yield A + "conv2d.default", [r(1, 64, 14, 14), r(128, 64, 1, 1), None, [2, 2]], {}, CLOSE
    yield A + "conv2d.default", [r(1, 40, 20, 20), r(70, 40, 3, 3), r(70), [1, 1], [1, 1]], {}, CLOSE
    yield A + "conv2d.default", [r(2, 6, 9, 9), r(6, 1, 3, 3), r(6), [1, 1], [1, 1], [1, 1], 6], {}, CLOSE
    yield A + "conv2d.default", [r(2, 6, 9, 9), r(12, 1, 3, 3), None, [2, 2], [1, 1], [1, 1], 6], {}, CLOSE
    yield A + "conv2d.default", [r(2, 6, 9, 9), r(6, 1, 5, 5), None, [2, 2], [2, 2], [2, 2], 6], {}, CLOSE
    yield A + "conv2d.default", [r(2, 3, 8, 8).to(memory_format=torch.channels_last), strided(4, 3, 3, 3)], {}, CLOSE
    yield A + "conv2d.default", [r(1, 3, 8, 8).double(), r(4, 3, 3, 3).double(), None], {}, 1e-14
    yield A + "conv2d.default", [r(1, 3, 8, 8).bfloat16(), r(4, 3, 3, 3).bfloat16(), r(4).bfloat16()], {}, 1e-2
    yield A + "conv2d.default", [r(0, 3, 8, 8), r(4, 3, 3, 3)], {}, CLOSE
    for mode in ["same", "valid"]:
        for kernel in [(3, 3), (4, 2), (1, 5)]:
            yield A + "conv2d.padding", [r(1, 4, 9, 8), r(4, 2, *kernel), r(4), [1, 1], mode, [2, 1], 2], {}, CLOSE
        yield A + "conv1d.padding", [r(1, 4, 9), r(4, 4, 4), None, [1], mode], {}, CLOSE
    yield A + "conv_transpose2d.input", [r(1, 4, 5, 5), r(4, 3, 4, 4), r(3), [2, 2], [1, 1]], {}, CLOSE
    yield A + "conv_transpose2d.input", [r(1, 4, 5, 5), r(4, 3, 3, 3), r(3), [2, 3], [1, 0], [1, 2]], {}, CLOSE
    yield A + "conv_transpose1d.default", [r(2, 4, 7), r(4, 3, 3), r(6), [2], [1], [1], 2], {}, CLOSE
    yield A + "conv_transpose3d.input", [r(1, 2, 3, 4, 5), r(2, 3, 2, 3, 2), None, [2, 1, 2]], {}, CLOSE
    yield A + "conv_transpose2d.input", [r(1, 4, 5, 5).double(), r(4, 3, 3, 3).double(), r(6).double(), [2, 2], [1, 1], [1, 1], 2], {}, 1e-14
    yield A + "convolution.default", [r(1, 4, 7, 7), r(6, 2, 3, 3), r(6), [1, 1], [1, 1], [1, 1], False, [0, 0], 2], {}, CLOSE
    yield A + "convolution.default", [r(1, 4, 7, 7), r(4, 2, 3, 3), None, [2, 2], [1, 1], [1, 1], True, [1, 1], 1], {}, CLOSE
    # refused
    yield A + "conv2d.default", [r(1, 3, 8, 8), r(4, 5, 3, 3)]
    yield A + "conv2d.default", [r(1, 3, 2, 2), r(4, 3, 3, 3)]
    yield A + "conv2d.default", [r(1, 3, 8, 8), r(4, 3, 3, 3), r(5)]
    yield A + "conv2d.default", [r(1, 3, 8, 8), r(4, 3, 3, 3), None, [0, 0]]
    yield A + "conv2d.default", [r(1, 3, 8, 8), r(4, 3, 3, 3), None, [1, 1], [-1, -1]]
    yield A + "conv2d.default", [r(8, 8), r(4, 3, 3, 3)]
    yield A + "conv2d.default", [r(1, 4, 8, 8), r(5, 2, 3, 3), None, [1, 1], [0, 0], [1, 1], 2]
    yield A + "conv2d.default", [r(1, 3, 8, 8), r(4, 3, 3, 3).double()]
    yield A + "conv2d.padding", [r(1, 3, 8, 8), r(4, 3, 3, 3), None, [2, 2], "same"]


def matmul():
    for a, b in [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 5)), ((2, 3, 4), (2, 4, 5)), ((2, 1, 3, 4), (5, 4, 6)),
                 ((6, 3, 4), (4,)), ((130, 300), (300, 70)), ((1, 700), (700, 9)), ((3, 0), (0, 4))]:
        yield A + "matmul.default", [r(*a), r(*b)], {}, CLOSE
    yield A + "matmul.default", [strided(2, 5, 6), strided(6, 7)], {}, CLOSE
    yield A + "matmul.default", [strided(2, 5, 6), strided(2, 6, 7)], {}, CLOSE
    yield A + "matmul.default", [torch.arange(6).reshape(2, 3), torch.arange(12).reshape(3, 4)]
    yield A + "matmul.default", [r(2, 3).double(), r(3, 4).double()], {}, 1e-14
    yield A + "matmul.default", [r(5, 30).bfloat16(), r(30, 4).bfloat16()], {}, 1e-2
    yield A + "mm.default", [r(7, 9), r(9, 11)], {}, CLOSE
    yield A + "bmm.default", [r(3, 7, 9), r(3, 9, 11)], {}, CLOSE
    yield A + "mv.default", [r(7, 9), r(9)], {}, CLOSE
    yield A + "dot.default", [r(9), r(9)], {}, CLOSE
    yield A + "addmm.default", [r(11), r(7, 9), r(9, 11)], {}, CLOSE
    yield A + "addmm.default", [r(7, 11), r(7, 9), r(9, 11)], {"beta": 0.5, "alpha": 2}, CLOSE
    yield A + "addmm.default", [torch.full((11,), NAN), r(7, 9), r(9, 11)], {"beta": 0}, CLOSE
    yield A + "baddbmm.default", [r(1, 7, 11), r(3, 7, 9), r(3, 9, 11)], {"alpha": 0.25}, CLOSE
    for x in [(5, 12), (12,), (2, 3, 12), (2, 0, 12)]:
        yield A + "linear.default", [r(*x), r(7, 12), r(7)], {}, CLOSE
        yield A + "linear.default", [r(*x), r(7, 12)], {}, CLOSE
    yield A + "linear.default", [strided(5, 12), strided(7, 12), r(7)], {}, CLOSE
    yield A + "linear.default", [r(33, 600), r(100, 600), r(100)], {}, CLOSE
    for equation, *shapes in [("ij,jk->ik", (3, 4), (4, 5)), ("ij,jk", (3, 4), (4, 5)), ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)), ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
                              ("bhqk,bkhd->bqhd", (2, 3, 4, 6), (2, 6, 3, 5)), ("i,j->ij", (3,), (4,)), ("i,i->", (5,), (5,)), ("ii->i", (4, 4)), ("ii->", (4, 4)), ("ij->ji", (3, 4)),
                              ("ijk->j", (3, 4, 5)), ("ij,kj,k->i", (3, 4), (5, 4), (5,)), ("bij, kl -> bijkl", (2, 3, 4), (2, 2)), ("abc,cd,be->ade", (2, 3, 4), (4, 5), (3, 6)), ("nchw,c->nhw", (2, 3, 4, 5), (3,))]:
        yield A + "einsum.default", [equation, [r(*s) for s in shapes]], {}, CLOSE
    yield A + "outer.default", [r(3), r(4)]
    # refused
    yield A + "einsum.default", ["ij,jk->ik", [r(3, 4), r(5, 6)]]
    yield A + "einsum.default", ["ij->k", [r(3, 4)]]
    yield A + "einsum.default", ["ij,jk->ik", [r(3, 4)]]
    yield A + "einsum.default", ["ijk->i", [r(3, 4)]]
    yield A + "outer.default", [r(3, 2), r(4)]
    yield A + "matmul.default", [r(3, 4), r(5, 6)]
    yield A + "mm.default", [r(3, 4, 5), r(5, 6)]
    yield A + "bmm.default", [r(2, 3, 4), r(3, 4, 5)]
    yield A + "matmul.default", [r(3, 4), r(4, 5).double()]
    yield A + "linear.default", [r(5, 12), r(7, 11)]
    yield A + "matmul.default", [torch.tensor(1.0), r(3)]


def norm():
    for width in [5, 96, 100, 300]:
        yield A + "layer_norm.default", [r(3, width), [width], r(width), r(width)]  # to the last bit
    for shape in [(4, 3, 5, 6), (4, 3), (4, 3, 7)]:
        for weight in [None, r(3)]:
            yield A + "batch_norm.default", [r(*shape), weight, weight, r(3), torch.rand(3) + 0.5, False, 0.1, 1e-5, True], {}, CLOSE
            yield A + "batch_norm.default", [r(*shape) * 3 + 1, weight, weight, r(3), torch.rand(3) + 0.5, True, 0.1, 1e-5, True], {}, CLOSE
    yield A + "batch_norm.default", [r(4, 3, 5), None, None, None, None, True, 0.1, 1e-3, True], {}, CLOSE
    yield A + "_native_batch_norm_legit.default", [r(4, 3, 5), r(3), r(3), r(3), torch.rand(3), True, 0.3, 1e-3], {}, CLOSE
    yield A + "_native_batch_norm_legit.no_stats", [r(4, 3, 5), r(3), r(3), True, 0.3, 1e-3], {}, CLOSE
    yield A + "_native_batch_norm_legit_no_training.default", [r(4, 3, 5), r(3), r(3), r(3), torch.rand(3), 0.3, 1e-3], {}, CLOSE
    yield A + "layer_norm.default", [r(4, 3, 10), [10], r(10), r(10)], {}, CLOSE
    yield A + "layer_norm.default", [r(4, 3, 10) * 100 + 1000, [3, 10], None, None, 1e-3], {}, 2e-5
    yield A + "layer_norm.default", [strided(4, 3, 10), [10], r(10)], {}, CLOSE
    yield A + "native_layer_norm.default", [r(4, 3, 10), [3, 10], r(3, 10), r(3, 10), 1e-5], {}, CLOSE
    yield A + "group_norm.default", [r(2, 6, 4, 5), 3, r(6), r(6)]
    yield A + "group_norm.default", [r(2, 6), 2], {}, CLOSE  # rows of three: not torch's last bit
    yield A + "group_norm.default", [r(1, 8, 13, 15), 4, r(8), r(8)]
    yield A + "native_group_norm.default", [r(2, 6, 4, 5), r(6), None, 2, 6, 20, 3, 1e-3], {}, CLOSE
    yield A + "instance_norm.default", [r(2, 6, 4, 5), r(6), r(6), None, None, True, 0.1, 1e-5, True], {}, CLOSE
    yield A + "rms_norm.default", [r(4, 3, 10), [10], r(10)]
    yield A + "rms_norm.default", [r(4, 300), [300], r(300)]
    yield A + "rms_norm.default", [r(4, 3, 10), [3, 10], None, 1e-3], {}, CLOSE
    # refused
    yield A + "layer_norm.default", [r(4, 3, 10), [9]]
    yield A + "group_norm.default", [r(2, 6, 4), 4]
    yield A + "batch_norm.default", [r(4, 3, 5), r(2), None, r(3), r(3), False, 0.1, 1e-5, True]


def pool():
    for args in [([3, 3],), ([2, 3], [2, 1]), ([3, 3], [2, 2], [1, 1]), ([3, 3], [2, 2], [1, 1], [1, 1], True), ([2, 2], [3, 3], [0, 1], [2, 2], True), ([3],), ([2, 2], [], [1, 1])]:
        yield A + "max_pool2d.default", [r(2, 3, 10, 11), *args]
        yield A + "max_pool2d_with_indices.default", [r(2, 3, 10, 11), *args]
    yield A + "max_pool2d.default", [r(3, 10, 11), [3, 3]]
    yield A + "max_pool2d.default", [torch.where(r(2, 3, 9, 9) > 2, NAN, r(2, 3, 9, 9)), [3, 3], [2, 2]]
    yield A + "max_pool2d.default", [torch.randint(-9, 9, (1, 2, 8, 8)).to(torch.int8), [2, 2]]
    yield A + "max_pool1d.default", [r(2, 3, 10), [3], [2], [1], [1], True]
    yield A + "max_pool3d.default", [r(2, 3, 6, 7, 8), [2, 3, 2], [2, 1, 2], [1, 1, 0]]
    for args in [([3, 3],), ([3, 3], [2, 2], [1, 1]), ([3, 3], [2, 2], [1, 1], True), ([3, 3], [2, 2], [1, 1], True, False), ([2, 3], [1, 2], [0, 1], False, False), ([3, 2], [], [1, 1], True, True, 5)]:
        yield A + "avg_pool2d.default", [r(2, 3, 10, 12), *args], {}, CLOSE
    yield A + "avg_pool1d.default", [r(2, 3, 11), [3], [2], [1], True, False], {}, CLOSE
    yield A + "avg_pool3d.default", [r(2, 3, 6, 7, 8), [2, 2, 3], [2, 2, 2], [1, 1, 1]], {}, CLOSE
    for size in [[1, 1], [2, 3], [7, 7], [12, 13], [5, 1]]:
        yield A + "adaptive_avg_pool2d.default", [r(2, 3, 7, 9), size], {}, CLOSE
        yield A + "adaptive_max_pool2d.default", [r(2, 3, 7, 9), size]
    yield A + "adaptive_avg_pool1d.default", [r(2, 3, 10), [4]], {}, CLOSE
    yield A + "adaptive_avg_pool2d.default", [r(2, 3, 14, 14), [1, 1]]  # the mean
    yield A + "adaptive_avg_pool2d.default", [strided(2, 3, 7, 9), [3, 3]], {}, CLOSE
    # refused
    yield A + "max_pool2d.default", [r(1, 1, 4, 4), [3, 3], [1, 1], [2, 2]]
    yield A + "max_pool2d.default", [r(1, 1, 2, 2), [3, 3]]
    yield A + "avg_pool2d.default", [r(1, 1, 4, 4), [2, 2], [0, 0]]
    yield A + "avg_pool2d.default", [r(1, 1, 4, 4), [2, 2], [1, 1], [0, 0], False, True, 0]
    yield A + "max_pool2d.default", [r(4, 4), [2, 2]]


def activation():
    for name in ["relu", "relu6", "relu_", "relu6_", "hardswish", "hardswish_", "hardsigmoid", "sigmoid", "tanh", "silu", "mish", "log_sigmoid", "selu", "gelu", "sigmoid_", "tanh_", "silu_", "hardsigmoid_"]:
        exact = 0.0 if name.startswith(("relu", "hardsw", "gelu", "sigmoid", "silu")) else 3e-7
        yield A + name + ".default", [r(4, 50)], {}, exact
        yield A + name + ".default", [special()], {}, exact
        yield A + name + ".default", [strided(4, 5)], {}, 3e-7 if name == "gelu" else exact  # oneDNN's is for contiguous ones
    yield A + "relu.default", [torch.tensor([-3, 0, 4], dtype=torch.int8)]
    yield A + "sigmoid.default", [torch.tensor([-3, 0, 4])], {}, 3e-7
    yield A + "gelu.default", [r(4, 50)], {"approximate": "tanh"}, 3e-7
    yield A + "gelu.default", [r(40).bfloat16()]
    yield A + "gelu.default", [torch.cat([torch.linspace(-8, 8, 1000), torch.logspace(-30, 1, 500), -torch.logspace(-30, 1, 500)])]
    yield A + "gelu_.default", [r(4, 50)]
    yield A + "sigmoid.default", [6 * r(5, 1001)]  # torch's vectors, and what does not fill two of them
    yield A + "silu.default", [6 * r(5, 1001)]
    yield A + "silu.default", [torch.cat([special(), 40 * r(40)])]
    yield A + "gelu.default", [torch.tensor([0.5])], {}, 3e-7  # ATen's own
    yield A + "gelu.default", [r(40).half()], {}, 1e-3
    yield A + "silu.default", [r(40).half()], {}, 1e-3
    for args in [[], [0.0, 6.0], [-2.0, 2.0], [-1, 1]]:
        yield A + "hardtanh.default", [special(), *args]
        yield A + "hardtanh_.default", [r(3, 4), *args]
    for args in [[], [0.2], [-0.5]]:
        yield A + "leaky_relu.default", [special(), *args]
    yield A + "leaky_relu_.default", [r(3, 4), 0.1]
    yield A + "elu.default", [r(30)], {}, 3e-7
    yield A + "elu.default", [r(30), 0.5, 2.0, 1.5], {}, 3e-7
    yield A + "celu.default", [r(30), 0.5], {}, 3e-7
    yield A + "softplus.default", [r(30) * 10], {}, 3e-7
    yield A + "softplus.default", [r(30) * 10, 2, 5], {}, 3e-7
    yield A + "threshold.default", [r(30), 0.5, -1]
    yield A + "hardshrink.default", [special(), 0.75]
    yield A + "softshrink.default", [special()[:17]]
    yield A + "prelu.default", [r(2, 3, 4), torch.tensor([0.25])]
    yield A + "prelu.default", [r(2, 3, 4), r(3)]
    yield A + "glu.default", [r(2, 6, 4), 1], {}, 3e-7
    yield A + "glu.default", [r(2, 6)], {}, 3e-7
    for args in [[-1, 1], [None, 0.5], [-0.5], [0.5, -0.5], [-1.5, 2]]:
        yield A + "clamp.default", [special(), *args]
        yield A + "clamp.default", [torch.arange(-4, 4), *args]
    yield A + "clamp.Tensor", [r(3, 4), r(4), r(3, 1)]
    yield A + "clamp_.default", [r(3, 4), -0.5, 0.5]
    yield A + "clamp_min.default", [r(3, 4), 0]
    yield A + "clamp_max.default", [r(3, 4), 0.25]
    yield A + "dropout.default", [r(3, 4), 0.5, False]
    # refused
    yield A + "clamp.default", [r(3)]
    yield A + "prelu.default", [r(2, 3, 4), r(2)]
    yield A + "glu.default", [r(2, 5)]
    yield A + "sigmoid_.default", [torch.arange(3)]


def arithmetic():
    pairs = [(r(3, 4), r(3, 4)), (r(3, 4), r(4)), (r(3, 1), r(1, 4)), (r(2, 3, 4), torch.tensor(2.0)), (strided(3, 4), r(3, 4)), (r(3, 4), 2), (r(3, 4), 0.1), (torch.arange(1, 13).reshape(3, 4), 3), (torch.arange(1, 13), torch.arange(2, 14)),
             (torch.arange(1, 5), 0.5), (torch.arange(1, 5, dtype=torch.int32), r(4)), (torch.tensor([True, False]), 1), (r(4).half(), r(4)), (r(4).bfloat16(), 2.5), (torch.tensor([100, -100, 50], dtype=torch.int8), torch.tensor([100, -100, 3], dtype=torch.int8)),
             (torch.tensor([200, 100], dtype=torch.uint8), torch.tensor([100, -1], dtype=torch.int8)), (torch.tensor(3), torch.tensor([1.5, 2.5])), (r(0, 4), r(4)), (r(3).double(), r(3)), (torch.tensor([1.5]), torch.tensor(2, dtype=torch.int64))]
    for name in ["add", "sub", "mul", "div"]:
        for a, b in pairs:
            yield A + name + ".Tensor", [a, b]
        yield A + name + "_.Tensor", [r(3, 4), r(4)]
        yield A + name + "_.Tensor", [strided(3, 4), 0.3]
    yield A + "add.Tensor", [r(3, 4), r(3, 4)], {"alpha": 0.3}, 1e-7
    yield A + "sub.Tensor", [r(3, 4), r(3, 4)], {"alpha": 2}, 1e-7
    yield A + "add.Tensor", [torch.arange(4), torch.arange(4)], {"alpha": 3}
    yield A + "rsub.Scalar", [r(4), 1.0]
    yield A + "rsub.Scalar", [r(4), 1.0, 2], {}, 1e-7
    yield A + "add.Scalar", [r(4), 1.5]
    yield A + "mul.Scalar", [torch.arange(4), 1.5]
    numbers = torch.tensor([7.5, -7.5, 7.5, -7.5, 0.3, 6.0, 1e9, 5.0])
    divisors = torch.tensor([2.0, 2.0, -2.0, -2.0, 0.1, 3.0, 7.0, 0.0])
    whole, parts = torch.tensor([7, -7, 7, -7, 6]), torch.tensor([2, 2, -2, -2, 3])
    for mode in ["floor", "trunc", None]:
        yield A + "div.Tensor_mode", [numbers, divisors], {"rounding_mode": mode}
        yield A + "div.Tensor_mode", [whole, parts], {"rounding_mode": mode}
        yield A + "div.Scalar_mode", [whole, 2], {"rounding_mode": mode}
    for name in ["floor_divide.default", "remainder.Tensor", "fmod.Tensor", "maximum.default", "minimum.default"]:
        yield A + name, [numbers[:7], divisors[:7]]
        yield A + name, [whole, parts]
    yield A + "remainder.Scalar", [whole, 4]
    yield A + "maximum.default", [special(), special().flip(0)]
    yield A + "minimum.default", [special(), special().flip(0)]
    for e in [0.5, 2, 3, -1, -2, 1.7, 0, 4.0, -0.5]:
        yield A + "pow.Tensor_Scalar", [torch.rand(20) + 0.1, e], {}, 3e-7
    yield A + "pow.Tensor_Scalar", [torch.arange(-3, 4), 3]
    yield A + "pow.Tensor_Tensor", [torch.rand(6) + 0.1, r(6)], {}, 3e-7
    yield A + "pow.Scalar", [2.0, r(6)], {}, 3e-7
    yield A + "atan2.default", [r(6), r(6)], {}, 3e-7
    yield A + "addcmul.default", [r(4), r(4), r(4)], {"value": 0.5}, 3e-7
    yield A + "addcdiv.default", [r(4), r(4), r(4)], {"value": 2}, 3e-7
    yield A + "bitwise_and.Tensor", [torch.tensor([True, False, True]), torch.tensor([True, True, False])]
    yield A + "bitwise_or.Tensor", [whole, parts]
    yield A + "bitwise_xor.Scalar", [whole, 5]
    # refused
    yield A + "add.Tensor", [r(3, 4), r(3)]
    yield A + "add_.Tensor", [r(4), r(3, 4)]
    yield A + "add_.Tensor", [torch.arange(3), 0.5]
    yield A + "bitwise_and.Tensor", [r(3), r(3)]


def comparison():
    for name in ["eq", "ne", "lt", "le", "gt", "ge"]:
        yield A + name + ".Tensor", [special(), special().flip(0)]
        yield A + name + ".Scalar", [special(), 0.5]
        yield A + name + ".Scalar", [torch.arange(4), 1.5]
        yield A + name + ".Tensor", [torch.arange(6).reshape(2, 3), torch.arange(3)]
        yield A + name + ".Scalar", [torch.tensor([0.1, 0.2]), 0.1]
    for name in ["logical_and", "logical_or", "logical_xor"]:
        yield A + name + ".default", [torch.tensor([0.0, 1.0, 2.0, 0.0]), torch.tensor([True, False, True, False])]
    for name in ["logical_not", "isnan", "isinf", "isfinite"]:
        yield A + name + ".default", [special()]
    mask = torch.tensor([[True, False, True], [False, True, False]])
    yield A + "where.self", [mask, r(2, 3), r(3)]
    yield A + "where.self", [mask, torch.arange(6).reshape(2, 3), r(2, 1)]
    yield A + "where.self", [mask, torch.tensor([True, False, True]), torch.tensor(False)]
    yield A + "where.ScalarOther", [mask, r(2, 3), -INF]
    yield A + "where.ScalarSelf", [mask, 1, r(2, 3)]
    yield A + "where.Scalar", [mask, 1.5, 0]
    yield A + "masked_fill.Scalar", [r(2, 3), mask, -INF]
    yield A + "masked_fill.Scalar", [r(4, 2, 3), mask, 1]
    yield A + "masked_fill.Tensor", [torch.arange(6).reshape(2, 3), mask, torch.tensor(7)]
    yield A + "masked_fill_.Scalar", [r(2, 3), mask, 0.5]
    yield A + "eq.Tensor", [r(2, 3), r(2)]
    yield A + "where.self", [r(2, 3), r(2, 3), r(2, 3)]


def unary():
    positive = torch.rand(40) * 5 + 0.01
    for name in ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "atan", "sinh", "cosh", "erf", "erfc", "reciprocal"]:
        exact = 0.0 if name == "reciprocal" else 3e-7  # torch's sqrt may be off by one place
        yield A + name + ".default", [positive], {}, exact
        yield A + name + ".default", [special()[:16]], {}, exact
    for name in ["asin", "acos"]:
        yield A + name + ".default", [torch.rand(40) * 2 - 1], {}, 3e-7
    for name in ["neg", "abs", "square", "sign", "floor", "ceil", "trunc", "round", "frac"]:
        yield A + name + ".default", [special()]
        if name != "frac":
            yield A + name + ".default", [torch.arange(-3, 4)]
        yield A + name + ".default", [r(4).half()]
    yield A + "neg.default", [torch.tensor([-128, 5], dtype=torch.int8)]
    yield A + "abs.default", [torch.tensor([-128, -5], dtype=torch.int8)]
    yield A + "sqrt.default", [torch.arange(5)], {}, 1e-7
    yield A + "exp.default", [strided(3, 4)], {}, 3e-7
    yield A + "exp.default", [r(4).double()], {}, 1e-15
    yield A + "sqrt_.default", [positive.clone()], {}, 3e-7
    yield A + "neg_.default", [r(3)]
    yield A + "exp_.default", [r(3)], {}, 3e-7
    yield A + "bitwise_not.default", [torch.tensor([0, 5, -1])]
    yield A + "bitwise_not.default", [torch.tensor([True, False])]
    yield A + "bitwise_not.default", [r(3)]


def reduce():
    x = r(3, 4, 5)
    for name in ["sum.dim_IntList", "mean.dim"]:
        for args in [[[0]], [[1], True], [[-1, 0]], [[0, 1, 2], True], [None], [[]]]:
            yield A + name, [x, *args], {}, CLOSE
    yield A + "sum.default", [x], {}, CLOSE
    yield A + "mean.default", [x], {}, CLOSE
    yield A + "mean.default", [r(3000)]
    yield A + "mean.default", [r(40001)]  # a part for each of two threads
    for shape in [(4, 3), (3, 9), (5, 50), (2, 700), (2, 2100)]:
        yield A + "sum.dim_IntList", [r(*shape), [1]]
    yield A + "mean.dim", [r(2, 3, 7, 7), [2, 3], True]
    yield A + "mean.dim", [strided(3, 4, 5), [2, 1], True], {}, CLOSE
    yield A + "sum.default", [torch.arange(7, dtype=torch.int32)]
    yield A + "sum.dim_IntList", [torch.tensor([[True, False], [True, True]]), [1]]
    yield A + "sum.dim_IntList", [torch.arange(6).reshape(2, 3), [1]], {"dtype": torch.float32}
    yield A + "mean.default", [torch.arange(6)], {"dtype": torch.float32}, CLOSE
    yield A + "sum.default", [r(0)]
    yield A + "mean.dim", [r(3, 0), [1]]
    yield A + "prod.default", [r(6)], {}, CLOSE
    for name in ["var", "std"]:
        yield A + name + ".correction", [x, [1]], {"correction": 1}, 1e-5
        yield A + name + ".correction", [x, [0, 2]], {"correction": 0, "keepdim": True}, 1e-5
        yield A + name + ".default", [x], {}, 1e-5
        yield A + name + ".dim", [x, [1], False, True], {}, 1e-5
    yield A + "var_mean.correction", [x, [1]], {"correction": 0, "keepdim": True}, 1e-5
    yield A + "std_mean.correction", [x], {}, 1e-5
    for order in [2, 1, INF, 3, 0]:
        yield A + "linalg_vector_norm.default", [x, order, [1], True], {}, 1e-5
    yield A + "logsumexp.default", [x, [1]], {}, CLOSE
    yield A + "any.default", [torch.tensor([0.0, 0.0])]
    yield A + "any.dim", [torch.tensor([[0.0, 2.0], [0.0, 0.0]]), 1]
    yield A + "all.dim", [torch.tensor([[0.0, 2.0], [1.0, 3.0]]), 1, True]
    yield A + "all.default", [r(0)]
    for shape in [(4, 6), (2, 3, 4)]:
        for name in ["max", "min"]:
            yield A + name + ".default", [r(*shape)]
            yield A + name + ".dim", [r(*shape), 1]
            yield A + name + ".dim", [torch.randint(0, 3, shape), -1, True]
        for name in ["amax", "amin"]:
            yield A + name + ".default", [r(*shape), [0]]
            yield A + name + ".default", [r(*shape), [0, 1], True]
            yield A + name + ".default", [r(*shape)]
        for name in ["argmax", "argmin"]:
            yield A + name + ".default", [r(*shape)]
            yield A + name + ".default", [r(*shape), 0]
            yield A + name + ".default", [torch.randint(0, 2, shape), 1, True]
    yield A + "max.dim", [torch.tensor([[1.0, NAN, 2.0], [NAN, 1.0, NAN]]), 1]
    yield A + "amin.default", [torch.tensor([[1.0, NAN, 2.0]]), [1]]
    yield A + "aminmax.default", [r(3, 4)], {"dim": 1}
    yield A + "sort.default", [torch.randperm(12).float().reshape(3, 4), 1]
    yield A + "sort.default", [torch.randperm(12).float().reshape(3, 4), 0, True]
    yield A + "topk.default", [torch.randperm(24).float().reshape(4, 6), 3]
    yield A + "topk.default", [torch.randperm(24).float().reshape(4, 6), 2, 0, False]
    yield A + "cumsum.default", [r(3, 4), 1], {}, CLOSE
    yield A + "cumsum.default", [torch.arange(6).reshape(2, 3), 0]
    steps = torch.tensor([1.0, 3.0, 5.0, 7.0])
    for right in [False, True]:
        yield A + "searchsorted.Tensor", [steps, torch.tensor([0.0, 1.0, 4.0, 7.0, 9.0])], {"right": right}
        yield A + "bucketize.Tensor", [torch.tensor([[3.0, NAN], [8.0, 2.0]]), steps], {"right": right, "out_int32": True}
    yield A + "searchsorted.Tensor", [steps.flip(0), torch.tensor([2.0, 6.0])], {"sorter": torch.tensor([3, 2, 1, 0]), "side": "right"}
    yield A + "searchsorted.Tensor", [torch.arange(8).reshape(2, 4) * 2, torch.tensor([[3, 4], [9, 0]])]
    yield A + "searchsorted.Scalar", [steps, 4]
    # refused
    yield A + "searchsorted.Tensor", [steps, torch.tensor([1])]
    yield A + "searchsorted.Tensor", [steps, torch.tensor([1.0])], {"right": True, "side": "left"}
    yield A + "sum.dim_IntList", [x, [3]]
    yield A + "sum.dim_IntList", [x, [0, 0]]
    yield A + "mean.default", [torch.arange(3)]
    yield A + "max.default", [r(0)]
    yield A + "topk.default", [r(3), 4]


def softmax():
    for dim in [0, 1, -1]:
        yield A + "softmax.int", [r(3, 4, 5), dim], {}, 3e-7
        yield A + "_softmax.default", [r(3, 4, 5) * 20, dim, False], {}, 3e-7
        yield A + "log_softmax.int", [r(3, 4, 5), dim], {}, 3e-7
        yield A + "_log_softmax.default", [strided(3, 4, 5), dim, False], {}, 3e-7
    yield A + "softmax.int", [torch.tensor([[-INF, 0.0], [-INF, -INF]]), 1], {}, 3e-7
    yield A + "softmax.int", [torch.tensor(2.0), 0]
    yield A + "softmax.int", [r(4).bfloat16(), 0], {}, 8e-3
    yield A + "softmax.int", [torch.arange(4), 0, torch.float32], {}, 3e-7
    yield A + "softmax.int", [r(3), 1]
    yield A + "softmax.int", [torch.arange(4), 0]
    q, k, v = r(2, 3, 5, 8), r(2, 3, 7, 8), r(2, 3, 7, 6)
    for width in [7, 16, 49, 197]:
        yield A + "softmax.int", [r(3, width), -1]  # to the last bit
    long = [r(1, 2, 40, 8), r(1, 2, 600, 8), r(1, 2, 600, 8)]
    yield A + "scaled_dot_product_attention.default", long, {}, CLOSE
    yield A + "scaled_dot_product_attention.default", [r(1, 1, 70, 8), r(1, 1, 70, 8), r(1, 1, 70, 8), None, 0.0, True], {}, CLOSE
    sdpa = A + "scaled_dot_product_attention.default"
    yield sdpa, [q, k, v], {}, CLOSE
    yield sdpa, [q, k, v, r(5, 7)], {}, CLOSE
    yield sdpa, [q, k, v, r(2, 1, 5, 7) > -0.5], {}, CLOSE
    yield sdpa, [q, k, v, None, 0.0, True], {}, CLOSE
    yield sdpa, [q, k, v], {"scale": 0.3}, CLOSE
    yield sdpa, [r(2, 4, 5, 8), r(2, 2, 7, 8), r(2, 2, 7, 8)], {"enable_gqa": True}, CLOSE
    yield sdpa, [strided(2, 3, 5, 8), strided(2, 3, 7, 8), strided(2, 3, 7, 8)], {}, CLOSE
    yield sdpa, [r(5, 8), r(7, 8), r(7, 8)], {}, CLOSE
    yield sdpa, [q, r(2, 3, 7, 9), v]
    yield sdpa, [q, k, v, r(5, 6)]


def rnn():
    def weights(gates, inputs, hidden, layers, directions, bias=True, proj=0):
        out = []
        for layer in range(layers):
            for _ in range(directions):
                width = inputs if layer == 0 else (proj or hidden) * directions
                out += [r(gates * hidden, width) * 0.4, r(gates * hidden, proj or hidden) * 0.4]
                out += [r(gates * hidden), r(gates * hidden)] if bias else []
                out += [r(proj, hidden)] if proj else []
        return out

    for layers, both, first, bias in [(1, False, False, True), (2, False, True, True), (1, True, False, True), (2, True, True, False)]:
        d = 2 if both else 1
        x = r(3, 6, 4) if first else r(6, 3, 4)
        h = r(layers * d, 3, 5)
        tail = [bias, layers, 0.0, False, both, first]
        yield A + "gru.input", [x, h, weights(3, 4, 5, layers, d, bias), *tail], {}, CLOSE
        yield A + "lstm.input", [x, [h, r(layers * d, 3, 5)], weights(4, 4, 5, layers, d, bias), *tail], {}, CLOSE
        yield A + "rnn_tanh.input", [x, h, weights(1, 4, 5, layers, d, bias), *tail], {}, CLOSE
        yield A + "rnn_relu.input", [x, h, weights(1, 4, 5, layers, d, bias), *tail], {}, CLOSE
    yield A + "lstm.input", [r(6, 3, 4), [r(1, 3, 2), r(1, 3, 5)], weights(4, 4, 5, 1, 1, True, 2), True, 1, 0.0, False, False, False], {}, CLOSE
    yield A + "gru.input", [r(6, 3, 4), r(1, 2, 5), weights(3, 4, 5, 1, 1), True, 1, 0.0, False, False, False]
    yield A + "gru.input", [r(6, 3, 9), r(1, 3, 5), weights(3, 4, 5, 1, 1), True, 1, 0.0, False, False, False]
    yield A + "embedding.default", [r(10, 4), torch.tensor([[1, 9], [0, 3]])]
    yield A + "embedding.default", [strided(10, 4), torch.tensor(2), 0]
    yield A + "embedding.default", [r(10, 4), torch.tensor([1, 2], dtype=torch.int32)]
    yield A + "embedding.default", [r(10, 4), torch.tensor([10])]
    yield A + "embedding.default", [r(10, 4), torch.tensor([1.0])]


def view():
    x = r(2, 3, 4)
    for shape in [[6, 4], [-1], [2, 12], [2, 3, 2, 2], [1, 2, 1, 12], [-1, 4, 1]]:
        yield A + "view.default", [x, shape]
        yield A + "reshape.default", [strided(2, 3, 4), shape]
    yield A + "view.default", [r(0, 3), [3, 0]]
    yield A + "reshape.default", [torch.tensor(2.0), [1, 1]]
    yield A + "reshape.default", [r(1), []]
    for args in [[], [1], [0, 1], [-2, -1]]:
        yield A + "flatten.using_ints", [x, *args]
    yield A + "flatten.using_ints", [torch.tensor(2.0)]
    yield A + "unflatten.int", [r(2, 12), 1, [3, -1]]
    yield A + "permute.default", [x, [2, 0, -2]]
    yield A + "transpose.int", [x, 0, -1]
    yield A + "t.default", [r(2, 3)]
    yield A + "t.default", [r(3)]
    yield A + "numpy_T.default", [r(2, 3)]
    yield A + "movedim.int", [x, 0, 2]
    yield A + "unsqueeze.default", [x, 1]
    yield A + "unsqueeze.default", [x, -1]
    yield A + "squeeze.default", [r(1, 3, 1, 2)]
    yield A + "squeeze.dim", [r(1, 3, 1, 2), 2]
    yield A + "squeeze.dim", [r(1, 3, 1, 2), 1]
    yield A + "squeeze.dims", [r(1, 3, 1, 2), [0, -2]]
    yield A + "expand.default", [r(3, 1), [2, -1, 4]]
    yield A + "expand_as.default", [r(3, 1), r(3, 5)]
    for args in [[1, 1, 3], [0, -1], [2, 0, 100, 3], [1, 2, 1], [-1, None, -1], [0, 0, 9223372036854775807]]:
        yield A + "slice.Tensor", [x, *args]
        yield A + "slice_copy.Tensor", [x, *args]
    yield A + "narrow.default", [x, 2, 1, 2]
    yield A + "select.int", [x, 1, -1]
    yield A + "split.Tensor", [r(7, 2), 3]
    yield A + "split.Tensor", [r(2, 7), 7, 1]
    yield A + "split.sizes", [r(2, 7), [3, 0, 4], 1]
    yield A + "unsafe_split.Tensor", [r(7, 2), 3]
    yield A + "unsafe_chunk.default", [r(7, 2), 3]
    yield A + "tensor_split.sections", [r(2, 7), 3, 1]
    yield A + "tensor_split.indices", [r(2, 7), [2, 5], 1]
    yield A + "tensor_split.indices", [r(2, 7), [3, -1, 20], -1]
    yield A + "tensor_split.sections", [r(2, 7), 0]
    yield A + "split_with_sizes.default", [r(2, 7), [3, 4], -1]
    yield A + "chunk.default", [r(7, 2), 3]
    yield A + "chunk.default", [r(2, 3), 5, 1]
    yield A + "unbind.int", [x, 1]
    for name in ["alias", "detach", "contiguous", "clone", "lift_fresh_copy", "alias_copy"]:
        yield A + name + ".default", [strided(3, 4)]
    yield A + "unfold.default", [x, 2, 2, 1]
    yield A + "unfold.default", [r(9), 0, 4, 3]
    for args in [[], [1, 1, 2], [-1, 0, 2], [9, 0, 1], [-9, 0, 1]]:
        yield A + "diagonal.default", [x, *args]
    # refused
    yield A + "unfold.default", [x, 0, 3, 1]
    yield A + "diagonal.default", [x, 0, 1, 1]
    yield A + "view.default", [x, [5, 5]]
    yield A + "view.default", [x, [-1, -1]]
    yield A + "permute.default", [x, [0, 1]]
    yield A + "permute.default", [x, [0, 1, 1]]
    yield A + "select.int", [x, 1, 3]
    yield A + "slice.Tensor", [x, 0, 0, 1, 0]
    yield A + "split.sizes", [x, [1, 1], 1]
    yield A + "expand.default", [r(3, 2), [3, 4]]
    yield A + "flatten.using_ints", [x, 2, 1]
    yield A + "unflatten.int", [r(2, 12), 1, [5, -1]]
    yield A + "squeeze.dim", [x, 4]
    yield A + "chunk.default", [x, 0]
    yield A + "narrow.default", [x, 0, 1, 5]


def join():
    yield A + "cat.default", [[r(2, 3), r(4, 3)]]
    yield A + "cat.default", [[r(2, 3), strided(2, 5)], -1]
    yield A + "cat.default", [[torch.arange(3), r(2)]]
    yield A + "cat.default", [[r(0), r(2, 3)], 1]
    yield A + "concat.default", [[r(2, 3), r(2, 3)], 1]
    yield A + "stack.default", [[r(2, 3), r(2, 3)]]
    yield A + "stack.default", [[r(2, 3), r(2, 3)], -1]
    yield A + "hstack.default", [[r(2), r(3)]]
    yield A + "vstack.default", [[r(3), r(2, 3)]]
    yield A + "repeat.default", [r(2, 3), [2, 1, 3]]
    yield A + "repeat.default", [r(2, 3), [0, 2]]
    yield A + "tile.default", [r(2, 3), [2]]
    yield A + "repeat_interleave.self_int", [r(2, 3), 2, 1]
    yield A + "repeat_interleave.self_int", [r(2, 3), 3]
    yield A + "roll.default", [r(3, 4), [1, -2], [0, 1]]
    yield A + "roll.default", [r(3, 4), [5]]
    yield A + "flip.default", [r(3, 4), [0, -1]]
    yield A + "pixel_shuffle.default", [r(2, 12, 3, 4), 2]
    yield A + "pixel_unshuffle.default", [r(2, 3, 4, 6), 2]
    yield A + "channel_shuffle.default", [r(2, 6, 3, 4), 3]
    for pads in [[1, 2], [1, 0, 2, 1], [-1, 1], [0, 0, -1, -1], [2, 2, 1, 1, 1, 1]]:
        yield A + "pad.default", [r(2, 4, 5), pads]
        yield A + "constant_pad_nd.default", [r(2, 4, 5), pads, 1.5]
    for mode in ["reflect", "replicate", "circular"]:
        yield A + "pad.default", [r(2, 3, 4, 5), [1, 2, 2, 1], mode]
        yield A + "pad.default", [r(2, 3, 5), [2, 3], mode]
    yield A + "reflection_pad2d.default", [r(2, 4, 5), [1, 1, 2, 2]]
    yield A + "replication_pad1d.default", [r(2, 5), [3, 1]]
    for size in [[10, 14], [3, 4], [5, 7], [8, 8]]:
        yield A + "upsample_nearest2d.default", [r(2, 3, 5, 7), size]
        for corners in [True, False]:
            yield A + "upsample_bilinear2d.default", [r(2, 3, 5, 7), size, corners], {}, CLOSE
    yield A + "upsample_nearest2d.vec", [r(2, 3, 5, 7), None, [2.0, 1.7]]
    yield A + "upsample_bilinear2d.vec", [r(2, 3, 5, 7), None, False, [1.5, 2.3]], {}, CLOSE
    yield A + "upsample_bilinear2d.vec", [r(2, 3, 5, 7), [9, 9], True, None], {}, CLOSE
    yield A + "upsample_nearest1d.vec", [r(2, 3, 5), [9], None]
    yield A + "upsample_linear1d.vec", [r(2, 3, 5), None, False, [2.0]], {}, CLOSE
    # refused
    yield A + "cat.default", [[r(2, 3), r(2, 4)]]
    yield A + "cat.default", [[]]
    yield A + "stack.default", [[r(2), r(3)]]
    yield A + "pad.default", [r(2, 3), [1, 1, 1]]
    yield A + "pad.default", [r(2, 3, 4), [4, 4], "reflect"]
    yield A + "pixel_shuffle.default", [r(2, 5, 3, 3), 2]
    yield A + "repeat.default", [r(2, 3), [2]]


def index():
    x = r(4, 5, 6)
    i, j = torch.tensor([0, -1, 2]), torch.tensor([[1], [3]])
    for indices in [[i], [None, i], [i, i], [j, i], [None, j], [i, None, i], [None, i, i], [torch.tensor(2)], [r(4) > 0], [r(4, 5) > 0], [None, r(5) > 0, torch.tensor(1)]]:
        yield A + "index.Tensor", [x, indices]
    yield A + "index.Tensor", [strided(4, 5), [i]]
    yield A + "index_select.default", [x, 1, i[:1] * 0 + 3]
    yield A + "index_select.default", [x, -1, torch.tensor([5, 0, 0])]
    yield A + "gather.default", [x, 1, torch.randint(0, 5, (4, 2, 6))]
    yield A + "gather.default", [x, 2, torch.randint(0, 6, (2, 3, 9))]
    for name in ["index_put.default", "index_put_.default"]:
        yield A + name, [r(4, 5), [torch.tensor([0, 2])], r(2, 5)]
        yield A + name, [r(4, 5), [torch.tensor([0, 2])], torch.tensor(1.0)]
        yield A + name, [r(4, 5), [None, torch.tensor([1, 3])], r(4, 2)]
        yield A + name, [r(4, 5), [torch.tensor([1, 1, 1])], torch.ones(3, 5), True], {}, 1e-6
        yield A + name, [r(4, 5), [r(4, 5) > 0], torch.tensor(0.0)]
    for diagonal in [0, 1, -1]:
        yield A + "tril.default", [r(2, 4, 5), diagonal]
        yield A + "triu.default", [r(5, 4), diagonal]
    yield A + "copy_.default", [r(3, 4), r(4)]
    yield A + "copy_.default", [torch.arange(3), torch.tensor([1.7, -1.7, 0.2])]
    yield A + "copy.default", [r(3, 4), r(3, 1)]
    yield A + "fill_.Scalar", [r(3), 2]
    yield A + "fill.Tensor", [r(3), torch.tensor(2.5)]
    yield A + "zero_.default", [strided(3, 4)]
    yield A + "slice_scatter.default", [r(4, 5), r(2, 5), 0, 1, 3]
    yield A + "select_scatter.default", [r(4, 5), r(4), 1, -1]
    for name in ["scatter.src", "scatter_.src", "scatter_add.default"]:
        yield A + name, [r(3, 5), 1, torch.tensor([[0, 4, 2], [1, 1, 3]]), r(2, 4)], {}, 1e-6
        if name != "scatter_add.default":
            yield A + name.replace("src", "value"), [torch.arange(6).reshape(2, 3), 0, torch.tensor([[1, 0]]), 7]
    yield A + "index_add.default", [r(4, 3), 0, torch.tensor([3, 0]), r(2, 3)], {}, 1e-6
    yield A + "index_add.default", [r(4, 3), 1, torch.tensor([2, 2]), r(4, 2)], {"alpha": 2}, 1e-6
    yield A + "one_hot.default", [torch.tensor([[0, 2], [1, 0]])]
    yield A + "one_hot.default", [torch.tensor([0, 2]), 5]
    yield A + "nonzero.default", [torch.tensor([[0.0, 2.0], [3.0, 0.0]])]
    yield A + "nonzero.default", [torch.tensor(1.0)]
    # refused
    yield A + "scatter.src", [r(3, 5), 1, torch.tensor([[5]]), r(1, 1)]
    yield A + "one_hot.default", [torch.tensor([3]), 2]
    yield A + "one_hot.default", [torch.tensor([-1]), 2]
    yield A + "index_add.default", [r(4, 3), 0, torch.tensor([4]), r(1, 3)]
    yield A + "index.Tensor", [x, [torch.tensor([4])]]
    yield A + "index.Tensor", [x, [torch.tensor([0, 1]), torch.tensor([0, 1, 2])]]
    yield A + "index.Tensor", [x, [r(3) > 0]]
    yield A + "gather.default", [x, 1, torch.full((4, 2, 6), 7)]
    yield A + "index_select.default", [x, 0, torch.tensor([4])]
    yield A + "copy_.default", [r(3), r(4)]
    yield A + "index_put.default", [r(4, 5), [torch.tensor([0])], torch.tensor(1)]


def create():
    for dtype in [torch.float32, torch.int64, torch.bool, torch.uint8, torch.float64]:
        yield A + "zeros.default", [[2, 3]], {"dtype": dtype}
        yield A + "full.default", [[2], 3], {"dtype": dtype}
        yield A + "to.dtype", [torch.tensor([0.0, 1.7, -1.7, 100.0]), dtype] if dtype != torch.uint8 else [torch.tensor([0.0, 1.7, 100.0]), dtype]
        yield A + "zeros_like.default", [r(2, 3)], {"dtype": dtype}
        yield A + "_to_copy.default", [torch.tensor([0, 1, 2])], {"dtype": dtype}
    for dtype in [torch.float16, torch.bfloat16]:
        yield A + "to.dtype", [special(), dtype]
        yield A + "to.dtype", [special().to(dtype), torch.float32]
    yield A + "ones.default", [[2, 3]]
    yield A + "full.default", [[2], 1.5]
    yield A + "full.default", [[2], True]
    yield A + "full_like.default", [torch.arange(3), 2]
    yield A + "ones_like.default", [r(2)]
    yield A + "new_zeros.default", [r(2), [3]]
    yield A + "new_full.default", [r(2), [3], 7]
    yield A + "scalar_tensor.default", [3]
    yield A + "scalar_tensor.default", [3], {"dtype": torch.int64}
    yield A + "arange.default", [5]
    yield A + "arange.default", [5.5]
    yield A + "arange.start", [2, 7], {"dtype": torch.float32}
    yield A + "arange.start_step", [7, 1, -2]
    yield A + "arange.start_step", [0.0, 1.0, 0.1], {}, 1e-7
    yield A + "eye.default", [3]
    yield A + "eye.m", [2, 3], {"dtype": torch.int64}
    yield A + "to.dtype_layout", [r(3)], {"dtype": torch.float64}
    yield A + "to.other", [r(3), torch.arange(3)]
    yield A + "type_as.default", [torch.arange(3), r(3)]
    yield A + "_assert_tensor_metadata.default", [r(2, 3), [2, 3]], {"dtype": torch.float32}
    yield A + "item.default", [torch.tensor(3)]
    yield A + "sym_size.int", [r(2, 3), -1]
    # refused
    yield A + "zeros.default", [[-1]]
    yield A + "arange.start_step", [0, 5, 0]
    yield A + "_assert_tensor_metadata.default", [r(2, 3), [2, 4]]
    yield A + "item.default", [r(2)]


def quantize():
    x = torch.cat([r(40) * 3, torch.tensor([0.0, 0.05, 0.15, 0.25, -0.05, 1e9, -1e9, INF, -INF, NAN])])
    for low, high, dtype in [(-128, 127, torch.int8), (0, 255, torch.uint8), (-127, 127, torch.int8), (0, 15, torch.uint8), (-32768, 32767, torch.int16), (-(2**31), 2**31 - 1, torch.int32)]:
        for scale, zero in [(0.1, 3), (0.0123456789, 0), (7.0, 10)]:
            if low <= zero <= high:
                yield Q + "quantize_per_tensor.default", [x, scale, zero, low, high, dtype]
                yield Q + "quantize_per_tensor.tensor", [x, torch.tensor([scale], dtype=torch.float64), torch.tensor([zero]), low, high, dtype]
                codes = torch.randint(max(low, -10000), min(high, 10000), (30,)).to(dtype)
                yield Q + "dequantize_per_tensor.default", [codes, scale, zero, low, high, dtype]
                yield Q + "dequantize_per_tensor.tensor", [codes, torch.tensor(scale), torch.tensor(zero), low, high, dtype]
                yield Q + "dequantize_per_tensor.default", [codes, scale, zero, low, high, dtype], {"out_dtype": torch.bfloat16}
    yield Q + "quantize_per_tensor.default", [r(10).bfloat16(), 0.1, 0, -128, 127, torch.int8]
    w = r(6, 4, 3)
    for axis, dtype in [(0, torch.float32), (1, torch.float64), (2, torch.float32), (-1, torch.float64)]:
        n = w.shape[axis]
        scales, zeros = (torch.rand(n) * 0.1 + 0.01).to(dtype), torch.randint(-5, 5, (n,))
        yield Q + "quantize_per_channel.default", [w, scales, zeros, axis, -128, 127, torch.int8]
        codes = torch.randint(-128, 127, w.shape).to(torch.int8)
        yield Q + "dequantize_per_channel.default", [codes, scales, zeros, axis, -128, 127, torch.int8]
        yield Q + "dequantize_per_channel.default", [codes, scales, None, axis, -128, 127, torch.int8]
        yield Q + "dequantize_per_channel.default", [codes, scales, zeros.to(torch.int32), axis, -128, 127, torch.int8], {"out_dtype": torch.float16}
    for low, high, dtype in [(0, 255, torch.uint8), (-128, 127, torch.int8), (-127, 127, torch.int8)]:
        for values in [r(50), r(50).abs(), -r(50).abs(), torch.zeros(4), r(50) * 1e-6, r(3, 4) * 1e6, torch.tensor([1.0, NAN]), torch.tensor([INF, 0.0])]:
            yield Q + "choose_qparams.tensor", [values, low, high, 2**-12, dtype]
            yield Q + "choose_qparams_symmetric.tensor", [values, low, high, 1.1920929e-07, dtype]
    tokens = r(2, 3, 8) * 4
    yield Q + "choose_qparams_per_token.default", [tokens, torch.int8]
    yield Q + "choose_qparams_per_token_asymmetric.default", [tokens, torch.int8]
    yield Q + "choose_qparams_per_token_asymmetric.default", [torch.zeros(2, 4), torch.int8]
    scales, zeros = torch.rand(2, 3, 1, dtype=torch.float64) * 0.1 + 0.01, torch.randint(-9, 9, (2, 3, 1))
    yield Q + "quantize_per_token.default", [tokens, scales, zeros, -128, 127, torch.int8]
    yield Q + "quantize_per_token.default", [tokens, scales.float(), zeros, -128, 127, torch.int8]
    codes = torch.randint(-128, 127, tokens.shape).to(torch.int8)
    yield Q + "dequantize_per_token.default", [codes, scales, zeros, -128, 127, torch.int8, torch.float32]
    yield Q + "dequantize_per_token.default", [codes, scales.float(), zeros, -128, 127, torch.int8, torch.float32]
    # refused
    yield Q + "quantize_per_tensor.default", [r(3).double(), 0.1, 0, -128, 127, torch.int8]
    yield Q + "quantize_per_tensor.default", [r(3), 0.1, 0, -129, 127, torch.int8]
    yield Q + "quantize_per_tensor.default", [r(3), 0.1, 0, 0, 256, torch.uint8]
    yield Q + "quantize_per_tensor.tensor", [r(3), torch.tensor([0.1, 0.2]), torch.tensor([0]), 0, 255, torch.uint8]
    yield Q + "dequantize_per_tensor.default", [torch.zeros(3, dtype=torch.int8), 0.1, 0, 0, 255, torch.uint8]
    yield Q + "quantize_per_channel.default", [w, torch.rand(5), torch.zeros(5, dtype=torch.int64), 0, -128, 127, torch.int8]
    yield Q + "quantize_per_channel.default", [w, torch.rand(6), torch.zeros(6, dtype=torch.int64), 3, -128, 127, torch.int8]
    yield Q + "choose_qparams.tensor", [r(3), 1, 255, 2**-12, torch.uint8]
    yield Q + "choose_qparams.tensor", [r(3).double(), 0, 255, 2**-12, torch.uint8]
    yield Q + "quantize_per_token.default", [tokens, scales[:1], zeros, -128, 127, torch.int8]


def scan():
    x = r(3, 5)
    for name in ["cumsum", "cumprod"]:
        yield A + f"{name}.default", [x, 1], {}, CLOSE
        yield A + f"{name}.default", [torch.arange(6).reshape(2, 3), 0]
        yield A + f"{name}.default", [torch.tensor([True, False, True]), 0]
        yield A + f"{name}.default", [torch.tensor([1, 2, 3]), -1], {"dtype": torch.float32}
    for name in ["cummax", "cummin"]:
        yield A + f"{name}.default", [x, 1]
        yield A + f"{name}.default", [torch.tensor([[1.0, 3.0, 3.0, NAN, 2.0], [2.0, 2.0, 1.0, 0.0, 4.0]]), 1]
        yield A + f"{name}.default", [torch.arange(6).reshape(3, 2), 0]
    yield A + "diff.default", [x]
    yield A + "diff.default", [x, 2, 0]
    yield A + "diff.default", [x, 7]
    yield A + "diff.default", [x, 0]
    yield A + "diff.default", [x, 1, -1, r(3, 1), r(3, 2)]
    yield A + "diff.default", [torch.tensor([1, 4, 9])]
    yield A + "diff.default", [torch.tensor([True, False, False])]
    # refused
    yield A + "diff.default", [torch.tensor(1.0)]
    yield A + "diff.default", [x, 1, -1, r(3)]
    yield A + "cumsum.default", [x, 2]


def sample():
    image = r(2, 3, 5, 6)
    grid = torch.rand(2, 4, 3, 2) * 3 - 1.5
    for method in range(3):
        for outside in range(3):
            for corners in [True, False]:
                yield A + "grid_sampler.default", [image, grid, method, outside, corners], {}, 1e-5
    for corners in [True, False]:
        yield A + "affine_grid_generator.default", [r(2, 2, 3), [2, 3, 4, 5], corners], {}, CLOSE
        yield A + "affine_grid_generator.default", [r(1, 2, 3), [1, 1, 1, 4], corners], {}, CLOSE
        for size in [[9, 4], [5, 7], [1, 1], [10, 14]]:
            yield A + "upsample_bicubic2d.default", [r(2, 3, 5, 7), size, corners], {}, 1e-5
        yield A + "upsample_trilinear3d.vec", [r(1, 2, 3, 4, 5), [4, 6, 5], corners, None], {}, CLOSE
    yield A + "upsample_bicubic2d.vec", [r(2, 3, 5, 7), None, False, [1.5, 2.3]], {}, 1e-5
    yield A + "upsample_trilinear3d.vec", [r(1, 2, 3, 4, 5), None, False, [2.0, 1.5, 1.0]], {}, CLOSE
    yield A + "upsample_nearest3d.vec", [r(1, 2, 3, 4, 5), [4, 6, 5], None]
    yield A + "upsample_nearest3d.vec", [r(1, 2, 3, 4, 5), None, [2.0, 2.0, 1.5]]
    yield A + "_upsample_nearest_exact1d.vec", [r(2, 3, 5), [9], None]
    yield A + "_upsample_nearest_exact2d.vec", [r(2, 3, 5, 7), [8, 3], None]
    yield A + "_upsample_nearest_exact2d.vec", [r(2, 3, 5, 7), None, [2.0, 1.7]]
    yield A + "_upsample_nearest_exact3d.vec", [r(1, 2, 3, 4, 5), [4, 6, 5], None]
    # refused
    yield A + "grid_sampler.default", [image, r(1, 4, 3, 2), 0, 0, False]
    yield A + "grid_sampler.default", [image, r(2, 4, 3, 3), 0, 0, False]
    yield A + "affine_grid_generator.default", [r(2, 2, 2), [2, 3, 4, 5], False]


def block_quantize():
    t = "torchao."
    x = r(4, 6) * 3
    for size in [[4, 6], [1, 6], [1, 3], [2, 2], [1, 1]]:
        blocks = [n // b for n, b in zip(x.shape, size)]
        scale, zero = torch.rand(blocks) * 0.1 + 0.01, torch.randint(-5, 5, blocks, dtype=torch.int32)
        yield t + "quantize_affine.default", [x, size, scale, zero, torch.int8]
        yield t + "quantize_affine.default", [x, size, scale, zero, torch.int8, -100, 100]
        yield t + "quantize_affine.default", [x.bfloat16(), size, scale, zero, torch.uint8, 0, 255]
        codes = torch.randint(-128, 127, x.shape).to(torch.int8)
        yield t + "dequantize_affine.default", [codes, size, scale, zero, torch.int8]
        yield t + "dequantize_affine.default", [codes, size, scale, None, torch.int8, -128, 127]
        yield t + "dequantize_affine.default", [codes, size, scale, zero, torch.int8], {"output_dtype": torch.bfloat16}
        for mapping in ["SYMMETRIC", "SYMMETRIC_NO_CLIPPING_ERR", "ASYMMETRIC"]:
            yield t + "choose_qparams_affine.default", [x, mapping, size, torch.int8]
            yield t + "choose_qparams_affine.default", [x, mapping, size, torch.int8, -8, 7], {"eps": 0.5, "zero_point_dtype": torch.int64, "keepdim": True}
    yield t + "choose_qparams_affine.default", [torch.zeros(2, 2), "ASYMMETRIC", [2, 2], torch.uint8]
    yield t + "choose_qparams_affine.default", [torch.tensor([[1.0, NAN]]), "SYMMETRIC", [1, 2], torch.int8]
    scales, zeros = torch.rand(4, 2) * 0.1 + 0.01, torch.randint(-5, 5, (4, 2), dtype=torch.int32)
    yield Q + "quantize_per_channel_group.default", [x, scales, zeros, -8, 7, torch.int8, 3]
    codes = torch.randint(-8, 7, x.shape).to(torch.int8)
    yield Q + "dequantize_per_channel_group.default", [codes, scales, zeros, -8, 7, torch.int8, 3, torch.float32]
    yield Q + "dequantize_per_channel_group.default", [codes, scales, None, -8, 7, torch.int8, 3, torch.float32]
    # refused
    yield t + "quantize_affine.default", [x, [4], torch.rand(1), torch.zeros(1), torch.int8]
    yield t + "quantize_affine.default", [x, [1, 4], torch.rand(4), torch.zeros(4), torch.int8]
    yield t + "quantize_affine.default", [x, [4, 6], torch.rand(1), torch.zeros(1), torch.int8, -129, 127]
    yield t + "quantize_affine.default", [x, [4, 6], torch.rand(1), None, torch.int8]
    yield t + "quantize_affine.default", [x.double(), [4, 6], torch.rand(1), torch.zeros(1), torch.int8]
    yield t + "dequantize_affine.default", [codes, [4, 6], torch.rand(1), torch.zeros(1), torch.uint8]
    yield t + "choose_qparams_affine.default", [x, "NONE", [4, 6], torch.int8]
    yield Q + "quantize_per_channel_group.default", [x, scales, zeros, -8, 7, torch.int8, 1]
    yield Q + "quantize_per_channel_group.default", [x, scales, zeros, -8, 7, torch.int8, 4]


FAMILIES = {f.__name__: f for f in [conv, matmul, norm, pool, activation, arithmetic, comparison, unary, reduce, softmax, rnn, view, join, index, create, quantize, scan, sample, block_quantize]}
