"""Records golden data from live torchao objects.

    python generate.py OUT [case ...]                 the project's own cases (cases.py)
    python generate.py --from FOLDER OUT [case ...]   the cases in FOLDER again: dumps and outputs only

The second form is for another release of torchao: record FOLDER again with it, then see report.py.
"""
from __future__ import annotations

import argparse
import sys
from pathlib import Path

import corpus


def main():
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    again = arguments.folder is not None
    made = 0
    for case in from_folder(arguments) if again else own(arguments):
        run = case.run()
        if not again:
            corpus.write_case(arguments.out, case)
        corpus.write_run(arguments.out, case.name, run)
        observers = run.dump["stages"].get("prepared", {}).get("observers", {})
        print(f"{case.name:36} observers {len(observers):3}  {run.dump['error'] or ''}", flush=True)
        made += 1
    if not made:
        sys.exit("no such case")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="folder", type=Path, help="a folder with .pt2, .recipe.json and .inputs.npz")
    parser.add_argument("out", type=Path)
    parser.add_argument("cases", nargs="*")
    return parser.parse_args()


def from_folder(arguments):
    """The wanted cases of a folder, read one at a time."""
    for name in corpus.names(arguments.folder):
        if not arguments.cases or name in arguments.cases:
            yield corpus.read(arguments.folder, name)


def own(arguments):
    """The wanted cases of the table."""
    import cases

    return cases.wanted(arguments.cases)


if __name__ == "__main__":
    main()
