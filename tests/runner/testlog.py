"""Counts the checks in the log of `meson test`: the cases of Criterion and of TAP programs, and one
for any other program. A program that was skipped or ran no case has failed."""

import dataclasses
import json
import re

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
CRITERION = re.compile(
    r"Synthesis: Tested: *(\d+) *\| *Passing: *(\d+) *\| *Failing: *(\d+) *\| *Crashing: *(\d+)"
)
TAP = re.compile(r"^(not )?ok\b", re.MULTILINE)
TAP_PLAN = re.compile(r"^1\.\.\d+", re.MULTILINE)
SANITIZER_REPORT = re.compile(
    r"ERROR: (?:Address|Leak)Sanitizer|LeakSanitizer has encountered a fatal error"
    r"|WARNING: ThreadSanitizer|: runtime error: "
)


@dataclasses.dataclass
class Result:
    name: str
    suites: frozenset
    passed: int
    failed: int
    seconds: float
    output: str


def count_cases(output):
    """Returns (passed, failed) as the program itself counts, or None if it does not."""
    syntheses = CRITERION.findall(output)
    if syntheses:
        tested = sum(int(numbers[0]) for numbers in syntheses)
        passed = sum(int(numbers[1]) for numbers in syntheses)
        return passed, tested - passed
    if TAP_PLAN.search(output):
        marks = TAP.findall(output)
        return marks.count(""), len(marks) - marks.count("")
    return None


def read_result(entry):
    output = ESCAPE.sub("", entry.get("stdout", "") + entry.get("stderr", ""))
    good = entry["result"] == "OK"
    passed, failed = count_cases(output) or (int(good), int(not good))
    if SANITIZER_REPORT.search(output):
        failed += 1
    if failed == 0 and (not good or passed == 0):
        failed = 1
        output += f"\nresult {entry['result']}, {passed} cases"
    suites, _, name = entry["name"].rpartition(" / ")
    return Result(
        name=name,
        suites=frozenset(suites.partition(":")[2].split("+")),
        passed=passed,
        failed=failed,
        seconds=entry.get("duration", 0.0),
        output=output,
    )


def read_testlog(path):
    with open(path, encoding="utf-8") as log:
        return [read_result(json.loads(line)) for line in log if line.strip()]
