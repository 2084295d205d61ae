"""Small models for quantization-aware training: convolutions with batch norms, as they are met."""
from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from models import net, trained


def sequence(*layers):
    """The layers in order, their batch norms with statistics of their own."""
    for layer in layers:
        if isinstance(layer, nn.modules.batchnorm._BatchNorm) and layer.affine and layer.track_running_stats:
            trained(layer)
    return nn.Sequential(*layers)


def settings():
    """Stride, padding, dilation and groups; each kind of activation behind."""
    return sequence(
        nn.Conv2d(3, 6, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(6), nn.ReLU(),
        nn.Conv2d(6, 6, 3, padding=2, dilation=2, groups=6), nn.BatchNorm2d(6), nn.ReLU6(),
        nn.Conv2d(6, 8, 1, groups=2, bias=False), nn.BatchNorm2d(8), nn.ReLU(inplace=True),
        nn.Conv2d(8, 4, (1, 3), padding=(0, 1)), nn.BatchNorm2d(4), nn.Hardtanh(),
    )


def one_dimension():
    return sequence(
        nn.Conv1d(3, 5, 3, padding=1), nn.BatchNorm1d(5), nn.ReLU(), nn.Conv1d(5, 4, 3, bias=False), nn.BatchNorm1d(4)
    )


def three_dimensions():
    """No pattern of torchao's: stays as it is."""
    return sequence(nn.Conv3d(2, 4, 3, bias=False), nn.BatchNorm3d(4), nn.ReLU())


def transposed(bias):
    return sequence(
        nn.ConvTranspose2d(3, 5, 3, stride=2, padding=1, bias=bias), nn.BatchNorm2d(5), nn.ReLU(),
        nn.ConvTranspose2d(5, 4, 2, stride=2, bias=bias), nn.BatchNorm2d(4),
    )


def transposed_one_dimension():
    return sequence(nn.ConvTranspose1d(3, 4, 3, stride=2), nn.BatchNorm1d(4), nn.ReLU(), nn.ConvTranspose1d(4, 3, 3), nn.BatchNorm1d(3))


def named_padding():
    """conv2d.padding is no pattern of torchao's."""
    return sequence(nn.Conv2d(3, 4, 3, padding="same"), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4))


def residual():
    """A ResNet block with a convolution beside the shortcut."""
    def forward(m, x):
        y = m.bn2(m.conv2(F.relu(m.bn1(m.conv1(x)))))
        return F.relu(y + m.bn3(m.conv3(x)))

    return net(
        forward,
        conv1=nn.Conv2d(3, 6, 3, stride=2, padding=1, bias=False), bn1=trained(nn.BatchNorm2d(6)),
        conv2=nn.Conv2d(6, 6, 3, padding=1, bias=False), bn2=trained(nn.BatchNorm2d(6)),
        conv3=nn.Conv2d(3, 6, 1, stride=2, bias=False), bn3=trained(nn.BatchNorm2d(6)),
    )


def inverted_residual():
    """A MobileNetV2 block."""
    body = sequence(
        nn.Conv2d(4, 8, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU6(inplace=True),
        nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False), nn.BatchNorm2d(8), nn.ReLU6(inplace=True),
        nn.Conv2d(8, 4, 1, bias=False), nn.BatchNorm2d(4),
    )
    return net(lambda m, x: x + m.body(x), body=body)


def twice():
    """One convolution and batch norm called two times."""
    def forward(m, x):
        return m.bn(m.conv(F.relu(m.bn(m.conv(x)))))

    return net(forward, conv=nn.Conv2d(4, 4, 3, padding=1), bn=trained(nn.BatchNorm2d(4)))


def two_users():
    """The convolution's output is used beside the batch norm, so no pattern holds; the second one's batch norm has two."""
    def forward(m, x):
        a = m.conv1(x)
        b = m.bn1(a)
        c = m.bn2(m.conv2(b))
        return a + b, F.relu(c) + c

    return net(
        forward,
        conv1=nn.Conv2d(3, 4, 1), bn1=trained(nn.BatchNorm2d(4)), conv2=nn.Conv2d(4, 4, 3, padding=1), bn2=trained(nn.BatchNorm2d(4)),
    )


def two_norms():
    """One convolution, two batch norms behind each other, and a convolution that feeds another."""
    return sequence(
        nn.Conv2d(3, 4, 1), nn.Conv2d(4, 4, 3, padding=1), nn.BatchNorm2d(4), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.0)
    )


def not_affine():
    return sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4, affine=False), nn.ReLU())


def not_tracked():
    return sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4, track_running_stats=False), nn.ReLU())


def other_settings():
    """eps and momentum that torchao replaces by its own."""
    return sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4, eps=1e-3, momentum=0.3), nn.ReLU())


def tied():
    """Two convolutions with one weight, each with a batch norm of its own."""
    first, second = nn.Conv2d(4, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1, bias=False)
    second.weight = first.weight
    return sequence(first, nn.BatchNorm2d(4), nn.ReLU(), second, nn.BatchNorm2d(4))


def concatenated():
    """Branches of convolutions with batch norms into a cat, a pool between."""
    def forward(m, x):
        return torch.cat([F.relu(m.bn1(m.conv1(x))), m.bn2(m.conv2(m.pool(x)))], dim=1)

    return net(
        forward, pool=nn.MaxPool2d(3, 1, 1),
        conv1=nn.Conv2d(3, 4, 1, bias=False), bn1=trained(nn.BatchNorm2d(4)),
        conv2=nn.Conv2d(3, 4, 3, padding=1, bias=False), bn2=trained(nn.BatchNorm2d(4)),
    )


def linear_norm():
    return sequence(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 3))


def add_two(relu):
    """Two convolutions with batch norms into one sum: the x86 patterns conv_bn_add and conv_bn_add_relu."""
    def forward(m, x):
        y = m.bn1(m.conv1(x)) + m.bn2(m.conv2(x))
        return F.relu(y) if relu else y

    return net(
        forward,
        conv1=nn.Conv2d(3, 4, 3, padding=1), bn1=trained(nn.BatchNorm2d(4)),
        conv2=nn.Conv2d(3, 4, 1, bias=False), bn2=trained(nn.BatchNorm2d(4)),
    )


def activations():
    """Behind a batch norm, the activations that x86 fuses."""
    return sequence(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU6(), nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4), nn.Hardtanh(-2.0, 2.0),
        nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4), nn.Hardswish(), nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4), nn.SiLU(),
        nn.Conv2d(4, 4, 1), nn.BatchNorm2d(4), nn.ReLU(),
    )


def one_block():
    return sequence(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU())


def two_blocks():
    return net(
        lambda m, x: m.second(m.first(x)),
        first=sequence(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU()),
        second=sequence(nn.Conv2d(4, 4, 1, bias=False), nn.BatchNorm2d(4)),
    )


def pooled_classifier():
    return net(
        lambda m, x: m.fc(torch.flatten(m.pool(m.body(x)), 1)),
        body=sequence(nn.Conv2d(3, 6, 3, bias=False), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3), nn.BatchNorm2d(8), nn.ReLU()),
        pool=nn.AdaptiveAvgPool2d(1), fc=nn.Linear(8, 5),
    )
