"""Writes real models as graphs without weights, small enough to keep: graph_only.py OUT

Every parameter is one zero, expanded (strides of 0), and the entries are deflated. Shapes, names and metadata are those
of the real program; nothing that depends on a weight's value may be asked of these files.
"""
import sys
import zipfile
from pathlib import Path

import torch
import torchvision

MODELS = {"resnet18": (1, 3, 224, 224), "vit_b_16": (1, 3, 224, 224)}


def without_weights(model):
    for module in model.modules():
        for name, value in list(module._parameters.items()):
            if value is not None:
                module._parameters[name] = torch.nn.Parameter(torch.zeros(1).expand(value.shape), requires_grad=False)
        for name, value in list(module._buffers.items()):
            if value is not None and value.dtype.is_floating_point:
                module._buffers[name] = torch.full((1,), float("var" in name)).expand(value.shape)
    return model


def write(name, shape, out):
    model = without_weights(getattr(torchvision.models, name)().eval())
    program = torch.export.export(model, (torch.zeros(shape),))
    program._example_inputs = None  # the sample inputs would be the larger part of the file
    raw = out / f"{name}.stored.pt2"
    torch.export.save(program, raw)
    with zipfile.ZipFile(raw) as stored, zipfile.ZipFile(
        out / f"{name}.pt2", "w", zipfile.ZIP_DEFLATED, compresslevel=9
    ) as packed:
        for entry in stored.infolist():
            packed.writestr(entry.filename.replace(f"{name}.stored", name, 1), stored.read(entry.filename))
    raw.unlink()


def main():
    out = Path(sys.argv[1])
    for name, shape in MODELS.items():
        write(name, shape, out)


if __name__ == "__main__":
    main()
