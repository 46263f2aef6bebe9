"""The form of the sources: clang-format, and clang-tidy without a finding."""

import os
import re

from builds import CLANG_BUILTIN, JOBS, ROOT, configure, run
from testlog import ESCAPE

SOURCE_FOLDERS = ("include", "lib", "kernels", "tests", "bench")
SUFFIXES = {".c", ".h", ".cc", ".cpp", ".inc"}


def sources():
    return sorted(
        path for folder in SOURCE_FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES
    )


def check_format(report):
    report.section("clang-format")
    files = sources()
    status, output = run(["clang-format", "--dry-run", "--Werror", *files])
    report.check(f"{len(files)} files", files and status == 0, output)


def check_tidy(report):
    """Every file that the library is compiled from, with the options it is compiled with."""
    report.section("clang-tidy")
    status, output = configure(CLANG_BUILTIN)
    if status != 0:
        report.check("configure", False, output)
        return
    pattern = rf"{re.escape(os.fspath(ROOT))}/(lib|kernels)/.*\.c$"
    status, output = run(
        ["run-clang-tidy", "-quiet", "-p", CLANG_BUILTIN.folder, "-j", JOBS, pattern], timeout=1800
    )
    output = ESCAPE.sub("", output)
    checked = len(re.findall(r"^clang-tidy.* -p=", output, re.MULTILINE))
    findings = "\n".join(sorted({line for line in output.splitlines() if re.search(r": (warning|error):", line)}))
    report.check(f"{checked} files", checked > 0 and status == 0 and not findings, findings or output)
