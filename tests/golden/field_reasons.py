"""Copies the programs and recipes of field cases, with the codes that each row of their table names.

    python field_reasons.py CORPUS ROWS.json OUT

CORPUS holds field.NAME.{pt2,recipe.json,dump.json}; ROWS.json is [[name, {node: code}, [finding code, ...]], ...], written
down from the table by hand, since a row says in words which node it means. OUT gets the files and `rows.json`.
"""
import json
import shutil
import sys
from pathlib import Path


def main():
    corpus, rows, out = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text()), Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    table = []
    for name, nodes, findings in rows:
        base = f"field.{name}"
        for suffix in ("pt2", "recipe.json"):
            shutil.copyfile(corpus / f"{base}.{suffix}", out / f"{name}.{suffix}")
        mode = json.loads((corpus / f"{base}.dump.json").read_text())["mode"]
        table.append({"case": name, "mode": mode, "nodes": nodes, "findings": findings})
    lines = ",\n".join(json.dumps(row) for row in table)
    (out / "rows.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
