"""One case through the whole flow of torchao: from a .pt2 and a recipe to a greenbox-dump and the outputs."""
from __future__ import annotations

import time
import warnings
from dataclasses import dataclass, field
from typing import Any

import torch
import torchao
from torch.fx import GraphModule
from torch.utils import _pytree as pytree
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e, prepare_qat_pt2e

import programs
import recipes
import stages

warnings.filterwarnings("ignore")


@dataclass
class Run:
    """What a run gave: the dump, the arrays of an outputs file, and how long each calibration batch took."""

    dump: dict
    outputs: dict = field(default_factory=dict)
    batch_seconds: list = field(default_factory=list)


@dataclass
class Case:
    """A program as the bytes of its .pt2, a recipe, and batches of flat inputs; the first one also gives the outputs.

    calibrate: positions of the batches that the prepared model sees; None means all of them.
    fold_quantize: convert's argument of that name.
    """

    name: str
    content: bytes
    recipe: dict
    batches: list
    mode: str = "ptq"
    calibrate: list | None = None
    fold_quantize: bool = True

    def run(self):
        """Runs torchao; an error that it raises, from the recipe on, is recorded in the dump."""
        program = programs.from_bytes(self.content)
        spec = program.call_spec.in_spec
        calls = [pytree.tree_unflatten(list(batch), spec) for batch in self.batches]
        module = program.module()
        record = Recorder(module)
        # another program for the float output: prepare changes its argument in place
        outputs = {"float": call(programs.from_bytes(self.content).module(), calls[0])}
        error = None
        try:
            self.flow(module, calls, record, outputs)
        except Exception as raised:  # an error is also a fact about the case
            error = {"type": type(raised).__name__, "message": stages.first_line(raised)}
        arrays = {f"{key}.{i}": leaf for key, value in outputs.items() for i, leaf in enumerate(programs.leaves(value))}
        return Run({**self.header(), "stages": record.stages, "error": error}, arrays, record.batch_seconds)

    def flow(self, module, calls, record, outputs):
        quantizer = recipes.quantizer(self.recipe)
        record.watch(quantizer)
        prepare = prepare_qat_pt2e if self.mode == "qat" else prepare_pt2e
        prepared = prepare(module, quantizer)
        record.stages["prepared"] = stages.prepared(prepared)
        for i in range(len(calls)) if self.calibrate is None else self.calibrate:
            start = time.perf_counter()
            out = call(prepared, calls[i])
            record.batch_seconds.append(time.perf_counter() - start)
            if i == 0:
                outputs["prepared"] = out
        if self.mode == "qat":  # after training, which is what the converted model is held against
            outputs["prepared"] = call(prepared, calls[0])
        record.stages["calibrated"] = stages.calibrated(prepared)
        converted = convert_pt2e(prepared, fold_quantize=self.fold_quantize)
        record.stages["converted"] = stages.converted(converted)
        outputs["converted"] = call(converted, calls[0])

    def header(self):
        options = {}
        if self.calibrate is not None:
            options["calibrate"] = list(self.calibrate)
        if not self.fold_quantize:
            options["fold_quantize"] = False
        header = {
            "format": "greenbox-dump",
            "version": 1,
            "producer": {"name": "torchao", "version": release(torchao), "torch": release(torch)},
            "model": self.name,
            "mode": self.mode,
            "recipe": self.recipe,
        }
        return {**header, "options": options} if options else header


def release(package):
    """0.18.0 for 0.18.0+cpu."""
    return package.__version__.partition("+")[0]


def call(module: GraphModule, arguments: tuple) -> Any:
    """The module's result for (args, kwargs)."""
    args, kwargs = arguments
    with torch.no_grad():
        return module(*args, **kwargs)


class Recorder:
    """Writes down the graph at the moments at which prepare calls the quantizer.

    prepare does so once for the whole graph, then once for each loop body in it; what a body is
    then takes the place of what it was in the stage of the whole graph.
    """

    def __init__(self, module):
        self.stages = {"exported": stages.graph(module)}
        self.batch_seconds = []
        self.paths = {
            id(inner): path for path, inner in module.named_modules() if path and isinstance(inner, GraphModule)
        }

    def watch(self, quantizer):
        """Records `folded` before the quantizer's first method and `annotated` before its last."""
        transform, validate = quantizer.transform_for_annotation, quantizer.validate

        def watched_transform(model):
            self.put("folded", model)
            return transform(model)

        def watched_validate(model):
            self.put("annotated", model)
            return validate(model)

        quantizer.transform_for_annotation, quantizer.validate = watched_transform, watched_validate

    def put(self, stage, model):
        path = self.paths.get(id(model))
        if path is None:
            self.stages.setdefault(stage, stages.graph(model))
            return
        *above, last = path.split(".")
        row = self.stages[stage]
        for part in above:
            row = row["subgraphs"][part]
        row["subgraphs"][last] = stages.graph(model)
