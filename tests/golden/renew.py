"""Records everything in ../data again with the torchao that is installed, and says what changed: `python renew.py OUT`.

Cases, observers and calls of ops go to OUT; the report of each folder follows. --relative as for report.py. Exit status: 0
nothing changed, 1 something did.
"""
from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data"
OBSERVERS = ("observers", "observers_own", "observers_edges")


def recordings(out):
    """(folder, the command that records it again)."""
    yield "cases", ["generate.py", "--from", DATA / "cases", out / "cases"]
    for folder in OBSERVERS:
        yield folder, ["observers.py", "--from", DATA / folder, out / folder]
    yield "ops", ["ops_cases.py", out / "ops"]


def python(command, **options):
    return subprocess.run([sys.executable, HERE / command[0], *command[1:]], check=False, **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--relative", type=float, default=0.0, help="how far a float may move, as a part of it")
    arguments = parser.parse_args()
    changed = []
    for folder, command in recordings(arguments.out):
        print(f"\n== {folder}: recording", flush=True)
        if python(command, stdout=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"{folder} could not be recorded")
        reported = python(["report.py", DATA / folder, arguments.out / folder, "--relative", str(arguments.relative)])
        if reported.returncode != 0:
            changed.append(folder)
    print(f"\nchanged: {', '.join(changed) or 'nothing'}")
    sys.exit(int(bool(changed)))


if __name__ == "__main__":
    main()
