#!/usr/bin/env python3
"""The sanitizers of this build report what they are there for, and end the program with a failure.

usage: sanitizers_test.py PROGRAM EXPECTED ARGUMENT
ARGUMENT may be empty. EXPECTED is a text of the report, or - for a program that must run silently.
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import Tap


def main():
    program, expected, argument = sys.argv[1:]
    command = [program, argument] if argument else [program]
    result = subprocess.run(command, text=True, capture_output=True)
    report = result.stdout + result.stderr
    tap = Tap()
    if expected == "-":
        tap.equal((result.returncode, report), (0, ""), "the program runs silently")
    else:
        tap.check(result.returncode != 0, "the program fails", f"status {result.returncode}")
        tap.check(expected in report, f"the report says {expected}", report)
    tap.finish()


if __name__ == "__main__":
    main()
