#!/usr/bin/env python3
"""Keeps the rules of the source tree: who includes whom, who may use OpenMP, BLIS and instruction
sets, and what lies at the top level.

  structure_test.py TREE      checks a tree
  structure_test.py --self    proves that each rule catches a breach of it
"""

import collections
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import Tap

TOP_LEVEL = {
    "meson.build", "meson_options.txt", "include", "lib", "kernels", "tests", "bench",
    "subprojects", "README.md", "LICENSE",
}

# Folders of lib from the lowest layer to the highest; one may include its own layer and those below.
LAYERS = [
    {"core"},
    {"cpu", "memory"},
    {"parallel", "tensor"},
    {"ops", "random", "linalg", "nn", "sparse", "io"},
    {"autograd"},
    {"layers", "optim"},
    {"python"},
]
LAYER_OF = {folder: number for number, layer in enumerate(LAYERS) for folder in layer}

INSTRUCTION_SETS = ("generic", "avx2", "avx512", "neon")
DISPATCHER = "lib/cpu/dispatch.c"

C_HEADERS = {
    f"{name}.h"
    for name in """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp
    signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath
    threads time uchar wchar wctype""".split()
}
KERNEL_HEADERS = {
    "float.h", "limits.h", "math.h", "stdalign.h", "stdbool.h", "stddef.h", "stdint.h", "string.h",
    "immintrin.h", "arm_neon.h", "blis.h",
}

# Macros alone: users, kernels and tests are made from the same rows.
OPERATION_TABLE = "kael/elementwise_operations.h"

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
OPENMP = re.compile(
    r"#[ \t]*pragma[ \t]+omp|_Pragma\s*\(\s*\"omp|\bomp_\w+|\bGOMP_\w+|\b__kmpc_\w+|\bkmp_\w+|<omp\.h>"
)
ALLOCATION = re.compile(r"\b(malloc|calloc|realloc|free|aligned_alloc|posix_memalign|alloca|mmap)\s*\(")
ENDS_OR_PRINTS = re.compile(
    r"\b(abort|exit|_exit|_Exit|quick_exit|assert|printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|perror)"
    r"\s*\("
)


class Source:
    def __init__(self, root, path):
        self.path = path.relative_to(root).as_posix()
        self.text = path.read_text()
        self.without_comments = COMMENT_OR_LITERAL.sub(
            lambda match: match.group() if match.group()[0] in "\"'" else " ", self.text
        )
        self.code = COMMENT_OR_LITERAL.sub(" ", self.text)
        self.includes = INCLUDE.findall(self.without_comments)

    @property
    def folders(self):
        return self.path.split("/")


def read_sources(root):
    paths = (path for top in ("include", "lib", "kernels") for path in sorted((root / top).rglob("*")))
    return [Source(root, path) for path in paths if path.suffix in {".c", ".h", ".inc", ".cc", ".cpp"}]


def matches(pattern, text):
    return sorted({match.group() for match in pattern.finditer(text)})


def rule_top_level(root, sources):
    """the top level holds only what the layout names"""
    ignored = re.compile(r"\..*|build.*|__pycache__")
    for entry in sorted(root.iterdir()):
        if entry.name not in TOP_LEVEL and not ignored.fullmatch(entry.name):
            yield f"{entry.name} does not belong at the top level"


def rule_public_headers(root, sources):
    """public headers include the C library and each other"""
    for source in sources:
        if source.folders[0] != "include":
            continue
        for bracket, name in source.includes:
            allowed = name in C_HEADERS if bracket == "<" else name.startswith("kael/")
            if not allowed:
                yield f"{source.path} includes {name}"


def rule_kernel_includes(root, sources):
    """kernels include nothing but kernels, plain C headers, intrinsics and the table of operations"""
    for source in sources:
        if source.folders[0] != "kernels":
            continue
        for bracket, name in source.includes:
            own = name.startswith("kernels/") or name == OPERATION_TABLE
            allowed = name in KERNEL_HEADERS if bracket == "<" else own
            if not allowed:
                yield f"{source.path} includes {name}"


def rule_kernel_allocation(root, sources):
    """kernels allocate nothing"""
    for source in sources:
        if source.folders[0] == "kernels":
            for name in matches(ALLOCATION, source.code):
                yield f"{source.path} calls {name}"


def rule_lib_folders(root, sources):
    """every folder of lib has a layer"""
    for source in sources:
        if source.folders[0] == "lib" and (len(source.folders) < 3 or source.folders[1] not in LAYER_OF):
            yield f"{source.path} lies in no layer"


def rule_lib_includes(root, sources):
    """lib includes public headers, kernels' headers and lib by its full path"""
    for source in sources:
        if source.folders[0] != "lib":
            continue
        for bracket, name in source.includes:
            first = name.split("/")[0]
            if bracket == '"' and ("/" not in name or first not in {"kael", "kernels", *LAYER_OF}):
                yield f'{source.path} includes "{name}"'


def lib_edges(sources):
    """Pairs (source, folder that it includes from), within lib."""
    for source in sources:
        if source.folders[0] == "lib" and len(source.folders) > 2:
            for bracket, name in source.includes:
                target = name.split("/")[0]
                if bracket == '"' and target in LAYER_OF:
                    yield source, target


def rule_lib_direction(root, sources):
    """no include in lib points upward"""
    for source, target in lib_edges(sources):
        if LAYER_OF.get(source.folders[1], -1) < LAYER_OF[target]:
            yield f"{source.path} includes from {target}/, a higher layer"


def rule_lib_cycles(root, sources):
    """the folders of lib include each other in one direction"""
    below = collections.defaultdict(set)
    for source, target in lib_edges(sources):
        if source.folders[1] != target:
            below[source.folders[1]].add(target)
    reach = {folder: set(targets) for folder, targets in below.items()}
    for _ in LAYER_OF:
        for targets in reach.values():
            targets.update(*(reach.get(target, ()) for target in tuple(targets)))
    for folder, targets in sorted(reach.items()):
        if folder in targets:
            yield f"lib/{folder} includes itself through {', '.join(sorted(below[folder]))}"


def rule_openmp(root, sources):
    """only lib/parallel uses OpenMP"""
    for source in sources:
        if source.folders[:2] != ["lib", "parallel"]:
            for name in matches(OPENMP, source.without_comments):
                yield f"{source.path} uses {name}"


def rule_instruction_sets(root, sources):
    """only the dispatcher and an instruction set's own folder name its symbols"""
    for source in sources:
        own = source.folders[1] if source.folders[0] == "kernels" else None
        if source.path == DISPATCHER:
            continue
        for name in INSTRUCTION_SETS:
            if name != own:
                for symbol in matches(re.compile(rf"\bkael_\w*_{name}\b"), source.code):
                    yield f"{source.path} names {symbol}"


def rule_blis(root, sources):
    """one file includes <blis.h>"""
    users = [source.path for source in sources if any(name == "blis.h" for _, name in source.includes)]
    if len(users) > 1:
        yield "<blis.h> is included by " + ", ".join(users)


def rule_no_exit(root, sources):
    """the library never ends the process and never prints"""
    for source in sources:
        for name in matches(ENDS_OR_PRINTS, source.code):
            yield f"{source.path} calls {name}"


RULES = [value for name, value in list(globals().items()) if name.startswith("rule_")]


def check_tree(tap, root):
    sources = read_sources(root)
    for folder in ("include", "lib", "kernels"):
        tap.check(any(source.folders[0] == folder for source in sources), f"{folder}/ has sources")
    for rule in RULES:
        breaches = list(rule(root, sources))
        tap.check(not breaches, rule.__doc__, "\n".join(breaches))


# Rule -> trees that break it, each a dictionary of paths and texts.
BREACHES = {
    rule_top_level: [{"docs/index.md": ""}, {"configure": ""}],
    rule_public_headers: [
        {"include/kael/a.h": '#include "core/error.h"\n'},
        {"include/kael/a.h": "#include <pthread.h>\n"},
    ],
    rule_kernel_includes: [
        {"kernels/avx2/a.c": '#include "core/error.h"\n'},
        {"kernels/a.h": '#include "kael/status.h"\n'},
        {"kernels/a.h": "#include <stdlib.h>\n"},
        {"kernels/a.inc": "  # include <omp.h>\n"},
    ],
    rule_kernel_allocation: [{"kernels/a.c": "void *p = malloc(4);\n"}],
    rule_lib_folders: [{"lib/extra/a.c": "int a;\n"}, {"lib/a.c": "int a;\n"}],
    rule_lib_includes: [
        {"lib/core/a.c": '#include "error.h"\n'},
        {"lib/core/a.c": '#include "tests/helper.h"\n'},
    ],
    rule_lib_direction: [
        {"lib/core/a.c": '#include "memory/block.h"\n'},
        {"lib/memory/a.c": '#include "tensor/tensor.h"\n'},
        {"lib/parallel/a.h": '#include "linalg/gemm.h"\n'},
        {"lib/nn/a.c": '/* the tape */ #include "autograd/tape.h"\n'},
    ],
    rule_lib_cycles: [
        {"lib/nn/a.c": '#include "linalg/a.h"\n', "lib/linalg/a.c": '#include "nn/a.h"\n'},
        {
            "lib/nn/a.c": '#include "linalg/a.h"\n',
            "lib/linalg/a.c": '#include "ops/a.h"\n',
            "lib/ops/a.c": '#include "nn/a.h"\n',
        },
    ],
    rule_openmp: [
        {"lib/linalg/a.c": "#pragma omp parallel\n"},
        {"lib/linalg/a.c": '_Pragma("omp parallel")\n'},
        {"lib/tensor/a.c": "int n = omp_get_max_threads();\n"},
        {"kernels/a.c": "#pragma omp simd\n"},
        {"lib/core/a.c": "#include <omp.h>\n"},
    ],
    rule_instruction_sets: [
        {"lib/linalg/a.c": "extern int kael_gemm_f32_avx2;\n"},
        {"kernels/avx2/a.c": "extern int kael_gemm_f32_avx512;\n"},
        {"lib/nn/a.c": "extern int kael_kernels_neon;\n"},
    ],
    rule_blis: [{"kernels/blis/a.c": "#include <blis.h>\n", "lib/linalg/a.c": "#include <blis.h>\n"}],
    rule_no_exit: [
        {"lib/core/a.c": "void f(void) { abort(); }\n"},
        {"kernels/a.c": 'void f(void) { printf("x"); }\n'},
    ],
}

# What looks like a breach and is none.
SOUND = {
    "README.md": "",
    ".ci/run": "",
    "build-gcc/x.c": "#pragma omp parallel\n",
    "include/kael/status.h": '#include <stdint.h>\n#include "kael/macros.h"\n',
    "kernels/elementwise.h": '#include "kael/elementwise_operations.h"\n',
    "kernels/gemm.h": "/* never malloc() or #pragma omp here */\n#include <stdint.h>\n",
    "kernels/avx2/gemm.c": '#include <immintrin.h>\n#include "kernels/gemm.h"\nint kael_gemm_f32_avx2;\n',
    "kernels/blis/gemm.c": "#include <blis.h>\n",
    "lib/core/error.c": '#include "core/error.h"\nconst char *text = "abort() printf() kael_x_avx2";\n',
    "lib/cpu/dispatch.c": '#include "kernels/gemm.h"\nextern int kael_gemm_f32_avx2;\n',
    "lib/parallel/team.c": "#include <omp.h>\n#pragma omp parallel\n",
    "lib/parallel/loop.c": '#include "cpu/dispatch.h"\n#include "core/error.h"\n',
    "lib/nn/linear.c": '#include "linalg/gemm.h"\nint snprintf_count; // exit()\n',
}


def write_tree(root, files):
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def check_self(tap):
    tap.equal(sorted(rule.__name__ for rule in BREACHES), sorted(rule.__name__ for rule in RULES),
              "every rule has a tree that breaks it")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        write_tree(root, SOUND)
        breaches = [text for rule in RULES for text in rule(root, read_sources(root))]
        tap.equal(breaches, [], "a sound tree breaks no rule")
    for rule, trees in BREACHES.items():
        for number, files in enumerate(trees, 1):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                write_tree(root, {**SOUND, **files})
                caught = list(rule(root, read_sources(root)))
                tap.check(caught, f"breach {number} is caught: {rule.__doc__}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tap = Tap()
    if sys.argv[1] == "--self":
        check_self(tap)
    else:
        check_tree(tap, pathlib.Path(sys.argv[1]))
    tap.finish()


if __name__ == "__main__":
    main()
