"""Runs the steps of the tests in order and prints the total. Called by tests/run."""

import argparse
import sys

import builds
import machines
import style
from report import Report

THREADS = (2, 5, 8, 16)


def host_has_avx512():
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        flags = set(cpuinfo.read().split())
    return {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= flags


class Steps:
    """The steps by name."""

    def __init__(self, report):
        self.report = report

    def build(self, build):
        """A build's own tests, and the bits at more thread counts than those try."""
        builds.make_and_test(self.report, build)
        machine = machines.Machine("this machine", "", build)
        levels = machines.instruction_sets(machine)[0]
        self.report.check(f"instruction sets: {' '.join(levels) or 'none'}", levels)
        machines.check_digests(self.report, machine, levels, THREADS)

    def emulate(self, machine):
        self.report.section(f"{machine.name}: {machine.about}")
        if builds.make(self.report, machine.build, *builds.PROGRAMS):
            machines.check_machine(self.report, machine)

    def format(self):
        style.check_format(self.report)

    def gcc_builtin(self):
        self.build(builds.GCC_BUILTIN)

    def clang_blis_sanitized(self):
        builds.make_and_test(self.report, builds.CLANG_BLIS_SANITIZED)

    def clang_builtin(self):
        self.build(builds.CLANG_BUILTIN)

    def gcc_blis(self):
        self.build(builds.GCC_BLIS)

    def thread_sanitized(self):
        builds.make_and_test(self.report, builds.THREAD_SANITIZED)

    def emulated_x86(self):
        for machine in (machines.NEHALEM, machines.NO_FMA, machines.NO_AVX2):
            self.emulate(machine)

    def emulated_arm(self):
        self.report.section("packages for Arm")
        if machines.unpack_arm_packages(self.report):
            self.emulate(machines.ARM)

    def emulated_avx512(self):
        self.emulate(machines.AVX512)

    def tidy(self):
        style.check_tidy(self.report)


STEPS = {
    "format": "clang-format",
    "gcc-builtin": "every test: gcc, libgomp, built-in kernels",
    "clang-blis-sanitized": "every test: clang, libomp, BLIS kernels, address and undefined sanitizers",
    "clang-builtin": "plain programs: clang, libomp, built-in kernels",
    "gcc-blis": "plain programs: gcc, libgomp, BLIS kernels",
    "thread-sanitized": "plain programs: clang, libomp, thread sanitizer",
    "emulated-x86": "kernels and bits on x86-64 without AVX2 or FMA",
    "emulated-arm": "kernels and bits on 64-bit Arm",
    "emulated-avx512": "kernels and bits with AVX-512 (only when this machine has none, or when named)",
    "tidy": "clang-tidy",
}


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tests/run",
        description="Sets up this machine (Debian 12), builds kael in every combination of compiler, "
        "OpenMP runtime, kernels and sanitizers, and runs every test.",
    )
    parser.add_argument("--list", action="store_true", help="list the steps and end")
    parser.add_argument("--quick", action="store_true", help="the same as --only gcc-builtin")
    parser.add_argument("--only", metavar="STEP", action="append", choices=STEPS,
                        help="run this step; may be given several times")
    parser.add_argument("--no-install", action="store_true",
                        help="install no packages (for machines other than Debian)")
    options = parser.parse_args(arguments)
    if options.quick:
        options.only = (options.only or []) + ["gcc-builtin"]
    return options


def main():
    options = parse(sys.argv[1:])
    if options.list:
        for name, about in STEPS.items():
            print(f"{name:22}{about}")
        return 0

    report = Report()
    steps = Steps(report)
    for name in STEPS:
        chosen = name in options.only if options.only else name != "emulated-avx512" or not host_has_avx512()
        if chosen:
            getattr(steps, name.replace("-", "_"))()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
