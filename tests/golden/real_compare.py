"""Holds this program's run of a recorded case against torchao's, and sums it up as a row of a table.

Graphs, labels, observers and errors have to be the same. Scales may differ by RELATIVE, since float32 sums run in another
order; a zero point may be off by one where the number that was rounded lies within NEAR of a half.

The search in a histogram is a step function: where a few counts differ, the range can end some bins apart. Such a scale is
counted apart, as long as torchao's own search in our histogram gives our range.
"""
from __future__ import annotations

import json
import math
import subprocess
import time
from dataclasses import dataclass, field

import numpy as np

import corpus
import report

RELATIVE = 2e-5
NEAR = 1e-3
NEARLY = 1e-2  # of a histogram's counts
CLOSE = {"float": 1e-4, "converted": 2e-2}  # of the largest output
CLOSE_AFTER_STEPS = 5e-2  # the converted one, where a range lies on another step
EXACT_STAGES = ("exported", "folded", "annotated", "prepared")
SHOWN = 8
MARKS = ("<!-- table -->", "<!-- end of table -->")


@dataclass
class Row:
    """What the table says of one case; `differences` are sentences, none where all is well."""

    name: str
    nodes: int = 0
    labelled: int = 0
    observers: int = 0
    scale: float = 0.0
    off_by_one: int = 0
    jumps: int = 0
    steps: set = field(default_factory=set)  # (scale, zero point) of torchao where the search took another step
    output: str = ""
    error: str = ""
    differences: list = field(default_factory=list)
    seconds: tuple = ()  # of a calibration batch: torch, this program


def main(folder, program, names, table):
    rows = []
    for name in names:
        if not (folder / (name + corpus.DUMP)).exists():
            print(f"{name:28} not recorded")
            continue
        row = compared(folder, program, name)
        rows.append(row)
        verdict = f"{len(row.differences)} differences" if row.differences else "the same"
        verdict += f", {row.jumps} ranges on another step" if row.jumps else ""
        print(f"{name:28} {verdict}   a batch: torch {milliseconds(row.seconds[:1])}, this {milliseconds(row.seconds[1:])}", flush=True)
        for sentence in row.differences[:SHOWN]:
            print(f"    {sentence}")
    text = markdown(rows)
    print("\n" + text)
    if table:
        put(table, text)
    return int(not rows or any(row.differences for row in rows))


def milliseconds(seconds):
    return f"{1000 * seconds[0]:.0f} ms" if seconds else "—"


def compared(folder, program, name):
    """Runs the program on a case and compares dump and outputs."""
    theirs = corpus.read_dump(folder, name)
    mine, outputs, failure = run(folder, program, name)
    row = Row(name)
    labels = theirs["stages"].get("annotated", theirs["stages"]["exported"])["nodes"]
    row.nodes = len(theirs["stages"]["exported"]["nodes"])
    row.labelled = sum("annotation" in node for node in labels)
    row.observers = len(theirs["stages"].get("prepared", {}).get("observers", {}))
    row.error = (theirs["error"] or {}).get("type", "")
    if mine is None:
        row.differences = [failure]
        return row
    row.differences += errors(mine, theirs)
    for stage in EXACT_STAGES:
        row.differences += stage_differences(mine, theirs, stage, 0.0)
    calibrated(row, mine, theirs)
    align_zero_points(mine, theirs, row.steps)
    row.differences += stage_differences(mine, theirs, "converted", RELATIVE)
    if not theirs["error"]:
        outputs_differ(row, outputs, folder, theirs)
    row.seconds = seconds(folder, program, name) if not mine["error"] else ()
    return row


def run(folder, program, name, *options):
    """(dump, arrays of the outputs, sentence where the program failed)."""
    made = folder / "mine"
    made.mkdir(exist_ok=True)
    dump, outputs = made / (name + corpus.DUMP), made / f"{name}.outputs.npz"
    for file in (dump, outputs):
        file.unlink(missing_ok=True)
    command = [program, "run", *inputs(folder, name), "--dump", dump, "--outputs", outputs, *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=1800)
    if done.returncode not in (0, 1) or not dump.exists():
        return None, {}, f"exit {done.returncode}: {done.stderr.strip()[-400:]}"
    arrays = dict(np.load(outputs)) if outputs.exists() else {}
    return json.loads(dump.read_text()), arrays, None


def inputs(folder, name):
    return [folder / f"{name}.pt2", "--recipe", folder / f"{name}.recipe.json", "--inputs", folder / f"{name}.inputs.npz"]


def seconds(folder, program, name):
    """How long a calibration batch took in torch (the last one, when it is warm), and takes in this program."""
    times = json.loads((folder / f"{name}.times.json").read_text())

    def whole(batches):
        start = time.perf_counter()
        command = [program, "run", *inputs(folder, name), "--stop-after", "calibrated", "--calibrate", batches]
        subprocess.run([str(part) for part in command], capture_output=True, check=True)
        return time.perf_counter() - start

    return times[-1], (whole("0,1,0,1") - whole("0,1")) / 2


def errors(mine, theirs):
    if (mine["error"] or {}).get("type") != (theirs["error"] or {}).get("type"):
        yield f"error: {mine['error']}, torchao has {theirs['error']}"


def stage_differences(mine, theirs, stage, relative):
    """Sentences on one stage; a stage that torchao did not reach is not asked for."""
    a, b = mine["stages"].get(stage), theirs["stages"].get(stage)
    if b is None:
        return []
    if a is None:
        return [f"{stage}: missing"]
    return [f"{stage}: {sentence}" for _, sentence in report.graph_changes(b, a, relative)]


def calibrated(row, mine, theirs):
    """Scales and zero points, observer by observer."""
    a, b = (dump["stages"].get("calibrated", {}).get("observers", {}) for dump in (mine, theirs))
    for name, observer in b.items():
        got = a.get(name, {})
        if ("scale" in observer) != ("scale" in got):
            row.differences.append(f"calibrated: {name} has a scale in one of the two only")
            continue
        scales, points = pairs(got, observer, "scale"), pairs(got, observer, "zero_point")
        gaps = [abs(x - y) / max(abs(x), abs(y)) if x != y else 0.0 for x, y in scales]
        if max(gaps, default=0.0) > RELATIVE and took_another_step(got, observer):
            row.steps.add((observer["scale"][0], observer["zero_point"][0]))
            row.jumps += 1
            continue
        row.scale = max([row.scale, *gaps])
        if max(gaps, default=0.0) > RELATIVE:
            row.differences.append(f"calibrated: {name} of {observer['observes']}: scale off by {max(gaps):.3g}")
        off = [i for i, (x, y) in enumerate(points) if x != y]
        row.off_by_one += len(off)
        for i in off:
            if abs(points[i][0] - points[i][1]) > 1 or not near_half(observer, i):
                row.differences.append(f"calibrated: {name} of {observer['observes']}: zero point {points[i][0]}, torchao has {points[i][1]}")


def took_another_step(mine, theirs):
    """Whether our histogram is nearly torchao's, but not the same, and torchao's search in ours gives our scale."""
    a, b = mine.get("histogram"), theirs.get("histogram")
    if a is None or b is None or a == b or sum(abs(x - y) for x, y in zip(a, b)) > NEARLY * sum(b):
        return False
    scale, _ = searched({**theirs, **{key: mine[key] for key in ("histogram", "min_val", "max_val")}}).calculate_qparams()
    return abs(float(scale) - mine["scale"][0]) <= RELATIVE * mine["scale"][0]


def pairs(mine, theirs, key):
    a, b = mine.get(key, []), theirs.get(key, [])
    return list(zip(a, b)) if len(a) == len(b) else [(math.inf, math.nan)]


def near_half(observer, channel):
    """Whether the number that torchao rounded to this zero point lies near a half: -min / scale of the chosen range."""
    low = chosen_minimum(observer, channel)
    real = -min(low, 0.0) / observer["scale"][channel]
    return abs(real - math.floor(real) - 0.5) <= NEAR


def chosen_minimum(observer, channel):
    """The lower end of the range that torchao chose; a histogram's is searched again from its recorded state."""
    if "histogram" not in observer:
        return observer["min_val"][channel]
    return float(searched(observer)._non_linear_param_search()[0])


def searched(row):
    """torchao's histogram observer with the settings and the state of a row."""
    import torch
    from torchao.quantization.pt2e import HistogramObserver

    settings = {key: row[key] for key in ("bins", "quant_min", "quant_max", "eps")}
    qscheme = getattr(torch, row["qscheme"])
    twin = HistogramObserver(dtype=getattr(torch, row["dtype"]), qscheme=qscheme, **settings)
    twin.histogram = torch.tensor(row["histogram"])
    twin.min_val, twin.max_val = torch.tensor(row["min_val"][0]), torch.tensor(row["max_val"][0])
    return twin


def align_zero_points(mine, theirs, steps=()):
    """Takes torchao's zero points in q/dq nodes of our converted graph where they are one apart, and the scales of
    `steps`: `calibrated` judged them."""
    if "converted" not in mine["stages"] or "converted" not in theirs["stages"]:
        return
    real = {node["name"]: node for node in theirs["stages"]["converted"]["nodes"]}
    for node in mine["stages"]["converted"]["nodes"]:
        twin = real.get(node["name"])
        if not twin or "quantize_per_tensor" not in node["target"]:
            continue
        if tuple(twin["args"][1:3]) in steps:
            node["args"][1:3] = twin["args"][1:3]
        elif abs(node["args"][2] - twin["args"][2]) == 1:
            node["args"][2] = twin["args"][2]


def outputs_differ(row, mine, folder, dump):
    """Float and converted outputs against torch's; the prepared ones against our own float where nothing was rewritten."""
    with np.load(folder / f"{row.name}.outputs.npz") as real:
        for key in real.files:
            stage = key.partition(".")[0]
            if stage == "prepared":
                continue
            if key not in mine or mine[key].shape != real[key].shape:
                row.differences.append(f"outputs: {key} is missing or of another shape")
                continue
            largest = float(np.abs(real[key]).max())
            gap = float(np.abs(mine[key].astype(np.float64) - real[key]).max())
            if stage == "converted":
                row.output = output_text(gap, largest, dump)
            limit = CLOSE_AFTER_STEPS if stage == "converted" and row.jumps else CLOSE[stage]
            if not gap <= limit * max(1.0, largest):
                row.differences.append(f"outputs: {key} off by {gap:.3g}, the largest is {largest:.3g}")
    plain = [[(n["name"], n["target"], n["args"]) for n in dump["stages"][stage]["nodes"]] for stage in ("exported", "annotated")]
    both = [mine[key].tobytes() for key in ("float.0", "prepared.0") if key in mine]
    if plain[0] == plain[1] and len(both) == 2 and both[0] != both[1]:
        row.differences.append("outputs: prepared is not bit-equal to float")


def output_text(gap, largest, dump):
    """The gap as it is, and in steps of the output's grid or as a part of the largest output."""
    nodes = {node["name"]: node for node in dump["stages"]["converted"]["nodes"]}
    value = nodes["output"]["args"][0]
    while isinstance(value, list):
        value = value[0]
    last = nodes[value["node"]]
    if gap == 0.0:
        return "0"
    if "dequantize_per_tensor" in last["target"]:
        return f"{gap:.2g} ({gap / last['args'][1]:.0f} steps)"
    return f"{gap:.2g} ({100 * gap / largest:.2g} % of the largest)"


def markdown(rows):
    lines = [
        "| model | quantizer | nodes | labelled | observers | scales differ by at most | ranges on another step | zero points off by one | outputs differ by at most | result |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        model, _, quantizer = row.name.rpartition(".")
        result = f"{len(row.differences)} differences" if row.differences else f"the same {row.error}" if row.error else "the same"
        figures = ("—",) * 4 if row.error else (f"{row.scale:.1e}", row.jumps, row.off_by_one, row.output)
        cells = (model, quantizer, row.nodes, row.labelled, row.observers, *figures, result)
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def put(file, table):
    """Replaces what stands between the marks of a Markdown file."""
    before, _, rest = file.read_text().partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    file.write_text(f"{before}{MARKS[0]}\n{table}{MARKS[1]}{after}")
