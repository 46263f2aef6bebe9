#!/usr/bin/env python3
"""The installed library works for its users: by pkg-config from C and C++, and as a subproject."""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import Tap

HERE = pathlib.Path(__file__).resolve().parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Prefix:
    """An installation below a staging folder, seen through pkg-config as a user would."""

    def __init__(self, stage, options):
        self.stage = stage
        self.libdir = pathlib.Path(options.prefix) / options.libdir
        self.includedir = pathlib.Path(options.prefix) / "include"
        self.environment = {
            **os.environ,
            "PKG_CONFIG_PATH": f"{stage}{self.libdir}/pkgconfig",
            "PKG_CONFIG_SYSROOT_DIR": str(stage),
            "LD_LIBRARY_PATH": f"{stage}{self.libdir}",
        }

    def run(self, command):
        return subprocess.run(command, text=True, capture_output=True, env=self.environment, stdin=subprocess.DEVNULL)

    def pkg_config(self, *arguments):
        return self.run(["pkg-config", *arguments, "kael"]).stdout.strip()


def install(tap, stage, options):
    result = subprocess.run(
        [*options.meson, "install", "--no-rebuild", "--destdir", str(stage), "-C", options.build],
        text=True, capture_output=True,
    )
    return tap.check(result.returncode == 0, "meson install", result.stdout + result.stderr)


def check_files(tap, prefix, options):
    libdir, include = prefix.libdir, prefix.includedir
    expected = {str(include / "kael" / pathlib.Path(name).name) for name in options.headers}
    expected |= {
        str(libdir / name)
        for name in ("libkael.so", options.soname, f"libkael.so.{options.version}", "pkgconfig/kael.pc")
    }
    installed = {
        f"/{path.relative_to(prefix.stage)}" for path in prefix.stage.rglob("*") if not path.is_dir()
    }
    tap.equal(sorted(installed - expected), [], "nothing unexpected is installed")
    tap.equal(sorted(expected - installed), [], "everything expected is installed")
    for link, target in (("libkael.so", options.soname), (options.soname, f"libkael.so.{options.version}")):
        path = pathlib.Path(f"{prefix.stage}{libdir}/{link}")
        tap.equal(path.is_symlink() and os.readlink(path), target, f"{link} points to {target}")
    dynamic = prefix.run(["readelf", "-dW", f"{prefix.stage}{libdir}/libkael.so"]).stdout
    tap.check("RUNPATH" not in dynamic and "RPATH" not in dynamic, "no run path is left", dynamic)


def check_pkg_config(tap, prefix, options):
    tap.equal(prefix.pkg_config("--modversion"), options.version, "the version in kael.pc")
    # What the shared library needs itself, such as zlib, must not be asked of users.
    for kind in ("requires", "requires-private"):
        tap.equal(prefix.pkg_config(f"--print-{kind}"), "", f"kael.pc names no other package ({kind})")
    libraries = shlex.split(prefix.pkg_config("--libs"))
    tap.equal(libraries, [f"-L{prefix.stage}{prefix.libdir}", "-lkael"], "users link kael alone")


def check_consumer(tap, prefix, compiler, standard, source, output):
    """A user's program builds, runs and prints what it should."""
    program = prefix.stage / source.name.replace(".", "_")
    flags = shlex.split(prefix.pkg_config("--cflags", "--libs"))
    built = prefix.run(
        [*compiler, f"-std={standard}", *WARNINGS, str(source), *flags, "-o", str(program)]
    )
    if tap.check(built.returncode == 0, f"{source.name} builds through pkg-config", built.stderr):
        ran = prefix.run([str(program)])
        tap.equal((ran.returncode, ran.stdout, ran.stderr), (0, output, ""), f"{source.name} runs")


def check_readme(tap, prefix, options):
    """The program in README.md prints what README.md says."""
    text = (pathlib.Path(options.source) / "README.md").read_text()
    example = re.search(r"^```c\n(#include.*?)^```$(.*?)^(?:#|```)", text, re.MULTILINE | re.DOTALL)
    promise = example and re.search(r"It prints (`[^`]+`(?:(?:, | and )`[^`]+`)*)", example.group(2))
    if tap.check(promise, "README.md has a program and says what it prints"):
        source = prefix.stage / "readme.c"
        source.write_text(example.group(1))
        output = "".join(f"{line}\n" for line in re.findall(r"`([^`]+)`", promise.group(1)))
        check_consumer(tap, prefix, options.c_compiler, "c17", source, output)


def check_subproject(tap, folder, options):
    project = folder / "consumer"
    shutil.copytree(HERE / "subproject", project)
    for source in ("consumer.c", "consumer.cpp"):
        shutil.copy(HERE / source, project)
    (project / "subprojects").mkdir()
    (project / "subprojects" / "kael").symlink_to(options.source)
    environment = {**os.environ, "CC": shlex.join(options.c_compiler), "CXX": shlex.join(options.cpp_compiler)}
    # Unoptimised, which takes a fraction of the time and shows as well that everything is found.
    setup = ["setup", "--force-fallback-for=kael", "-Doptimization=0", f"-Dkael:kernels={options.kernels}"]
    for name, command in (
        ("configures", [*setup, "build"]),
        ("builds", ["compile", "-C", "build"]),
        ("runs", ["test", "-C", "build"]),
    ):
        result = subprocess.run([*options.meson, *command], cwd=project, env=environment, text=True,
                                capture_output=True, stdin=subprocess.DEVNULL)
        if not tap.check(result.returncode == 0, f"a project with kael as its subproject {name}",
                         result.stdout + result.stderr):
            return


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--meson", type=shlex.split, default=["meson"])
    parser.add_argument("--c-compiler", type=shlex.split, required=True)
    parser.add_argument("--cpp-compiler", type=shlex.split, required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--libdir", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--soname", required=True)
    parser.add_argument("--kernels", required=True)
    parser.add_argument("headers", nargs="+")
    options = parser.parse_args()

    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        prefix = Prefix(pathlib.Path(folder).resolve() / "stage", options)
        if install(tap, prefix.stage, options):
            check_files(tap, prefix, options)
            check_pkg_config(tap, prefix, options)
            output = options.version + "\n"
            check_consumer(tap, prefix, options.c_compiler, "c17", HERE / "consumer.c", output)
            check_consumer(tap, prefix, options.cpp_compiler, "c++17", HERE / "consumer.cpp", output)
            check_readme(tap, prefix, options)
        check_subproject(tap, pathlib.Path(folder), options)
    tap.finish()


if __name__ == "__main__":
    main()
