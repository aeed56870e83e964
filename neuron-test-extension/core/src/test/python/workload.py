"""Executes a NEFF repeatedly until a file exists.

The content "close" of the file closes the runtime before the end of the program, when all prints have been read.
"""

import ctypes
import multiprocessing
import os
import sys
import time


def unread():
    """Yields the number of unread prints of each debug stream of this process, which its eventfd counts."""
    for descriptor in os.listdir("/proc/self/fdinfo"):
        try:
            with open("/proc/self/fdinfo/" + descriptor) as file:
                for line in file:
                    if line.startswith("eventfd-count:"):
                        yield int(line.split()[1], 16)
        except OSError:
            pass


def work(library, neff, stop):
    runtime = ctypes.CDLL(library)
    assert runtime.nrt_init(1, b"", b"") == 0
    with open(neff, "rb") as file:
        content = file.read()
    model = ctypes.c_void_p()
    assert runtime.nrt_load(content, ctypes.c_size_t(len(content)), 0, -1, ctypes.byref(model)) == 0
    inputs, outputs = ctypes.c_void_p(), ctypes.c_void_p()
    assert runtime.nrt_allocate_tensor_set(ctypes.byref(inputs)) == 0
    assert runtime.nrt_allocate_tensor_set(ctypes.byref(outputs)) == 0
    while not os.path.exists(stop):
        assert runtime.nrt_execute(model, inputs, outputs) == 0
    with open(stop) as file:
        if file.read() == "close":
            while any(unread()):
                time.sleep(0.01)
            runtime.nrt_unload(model)
            runtime.nrt_close()


if __name__ == "__main__":
    how, arguments = sys.argv[1], sys.argv[2:]
    if how == "here":
        work(*arguments)
    else:
        child = multiprocessing.get_context(how).Process(target=work, args=arguments)
        child.start()
        child.join()
        sys.exit(child.exitcode)
