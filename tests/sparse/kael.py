"""libkael's sparse matrices through ctypes, with NumPy arrays in and out."""

import ctypes

import numpy as np

DTYPES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", None, "f4", "f8"]
CODES = {np.dtype(name): code for code, name in enumerate(DTYPES) if name}
VCSC, VCSR = 0, 1


class KaelError(Exception):
    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status


class Kael:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.kael_last_error_message.restype = ctypes.c_char_p
        for name in ("tensor_data", "tensor_shape", "tensor_strides", "vcs_major_ptr", "vcs_values",
                     "vcs_value_ptr", "vcs_indices"):
            getattr(self.lib, "kael_" + name).restype = ctypes.c_void_p
        for name in ("tensor_ndim", "tensor_numel", "vcs_rows", "vcs_columns", "vcs_nnz",
                     "vcs_nbytes"):
            getattr(self.lib, "kael_" + name).restype = ctypes.c_int64

    def call(self, name, *arguments):
        status = getattr(self.lib, "kael_" + name)(*arguments)
        if status != 0:
            raise KaelError(status, self.lib.kael_last_error_message().decode())

    def tensor(self, array):
        """A tensor on the array's memory, which must outlive it."""
        size = array.itemsize
        out = ctypes.c_void_p()
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(s // size for s in array.strides))
        self.call("tensor_wrap", ctypes.byref(out), CODES[array.dtype], ctypes.c_int64(array.ndim),
                  shape, strides, ctypes.c_void_p(array.ctypes.data), None, None)
        return Owned(self, "tensor", out, array)

    def view(self, tensor):
        """A copy of a tensor's elements; the tensor is an address."""
        tensor = ctypes.c_void_p(tensor) if isinstance(tensor, int) else tensor
        ndim = self.lib.kael_tensor_ndim(tensor)
        dtype = np.dtype(DTYPES[self.lib.kael_tensor_dtype(tensor)])
        shape = list((ctypes.c_int64 * ndim).from_address(self.lib.kael_tensor_shape(tensor))) \
            if ndim else []
        count = self.lib.kael_tensor_numel(tensor)
        if count == 0:
            return np.zeros(shape, dtype)
        data = ctypes.string_at(self.lib.kael_tensor_data(tensor), count * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(shape).copy()

    def tensors_from(self, name, count, *arguments):
        """The results of a function that makes `count` tensors."""
        outs = [ctypes.c_void_p() for _ in range(count)]
        self.call(name, *(ctypes.byref(out) for out in outs), *arguments)
        owned = [Owned(self, "tensor", out) for out in outs]
        return [self.view(result.pointer) for result in owned]

    def matrix_from(self, name, *arguments):
        out = ctypes.c_void_p()
        self.call(name, ctypes.byref(out), *arguments)
        return Owned(self, "vcs", out)

    # ---- matrices ----

    def from_compressed(self, orientation, matrix):
        """From scipy's CSC or CSR."""
        arrays = [self.tensor(a) for a in (matrix.indptr, matrix.indices, matrix.data)]
        return self.matrix_from("vcs_from_" + matrix.format, orientation,
                                *map(ctypes.c_int64, matrix.shape), *(a.pointer for a in arrays))

    def from_coo(self, orientation, shape, rows, columns, values):
        arrays = [self.tensor(a) for a in (rows, columns, values)]
        return self.matrix_from("vcs_from_coo", orientation, *map(ctypes.c_int64, shape),
                                *(a.pointer for a in arrays))

    def from_arrays(self, orientation, shape, *arrays):
        tensors = [self.tensor(a) for a in arrays]
        matrix = self.matrix_from("vcs_from_arrays", orientation, *map(ctypes.c_int64, shape),
                                  *(t.pointer for t in tensors))
        matrix.keeps = arrays
        return matrix

    def from_dense(self, orientation, dense):
        tensor = self.tensor(dense)
        return self.matrix_from("vcs_from_dense", orientation, tensor.pointer)

    def arrays(self, matrix):
        return [self.view(getattr(self.lib, "kael_vcs_" + name)(matrix.pointer))
                for name in ("major_ptr", "values", "value_ptr", "indices")]

    def shape(self, matrix):
        return (self.lib.kael_vcs_rows(matrix.pointer), self.lib.kael_vcs_columns(matrix.pointer))


class Owned:
    """A pointer that is released with this object."""

    def __init__(self, kael, kind, pointer, keeps=None):
        self.kael, self.kind, self.pointer, self.keeps = kael, kind, pointer, keeps

    def __del__(self):
        getattr(self.kael.lib, f"kael_{self.kind}_release")(self.pointer)
