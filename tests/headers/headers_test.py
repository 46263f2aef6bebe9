#!/usr/bin/env python3
"""Every public header stands alone, as C and as C++, and the list of headers is complete."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import Tap

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compile_alone(compiler, language, standard, include, header):
    # The second include proves the guard; the declaration keeps the file from being empty.
    source = f"#include <{header}>\n#include <{header}>\nextern int header_test;\n"
    command = compiler + [f"-std={standard}", *WARNINGS, "-fsyntax-only", f"-I{include}"]
    return subprocess.run(
        command + ["-x", language, "-"], input=source, text=True, capture_output=True
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--c-compiler", type=shlex.split, required=True)
    parser.add_argument("--cpp-compiler", type=shlex.split, required=True)
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("headers", nargs="*", type=pathlib.Path, help="the headers that are installed")
    options = parser.parse_args()

    tap = Tap()
    listed = sorted(path.resolve().relative_to(options.include.resolve()).as_posix()
                    for path in options.headers)
    present = sorted(path.relative_to(options.include).as_posix()
                     for path in options.include.rglob("*.h"))
    tap.equal(listed, present, "the installed headers are those of the directory")

    umbrella = (options.include / "kael" / "kael.h").read_text()
    included = re.findall(r'#include "(kael/\w+\.h)"', umbrella)
    tap.equal(sorted(included), [name for name in present if name != "kael/kael.h"],
              "kael.h includes every other header")

    languages = [(options.c_compiler, "c", "c17"), (options.cpp_compiler, "c++", "c++17")]
    for header in present:
        for compiler, language, standard in languages:
            result = compile_alone(compiler, language, standard, options.include, header)
            tap.check(result.returncode == 0, f"{header} compiles alone as {standard}", result.stderr)
    tap.finish()


if __name__ == "__main__":
    main()
