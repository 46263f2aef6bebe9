"""The builds that the tests need: a compiler, an OpenMP runtime, a kernel backend, sanitizers."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import time

from testlog import read_testlog

ROOT = pathlib.Path(__file__).resolve().parents[2]
JOBS = str(os.cpu_count() or 2)

# Suites of plain programs, which run where Criterion cannot tell failure from success.
PLAIN_SUITES = ("kernel", "plain")

MACHINE = "tests/emulation/machine"
KERNEL_CHECK = "tests/kernel/kernel_check"
BIT_DIGEST = "tests/kernel/bit_digest"
PROGRAMS = (MACHINE, KERNEL_CHECK, BIT_DIGEST)


@dataclasses.dataclass(frozen=True)
class Build:
    name: str
    about: str
    compilers: tuple = ()
    options: tuple = ()
    suites: tuple = ()  # none: all of them
    cross_files: tuple = ()

    @property
    def folder(self):
        return ROOT / "build" / self.name


NINJA_PROGRESS = re.compile(r"^\[\d+/\d+\] .*\n", re.MULTILINE)

SANITIZED = ("-Dbuildtype=debugoptimized", "-Db_lundef=false")

GCC = ("gcc", "g++")
CLANG = ("clang", "clang++")

GCC_BUILTIN = Build(
    "gcc-builtin", "gcc, libgomp, built-in kernels: every test", GCC, ("-Dbenchmarks=true",)
)
CLANG_BLIS_SANITIZED = Build(
    "clang-blis-sanitized",
    "clang, libomp, BLIS kernels, address and undefined-behaviour sanitizers: every test",
    CLANG,
    ("-Dkernels=blis", "-Db_sanitize=address,undefined", *SANITIZED),
)
CLANG_BUILTIN = Build(
    "clang-builtin", "clang, libomp, built-in kernels: plain programs", CLANG, suites=PLAIN_SUITES
)
GCC_BLIS = Build(
    "gcc-blis", "gcc, libgomp, BLIS kernels: plain programs", GCC, ("-Dkernels=blis",), PLAIN_SUITES
)
THREAD_SANITIZED = Build(
    "clang-thread-sanitized",
    "clang, libomp, thread sanitizer: plain programs",
    CLANG,
    ("-Db_sanitize=thread", *SANITIZED),
    (*PLAIN_SUITES, "sanitizers"),
)


def run(command, timeout=1800, **environment):
    """Runs a command quietly; returns its status and all that it printed."""
    try:
        result = subprocess.run(
            [str(word) for word in command], cwd=ROOT, env={**os.environ, **environment}, timeout=timeout,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired as expired:
        return 124, f"{expired.stdout or ''}\nno end within {timeout} seconds"
    except OSError as error:
        return 127, str(error)
    return result.returncode, result.stdout


def configure(build):
    options = ["--werror", "-Dtests=true", *build.options]
    for file in build.cross_files:
        options += ["--cross-file", file]
    environment = dict(zip(("CC", "CXX"), build.compilers))
    if (build.folder / "build.ninja").exists():
        status, output = run(["meson", "setup", "--reconfigure", *options, build.folder], **environment)
        if status == 0:
            return status, output
    shutil.rmtree(build.folder, ignore_errors=True)
    return run(["meson", "setup", *options, build.folder], **environment)


def make(report, build, *targets):
    """Configures and compiles, all of the build or some targets. Warnings are errors."""
    start = time.monotonic()
    status, output = configure(build)
    if status == 0:
        status, output = run(["ninja", "-C", build.folder, "-j", JOBS, "-k", "0", *targets])
        output = NINJA_PROGRESS.sub("", output)
    return report.check(f"build {' '.join(map(str, targets))}".strip(), status == 0, output,
                        time.monotonic() - start)


def test(report, build):
    """Runs the build's suites, each of which must have a test."""
    command = ["meson", "test", "-C", build.folder, "--num-processes", JOBS]
    for suite in build.suites:
        command += ["--suite", f"kael:{suite}"]
    log = build.folder / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    status, output = run(command, timeout=3600)
    results = read_testlog(log) if log.exists() else []
    for result in results:
        report.add(result.name, result.passed, result.failed, result.output, result.seconds)
    for suite in build.suites or ("unit", *PLAIN_SUITES):
        if not any(suite in result.suites for result in results):
            report.check(f"suite {suite} has tests", False, output)
    if status != 0 and not any(result.failed for result in results):
        report.check("meson test", False, output)


def make_and_test(report, build):
    """Compiles everything, or what the build's suites need, and tests it."""
    report.section(f"{build.name}: {build.about}")
    if make(report, build, *(PROGRAMS if build.suites else ())):
        test(report, build)
