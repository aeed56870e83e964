#!/usr/bin/env python3
"""Executes a NEFF with the Neuron runtime, without a framework.

    python3 execute_neff.py [--times N] NEFF

The runtime library is that of the environment: LD_LIBRARY_PATH, or /opt/aws/neuron/lib. Inputs are zeros.
"""

import argparse
import ctypes
import struct

SIZE_OF_INFO = 296  # name, usage, size, type and shape of a tensor


def check(status, call):
    if status != 0:
        raise SystemExit(f"{call} returned {status}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("neff")
    arguments = parser.parse_args()
    try:
        nrt = ctypes.CDLL("libnrt.so.1")
    except OSError:
        nrt = ctypes.CDLL("/opt/aws/neuron/lib/libnrt.so.1")
    check(nrt.nrt_init(1, b"", b""), "nrt_init")
    with open(arguments.neff, "rb") as file:
        neff = file.read()
    model = ctypes.c_void_p()
    check(nrt.nrt_load(neff, ctypes.c_size_t(len(neff)), 0, 1, ctypes.byref(model)), "nrt_load")
    inputs, outputs = tensor_sets(nrt, model)
    for _ in range(arguments.times):
        check(nrt.nrt_execute(model, inputs, outputs), "nrt_execute")
    check(nrt.nrt_unload(model), "nrt_unload")
    nrt.nrt_close()
    print(f"executed {arguments.times} times")


def tensor_sets(nrt, model):
    """Allocates the tensors that the model declares, and puts them into a set for inputs and one for outputs."""
    infos = ctypes.c_void_p()
    check(nrt.nrt_get_model_tensor_info(model, ctypes.byref(infos)), "nrt_get_model_tensor_info")
    (count,) = struct.unpack("<Q", ctypes.string_at(infos, 8))
    sets = [ctypes.c_void_p(), ctypes.c_void_p()]
    for each in sets:
        check(nrt.nrt_allocate_tensor_set(ctypes.byref(each)), "nrt_allocate_tensor_set")
    for i in range(count):
        info = ctypes.string_at(infos.value + 8 + SIZE_OF_INFO * i, SIZE_OF_INFO)
        name = info[:256].split(b"\0")[0]
        usage, size = struct.unpack_from("<I4xQ", info, 256)
        tensor = ctypes.c_void_p()
        check(nrt.nrt_tensor_allocate(0, 0, ctypes.c_size_t(size), name, ctypes.byref(tensor)), "nrt_tensor_allocate")
        check(nrt.nrt_add_tensor_to_tensor_set(sets[usage], name, tensor), "nrt_add_tensor_to_tensor_set")
    nrt.nrt_free_model_tensor_info(infos)
    return sets


if __name__ == "__main__":
    main()
