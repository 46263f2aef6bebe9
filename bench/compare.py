#!/usr/bin/python3
"""Times kael, NumPy and PyTorch on the same operations in one run and prints Markdown tables.

kael's times come from kael_bench, NumPy's and PyTorch's from timeit: the best of 7 repeats, of 5
calls each, or of 20 ms in kael_bench. Last comes one epoch of training the same network on the same
images with kael and with PyTorch, in turns.

"time / limit" is kael's time beside the longer of two that it cannot fall below: its arithmetic at
the machine's rate of fused multiply-adds, and its memory traffic (operands read once, results
written once) at the rate of reading. Both rates are measured in the same run on as many threads;
operands and results that fit in the second-level caches count at the rate of reading from there."""

import argparse
import json
import os
import re
import subprocess
import sys
import timeit

from tensor_contest.markdown import duration, print_head, print_row
from torch_epoch import loaded_blas, restart_with_new_kernels, restart_with_openmp_openblas

FOLDER = os.path.dirname(os.path.abspath(__file__))
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
EPOCH_ROUNDS = 3


def parse_arguments(threads):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", default="build/bench/kael_bench",
                        help="kael's benchmark program (default %(default)s)")
    parser.add_argument("--mnist", default="build/bench/fashion_mnist/fashion_mnist",
                        help="kael's training program (default %(default)s)")
    parser.add_argument("--data", default="/usr/share/datasets/fashion-mnist",
                        help="directory of the images (default %(default)s)")
    parser.add_argument("--threads", type=int, default=threads,
                        help="threads of kael and PyTorch; NumPy's follow the environment variables "
                        "of its BLAS (default %(default)s, PyTorch's own number)")
    parser.add_argument("--plots", metavar="DIRECTORY",
                        help="also draw the ratios and the roofline as SVG pictures there")
    parser.add_argument("--no-epoch", action="store_true", help="leave out the epoch of training")
    parser.add_argument("--quick", action="store_true",
                        help="small operands and few repeats: shows that it works, and little more")
    options = parser.parse_args()
    if options.threads < 1:
        parser.error(f"--threads must be at least 1, got {options.threads}")
    for name in ("bench",) if options.no_epoch else ("bench", "mnist"):
        if not os.access(getattr(options, name), os.X_OK):
            parser.error(f"--{name}: there is no program '{getattr(options, name)}'; build kael with "
                         "-Dbenchmarks=true")
    options.repeats, options.calls, options.seconds = (2, 1, 0.001) if options.quick else (7, 5, 0.02)
    options.filter = ("BM_(Compare(Ceiling|.*/(64x|128x))|CrossEntropy.*/64x10)" if options.quick
                      else "BM_(Compare|CrossEntropy)")
    return options


class KaelTimes:
    """What kael_bench measured, by the name of the benchmark."""

    def __init__(self, options):
        environment = dict(os.environ, KAEL_NUM_THREADS=str(options.threads))
        run = subprocess.run(
            [options.bench, f"--benchmark_filter={options.filter}", "--benchmark_format=json",
             f"--benchmark_repetitions={options.repeats}",
             f"--benchmark_min_time={options.seconds}"],
            env=environment, stdout=subprocess.PIPE, check=False, text=True)
        if run.returncode != 0:
            sys.exit(f"compare.py: {options.bench} failed with exit status {run.returncode}")
        results = json.loads(run.stdout)
        self.context = results["context"]
        self.best = {}
        for row in results["benchmarks"]:
            if row["run_type"] == "iteration":
                self.add(row)

    def add(self, row):
        name = row["name"].removeprefix("BM_").removesuffix("/real_time")
        row["seconds"] = row["real_time"] * NANOSECONDS[row["time_unit"]] * 1e-9
        if name not in self.best or row["seconds"] < self.best[name]["seconds"]:
            self.best[name] = row

    def seconds(self, name):
        return self.best[name]["seconds"]

    def cases(self, prefix):
        """(operation, shape, measured row) of the benchmarks PREFIX<operation>/<shape>."""
        for name, row in self.best.items():
            match = re.fullmatch(prefix + r"(\w*)/(\d+)x(\d+)", name)
            if match:
                yield match[1], (int(match[2]), int(match[3])), row


class Ceilings:
    """The machine's rates, for all threads together."""

    def __init__(self, times, threads):
        ceilings = {name: times.best[f"CompareCeiling/{name}"]
                    for name in ("arithmetic", "memory", "cache")}
        self.flops = ceilings["arithmetic"]["flops"] / ceilings["arithmetic"]["seconds"]
        self.memory = ceilings["memory"]["bytes"] / ceilings["memory"]["seconds"]
        self.cache = ceilings["cache"]["bytes"] / ceilings["cache"]["seconds"]
        second_level = [cache["size"] for cache in times.context["caches"] if cache["level"] == 2]
        self.cached_bytes = threads * max(second_level, default=0)

    def limit(self, row):
        rate = self.cache if row["bytes"] <= self.cached_bytes else self.memory
        return max(row["flops"] / self.flops, row["bytes"] / rate)


class Opponents:
    """The operations in NumPy and PyTorch, by the name that kael_bench gives them: a function of
    the shape returns both calls, None for one that a library does not have."""

    def __init__(self):
        self.random = numpy.random.default_rng(1)

    def operand(self, *shape):
        array = self.random.uniform(-1, 1, shape).astype("f4")
        return array, torch.from_numpy(array)

    def classes(self, rows, classes):
        array = self.random.integers(0, classes, rows)
        return array, torch.from_numpy(array)

    def unary(self, shape, numpy_function, torch_function):
        n, t = self.operand(*shape)
        return lambda: numpy_function(n), lambda: torch_function(t)

    def binary(self, shape, other_shape, numpy_function, torch_function):
        (n, t), (other_n, other_t) = self.operand(*shape), self.operand(*other_shape)
        return lambda: numpy_function(n, other_n), lambda: torch_function(t, other_t)

    def Add(self, shape):
        return self.binary(shape, shape, numpy.add, torch.add)

    def AddRow(self, shape):
        return self.binary(shape, shape[1:], numpy.add, torch.add)

    def AddTransposed(self, shape):
        return self.binary(shape, shape, lambda a, b: a + b.T, lambda a, b: a + b.t())

    def Relu(self, shape):
        return self.unary(shape, lambda a: numpy.maximum(a, 0), torch.relu)

    def Exp(self, shape):
        return self.unary(shape, numpy.exp, torch.exp)

    def TransposedCopy(self, shape):
        return self.unary(shape, lambda a: numpy.ascontiguousarray(a.T),
                          lambda a: a.t().contiguous())

    def Sum(self, shape):
        return self.unary(shape, numpy.sum, torch.sum)

    def SumRows(self, shape):
        return self.unary(shape, lambda a: a.sum(1), lambda a: a.sum(1))

    def MaxColumns(self, shape):
        return self.unary(shape, lambda a: a.max(0), lambda a: a.amax(0))

    def Matmul(self, shape):
        return self.unary(shape, lambda a: a @ a, lambda a: a @ a)

    def Linear(self, shape):
        (input_n, input_t), (weight_n, weight_t) = self.operand(*shape), self.operand(256, shape[1])
        bias_n, bias_t = self.operand(256)
        return (lambda: input_n @ weight_n.T + bias_n,
                lambda: functional.linear(input_t, weight_t, bias_t))

    def Softmax(self, shape):
        def composed(a):
            powers = numpy.exp(a - a.max(1, keepdims=True))
            return powers / powers.sum(1, keepdims=True)
        return self.unary(shape, composed, lambda a: torch.softmax(a, 1))

    @staticmethod
    def log_softmax(array):
        differences = array - array.max(1, keepdims=True)
        return differences - numpy.log(numpy.exp(differences).sum(1, keepdims=True))

    def LogSoftmax(self, shape):
        return self.unary(shape, self.log_softmax, lambda a: torch.log_softmax(a, 1))

    def LayerNorm(self, shape):
        def composed(a):
            return (a - a.mean(1, keepdims=True)) / numpy.sqrt(a.var(1, keepdims=True) + 1e-5)
        return self.unary(shape, composed, lambda a: functional.layer_norm(a, shape[1:]))

    def CrossEntropy(self, shape):
        (n, t), (classes_n, classes_t) = self.operand(*shape), self.classes(*shape)
        rows = numpy.arange(shape[0])
        return (lambda: -self.log_softmax(n)[rows, classes_n].mean(),
                lambda: functional.cross_entropy(t, classes_t))

    def cross_entropy_step(self, shape, loss):
        """PyTorch's forward and backward."""
        logits, classes = self.operand(*shape)[1].requires_grad_(), self.classes(*shape)[1]

        def step():
            loss(logits, classes).backward()
            logits.grad = None
        return step


def best_time(call, options):
    """None for no call."""
    if call is None:
        return None
    call()
    return min(timeit.repeat(call, repeat=options.repeats, number=options.calls)) / options.calls


def seconds_text(seconds):
    return "-" if seconds is None else duration(seconds)


def ratio_text(seconds, base):
    return "-" if seconds is None else f"{seconds / base:.2f}"


def compare_operations(times, ceilings, options):
    """Prints the table; returns (label, kael's row, NumPy / kael, PyTorch / kael)."""
    print_head(f"Operations on f32, threads: {options.threads}",
               ["", "shape", "kael", "NumPy", "PyTorch", "NumPy / kael", "PyTorch / kael",
                "flop / byte", "time / limit"])
    opponents = Opponents()
    rows = []
    for name, shape, row in times.cases("Compare"):
        numpy_call, torch_call = getattr(opponents, name)(shape)
        others = [best_time(call, options) for call in (numpy_call, torch_call)]
        own = row["seconds"]
        text = f"{shape[0]} x {shape[1]}"
        print_row([name, text, duration(own), *map(seconds_text, others),
                   *(ratio_text(other, own) for other in others),
                   f"{row['flops'] / row['bytes']:.2f}", f"{own / ceilings.limit(row):.2f}"])
        rows.append((f"{name} {text}", row, *(other and other / own for other in others)))
    return rows


def compare_cross_entropy(times, options):
    print_head(f"Cross entropy forward and backward, threads: {options.threads}",
               ["shape", "kael fused", "kael composed", "PyTorch fused", "PyTorch composed",
                "composed / fused", "PyTorch / kael, fused"])
    opponents = Opponents()
    for _, shape, row in times.cases("CrossEntropyFused"):
        own = row["seconds"]
        composed = times.seconds(f"CrossEntropyComposed/{shape[0]}x{shape[1]}")
        fused_torch, composed_torch = (
            best_time(opponents.cross_entropy_step(shape, loss), options) for loss in (
                functional.cross_entropy,
                lambda x, t: functional.nll_loss(functional.log_softmax(x, 1), t)))
        print_row([f"{shape[0]} x {shape[1]}",
                   *map(duration, (own, composed, fused_torch, composed_torch)),
                   ratio_text(composed, own), ratio_text(fused_torch, own)])


def epoch_seconds(command, options):
    environment = dict(os.environ, KAEL_NUM_THREADS=str(options.threads))
    run = subprocess.run([*command, "--epochs", "1", "--threads", str(options.threads), "--data",
                          options.data], env=environment, stdout=subprocess.PIPE, check=False,
                         text=True)
    found = re.search(r"time ([\d.]+) s", run.stdout)
    if run.returncode != 0 or not found:
        sys.exit(f"compare.py: {command[-1]} failed with exit status {run.returncode}")
    return float(found[1])


def compare_epochs(options):
    commands = ([options.mnist], [sys.executable, os.path.join(FOLDER, "torch_epoch.py")])
    seconds = [[epoch_seconds(command, options) for command in commands]
               for _ in range(EPOCH_ROUNDS)]
    own, other = (min(times) for times in zip(*seconds))
    print_head(f"One epoch of training a 784-256-10 network on 60000 images, batch 64, threads: "
               f"{options.threads}", ["kael", "PyTorch", "PyTorch / kael"])
    print_row([duration(own), duration(other), ratio_text(other, own)])


def main(options):
    torch.set_num_threads(options.threads)
    times = KaelTimes(options)
    ceilings = Ceilings(times, options.threads)
    print(f"kael {times.context['kael']} on {times.context['kael instruction set']}, "
          f"NumPy {numpy.__version__}, PyTorch {torch.__version__}, BLAS of both {loaded_blas()}.\n"
          f"Ceilings: {ceilings.flops / 1e9:.0f} GFLOP/s, {ceilings.memory / 1e9:.1f} GB/s from "
          f"memory, {ceilings.cache / 1e9:.0f} GB/s from second-level caches.")
    rows = compare_operations(times, ceilings, options)
    compare_cross_entropy(times, options)
    if not options.no_epoch:
        compare_epochs(options)
    if options.plots:
        from tensor_contest import plots
        plots.draw(options.plots, rows, ceilings, options.threads)


if __name__ == "__main__":
    restart_with_openmp_openblas()
    restart_with_new_kernels()
    try:
        import numpy
        import torch
        from torch.nn import functional
    except ImportError as error:
        sys.exit(f"compare.py: {error}; install Debian's python3-numpy and python3-torch, and run it "
                 "with /usr/bin/python3")
    main(parse_arguments(torch.get_num_threads()))
