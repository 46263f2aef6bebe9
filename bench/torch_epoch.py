#!/usr/bin/python3
"""Times training epochs of the network of bench/fashion_mnist in PyTorch.

The same 784-256-10 network, batches, optimiser and amount of work: all images in memory as f32, a
batch gathered with index_select, forward, mean cross entropy, backward, one step of SGD with
momentum whose learning rate falls linearly to zero.
"""

import argparse
import gzip
import os
import re
import struct
import sys
import time


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1, help="threads to use (default 1)")
    parser.add_argument("--epochs", type=int, default=1, help="timed epochs (default 1)")
    parser.add_argument("--batch", type=int, default=64, help="images in a step (default 64)")
    parser.add_argument("--data", default="/usr/share/datasets/fashion-mnist",
                        help="directory of the data (default %(default)s)")
    arguments = parser.parse_args()
    for name in ("threads", "epochs", "batch"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name} must be at least 1")
    return arguments


def read_idx(directory, name):
    path = os.path.join(directory, name)
    try:
        with gzip.open(path) as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"torch_epoch.py: cannot read {path}: {error}")
    dimensions = data[3]
    shape = struct.unpack(f">{dimensions}I", data[4:4 + 4 * dimensions])
    return torch.frombuffer(bytearray(data), dtype=torch.uint8,
                            offset=4 + 4 * dimensions).reshape(shape)


def loaded_blas():
    """The file of the BLAS that this process runs, from its own memory map."""
    with open("/proc/self/maps", encoding="ascii") as maps:
        files = {line.split()[-1] for line in maps if "/" in line}
    found = sorted(file for file in files if re.search(r"/lib(blas|openblas|blis|mkl)", file))
    return " ".join(found) or "its own"


def train_epoch(network, optimiser, images, labels, batch, first_step, steps, learning_rate):
    loss_function = torch.nn.CrossEntropyLoss()
    order = torch.randperm(len(images))
    total = 0.0
    for step, first in enumerate(range(0, len(images), batch)):
        rows = order[first:first + batch]
        for group in optimiser.param_groups:
            group["lr"] = learning_rate * (1 - (first_step + step) / steps)
        optimiser.zero_grad(set_to_none=True)
        loss = loss_function(network(images.index_select(0, rows)), labels.index_select(0, rows))
        loss.backward()
        optimiser.step()
        total += loss.item() * len(rows)
    return total / len(images)


def main():
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    images = read_idx(arguments.data, "train-images-idx3-ubyte.gz").flatten(1).float() / 255
    labels = read_idx(arguments.data, "train-labels-idx1-ubyte.gz").long()
    network = torch.nn.Sequential(torch.nn.Linear(images.shape[1], 256), torch.nn.ReLU(),
                                  torch.nn.Linear(256, 10))
    optimiser = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9)
    per_epoch = -(-len(images) // arguments.batch)
    steps = per_epoch * arguments.epochs
    network(images[:arguments.batch])
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, BLAS {loaded_blas()}")
    for epoch in range(arguments.epochs):
        start = time.perf_counter()
        loss = train_epoch(network, optimiser, images, labels, arguments.batch, epoch * per_epoch,
                           steps, 0.05)
        seconds = time.perf_counter() - start
        print(f"epoch {epoch + 1}  loss {loss:.4f}  time {seconds:.3f} s  "
              f"{len(images) / seconds:.0f} images/s", flush=True)


arguments = parse_arguments()
try:
    import torch
except ImportError:
    sys.exit("torch_epoch.py: no PyTorch for this Python; install Debian's python3-torch and run "
             "it with /usr/bin/python3")
main()
