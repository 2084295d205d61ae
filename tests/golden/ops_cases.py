"""Records what torch's ops give, for the tests of the kernels: `python ops_cases.py ../data/ops`.

One FAMILY.json and FAMILY.bin each: a list of {"target", "args", "kwargs", "outputs", "tolerance", "error"} where a tensor
is {"tensor": {"dtype", "shape", "at"}}, its raw little-endian elements at that byte of FAMILY.bin. Cases of a family are
in ops_FAMILY functions below. `tolerance` is relative to the largest output (0: to the last bit). In-place ops also give
their first argument afterwards, as the last output. schemas.json: the argument names of every op that has a kernel.
"""
import json
import pathlib
import re
import sys

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  (quantized_decomposed)
import torchao.quantization.quant_primitives  # noqa: F401  (torchao)

from ops_case_rows import FAMILIES


class Writer:
    def __init__(self):
        self.raw = bytearray()

    def value(self, v):
        if isinstance(v, torch.Tensor):
            plain = v.detach().contiguous()
            while len(self.raw) % 8:
                self.raw.append(0)
            at = len(self.raw)
            self.raw += plain.flatten().view(torch.uint8).numpy().tobytes() if plain.numel() else b""
            spec = {"dtype": str(v.dtype)[6:], "shape": list(v.shape), "at": at}
            if v.dim() >= 2 and not v.is_contiguous():
                spec["transposed"] = True  # the last two dimensions, in memory
            return {"tensor": spec}
        if isinstance(v, torch.dtype):
            return {"dtype": str(v)[6:]}
        if isinstance(v, (torch.device, torch.layout, torch.memory_format)):
            return {"opaque": str(v)}
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))):
            return {"float": str(v)}
        return v


def overload(target):
    namespace, name, which = target.split(".")
    return getattr(getattr(getattr(torch.ops, namespace), name), which)


def is_in_place(target):
    name = target.split(".")[1]
    return name.endswith("_") and not name.endswith("__")


def run(target, args, kwargs):
    """The outputs as a flat list, or what torch raised."""
    try:
        out = overload(target)(*args, **kwargs)
    except Exception as e:  # noqa: BLE001  (every kind of refusal is a case)
        return None, type(e).__name__
    flat = list(out) if isinstance(out, (list, tuple)) else [out]
    if is_in_place(target):
        flat.append(args[0])
    return flat, None


def record(rows):
    writer, cases = Writer(), []
    for row in rows:
        target, args, kwargs, tolerance = (*row, {}, 0.0) if len(row) == 2 else (*row, 0.0) if len(row) == 3 else row
        case = {"target": target, "args": writer.value(args), "kwargs": {k: writer.value(v) for k, v in kwargs.items()}}
        outputs, error = run(target, args, kwargs)
        if error:
            case["error"] = error
        else:
            case["outputs"] = writer.value(outputs)
            case["tolerance"] = tolerance
        cases.append(case)
    return cases, bytes(writer.raw)


def schemas():
    """The argument names of every op that the kernels' tables name, from torch itself."""
    kernels = pathlib.Path(__file__).parents[2] / "core" / "ops" / "kernels"
    names = set()
    for file in sorted(kernels.glob("*.cpp")):
        names |= set(re.findall(r'\{"((?:aten|quantized_decomposed|torchao)\.[\w.]+)"', file.read_text()))
    return {n: " ".join(a.name for a in overload(n)._schema.arguments) for n in sorted(names)}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schemas.json").write_text(json.dumps(schemas(), indent=1) + "\n")
    for family, rows in FAMILIES.items():
        torch.manual_seed(0)
        cases, raw = record(rows())
        text = "[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n"
        (folder / f"{family}.json").write_text(text)
        (folder / f"{family}.bin").write_bytes(raw)
        print(family, len(cases), "cases", sum("error" in c for c in cases), "refused", len(raw), "bytes")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
