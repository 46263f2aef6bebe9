#!/usr/bin/env python3
"""libkael.so exports what the public headers declare, and nothing about the file is unsafe."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import Tap

ATTRIBUTE = re.compile(r"__attribute__\s*\(\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\)")

# What looks like a function but is none that a library could export.
INTERNAL = re.compile(r"\b(typedef|static inline)\b")

ALLOWED_LIBRARIES = re.compile(
    r"(libc|libm|libz|libgomp|libomp|ld-linux[\w-]*|libpthread)\.so\.\d+"
)
BLIS_LIBRARY = re.compile(r"libblis\.so\.\d+")

# The library reports through statuses: it never ends the process and never prints.
FORBIDDEN_IMPORTS = {
    "abort", "exit", "_exit", "_Exit", "quick_exit", "raise", "__assert_fail",
    "printf", "vprintf", "puts", "putchar", "fprintf", "vfprintf", "fputs", "fputc", "fwrite",
    "dprintf", "perror", "__printf_chk", "__fprintf_chk", "__vfprintf_chk", "stdout", "stderr",
}


def run(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def declarations(compiler, include, headers):
    """Returns what the preprocessed headers declare, macros expanded: the names with default
    visibility, and the functions of ours without it."""
    exported, others = set(), set()
    for header in headers:
        text = run(*compiler, "-E", "-P", f"-I{include}", str(header))
        for declaration in re.split(r"[;{}]", text):
            plain = ATTRIBUTE.sub(" ", declaration)
            function = re.search(r"(\w+)\s*\(", plain)
            if 'visibility("default")' in declaration:
                exported.add(function.group(1) if function else re.findall(r"\w+", plain)[-1])
            elif function and function.group(1).startswith("kael_") and not INTERNAL.search(plain):
                others.add(function.group(1))
    return exported, others


def symbols(library, *options):
    lines = run("nm", "-D", "--format=posix", *options, str(library)).splitlines()
    return {line.split()[0].split("@")[0] for line in lines}


def dynamic_entries(library):
    return re.findall(r"\((\w+)\)\s+(.*)", run("readelf", "-dW", str(library)))


def check_exports(tap, options):
    declared, others = declarations(options.compiler, options.include, options.headers)
    exported = symbols(options.library, "--defined-only")
    tap.check(len(declared) > 0, "the headers declare functions")
    tap.equal(sorted(others), [], "every function in the headers is KAEL_API")
    tap.equal(sorted(exported - declared), [], "every exported symbol is declared")
    tap.equal(sorted(declared - exported), [], "every declared symbol is exported")
    imports = symbols(options.library, "--undefined-only")
    tap.equal(sorted(imports & FORBIDDEN_IMPORTS), [], "no function that ends the process or prints")


def check_dynamic_section(tap, options):
    entries = dynamic_entries(options.library)
    values = {tag: value for tag, value in entries}
    tap.check(f"[{options.soname}]" in values.get("SONAME", ""), f"the soname is {options.soname}",
              values.get("SONAME"))
    needed = [re.search(r"\[(.*)\]", value).group(1) for tag, value in entries if tag == "NEEDED"]
    blis = [name for name in needed if BLIS_LIBRARY.fullmatch(name)]
    others = [name for name in needed
              if not ALLOWED_LIBRARIES.fullmatch(name) and not BLIS_LIBRARY.fullmatch(name)]
    tap.equal(others, [], "only expected libraries are needed")
    tap.equal(len(blis), int(options.kernels == "blis"), "BLIS is needed by its own kernels alone")
    tap.check("TEXTREL" not in values and "TEXTREL" not in values.get("FLAGS", ""),
              "no relocations of code", entries)
    tap.check("NODELETE" in values.get("FLAGS_1", ""), "the library is never unloaded", entries)


def check_program_headers(tap, options):
    headers = run("readelf", "-lW", str(options.library))
    stack = re.search(r"GNU_STACK(?:\s+0x[0-9a-f]+){5}\s+([RWE ]+?)\s+0x", headers)
    tap.check(stack is not None and "E" not in stack.group(1), "the stack is not executable", headers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", type=shlex.split, required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--soname", required=True)
    parser.add_argument("--kernels", choices=["builtin", "blis"], required=True)
    parser.add_argument("headers", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    tap = Tap()
    check_exports(tap, options)
    check_dynamic_section(tap, options)
    check_program_headers(tap, options)
    tap.finish()


if __name__ == "__main__":
    main()
