"""Small models, one trait each, which the conformance corpus lacks; cases.py says what runs on them."""
from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


def net(forward, /, **members):
    """A module with this forward function, and its layers, parameters and (from tensors) buffers."""
    module = type("Net", (nn.Module,), {"forward": forward, "__module__": __name__})()
    for name, member in members.items():
        if isinstance(member, (nn.Module, nn.Parameter)):
            setattr(module, name, member)
        else:
            module.register_buffer(name, member)
    return module


def conv(channels_in, channels_out, kernel=1, **settings):
    return nn.Conv2d(channels_in, channels_out, kernel, **settings)


def trained(norm):
    """Statistics and an affine part that are not the identity."""
    nn.init.uniform_(norm.weight, 0.5, 1.5)
    nn.init.normal_(norm.bias, std=0.2)
    nn.init.normal_(norm.running_mean, std=0.3)
    nn.init.uniform_(norm.running_var, 0.5, 2.0)
    return norm


# -- conv and linear ------------------------------------------------------------------------------


def linear_relu():
    """The relu as a module, then as a function."""
    return net(lambda m, x: F.relu(m.fc2(m.relu(m.fc1(x)))), fc1=nn.Linear(6, 8), relu=nn.ReLU(), fc2=nn.Linear(8, 4, bias=False))


def linear_two_users():
    """The relu cannot be fused: the linear's output has another user."""
    def forward(m, x):
        h = m.fc(x)
        return F.relu(h) + h

    return net(forward, fc=nn.Linear(6, 6))


def conv_settings():
    """Stride, dilation, groups, no bias, padding on one side only."""
    def forward(m, x):
        return m.grouped(m.dilated(m.strided(x)))

    return net(
        forward,
        strided=conv(3, 4, 3, stride=2, bias=False),
        dilated=conv(4, 4, 3, dilation=2, padding=2),
        grouped=conv(4, 8, (1, 3), padding=(0, 1), groups=2, bias=False),
    )


def conv_bn_chain():
    """Two pairs to fold, without and with a conv bias; the second ends in a relu."""
    def forward(m, x):
        return F.relu(m.bn2(m.conv2(m.bn1(m.conv1(x)))))

    return net(
        forward,
        conv1=conv(3, 4, 3, bias=False), bn1=trained(nn.BatchNorm2d(4)),
        conv2=conv(4, 5, 1), bn2=trained(nn.BatchNorm2d(5, eps=1e-3)),
    )


def conv_bn_not_affine():
    """A batch norm without weight and bias."""
    return net(lambda m, x: m.bn(m.conv(x)), conv=conv(3, 4, 3), bn=nn.BatchNorm2d(4, affine=False))


def conv_clamps():
    """relu6 and hardtanh behind convs: not fused, they share the observer before them."""
    return net(lambda m, x: F.hardtanh(m.b(F.relu6(m.a(x))), -2.0, 2.0), a=conv(3, 4), b=conv(4, 4))


def conv1d_relu():
    return net(lambda m, x: F.relu(m.conv(x)), conv=nn.Conv1d(3, 5, 3, stride=2, padding=1))


def conv_transpose():
    """Alone it has no rule; with a relu behind it has one."""
    def forward(m, x):
        return m.out(F.relu(m.grouped(m.up(x))))

    return net(
        forward,
        up=nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1),
        grouped=nn.ConvTranspose2d(4, 4, (2, 3), groups=2, bias=False, dilation=2),
        out=conv(4, 2),
    )


def depthwise():
    """A depthwise conv, then a pointwise one."""
    return net(lambda m, x: F.relu(m.point(F.relu(m.depth(x)))), depth=conv(6, 6, 3, groups=6, padding=1), point=conv(6, 4))


def linear_bn1d():
    """A linear whose batch norm folds into it, then one that has a relu between."""
    def forward(m, x):
        return m.bn2(F.relu(m.fc2(F.relu(m.bn1(m.fc1(x))))))

    return net(
        forward,
        fc1=nn.Linear(6, 8), bn1=trained(nn.BatchNorm1d(8)),
        fc2=nn.Linear(8, 4), bn2=trained(nn.BatchNorm1d(4)),
    )


def basic_block():
    """As in resnet18: two convs with batch norms, a shortcut with its own, a relu in place."""
    def forward(m, x):
        h = m.relu(m.bn1(m.conv1(x)))
        return m.relu(m.bn2(m.conv2(h)) + m.bn3(m.shortcut(x)))

    return net(
        forward,
        conv1=conv(3, 4, 3, stride=2, padding=1, bias=False), bn1=trained(nn.BatchNorm2d(4)),
        conv2=conv(4, 4, 3, padding=1, bias=False), bn2=trained(nn.BatchNorm2d(4)),
        shortcut=conv(3, 4, 1, stride=2, bias=False), bn3=trained(nn.BatchNorm2d(4)),
        relu=nn.ReLU(inplace=True),
    )


def inverted_residual():
    """As in mobilenet: pointwise, depthwise and pointwise convs, relu6 between, an addition without relu."""
    def forward(m, x):
        return x + m.layers(x)

    layers = nn.Sequential(
        conv(3, 6, bias=False), trained(nn.BatchNorm2d(6)), nn.ReLU6(inplace=True),
        conv(6, 6, 3, padding=1, groups=6, bias=False), trained(nn.BatchNorm2d(6)), nn.ReLU6(inplace=True),
        conv(6, 3, bias=False), trained(nn.BatchNorm2d(3)),
    )
    return net(forward, layers=layers)


def embedded():
    """An embedding has no rule; the linear behind it has."""
    return net(lambda m, ids: m.fc(m.emb(ids)), emb=nn.Embedding(12, 6), fc=nn.Linear(6, 3))


def classifier():
    """Linear modules inside a block, to aim at by name and by type."""
    return net(lambda m, x: m.head(m.body(x)), body=Block(), head=nn.Linear(8, 4))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 8)

    def forward(self, x):
        return F.relu(self.fc2(F.relu(self.fc1(x))))


# -- elementwise ----------------------------------------------------------------------------------


def add_scalar():
    """Numbers as operands, on both sides; subtraction has no rule."""
    return net(lambda m, x: (2 + m.conv(x) + 0.5) - 1, conv=conv(3, 4))


def mul_scalar():
    return net(lambda m, x: F.relu(m.conv(x) * 3) * 0.25, conv=conv(3, 4))


def add_alpha():
    """An add that scales its second operand."""
    return net(lambda m, x: torch.add(m.fc(x), x, alpha=2), fc=nn.Linear(4, 4))


def large_scalar():
    """A number too large for a histogram: the rule steps back."""
    return net(lambda m, x: m.fc(x) * 1e20 + 1.0, fc=nn.Linear(4, 4))


def same_operand():
    """One tensor on both sides: two arguments, one edge."""
    def forward(m, x):
        h = m.conv(x)
        return (h + h) * (h * h)

    return net(forward, conv=conv(3, 4))


def add_mul_relu():
    """add+relu and mul+relu with a relu in place, and an add whose relu is not its only user."""
    def forward(m, x, y):
        a = F.relu_(x + y)
        b = F.relu(a * y)
        c = b + a
        return F.relu(c) * c

    return net(forward)


def inplace_arithmetic():
    def forward(m, x):
        h = m.a(x)
        h += x
        h *= 2.0
        return m.b(h)

    return net(forward, a=conv(3, 3), b=conv(3, 2))


def broadcast():
    """Operands of other shapes: a bias row, a column, a scalar tensor."""
    return net(
        lambda m, x: (m.fc(x) + m.row) * m.column + m.number,
        fc=nn.Linear(4, 6), row=torch.randn(6), column=nn.Parameter(torch.randn(3, 1)), number=torch.tensor(0.75),
    )


def integers():
    """Integer tensors beside float ones: the rules for add and mul step back."""
    def forward(m, x, ids):
        return m.fc(x) + (ids + ids).float()

    return net(forward, fc=nn.Linear(4, 4))


# -- cat ------------------------------------------------------------------------------------------


def cat_three():
    return net(lambda m, x: torch.cat([m.a(x), m.b(x), x], dim=1), a=conv(3, 2), b=conv(3, 4))


def cat_same():
    """The same tensor at both ends of a cat, another one between."""
    def forward(m, x):
        h = m.conv(x)
        return torch.cat([h, x, h], dim=1)

    return net(forward, conv=conv(3, 3))


def cat_of_cats():
    def forward(m, x, y):
        inner = torch.cat([m.fc(x), y], dim=-1)
        return torch.cat([inner, x], dim=-1)

    return net(forward, fc=nn.Linear(4, 4))


# -- ops that share, and ops without a rule -------------------------------------------------------


def pools():
    def forward(m, x):
        h = F.max_pool2d(F.relu(m.a(x)), 3, stride=2, padding=1)
        h = m.b(F.avg_pool2d(h, 2))
        return F.adaptive_avg_pool2d(h, (2, 1))

    return net(forward, a=conv(3, 4, 3, padding=1), b=conv(4, 4))


def pool_first():
    """An adaptive pool on an input that has no label; then one as a module."""
    def forward(m, x):
        return m.fc(torch.flatten(m.pool(m.conv(F.adaptive_avg_pool2d(x, 4))), 1))

    return net(forward, conv=conv(3, 4), pool=nn.AdaptiveAvgPool2d(1), fc=nn.Linear(4, 2))


def layout():
    """Changes of shape between quantized ops: some share, some break the chain."""
    def forward(m, x):
        h = m.conv(x).flatten(2).permute(0, 2, 1)
        h = m.a(h).transpose(1, 2).reshape(2, 2, 10)
        return m.b(h.view(4, 10)).unsqueeze(1).squeeze(1)

    return net(forward, conv=conv(3, 4), a=nn.Linear(4, 5), b=nn.Linear(10, 3))


def means():
    def forward(m, x):
        h = F.relu(m.conv(x)).mean((2, 3))
        return m.fc(h), h.mean(1, keepdim=True)

    return net(forward, conv=conv(3, 6), fc=nn.Linear(6, 2))


def activations():
    """Functions that no rule knows, between two that one knows."""
    return net(lambda m, x: m.b(torch.tanh(torch.sigmoid(m.a(x)))), a=nn.Linear(5, 5), b=nn.Linear(5, 5))


def softmaxed():
    return net(lambda m, x: torch.log_softmax(m.b(torch.softmax(m.a(x), dim=-1)), dim=1), a=nn.Linear(5, 6), b=nn.Linear(6, 4))


def hard_functions():
    return net(lambda m, x: F.hardsigmoid(m.b(F.hardswish(m.a(x)))), a=conv(3, 4), b=conv(4, 4))


def smooth_functions():
    return net(lambda m, x: F.elu(F.leaky_relu(m.b(F.silu(F.gelu(m.a(x)))), 0.1)), a=nn.Linear(5, 5), b=nn.Linear(5, 5))


def dropped():
    """Dropout, which stays in the graph of an evaluated model."""
    return net(lambda m, x: m.b(m.drop(F.relu(m.a(x)))), a=nn.Linear(5, 8), drop=nn.Dropout(0.5), b=nn.Linear(8, 3))


def slices():
    def forward(m, x):
        h = m.conv(x)
        return m.out(h[:, 1:3, ::2]) + h[:, :1, 0].unsqueeze(2).mean()

    return net(forward, conv=conv(3, 4), out=conv(2, 2))


def upsampled():
    return net(lambda m, x: m.b(F.interpolate(m.a(x), scale_factor=2, mode="nearest")), a=conv(3, 4), b=conv(4, 2))


def chunks():
    """Results that are tuples of tensors, taken apart by getitem."""
    def forward(m, x):
        left, right = m.a(x).chunk(2, dim=1)
        first, _, last = torch.split(m.b(left + right), [1, 2, 1], dim=1)
        return first * last

    return net(forward, a=conv(3, 8), b=conv(4, 4))


# -- inputs and outputs ---------------------------------------------------------------------------


def two_in_two_out():
    """Two outputs, one of them also used inside; one input is never read."""
    def forward(m, x, unused, y):
        h = m.a(x)
        return h, m.b(F.relu(h + y))

    return net(forward, a=nn.Linear(4, 4), b=nn.Linear(4, 2))


def dict_output():
    def forward(m, x):
        h = F.relu(m.fc(x))
        return {"hidden": h, "rest": (h + x, [x * h])}

    return net(forward, fc=nn.Linear(4, 4))


class Keywords(nn.Module):
    """Called with keyword arguments, in another order than the signature's."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x, *, gain, offset):
        return self.fc(x) * gain + offset


class Pairs(nn.Module):
    """Takes a tuple and a dict of tensors."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, pair, named):
        return self.fc(pair[0] + pair[1]) * named["gain"]


def returns_input():
    return net(lambda m, x, y: (y, F.relu(m.fc(x)), x), fc=nn.Linear(4, 4))


def same_output_twice():
    def forward(m, x):
        h = m.fc(x)
        return h, h

    return net(forward, fc=nn.Linear(4, 4))


def buffers():
    """A buffer that is saved, one that is not, and a constant made in forward."""
    def forward(m, x):
        return m.fc(x + m.saved) * m.unsaved + torch.tensor([1.0, -1.0, 0.5])

    module = net(forward, fc=nn.Linear(3, 3), saved=torch.randn(3))
    module.register_buffer("unsaved", torch.randn(3), persistent=False)
    return module


def tied():
    """Two linears with one weight."""
    module = net(lambda m, x: m.b(F.relu(m.a(x))), a=nn.Linear(4, 4), b=nn.Linear(4, 4))
    module.b.weight = module.a.weight
    return module


def any_batch():
    """Made for a symbolic batch size, which also stands in a shape inside."""
    def forward(m, x):
        h = F.relu(m.conv(x))
        return m.fc(h.reshape(x.shape[0], -1))

    return net(forward, conv=conv(3, 2), fc=nn.Linear(32, 4))


# -- for the rules quantizer ----------------------------------------------------------------------


def two_convs(bias=True):
    return net(lambda m, x: F.relu(m.b(F.relu(m.a(x)))), a=conv(3, 4, 3), b=conv(4, 4, bias=bias))


def branches():
    """One relu with three users of different kinds."""
    def forward(m, x):
        h = F.relu(x)
        return m.conv(h) + torch.sigmoid(h), h * 2.0

    return net(forward, conv=conv(3, 3))


def functions():
    """A chain of functions without weights."""
    return net(lambda m, x: torch.tanh(torch.sigmoid(F.relu(x))))


def mixed_blocks():
    """Linears inside and outside of a block."""
    return net(lambda m, x: m.after(m.block(m.before(x))), before=nn.Linear(6, 6), block=Block(), after=nn.Linear(8, 4))


def tensor_keyword():
    """An op that takes a tensor by keyword, behind a labelled one."""
    return net(lambda m, x, order: torch.searchsorted(F.relu(x), x, sorter=order))
