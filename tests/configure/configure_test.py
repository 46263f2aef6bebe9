#!/usr/bin/env python3
"""Configurations that cannot work are refused with a message that says why."""

import argparse
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import Tap

# A compiler on a machine without BLIS: its header cannot be found.
COMPILER_WITHOUT_BLIS = """#!/bin/sh
for argument; do
    case $argument in
    *.c) grep -q 'blis\\.h' "$argument" && {{ echo 'fatal error: blis.h: No such file' >&2; exit 1; }} ;;
    esac
done
exec {compiler} "$@"
"""


def refused(tap, name, meson, source, settings, message, **environment):
    with tempfile.TemporaryDirectory() as build:
        result = subprocess.run(
            [*meson, "setup", build, source, *settings], text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environment},
        )
    errors = [line for line in result.stdout.splitlines() if "ERROR:" in line]
    tap.check(result.returncode != 0 and any(message in line for line in errors), name, result.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--meson", type=shlex.split, default=["meson"])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("source")
    options = parser.parse_args()

    tap = Tap()
    for sanitizer in ("address,undefined", "thread"):
        refused(tap, f"benchmarks together with the {sanitizer} sanitizer", options.meson, options.source,
                ["-Dbenchmarks=true", f"-Db_sanitize={sanitizer}"],
                "benchmarks and sanitizers exclude each other")
    with tempfile.TemporaryDirectory() as folder:
        compiler = pathlib.Path(folder) / "cc"
        compiler.write_text(COMPILER_WITHOUT_BLIS.format(compiler=options.compiler))
        compiler.chmod(0o755)
        refused(tap, "BLIS kernels on a machine without BLIS", options.meson, options.source,
                ["-Dkernels=blis", "-Dtests=false"], "BLIS", CC=str(compiler))
    tap.finish()


if __name__ == "__main__":
    main()
