"""Processors, real and emulated, that run the plain programs of a build."""

import dataclasses
import re

from builds import BIT_DIGEST, GCC_BUILTIN, KERNEL_CHECK, MACHINE, ROOT, Build, make, run

EXPECTED_DIGESTS = ROOT / "tests" / "kernel" / "expected_digests.txt"
AVX512_RUN = ROOT / "tests" / "emulation" / "avx512-run"
CROSS_FILES = ROOT / "tests" / "cross"
ARM_PACKAGES = ROOT / "build" / "arm-packages"


@dataclasses.dataclass(frozen=True)
class Machine:
    name: str
    about: str
    build: Build
    runner: tuple = ()  # the command that runs a program there
    instruction_sets: tuple = ()  # what the library must find, from the plainest to the best
    passes_environment: bool = True
    threads: tuple = (1, 3)
    timeout: int = 900

    def run(self, program, *arguments, **environment):
        command = [self.build.folder / program, *arguments]
        if self.passes_environment:
            return run([*self.runner, *command], self.timeout, **environment)
        settings = [f"{name}={value}" for name, value in environment.items()]
        return run([*self.runner, *settings, *command], self.timeout)


def qemu_x86_64(name, about, cpu):
    return Machine(name, about, GCC_BUILTIN, ("qemu-x86_64", "-cpu", cpu), ("generic",))


ARM_BUILD = Build(
    "arm",
    "the Arm cross compiler",
    cross_files=(CROSS_FILES / "aarch64-linux-gnu.ini", ARM_PACKAGES / "zlib.ini"),
)

NEHALEM = qemu_x86_64("nehalem", "x86-64 without AVX, emulated by qemu", "Nehalem")
NO_FMA = qemu_x86_64("no-fma", "x86-64 with AVX2 but without FMA, emulated by qemu", "max,-fma")
NO_AVX2 = qemu_x86_64("no-avx2", "x86-64 with FMA but without AVX2, emulated by qemu", "max,-avx2")
ARM = Machine(
    "arm", "64-bit Arm with NEON, emulated by qemu", ARM_BUILD,
    ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"), ("generic", "neon"),
)
AVX512 = Machine(
    "avx512", "x86-64 with AVX-512, emulated by bochs", GCC_BUILTIN, (AVX512_RUN,),
    ("generic", "avx2", "avx512"), passes_environment=False, threads=(2,), timeout=3600,
)


def unpack_arm_packages(report):
    status, output = run([CROSS_FILES / "unpack-arm-zlib", ARM_PACKAGES])
    return status == 0 or report.check("zlib for Arm", False, output)


def instruction_sets(machine):
    """(the sets that the library finds there, the one in use, what was printed)"""
    status, output = machine.run(MACHINE)
    lines = output.split("\n")
    if status != 0 or len(lines) < 2:
        return (), "", output
    return tuple(lines[0].split()), lines[1], output


def check_machine(report, machine):
    """The library finds the right instruction sets there, and their kernels and bits are right."""
    found, used, output = instruction_sets(machine)
    report.check(
        f"finds {' '.join(machine.instruction_sets)} and uses the last",
        found == machine.instruction_sets and used == machine.instruction_sets[-1], output,
    )
    status, output = machine.run(KERNEL_CHECK, "--quick")
    checked = tuple(re.findall(r"^(\w+): [1-9]\d* kernels, [1-9]\d* cases, 0 failures$", output, re.MULTILINE))
    expected = (*machine.instruction_sets, "total")
    report.check("kernels", status == 0 and checked == expected, output)
    check_digests(report, machine, machine.instruction_sets[-1:], machine.threads, "--quick")


def check_digests(report, machine, levels, threads, *arguments):
    """The library gives the expected bits there, whatever KAEL_ISA and the thread count."""
    for level in levels:
        for count in threads:
            status, output = machine.run(
                BIT_DIGEST, *arguments, "--expect", EXPECTED_DIGESTS,
                KAEL_ISA=level, KAEL_NUM_THREADS=str(count),
            )
            report.check(f"bits, {level}, {count} threads", status == 0, output)
