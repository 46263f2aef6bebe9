#!/usr/bin/python3
"""Times training epochs of the network of bench/fashion_mnist in PyTorch.

The same 784-256-10 network, batches, optimiser and amount of work: all images in memory as f32, a
batch gathered with index_select, forward, mean cross entropy, backward, one step of SGD with
momentum whose learning rate falls linearly to zero.

PyTorch gets the fastest BLAS that Debian has for it: OpenBLAS's OpenMP build, where it is
installed, with the kernels of the newest instruction set that the processor has. (OpenBLAS takes
processors newer than itself for an old Pentium 4.) LD_LIBRARY_PATH and OPENBLAS_CORETYPE, if set,
are left as they are. The first line says which BLAS really runs.
"""

import argparse
import ctypes
import glob
import gzip
import os
import re
import struct
import sys
import time

BLAS_FOLDERS = "/usr/lib/*/openblas-openmp"
OLD_CORES = {"Prescott", "Core2", "Penryn", "Dunnington", "Atom", "Nehalem", "Generic", "Unknown"}


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--threads", type=int, default=1, help="threads to use (default 1)")
    parser.add_argument("--epochs", type=int, default=1, help="timed epochs (default 1)")
    parser.add_argument("--batch", type=int, default=64, help="images in a step (default 64)")
    parser.add_argument(
        "--data", default="/usr/share/datasets/fashion-mnist",
        help="directory of the data (default %(default)s)",
    )
    arguments = parser.parse_args()
    for name in ("threads", "epochs", "batch"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} must be at least 1")
    return arguments


def restart_with_openmp_openblas():
    """The loader reads LD_LIBRARY_PATH only when a process starts."""
    folders = glob.glob(BLAS_FOLDERS)
    if folders and "LD_LIBRARY_PATH" not in os.environ:
        os.environ["LD_LIBRARY_PATH"] = folders[0]
        os.execv(sys.executable, [sys.executable, *sys.argv])


def openblas_core(file):
    """The kernels that a loaded OpenBLAS has chosen; None for another library."""
    try:
        name_of = ctypes.CDLL(file).openblas_get_corename
    except (OSError, AttributeError):
        return None
    name_of.restype = ctypes.c_char_p
    return name_of().decode()


def best_core():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        flags = set(re.findall(r"\w+", re.search(r"^flags.*$|\Z", file.read(), re.M).group()))
    if {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= flags:
        return "SkylakeX"
    return "Haswell" if {"avx2", "fma"} <= flags else None


def restart_with_new_kernels():
    """OpenBLAS chooses its kernels when it is loaded, so a wrong choice needs another process."""
    core = best_core()
    if core and "OPENBLAS_CORETYPE" not in os.environ and openblas_core("libblas.so.3") in OLD_CORES:
        os.environ["OPENBLAS_CORETYPE"] = core
        os.execv(sys.executable, [sys.executable, *sys.argv])


def loaded_blas():
    """The BLAS that this process runs, by its own memory map."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        files = {line.split()[-1] for line in maps if "/" in line}
    found = sorted(file for file in files if re.search(r"/lib(blas|openblas|blis|mkl)[^/]*$", file))
    cores = {openblas_core(file) for file in found} - {None}
    return " ".join(found + [f"({core} kernels)" for core in sorted(cores)]) or "its own BLAS"


def read_idx(directory, name):
    path = os.path.join(directory, name)
    try:
        with gzip.open(path) as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"torch_epoch.py: cannot read {path}: {error}")
    start = 4 + 4 * data[3]
    shape = struct.unpack(f">{data[3]}I", data[4:start])
    return torch.frombuffer(bytearray(data), dtype=torch.uint8, offset=start).reshape(shape)


def train_epoch(network, optimiser, images, labels, batch, learning_rates):
    loss_function = torch.nn.CrossEntropyLoss()
    order = torch.randperm(len(images))
    total = 0.0
    for first, learning_rate in zip(range(0, len(images), batch), learning_rates):
        rows = order[first:first + batch]
        optimiser.param_groups[0]["lr"] = learning_rate
        optimiser.zero_grad(set_to_none=True)
        loss = loss_function(network(images.index_select(0, rows)), labels.index_select(0, rows))
        loss.backward()
        optimiser.step()
        total += loss.item() * len(rows)
    return total / len(images)


def main(arguments):
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    images = read_idx(arguments.data, "train-images-idx3-ubyte.gz").flatten(1).float() / 255
    labels = read_idx(arguments.data, "train-labels-idx1-ubyte.gz").long()
    network = torch.nn.Sequential(
        torch.nn.Linear(images.shape[1], 256), torch.nn.ReLU(), torch.nn.Linear(256, 10)
    )
    optimiser = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    network(images[:arguments.batch])
    print(f"PyTorch {torch.__version__}, threads: {torch.get_num_threads()}, BLAS {loaded_blas()}")
    per_epoch = -(-len(images) // arguments.batch)
    for epoch in range(arguments.epochs):
        rates = (
            0.05 * (1 - (epoch + step / per_epoch) / arguments.epochs) for step in range(per_epoch)
        )
        start = time.perf_counter()
        loss = train_epoch(network, optimiser, images, labels, arguments.batch, rates)
        seconds = time.perf_counter() - start
        print(
            f"epoch {epoch + 1}  loss {loss:.4f}  time {seconds:.3f} s  "
            f"{len(images) / seconds:.0f} images/s", flush=True,
        )


if __name__ == "__main__":
    ARGUMENTS = parse_arguments()
    restart_with_openmp_openblas()
    restart_with_new_kernels()
    try:
        import torch
    except ImportError:
        sys.exit("torch_epoch.py: this Python has no PyTorch; install Debian's python3-torch and "
                 "run it with /usr/bin/python3")
    main(ARGUMENTS)
