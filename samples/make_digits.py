"""Trains a small classifier of handwritten digits and spoils a layer of it: `python make_digits.py` (packages: those of
make_samples.py, and scikit-learn, which ships the 1,797 pictures of 8 x 8 pixels).

Writes models/digits.pt2, models/digits_scaled.pt2 and inputs/digits.npz (calibration), inputs/digits_check.npz (360
pictures that were not trained on, the second set that errors are measured on). The same versions give the same bytes.

digits_scaled computes the same as digits: one output channel of the second convolution is multiplied by 100, and what
the next layer does with it divided by 100. In float nothing changes; quantized with one scale for all channels, the
others drown.
"""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "tests" / "golden"))

import programs  # noqa: E402

BATCH = 60
CHECK = 360
FACTOR = 100


class Digits(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 12, 3, padding=1)
        self.conv2 = torch.nn.Conv2d(12, 16, 3, padding=1)
        self.conv3 = torch.nn.Conv2d(16, 16, 3, padding=1)
        self.fc = torch.nn.Linear(16 * 4, 10)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = torch.nn.functional.max_pool2d(torch.relu(self.conv3(x)), 2)
        return self.fc(torch.flatten(x, 1))


def data():
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    pictures = torch.tensor(digits.images[order] / 16.0, dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(digits.target[order])
    return (pictures[CHECK:], labels[CHECK:]), (pictures[:CHECK], labels[:CHECK])


def train(model, pictures, labels):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(25):
        for rows in torch.randperm(len(labels)).split(64):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(pictures[rows]), labels[rows]).backward()
            optimizer.step()
    return model.eval()


def scaled(model, pictures):
    """The same function with one loud channel between conv2 and conv3: the one that was the loudest before."""
    other = Digits()
    other.load_state_dict(model.state_dict())
    with torch.no_grad():
        channel = model.conv2(torch.relu(model.conv1(pictures))).amax((0, 2, 3)).argmax()
        other.conv2.weight[channel] *= FACTOR
        other.conv2.bias[channel] *= FACTOR
        other.conv3.weight[:, channel] /= FACTOR
    return other.eval()


def write(name, model, example):
    (HERE / "models" / f"{name}.pt2").write_bytes(programs.to_bytes(programs.export(model, (example,))))


def batches(pictures):
    return {f"{i:03}.0": part.numpy() for i, part in enumerate(pictures.split(BATCH))}


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    (pictures, labels), (check, check_labels) = data()
    model = train(Digits(), pictures, labels)
    spoiled = scaled(model, pictures)
    for name, made in (("digits", model), ("digits_scaled", spoiled)):
        right = (made(check).argmax(1) == check_labels).sum().item()
        print(f"{name}: {right} of {CHECK} right")
        write(name, made, pictures[:BATCH].clone())
    (HERE / "inputs").mkdir(exist_ok=True)
    np.savez(HERE / "inputs" / "digits.npz", **batches(pictures[: 4 * BATCH]))
    np.savez(HERE / "inputs" / "digits_check.npz", **batches(check))


if __name__ == "__main__":
    main()
