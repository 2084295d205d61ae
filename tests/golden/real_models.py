"""Real models with random weights: records torchao on them, and holds this program against it.

    python real_models.py record FOLDER [model ...]
    python real_models.py compare FOLDER PROGRAM [--table FILE] [model ...]

`record` exports each model and runs torchao with every quantizer of RECIPES on it; FOLDER takes the files of a corpus
(some 3 GB), so it lies outside the tree. `compare` runs PROGRAM (greenbox) on the same files, prints a Markdown table
and what differs, and exits 1 where something does; --table puts the table into FILE, between the lines that mark its place.
Needs torchvision and transformers besides requirements.txt.
"""
from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

TIMES = ".times.json"
RECIPES = {
    "xnnpack": {"quantizer": "xnnpack", "global": {"is_per_channel": True}},
    "x86": {"quantizer": "x86_inductor", "global": {}},
}
BATCHES = 2


@dataclass
class Model:
    """build makes the module, sample its inputs, a tuple."""

    name: str
    build: Callable
    sample: Callable

    def case_name(self, quantizer):
        return f"{self.name}.{quantizer}"


def models():
    """The models of the table, in its order; torch is imported when they are built."""
    for name in ("resnet18", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "densenet121"):
        yield Model(name, vision(name), image(224))
    yield Model("inception_v3", vision("inception_v3", init_weights=False), image(299))
    for name in ("shufflenet_v2_x1_0", "vit_b_16", "swin_t"):
        yield Model(name, vision(name), image(224))
    yield Model("bert", bert, tokens)
    yield Model("llama", llama, tokens)


def vision(name, **settings):
    def build():
        import torchvision

        return getattr(torchvision.models, name)(weights=None, **settings)

    return build


def image(side):
    def sample():
        import torch

        return (torch.randn(1, 3, side, side),)

    return sample


# a small transformer: what differs from a large one is the width, not the ops
SMALL = {
    "vocab_size": 1000,
    "hidden_size": 128,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "intermediate_size": 256,
    "max_position_embeddings": 64,
}


def bert():
    import transformers

    return first_output(transformers.BertModel(transformers.BertConfig(**SMALL)))


def llama():
    import transformers

    return first_output(transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL, num_key_value_heads=2)))


def first_output(model):
    """The model as a module of token numbers that gives its first output alone: a tensor, as export wants it."""
    import torch

    class FirstOutput(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, tokens):
            return self.model(input_ids=tokens, use_cache=False)[0]

    return FirstOutput()


def tokens():
    import torch

    return (torch.randint(0, SMALL["vocab_size"], (2, 32)),)


def record(arguments):
    """Records the wanted models one after the other, each with all quantizers."""
    import corpus
    import torch

    arguments.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(2)
    for model in wanted(arguments.models):
        content, batches = exported(model)
        for quantizer, recipe in RECIPES.items():
            case = flow_case(model.case_name(quantizer), content, recipe, batches)
            run = case.run()
            corpus.write_case(arguments.folder, case)
            corpus.write_run(arguments.folder, case.name, run)
            (arguments.folder / (case.name + TIMES)).write_text(json.dumps(run.batch_seconds) + "\n")
            print(f"{case.name:28} {run.dump['error'] or 'recorded'}", flush=True)


def flow_case(name, content, recipe, batches):
    import flow

    return flow.Case(name, content, recipe, batches)


def exported(model):
    """The .pt2 of a model with seeded random weights, and its calibration batches; the first is the export's example."""
    import programs
    import torch

    torch.manual_seed(0)
    module = model.build().eval()
    example = model.sample()
    batches = programs.scaled_batches(example, model.sample)[:BATCHES]
    return programs.to_bytes(programs.export(module, example)), batches


def wanted(names):
    known = {model.name: model for model in models()}
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"no model {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name] for name in names or known]


def compare(arguments):
    import real_compare

    names = [model.case_name(quantizer) for model in wanted(arguments.models) for quantizer in RECIPES]
    sys.exit(real_compare.main(arguments.folder, arguments.program, names, arguments.table))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for does in (record, compare):
        command = commands.add_parser(does.__name__)
        command.set_defaults(does=does)
        command.add_argument("folder", type=Path)
        if does is compare:
            command.add_argument("program", type=Path)
            command.add_argument("--table", type=Path, help="a Markdown file that holds the table")
        command.add_argument("models", nargs="*")
    arguments = parser.parse_args()
    arguments.does(arguments)


if __name__ == "__main__":
    main()
