"""libkael.so and the timing loops of tensor_loops.c, through ctypes."""

import ctypes
import pathlib

import numpy

from .contest import Contestant

DTYPES = {
    "bool": 0, "int8": 1, "int16": 2, "int32": 3, "int64": 4, "uint8": 5, "uint16": 6, "uint32": 7,
    "uint64": 8, "float16": 9, "float32": 11, "float64": 12,
}
NUMPY_DTYPES = {number: name for name, number in DTYPES.items()}

(UNARY, UNARY_INTO, BINARY, BINARY_INTO, CONVERT, VIEW, REDUCE, VARIANCE, ARG, INDEX,
 RANDOM_FLOATS_INTO, RANDOM_INTEGERS_INTO, PERMUTATION, ALONG, LOSS, LOSS_GRADIENT,
 LAYER_NORM) = range(17)
STREAM_COPY, STREAM_RELU, STREAM_ADD, STREAM_CAST, STREAM_READ = range(5)

ALL_DIMS = -2**63


class TensorCall(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int64), ("function", ctypes.c_void_p), ("out", ctypes.c_void_p),
        ("a", ctypes.c_void_p), ("b", ctypes.c_void_p), ("generator", ctypes.c_void_p),
        ("number", ctypes.c_int64),
    ]


class StreamLoop(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int64), ("past_caches", ctypes.c_int64), ("threads", ctypes.c_int64),
        ("count", ctypes.c_int64), ("a", ctypes.c_void_p), ("b", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
    ]


class Tensor:
    """A handle that releases its tensor."""

    def __init__(self, kael, handle):
        self.kael = kael
        self.handle = handle

    def __del__(self):
        self.kael.functions.kael_tensor_release(self.handle)

    def numpy(self):
        """The elements as an array, without a copy; keeps the tensor."""
        library = self.kael.functions
        ndim = library.kael_tensor_ndim(self.handle)
        dtype = numpy.dtype(NUMPY_DTYPES[library.kael_tensor_dtype(self.handle)])
        shape = library.kael_tensor_shape(self.handle)[:ndim]
        strides = [step * dtype.itemsize for step in library.kael_tensor_strides(self.handle)[:ndim]]
        if 0 in shape:
            return numpy.empty(shape, dtype)
        extent = sum((size - 1) * step for size, step in zip(shape, strides)) + dtype.itemsize
        memory = (ctypes.c_char * extent).from_address(library.kael_tensor_data(self.handle))
        memory.tensor = self
        return numpy.ndarray(shape, dtype, memory, 0, strides)


class Kael:
    def __init__(self, build):
        build = pathlib.Path(build)
        self.functions = ctypes.CDLL(self.find(build / "lib", "libkael.so"))
        self.loops = ctypes.CDLL(self.find(build / "bench", "libkael_tensor_loops.so"))
        self.functions.kael_last_error_message.restype = ctypes.c_char_p
        self.functions.kael_version.restype = ctypes.c_char_p
        self.functions.kael_cpu_isa.restype = ctypes.c_char_p
        for name in ("kael_tensor_ndim", "kael_tensor_numel"):
            self.inspector(name, ctypes.c_int64)
        self.inspector("kael_tensor_dtype", ctypes.c_int)
        self.inspector("kael_tensor_shape", ctypes.POINTER(ctypes.c_int64))
        self.inspector("kael_tensor_strides", ctypes.POINTER(ctypes.c_int64))
        self.inspector("kael_tensor_data", ctypes.c_void_p)
        self.inspector("kael_tensor_release", None)
        for name in ("time_calls", "time_stream", "time_malloc", "time_tensor_empty"):
            getattr(self.loops, name).restype = ctypes.c_double
        self.loops.time_calls.argtypes = [ctypes.POINTER(TensorCall), ctypes.c_int64]
        self.loops.result_of_call.restype = ctypes.c_void_p
        self.loops.result_of_call.argtypes = [ctypes.POINTER(TensorCall)]
        self.loops.time_stream.argtypes = [ctypes.POINTER(StreamLoop), ctypes.c_int64]
        for name in ("time_malloc", "time_tensor_empty"):
            getattr(self.loops, name).argtypes = [ctypes.c_int64, ctypes.c_int, ctypes.c_int64]
        generator = ctypes.c_void_p()
        self.check(self.functions.kael_generator_create(ctypes.byref(generator), ctypes.c_uint64(1)))
        self.generator = generator

    @staticmethod
    def find(folder, name):
        path = folder / name
        if not path.exists():
            raise SystemExit(f"tensor_ratio.py: there is no {path}; build kael with "
                             "-Dbenchmarks=true and pass its folder as --build")
        return str(path)

    def inspector(self, name, result):
        function = getattr(self.functions, name)
        function.restype = result
        function.argtypes = [ctypes.c_void_p]

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.functions.kael_last_error_message().decode())

    def set_threads(self, count):
        self.check(self.functions.kael_set_num_threads(ctypes.c_int64(count)))

    def threads(self):
        count = ctypes.c_int64()
        self.check(self.functions.kael_get_num_threads(ctypes.byref(count)))
        return count.value

    def tensor(self, array):
        """A new tensor with the elements of an array; it is contiguous."""
        array = numpy.ascontiguousarray(array)
        out = ctypes.c_void_p()
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.check(self.functions.kael_tensor_from_data(
            ctypes.byref(out), DTYPES[array.dtype.name], ctypes.c_int64(array.ndim), shape,
            ctypes.c_void_p(array.ctypes.data)))
        return Tensor(self, out)

    def transposed(self, tensor):
        out = ctypes.c_void_p()
        self.check(self.functions.kael_tensor_transpose(
            ctypes.byref(out), tensor.handle, ctypes.c_int64(0), ctypes.c_int64(1)))
        return Tensor(self, out)

    def leaf(self, array):
        """A new tensor that gets gradients."""
        tensor = self.tensor(array)
        self.check(self.functions.kael_tensor_set_requires_grad(
            ctypes.c_void_p(tensor.handle.value), ctypes.c_bool(True)))
        return tensor

    def call(self, kind, function, a=None, b=None, out=None, number=0):
        """A call to repeat; keeps its operands."""
        handle = [tensor.handle if tensor is not None else None for tensor in (out, a, b)]
        address = ctypes.cast(getattr(self.functions, function), ctypes.c_void_p)
        call = TensorCall(kind, address, *handle, self.generator, number)
        call.operands = (a, b, out)
        return call

    def run(self, call, repeats):
        seconds = self.loops.time_calls(ctypes.byref(call), repeats)
        if seconds < 0:
            raise RuntimeError(self.functions.kael_last_error_message().decode())
        return seconds

    def result(self, call):
        handle = self.loops.result_of_call(ctypes.byref(call))
        if not handle:
            raise RuntimeError(self.functions.kael_last_error_message().decode())
        return Tensor(self, handle).numpy()

    def contestant(self, call, name="kael"):
        return Contestant(name, lambda repeats: self.run(call, repeats))

    def stream(self, name, kind, threads, a, b=None, out=None, past_caches=False):
        """A hand-written loop over the memory of arrays."""
        addresses = [array.ctypes.data if array is not None else None for array in (a, b, out)]
        loop = StreamLoop(kind, past_caches, threads, a.size, *addresses)
        loop.arrays = (a, b, out)

        def run(repeats):
            seconds = self.loops.time_stream(ctypes.byref(loop), repeats)
            return None if seconds < 0 else seconds

        return Contestant(name, run)
