"""The models of the built-in samples: small enough to see whole, one subject each."""
from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class ConvRelu(nn.Module):
    """The smallest model that has everything: a weight, a bias, a fused pair."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.conv(x))


class Residual(nn.Module):
    """One tensor with two consumers, and an addition of two branches."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 8, 3, padding=1)
        self.relu = nn.ReLU()

    def forward(self, x):
        y = self.relu(self.conv1(x))
        return self.relu(self.conv2(y) + y)


class Tiny(nn.Module):
    """A classifier: batch norms that fold into the convs, a pool that shares, two linears."""

    def __init__(self):
        super().__init__()
        layers = []
        for channels_in, channels_out in ((3, 8), (8, 16), (16, 16)):
            layers += [nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False), nn.BatchNorm2d(channels_out), nn.ReLU()]
        self.features = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Linear(16, 16)
        self.fc2 = nn.Linear(16, 10)
        for module in self.features:
            if isinstance(module, nn.BatchNorm2d):
                as_if_trained(module)

    def forward(self, x):
        x = torch.flatten(self.pool(self.features(x)), 1)
        return self.fc2(F.relu(self.fc1(x)))


class Cat(nn.Module):
    """Two branches of different ranges, joined."""

    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(3, 4, 3, padding=1)
        self.b = nn.Conv2d(3, 6, 1)
        self.c = nn.Conv2d(10, 5, 1)

    def forward(self, x):
        return self.c(torch.cat([self.a(x), self.b(x)], dim=1))


class Linear(nn.Module):
    """Three linears, the middle one without a bias."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(12, 24)
        self.fc2 = nn.Linear(24, 24, bias=False)
        self.fc3 = nn.Linear(24, 6)

    def forward(self, x):
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x)))))


class AddMul(nn.Module):
    """Elementwise ops without a weight: add, mul, both with a relu, and a number as an operand."""

    def forward(self, x, y):
        a = x + y
        b = F.relu(a * y)
        c = F.relu(b + x)
        return c * a + 2.5


class Gate(nn.Module):
    """A mask between 0 and 1 over a spectrogram: an output whose range is known beforehand."""

    def __init__(self):
        super().__init__()
        self.mask = nn.Linear(16, 16)

    def forward(self, spectrogram):
        return spectrogram * torch.sigmoid(self.mask(spectrogram))


def as_if_trained(norm):
    """Statistics and an affine part that are not the identity, so that folding changes the weights visibly."""
    nn.init.uniform_(norm.weight, 0.5, 1.5)
    nn.init.normal_(norm.bias, std=0.2)
    nn.init.normal_(norm.running_mean, std=0.3)
    nn.init.uniform_(norm.running_var, 0.5, 2.0)
