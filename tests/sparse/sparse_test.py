#!/usr/bin/env python3
"""Value-compressed matrices against SciPy's compressed ones, on random matrices.

  sparse_test.py LIBRARY
"""

import pathlib
import sys

import numpy as np
import scipy.sparse as sparse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from kael import Kael, KaelError, VCSC, VCSR
from tap import Tap

SHAPES = [(1, 1), (5, 1), (1, 7), (8, 6), (25, 40), (50, 3), (0, 4), (4, 0), (0, 0), (700, 300)]
NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]
INDEX, VALUE, SHAPE, DTYPE = 4, 1, 2, 3


def random_matrix(rng, shape, dtype="f8", density=0.3, distinct=5):
    """A CSR matrix of few distinct values, some of them stored zeros."""
    dense = rng.random(shape) < density
    values = rng.integers(0, distinct, shape).astype(dtype)
    if np.dtype(dtype).kind == "f":
        values = (values - distinct // 2) / np.array(4, dtype)
    matrix = sparse.csr_matrix(dense.astype(dtype))
    matrix.data[:] = values[dense]
    return matrix


def grouped(matrix):
    """The four arrays of a compressed matrix's slices, in plain Python."""
    major_ptr, values, value_ptr, indices = [0], [], [0], []
    for begin, end in zip(matrix.indptr, matrix.indptr[1:]):
        slice_values, slice_indices = matrix.data[begin:end], matrix.indices[begin:end]
        for value in sorted(set(slice_values.tolist())):
            values.append(value)
            indices += sorted(slice_indices[slice_values == value].tolist())
            value_ptr.append(len(indices))
        major_ptr.append(len(values))
    return [np.array(major_ptr), np.array(values, matrix.dtype), np.array(value_ptr),
            np.array(indices, "i4")]


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def same_arrays(found, expected):
    return all(same(a, b) for a, b in zip(found, expected))


def same_compressed(found, matrix):
    return same_arrays(found, [matrix.indptr.astype("i8"), matrix.indices, matrix.data])


def in_orientation(matrix, orientation):
    other = matrix.tocsc(copy=True) if orientation == VCSC else matrix.tocsr(copy=True)
    other.sort_indices()
    return other


def cases(rng, dtypes=("f8",)):
    for shape in SHAPES:
        for dtype in dtypes:
            for orientation in (VCSC, VCSR):
                yield random_matrix(rng, shape, dtype), orientation


def test_construction(tap, kael, rng):
    ways = {name: True for name in ("csc", "csr", "coo", "dense", "arrays")}
    for matrix, orientation in cases(rng, NUMBERS):
        expected = grouped(in_orientation(matrix, orientation))
        coo = matrix.tocoo()
        order = rng.permutation(coo.nnz)
        kept = matrix.copy()
        kept.eliminate_zeros()
        dense = matrix.toarray()
        for name, made, target in (
            ("csc", kael.from_compressed(orientation, in_orientation(matrix, VCSC)), expected),
            ("csr", kael.from_compressed(orientation, matrix), expected),
            ("coo", kael.from_coo(orientation, matrix.shape, coo.row[order],
                                  coo.col[order].astype("i8"), coo.data[order]), expected),
            ("dense", kael.from_dense(orientation, np.asfortranarray(dense)),
             grouped(in_orientation(kept, orientation))),
            ("arrays", kael.from_arrays(orientation, matrix.shape, *expected), expected),
        ):
            found = kael.arrays(made)
            ways[name] &= same_arrays(found, target) and kael.shape(made) == matrix.shape
            ways[name] &= kael.lib.kael_vcs_nbytes(made.pointer) == sum(a.nbytes for a in target)
    for name, passed in ways.items():
        tap.check(passed, f"construction from {name}")


def test_conversion(tap, kael, rng):
    ways = {}
    for matrix, orientation in cases(rng, ("f8", "i2", "u1")):
        made = kael.from_compressed(orientation, matrix)

        def check(name, passed):
            ways[name] = ways.get(name, True) and passed

        def arrays_of(name, *arguments):
            return kael.arrays(kael.matrix_from(name, made.pointer, *arguments))

        own = kael.arrays(made)
        csc = in_orientation(matrix, VCSC)
        check("CSC", same_compressed(kael.tensors_from("vcs_to_csc", 3, made.pointer), csc))
        check("CSR", same_compressed(kael.tensors_from("vcs_to_csr", 3, made.pointer), matrix))
        coo = in_orientation(matrix, orientation).tocoo()
        check("COO", same_arrays(kael.tensors_from("vcs_to_coo", 3, made.pointer),
                                 [coo.row, coo.col, coo.data]))
        check("dense", same(kael.tensors_from("vcs_to_dense", 1, made.pointer)[0],
                            matrix.toarray()))
        check("copy", same_arrays(arrays_of("vcs_copy"), own))
        for other in (VCSC, VCSR):
            check("orientation", same_arrays(arrays_of("vcs_to_orientation", other),
                                             grouped(in_orientation(matrix, other))))
        turned = kael.matrix_from("vcs_transpose", made.pointer)
        check("transpose", kael.shape(turned) == matrix.shape[::-1]
              and same_arrays(kael.arrays(turned), own)
              and kael.lib.kael_vcs_get_orientation(turned.pointer) == 1 - orientation)
        for code, dtype in ((3, "i4"), (11, "f4"), (1, "i1"), (0, "bool")):
            cast = in_orientation(matrix, orientation)
            cast.data = cast.data.astype(dtype)
            check("cast to " + dtype,
                  same_arrays(arrays_of("vcs_to_dtype", code), grouped(cast)))
    for name, passed in ways.items():
        tap.check(passed, "conversion: " + name)


def test_duplicates(tap, kael, rng):
    passed = True
    for dtype in NUMBERS:
        rows, columns = rng.integers(0, 6, 200).astype("i4"), rng.integers(0, 4, 200).astype("i4")
        values = rng.integers(0, 100, 200).astype(dtype)
        dense = np.zeros((6, 4), dtype)
        np.add.at(dense, (rows, columns), values)
        made = kael.from_coo(VCSC, (6, 4), rows, columns, values)
        passed &= same(kael.tensors_from("vcs_to_dense", 1, made.pointer)[0], dense)
    tap.check(passed, "duplicates are summed in their dtype")


def test_special_values(tap, kael, rng):
    data = np.array([np.nan, 0.0, -0.0, np.inf, -np.inf, 0.0, -0.0, 1.0])
    matrix = sparse.csr_matrix((data, np.arange(8, dtype="i4"), np.array([0, 8], "i4")), (1, 8))
    made = kael.from_compressed(VCSR, matrix)
    _, values, value_ptr, indices = kael.arrays(made)
    tap.check(same(values, np.array([-np.inf, -0.0, 0.0, 1.0, np.inf, np.nan]))
              and value_ptr.tolist() == [0, 1, 3, 5, 6, 7, 8]
              and indices.tolist() == [4, 2, 6, 1, 5, 7, 3, 0],
              "zeros of both signs, infinities and NaN are values of their own")
    many = sparse.csc_matrix(rng.random((3000, 2)))
    tap.check(same_arrays(kael.arrays(kael.from_compressed(VCSC, many)), grouped(many)),
              "thousands of distinct values")


def refused(kael, status, text, make):
    try:
        make()
    except KaelError as error:
        return error.status == status and text in str(error)
    return False


def test_bad_arrays(tap, kael, rng):
    good = [np.array([0, 2, 3]), np.array([1.0, 2.0, 5.0]), np.array([0, 2, 3, 4]),
            np.array([0, 3, 1, 2], "i4")]
    passed = True
    for which, array, status, text in (
        (0, np.array([1, 2, 3]), VALUE, "start at 0"),
        (0, np.array([0, 3, 2]), VALUE, "not decrease"),
        (0, np.array([0, 2, 2]), VALUE, "end with"),
        (0, np.array([0, 2, 3, 3]), SHAPE, "major_ptr"),
        (0, np.array([0, 2, 3], "i4"), DTYPE, "major_ptr"),
        (1, np.array([2.0, 2.0, 5.0]), VALUE, "distinct"),
        (1, np.array([2.0, 1.0, 5.0]), VALUE, "ascend"),
        (1, np.array([1.0, 2.0]), SHAPE, "value_ptr"),
        (2, np.array([0, 2, 2, 4]), VALUE, "ascend"),
        (2, np.array([0, 2, 3, 5]), VALUE, "end with"),
        (3, np.array([0, 4, 1, 2], "i4"), INDEX, "got 4 at 1"),
        (3, np.array([0, -1, 1, 2], "i4"), INDEX, "got -1 at 1"),
        (3, np.array([0, 2 ** 32 + 1, 1, 2]), INDEX, "at 1"),
        (3, np.array([3, 0, 1, 2], "i4"), VALUE, "got 0 after 3 at 1"),
        (3, np.array([0, 3, 3, 2], "i4"), VALUE, "repeat"),
        (3, np.array([0, 3, 1, 2], "f4"), DTYPE, "indices"),
    ):
        bad = [array if i == which else a for i, a in enumerate(good)]
        passed &= refused(kael, status, text,
                          lambda: kael.from_arrays(VCSC, (4, 2), *bad)) or print("#", text)
    kael.from_arrays(VCSC, (4, 2), *good)
    tap.check(bool(passed), "arrays that break a rule are refused with the entry")


def test_bad_slices(tap, kael, rng):
    class Slices:
        def __init__(self, indptr, indices, data, shape=(4, 2)):
            self.format, self.shape = "csc", shape
            self.indptr, self.indices, self.data = indptr, indices, data

    ptr, indices, data = np.array([0, 2, 3], "i4"), np.array([0, 3, 1], "i4"), np.ones(3)
    passed = True
    for slices, status, text in (
        (Slices(np.array([0, 3, 2], "i4"), indices, data), VALUE, "column_ptr must not decrease"),
        (Slices(np.array([0, 2, 4], "i4"), indices, data), VALUE, "end with"),
        (Slices(np.array([0, 2], "i4"), indices, data), SHAPE, "column_ptr"),
        (Slices(ptr, np.array([0, 4, 1], "i4"), data), INDEX, "row_indices"),
        (Slices(ptr, np.array([0, 2 ** 32, 1]), data), INDEX, "got 4294967296 at 1"),
        (Slices(ptr, np.array([3, 3, 1], "i4"), data), VALUE, "ascend"),
        (Slices(ptr, indices, np.ones(2)), SHAPE, "row_indices"),
        (Slices(ptr, indices, data, (-1, 2)), SHAPE, "rows"),
    ):
        passed &= refused(kael, status, text,
                          lambda: kael.from_compressed(VCSR, slices)) or print("#", text)
    passed &= refused(kael, INDEX, "column_indices",
                      lambda: kael.from_coo(VCSC, (4, 2), indices, np.array([0, 1, 2], "i4"), data))
    passed &= refused(kael, SHAPE, "row_indices",
                      lambda: kael.from_coo(VCSC, (4, 2), indices[:2], indices, data))
    passed &= refused(kael, VALUE, "orientation", lambda: kael.from_dense(2, np.ones((2, 2))))
    passed &= refused(kael, SHAPE, "dense", lambda: kael.from_dense(VCSC, np.ones(2)))
    tap.check(bool(passed), "slices and coordinates that break a rule are refused")


def main():
    kael = Kael(sys.argv[1])
    tap = Tap()
    for test in (test_construction, test_conversion, test_duplicates, test_special_values,
                 test_bad_arrays, test_bad_slices):
        test(tap, kael, np.random.default_rng(5))
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
