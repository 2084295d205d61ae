"""Copies the programs and recipes of field cases, with the codes that each row of their table names.

    python field_reasons.py CORPUS ROWS.json PROBLEMS.json OUT

CORPUS holds field.NAME.{pt2,recipe.json,inputs.npz,dump.json}; ROWS.json is [[name, {node: code}, [finding code, ...]], ...]
and PROBLEMS.json [[name, [kind of problem, ...]], ...], written down from the table by hand, since a row says in words
which node it means. OUT gets the files, `rows.json` and `problems.json`; what is judged by its numbers gets its batches.
"""
import json
import shutil
import sys
from pathlib import Path


def copy(corpus, name, out, suffixes):
    for suffix in suffixes:
        shutil.copyfile(corpus / f"field.{name}.{suffix}", out / f"{name}.{suffix}")
    return json.loads((corpus / f"field.{name}.dump.json").read_text())


def write(rows, path):
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def main():
    corpus, out = Path(sys.argv[1]), Path(sys.argv[4])
    rows, problems = (json.loads(Path(p).read_text()) for p in sys.argv[2:4])
    out.mkdir(parents=True, exist_ok=True)
    table = []
    for name, nodes, findings in rows:
        dump = copy(corpus, name, out, ("pt2", "recipe.json"))
        table.append({"case": name, "mode": dump["mode"], "nodes": nodes, "findings": findings})
    write(table, out / "rows.json")
    table = []
    for name, kinds in problems:
        dump = copy(corpus, name, out, ("pt2", "recipe.json", "inputs.npz"))
        calibrate = dump.get("options", {}).get("calibrate")
        table.append({"case": name, "mode": dump["mode"], "calibrate": calibrate, "problems": kinds})
    write(table, out / "problems.json")


if __name__ == "__main__":
    main()
