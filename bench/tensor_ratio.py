#!/usr/bin/python3
"""Compares kael's tensor operations with NumPy, PyTorch, hand-written loops and malloc, and prints
Markdown tables."""

import argparse
import sys

import numpy
import torch

from tensor_contest import kael as k
from tensor_contest.contest import Contestant, hold, python_loop
from tensor_contest.markdown import duration, print_head, print_row

NOTES = """\
All contestants of a row run in turns in one process and on the same memory, another one first in
each round; a ratio is the median over the rounds of the two times in one round. "of X" is kael's
speed as a part of X's: 2 is twice as fast. Results are compared before they are timed.

kael's calls, the hand-written loops and malloc are timed by loops in C. NumPy and PyTorch are timed
by loops of Python calls, as they are used; what an empty Python call costs is in the table `tiny`
and matters there alone. NumPy's elementwise operations and reductions run on one thread whatever
--threads says."""

LIBRARIES = ("NumPy", "PyTorch")
LOOPS = ("loop", "streaming loop")
IN_CACHE = 64 * 1024  # elements


class Operand:
    """The same memory as a tensor of kael's and PyTorch's and as an array of NumPy's."""

    def __init__(self, kael, array):
        self.kael = kael.tensor(array)
        self.numpy = self.kael.numpy()
        self.torch = torch.from_numpy(self.numpy)


class Case:
    """One operation in kael, NumPy and PyTorch. `expected` is what all of them give."""

    def __init__(self, name, call, numpy_call, torch_call, expected=None):
        self.name = name
        self.call = call
        self.numpy_call = numpy_call
        self.torch_call = torch_call
        self.expected = expected

    def contestants(self, kael):
        libraries = zip(LIBRARIES, (self.numpy_call, self.torch_call))
        return [kael.contestant(self.call)] + [
            Contestant(name, python_loop(call)) for name, call in libraries if call is not None]


class Bench:
    def __init__(self, options, kael):
        self.options = options
        self.kael = kael
        self.random = numpy.random.default_rng(1)
        self.missed = 0
        self.wrong = 0

    def operand(self, *shape, dtype="f4"):
        """Uniform numbers."""
        return Operand(self.kael, self.random.uniform(-2, 2, shape).astype(dtype))

    def integers(self, end, *shape):
        return Operand(self.kael, self.random.integers(0, end, shape))

    def each_thread_count(self):
        for count in sorted({1, self.options.threads}):
            self.kael.set_threads(count)
            torch.set_num_threads(count)
            yield count

    def hold(self, contestants):
        return hold(contestants, self.options.rounds, self.options.sample)

    def check(self, case):
        """Compares kael's result with NumPy's before anything is timed."""
        expected = numpy.asarray(case.numpy_call() if case.expected is None else case.expected)
        actual = self.kael.result(case.call)
        if actual.shape != expected.shape or not numpy.allclose(
                actual, expected, rtol=1e-4, atol=1e-4, equal_nan=True):
            self.wrong += 1
            print(f"{case.name}: kael's result differs from NumPy's", file=sys.stderr)

    def rate(self, result, names, wanted=None):
        """kael's speed as a part of the fastest of `names`."""
        names = [name for name in names if result.has(name)]
        return self.judge(result.ratio(names, "kael"), wanted, "≥") if names else "-"

    def judge(self, value, wanted, relation):
        if wanted is None:
            return f"{value:.2f}"
        met = value >= wanted if relation == "≥" else value <= wanted
        self.missed += not met
        return f"{value:.2f} ({relation} {wanted}{'' if met else ', **missed**'})"

    def compare(self, case, wanted_numpy=None, wanted_torch=None):
        """Rows of a plain comparison: case, threads, three times, two ratios."""
        self.check(case)
        for threads in self.each_thread_count():
            result = self.hold(case.contestants(self.kael))
            print_row([case.name, str(threads), *times(result, ["kael", *LIBRARIES]),
                       self.rate(result, ["NumPy"], wanted_numpy),
                       self.rate(result, ["PyTorch"], wanted_torch)])


PLAIN_COLUMNS = ["threads", "kael", *LIBRARIES, "of NumPy", "of PyTorch"]


def times(result, names):
    return [duration(result.median(name)) if result.has(name) else "-" for name in names]


def table_bandwidth(bench):
    """contiguous add, relu, copy and cast beside hand-written loops"""
    print_head("Streaming through memory, f32 into an existing output",
               ["", "elements", "threads", "kael", *LOOPS, *LIBRARIES, "of the better loop",
                "of the better library"])
    kael = bench.kael
    large = [2048 * 2048] if bench.options.quick else [2048 * 2048, 4096 * 4096]
    for n in [IN_CACHE, *large]:
        a, b, out, wide = (bench.operand(n, dtype=dtype) for dtype in ("f4", "f4", "f4", "f8"))
        cases = [
            (k.STREAM_ADD, out, b,
             Case("add", kael.call(k.BINARY_INTO, "kael_add_into", a.kael, b.kael, out.kael),
                  lambda: numpy.add(a.numpy, b.numpy, out=out.numpy),
                  lambda: torch.add(a.torch, b.torch, out=out.torch))),
            (k.STREAM_RELU, out, a,
             Case("relu", kael.call(k.UNARY_INTO, "kael_relu_into", a.kael, out=out.kael),
                  lambda: numpy.maximum(a.numpy, 0, out=out.numpy),
                  lambda: torch.clamp_min(a.torch, 0, out=out.torch))),
            (k.STREAM_COPY, out, a,
             Case("copy", kael.call(k.UNARY_INTO, "kael_copy_into", a.kael, out=out.kael),
                  lambda: numpy.copyto(out.numpy, a.numpy), lambda: out.torch.copy_(a.torch),
                  a.numpy)),
            (k.STREAM_CAST, wide, a,
             Case("cast to f64", kael.call(k.UNARY_INTO, "kael_copy_into", a.kael, out=wide.kael),
                  lambda: numpy.copyto(wide.numpy, a.numpy), lambda: wide.torch.copy_(a.torch),
                  a.numpy)),
        ]
        for kind, target, second, case in cases:
            bench.check(case)
            for threads in bench.each_thread_count():
                loops = [kael.stream(name, kind, threads, a.numpy, second.numpy, target.numpy,
                                     past_caches)
                         for past_caches, name in enumerate(LOOPS)]
                result = bench.hold(case.contestants(kael) + loops)
                print_row([case.name, str(n), str(threads),
                           *times(result, ["kael", *LOOPS, *LIBRARIES]),
                           bench.rate(result, LOOPS, None if n == IN_CACHE else 0.95),
                           bench.rate(result, LIBRARIES, 1.0 if n == IN_CACHE else None)])


def table_transposed(bench):
    """sums and copies of transposed matrices"""
    print_head("Transposed matrices, f32, new results",
               ["", "n", "threads", "kael", *LIBRARIES, "time / (a + b)", "of NumPy", "of PyTorch"])
    kael = bench.kael
    for n in [2048] if bench.options.quick else [2000, 2048, 4096]:
        a, b = bench.operand(n, n), bench.operand(n, n)
        at, bt = kael.transposed(a.kael), kael.transposed(b.kael)
        plain = kael.call(k.BINARY, "kael_add", a.kael, b.kael)
        cases = [
            (None, None, Case("a + b", plain, lambda: a.numpy + b.numpy,
                              lambda: a.torch + b.torch)),
            (1.1, None, Case("a.t() + b.t()", kael.call(k.BINARY, "kael_add", at, bt),
                             lambda: a.numpy.T + b.numpy.T, lambda: a.torch.t() + b.torch.t())),
            (1.6, None, Case("a + b.t()", kael.call(k.BINARY, "kael_add", a.kael, bt),
                             lambda: a.numpy + b.numpy.T, lambda: a.torch + b.torch.t())),
            (None, 2.0, Case("a.t() copied", kael.call(k.UNARY, "kael_tensor_contiguous", at),
                             lambda: numpy.ascontiguousarray(a.numpy.T),
                             lambda: a.torch.t().contiguous())),
        ]
        for wanted_cost, wanted_torch, case in cases:
            bench.check(case)
            for threads in bench.each_thread_count():
                result = bench.hold(case.contestants(kael) + [kael.contestant(plain, "a + b")])
                cost = 1 / result.ratio(["a + b"], "kael")
                print_row([case.name, str(n), str(threads), *times(result, ["kael", *LIBRARIES]),
                           bench.judge(cost, wanted_cost, "≤"), bench.rate(result, ["NumPy"]),
                           bench.rate(result, ["PyTorch"], wanted_torch)])


def table_functions(bench):
    """exp, log, tanh and gelu"""
    print_head("Elementary functions, 2048 x 2048 f32, new results", ["", *PLAIN_COLUMNS])
    kael = bench.kael
    a = bench.operand(2048, 2048)
    positive = Operand(kael, numpy.abs(a.numpy) + numpy.float32(0.01))
    gelu = torch.nn.functional.gelu
    for case in [
        Case("exp", kael.call(k.UNARY, "kael_exp", a.kael), lambda: numpy.exp(a.numpy),
             lambda: torch.exp(a.torch)),
        Case("log", kael.call(k.UNARY, "kael_log", positive.kael),
             lambda: numpy.log(positive.numpy), lambda: torch.log(positive.torch)),
        Case("tanh", kael.call(k.UNARY, "kael_tanh", a.kael), lambda: numpy.tanh(a.numpy),
             lambda: torch.tanh(a.torch)),
        Case("gelu", kael.call(k.UNARY, "kael_gelu", a.kael), None, lambda: gelu(a.torch),
             gelu(a.torch)),
        Case("gelu_tanh", kael.call(k.UNARY, "kael_gelu_tanh", a.kael), None,
             lambda: gelu(a.torch, approximate="tanh"), gelu(a.torch, approximate="tanh")),
    ]:
        bench.compare(case, wanted_torch=1.3)


def reductions(kael, a):
    """(kind, case) of each reduction; the sums and variances of f64 are what all should give."""
    exact = a.numpy.astype("f8")
    for dim, text in ((k.ALL_DIMS, "all"), (1, "rows"), (0, "columns")):
        axis = None if dim == k.ALL_DIMS else dim
        dims = [0, 1] if axis is None else [axis]

        def call(kind, name):
            return kael.call(kind, f"kael_{name}", a.kael, number=dim)

        yield "sum", Case(f"sum of {text}", call(k.REDUCE, "sum"), lambda: a.numpy.sum(axis),
                          lambda: a.torch.sum(dims), exact.sum(axis))
        yield "max", Case(f"max of {text}", call(k.REDUCE, "max"), lambda: a.numpy.max(axis),
                          lambda: a.torch.amax(dims))
        yield "argmax", Case(f"argmax of {text}", call(k.ARG, "argmax"),
                             lambda: a.numpy.argmax(axis), lambda: a.torch.argmax(axis))
        yield "var", Case(f"var of {text}", call(k.VARIANCE, "var"),
                          lambda: a.numpy.var(axis, ddof=1), lambda: a.torch.var(dims),
                          exact.var(axis, ddof=1))


def table_reductions(bench):
    """sum, max, argmax and var, in and out of cache"""
    print_head("Reductions, f32",
               ["", "shape", "threads", "kael", "reading", *LIBRARIES, "of reading",
                "of the better library", "time / kael's sum"])
    kael = bench.kael
    sizes = [256, 4096] if bench.options.quick else [256, 512, 4096, 8192]
    for n in sizes:
        a = bench.operand(n, n)
        in_cache = a.numpy.nbytes <= 1 << 20
        for kind, case in reductions(kael, a):
            bench.check(case)
            plain_sum = kael.call(k.REDUCE, "kael_sum", case.call.operands[0],
                                  number=case.call.number)
            for threads in bench.each_thread_count():
                others = [kael.stream("reading", k.STREAM_READ, threads, a.numpy),
                          kael.contestant(plain_sum, "sum")]
                result = bench.hold(case.contestants(kael) + others)
                is_all = case.call.number == k.ALL_DIMS
                wanted_library = {"sum": 0.8 if in_cache else None, "var": None}.get(
                    kind, None if is_all else 1.2)
                print_row([case.name, f"{n} x {n}", str(threads),
                           *times(result, ["kael", "reading", *LIBRARIES]),
                           bench.rate(result, ["reading"],
                                      0.95 if kind == "sum" and not in_cache else None),
                           bench.rate(result, LIBRARIES, wanted_library),
                           bench.judge(1 / result.ratio(["sum"], "kael"), 2.5, "≤")
                           if kind == "var" else "-"])


def table_more_reductions(bench):
    """any, all, count_nonzero, norm, prod, logsumexp and integer sums"""
    n = 2048
    print_head(f"More reductions, {n} x {n}",
               ["", "threads", "kael", "reading", *LIBRARIES, "of reading",
                "of the better library"])
    kael = bench.kael
    a = bench.operand(n, n)
    zeros, ones = (Operand(kael, numpy.full((n, n), value, "f4")) for value in (0, 1))
    bytes_, ints = (Operand(kael, bench.random.integers(0, 100, (n, n)).astype(dtype))
                    for dtype in ("i1", "i4"))

    def call(name, operand, dim=k.ALL_DIMS):
        return kael.call(k.REDUCE, f"kael_{name}", operand.kael, number=dim)

    for operand, case in [
        (zeros, Case("any of all, none is", call("any", zeros), lambda: zeros.numpy.any(),
                     lambda: zeros.torch.any())),
        (ones, Case("any of all, the first is", call("any", ones), lambda: ones.numpy.any(),
                    lambda: ones.torch.any())),
        (ones, Case("all of rows, all are", call("all", ones, 1), lambda: ones.numpy.all(1),
                    lambda: ones.torch.all(1))),
        (a, Case("count_nonzero of all", call("count_nonzero", a),
                 lambda: numpy.count_nonzero(a.numpy), lambda: torch.count_nonzero(a.torch))),
        (a, Case("count_nonzero of columns", call("count_nonzero", a, 0),
                 lambda: numpy.count_nonzero(a.numpy, 0), lambda: torch.count_nonzero(a.torch, 0))),
        (a, Case("norm of all", call("norm", a), lambda: numpy.linalg.norm(a.numpy),
                 lambda: torch.linalg.norm(a.torch))),
        (ones, Case("prod of rows", call("prod", ones, 1), lambda: ones.numpy.prod(1),
                    lambda: ones.torch.prod(1))),
        (a, Case("logsumexp of rows", call("logsumexp", a, 1), None,
                 lambda: torch.logsumexp(a.torch, 1), torch.logsumexp(a.torch, 1))),
        (bytes_, Case("sum of all, i8", call("sum", bytes_), lambda: bytes_.numpy.sum(),
                      lambda: bytes_.torch.sum())),
        (ints, Case("sum of rows, i32", call("sum", ints, 1), lambda: ints.numpy.sum(1),
                    lambda: ints.torch.sum(1))),
    ]:
        bench.check(case)
        for threads in bench.each_thread_count():
            reading = kael.stream("reading", k.STREAM_READ, threads,
                                  operand.numpy.reshape(-1).view("f4"))
            result = bench.hold(case.contestants(kael) + [reading])
            print_row([case.name, str(threads), *times(result, ["kael", "reading", *LIBRARIES]),
                       bench.rate(result, ["reading"]), bench.rate(result, LIBRARIES)])


def table_tiny(bench):
    """one operation on four elements"""
    print_head("One tiny operation: the sum of two tensors of 4 f32 elements, 1 thread",
               ["kael", "malloc and free of 16 bytes", *LIBRARIES, "an empty Python call",
                "time / malloc", "of the better library"])
    kael = bench.kael
    next(iter(bench.each_thread_count()))
    operands = [bench.operand(4), bench.operand(4)]
    a, b = (operand.numpy for operand in operands)
    ta, tb = (operand.torch for operand in operands)
    case = Case("tiny add",
                kael.call(k.BINARY, "kael_add", *(operand.kael for operand in operands)),
                lambda: a + b, lambda: ta + tb)
    bench.check(case)
    result = bench.hold(case.contestants(kael) + [
        Contestant("malloc", lambda repeats: kael.loops.time_malloc(16, 0, repeats)),
        Contestant("empty call", python_loop(lambda: None)),
    ])
    print_row([*times(result, ["kael", "malloc", *LIBRARIES, "empty call"]),
               bench.judge(1 / result.ratio(["malloc"], "kael"), 3.0, "≤"),
               bench.rate(result, LIBRARIES, 5.0)])


def table_allocation(bench):
    """allocation, one byte written to each page, release"""
    print_head("Allocating, writing a byte to each page and freeing, in a loop",
               ["size", "kael", "malloc", "of malloc"])
    kael = bench.kael
    for mebibytes in [4, 32] if bench.options.quick else [1, 4, 32, 128, 512]:
        size = mebibytes << 20
        result = bench.hold([
            Contestant("kael", lambda repeats: kael.loops.time_tensor_empty(size, 1, repeats)),
            Contestant("malloc", lambda repeats: kael.loops.time_malloc(size, 1, repeats)),
        ])
        wanted = {4: 1.0}.get(mebibytes, 50.0 if mebibytes >= 32 else None)
        print_row([f"{mebibytes} MiB", *times(result, ["kael", "malloc"]),
                   bench.rate(result, ["malloc"], wanted)])


def table_random(bench):
    """random numbers into an existing tensor"""
    n = 1 << 18 if bench.options.quick else 1 << 22
    print_head(f"{n} random numbers", ["", *PLAIN_COLUMNS])
    kael = bench.kael
    generator = numpy.random.default_rng(1)
    floats, doubles, ints = bench.operand(n), bench.operand(n, dtype="f8"), bench.integers(9, n)
    uniform, normal = "kael_random_uniform_into", "kael_random_normal_into"
    for case in [
        Case("uniform f32", kael.call(k.RANDOM_FLOATS_INTO, uniform, out=floats.kael),
             lambda: generator.random(dtype="f4", out=floats.numpy),
             lambda: floats.torch.uniform_()),
        Case("uniform f64", kael.call(k.RANDOM_FLOATS_INTO, uniform, out=doubles.kael),
             lambda: generator.random(out=doubles.numpy), lambda: doubles.torch.uniform_()),
        Case("normal f32", kael.call(k.RANDOM_FLOATS_INTO, normal, out=floats.kael),
             lambda: generator.standard_normal(dtype="f4", out=floats.numpy),
             lambda: floats.torch.normal_()),
        Case("normal f64", kael.call(k.RANDOM_FLOATS_INTO, normal, out=doubles.kael),
             lambda: generator.standard_normal(out=doubles.numpy),
             lambda: doubles.torch.normal_()),
        Case("integers below 1000", kael.call(k.RANDOM_INTEGERS_INTO, "kael_random_integers_into",
                                              out=ints.kael, number=1000),
             lambda: generator.integers(0, 1000, n), lambda: ints.torch.random_(0, 1000)),
        Case("permutation", kael.call(k.PERMUTATION, "kael_random_permutation", number=n),
             lambda: generator.permutation(n), lambda: torch.randperm(n)),
    ]:
        for threads in bench.each_thread_count():
            result = bench.hold(case.contestants(kael))
            print_row([case.name, str(threads), *times(result, ["kael", *LIBRARIES]),
                       bench.rate(result, ["NumPy"]), bench.rate(result, ["PyTorch"])])


def table_indexing(bench):
    """rows and elements at indices"""
    print_head("Indexing, f32 and i64 indices", ["", *PLAIN_COLUMNS])
    kael = bench.kael
    table, some = bench.operand(50000, 256), bench.operand(4096, 256)
    rows, columns = bench.integers(50000, 4096), bench.integers(256, 256)
    places = bench.integers(256, 4096, 256)

    def select(operand, indices, dim):
        return (kael.call(k.INDEX, "kael_index_select", operand.kael, indices.kael, number=dim),
                lambda: operand.numpy.take(indices.numpy, dim),
                lambda: operand.torch.index_select(dim, indices.torch))

    def gather(operand, indices, dim):
        return (kael.call(k.INDEX, "kael_gather", operand.kael, indices.kael, number=dim),
                lambda: numpy.take_along_axis(operand.numpy, indices.numpy, dim),
                lambda: operand.torch.gather(dim, indices.torch))

    for case in [
        Case("4096 rows of 256", *select(table, rows, 0)),
        Case("256 columns of 4096", *select(some, columns, 1)),
        Case("4096 x 256 gathered along rows", *gather(some, places, 1)),
        Case("4096 x 256 gathered along columns", *gather(some, places, 0)),
    ]:
        bench.compare(case)


def loss_gradient(logits, targets):
    """PyTorch's cross entropy, forward and backward."""

    def call():
        logits.grad = None
        torch.nn.functional.cross_entropy(logits, targets).backward()
        return logits.grad

    return call


def row_limits(bench, threads, numbers, writes):
    """Contestants that do no more than the memory traffic or the exponentials of a row kernel."""
    kael = bench.kael
    kind = k.STREAM_COPY if writes else k.STREAM_READ
    cached = bench.operand(IN_CACHE)
    exponential = kael.call(k.UNARY_INTO, "kael_exp_into", cached.kael, out=bench.operand(IN_CACHE).kael)
    share = numbers.size / threads / IN_CACHE

    def run_exponentials(repeats):
        count = max(1, round(repeats * share))
        return kael.run(exponential, count) * (repeats * share / count)

    return [kael.stream("memory", kind, threads, numbers,
                        out=numpy.empty_like(numbers) if writes else None, past_caches=writes),
            Contestant("exponentials", run_exponentials)]


def table_rows(bench):
    """softmax, cross entropy and layer norm beside PyTorch and their limits"""
    print_head("Softmax, cross entropy and layer norm along rows, f32, new results",
               ["", "shape", "threads", "kael", "PyTorch", "memory", "exponentials", "of PyTorch",
                "time / larger limit"],
               ["Memory is one pass that reads the input and, where the result is as large, writes "
                "past the caches; exponentials are kael's, of as many numbers that stay in the "
                "cache, on each thread its share. Layer norm, with weight and bias, has only the "
                "limit of memory."])
    kael = bench.kael
    functional = torch.nn.functional
    shapes = [((64, 10), 5.0, 5.0), ((4096, 65), 1.5, 2.0), ((1000, 1000), 1.5, 2.0)]
    if not bench.options.quick:
        shapes.append(((1024, 50257), 3.0, 2.0))
    for shape, wanted, wanted_gradient in shapes:
        a = bench.operand(*shape)
        targets = bench.integers(shape[1], shape[0])
        weight = bench.operand(shape[1])
        leaf, torch_leaf = kael.leaf(a.numpy), a.torch.clone().requires_grad_()
        gradient = loss_gradient(torch_leaf, targets.torch)
        for writes, ratio, case in [
            (True, wanted, Case("softmax", kael.call(k.ALONG, "kael_softmax", a.kael, number=1),
                                None, lambda: torch.softmax(a.torch, 1),
                                torch.softmax(a.torch, 1))),
            (True, wanted, Case("log softmax",
                                kael.call(k.ALONG, "kael_log_softmax", a.kael, number=1), None,
                                lambda: torch.log_softmax(a.torch, 1),
                                torch.log_softmax(a.torch, 1))),
            (False, wanted, Case("cross entropy", kael.call(k.LOSS, "kael_cross_entropy", a.kael,
                                                            targets.kael), None,
                                 lambda: functional.cross_entropy(a.torch, targets.torch),
                                 functional.cross_entropy(a.torch, targets.torch))),
            (True, 1.4 if shape == (1000, 1000) else wanted,
             Case("layer norm",
                  kael.call(k.LAYER_NORM, "kael_layer_norm", a.kael, weight.kael), None,
                  lambda: functional.layer_norm(a.torch, shape[1:], weight.torch, weight.torch),
                  functional.layer_norm(a.torch, shape[1:], weight.torch, weight.torch))),
            (True, wanted_gradient, Case("cross entropy and gradient",
                                         kael.call(k.LOSS_GRADIENT, "kael_cross_entropy", leaf,
                                                   targets.kael), None, gradient, gradient())),
        ]:
            bench.check(case)
            for threads in bench.each_thread_count():
                result = bench.hold(case.contestants(kael)
                                    + row_limits(bench, threads, a.numpy, writes))
                limits = ["memory"] if case.name == "layer norm" else ["memory", "exponentials"]
                limit = max(limits, key=result.median)
                large = shape == (1024, 50257) and case.call.kind != k.LOSS_GRADIENT
                print_row([case.name, f"{shape[0]} x {shape[1]}", str(threads),
                           *times(result, ["kael", "PyTorch", "memory", "exponentials"]),
                           bench.rate(result, ["PyTorch"], ratio),
                           bench.judge(1 / result.ratio([limit], "kael"),
                                       1.3 if large else None, "≤")])


TABLES = {
    name.removeprefix("table_"): function
    for name, function in list(globals().items()) if name.startswith("table_")
}


def parse_arguments():
    tables = "\n".join(f"  {name:<12} {table.__doc__}" for name, table in TABLES.items())
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n\n{NOTES}", epilog=f"tables:\n{tables}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="append", choices=TABLES, metavar="NAME",
                        help="only this table (may be repeated; default all)")
    parser.add_argument("--threads", type=int, default=0,
                        help="rows for 1 and for so many threads (default: what kael finds)")
    parser.add_argument("--rounds", type=int, default=0,
                        help="rounds of a row (default 15, with --quick 5)")
    parser.add_argument("--quick", action="store_true", help="fewer sizes and shorter samples")
    parser.add_argument("--build", default="build",
                        help="a build folder of kael with -Dbenchmarks=true (default %(default)s)")
    options = parser.parse_args()
    for name in ("threads", "rounds"):
        if getattr(options, name) < 0:
            parser.error(f"--{name} must be at least 1")
    options.rounds = options.rounds or (5 if options.quick else 15)
    options.sample = 0.005 if options.quick else 0.03
    return options


def main():
    options = parse_arguments()
    kael = k.Kael(options.build)
    options.threads = options.threads or kael.threads()
    bench = Bench(options, kael)
    print(f"kael {kael.functions.kael_version().decode()} on {kael.functions.kael_cpu_isa().decode()}, "
          f"NumPy {numpy.__version__}, PyTorch {torch.__version__}; medians of {options.rounds} "
          "rounds.\n\n" + NOTES)
    for name in options.table or TABLES:
        TABLES[name](bench)
    print(f"\n{bench.missed} of the wanted ratios missed")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
