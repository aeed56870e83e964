#!/usr/bin/env python3
"""Stands in for a program with an NKI kernel that prints from the device, such as one with nki.language.device_print.

    NKI_SIMULATOR=1 python3 nki_kernel.py       simulates the kernel: prints to standard output, needs no core
    python3 nki_kernel.py                       runs it on the cores of NEURON_RT_VISIBLE_CORES of a fake host

The kernel adds up the rows of a tile in four steps, and prints the sum after each. The device computes in bfloat16, the
simulation in full precision, so that their sums differ a little. On hardware, -Dexamples.kernel=FILE
names the program with the genuine kernel. Prints of the simulation have the form of NumPy, abbreviated above 1,000 values. Prints of the device
are files below NEURON_RT_DEBUG_OUTPUT_DIR, as the consumers of frameworks write them.
"""

import os
import struct
import sys

from fake_workload import Refused, Runtime

ROWS, COLUMNS, STEPS, EDGE = 128, 16, 4, 3


def bfloat16(value):
    """Rounds to the nearest bfloat16, and returns its bits."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def rounded(value):
    return struct.unpack("<f", struct.pack("<I", bfloat16(value) << 16))[0]


def kernel(device_print, precision):
    tile = [[precision((row * COLUMNS + column) / 1000) for column in range(COLUMNS)] for row in range(ROWS)]
    device_print("tile", tile)
    acc = [0.0] * COLUMNS
    for step in range(STEPS):
        for row in tile[step * ROWS // STEPS:(step + 1) * ROWS // STEPS]:
            acc = [sum_so_far + value for sum_so_far, value in zip(acc, row)]
        acc = [precision(value) for value in acc]
        device_print("acc", [acc])


def shown(items, many):
    """Joins items, with dots for the middle ones if there are many."""
    return items[:EDGE] + ["..."] + items[-EDGE:] if many and len(items) > 2 * EDGE else items


def print_simulated(prefix, tensor):
    many = len(tensor) * len(tensor[0]) > 1000
    rows = ["[" + " ".join(shown(["%.4f" % value for value in row], many)) + "]" for row in tensor]
    print(prefix, "[" + "\n ".join(shown(rows, many)) + "]", flush=True)


def printer_to_files(folder):
    iterations = {}

    def device_print(prefix, tensor):
        number = iterations.setdefault(prefix, 0)
        iterations[prefix] += 1
        leaf = os.path.join(folder, prefix, "core_0", str(number))
        os.makedirs(leaf)
        data = b"".join(struct.pack("<H", bfloat16(value)) for row in tensor for value in row)
        with open(os.path.join(leaf, "tensor_data.bin"), "wb") as file:
            file.write(data)
        with open(os.path.join(leaf, "metadata.txt"), "w") as file:
            file.write("dtype = bfloat16\nshape = (%d, %d)\ndata_size = %d\n" % (len(tensor), len(tensor[0]), len(data)))

    return device_print


def main():
    if os.environ.get("NKI_SIMULATOR") == "1":
        print("simulating for", os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE", "the default target"))
        kernel(print_simulated, lambda value: value)
        return 0
    try:
        runtime = Runtime(os.environ)
        runtime.load()
        runtime.execute()
        kernel(printer_to_files(os.environ["NEURON_RT_DEBUG_OUTPUT_DIR"]), rounded)
        runtime.close()
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
