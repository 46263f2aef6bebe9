#!/usr/bin/env python3
"""The runner counts what ran, and takes no silence for success."""

import contextlib
import io
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from report import Report
from tap import Tap
from testlog import read_result

SYNTHESIS = "\x1b[0;34m[\x1b[1m====\x1b[0m] Synthesis: Tested: {} | Passing: {} | Failing: {} | Crashing: {}\n"

# What a program wrote, its result, and (passed, failed).
LOGS = [
    ("", "OK", (1, 0)),
    ("", "FAIL", (0, 1)),
    ("", "TIMEOUT", (0, 1)),
    ("", "SKIP", (0, 1)),
    (SYNTHESIS.format(12, 12, 0, 0), "OK", (12, 0)),
    (SYNTHESIS.format(12, 10, 1, 1), "FAIL", (10, 2)),
    (SYNTHESIS.format(0, 0, 0, 0), "OK", (0, 1)),
    (SYNTHESIS.format(3, 3, 0, 0), "ERROR", (3, 1)),
    (SYNTHESIS.format(3, 3, 0, 0) + "==1==ERROR: LeakSanitizer: detected memory leaks", "OK", (3, 1)),
    (SYNTHESIS.format(3, 3, 0, 0) + "a.c:3:1: runtime error: overflow", "OK", (3, 1)),
    ("WARNING: ThreadSanitizer: data race", "OK", (1, 1)),
    ("ok 1 - a\nok 2 - b\n1..2\n", "OK", (2, 0)),
    ("ok 1 - a\nnot ok 2 - b\n1..2\n", "FAIL", (1, 1)),
    ("1..0\n", "OK", (0, 1)),
    ("ok 1 - a\n1..1\n", "ERROR", (1, 1)),
]


def quiet_report():
    report = Report()
    report.section("x")
    return report


def main():
    tap = Tap()
    for number, (output, result, expected) in enumerate(LOGS, 1):
        entry = {"name": "kael:unit+soak / a", "stdout": output, "result": result}
        counted = read_result(entry)
        tap.equal((counted.passed, counted.failed), expected, f"log {number}, {result}")
    tap.equal(counted.suites, {"unit", "soak"}, "the suites of a test")

    with contextlib.redirect_stdout(io.StringIO()) as printed:
        empty, mixed = quiet_report(), quiet_report()
        mixed.add("a", 3, 0)
        mixed.add("b", 1, 2, "why")
        statuses = empty.finish(), mixed.finish()
    tap.equal(statuses, (1, 1), "a report without checks fails, and so does one with a failure")
    tap.equal(printed.getvalue().splitlines()[-1], "4 passed, 2 failed", "the last line")
    tap.finish()


if __name__ == "__main__":
    main()
