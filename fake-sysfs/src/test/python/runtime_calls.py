"""A workload that calls the library by ctypes alone: python3 runtime_calls.py LIBRARY NEFF

Executes the NEFF once and prints its output and the prints of its kernel.
"""

import ctypes
import select
import struct
import sys


def check(status, call):
    if status != 0:
        sys.exit(f"{call}: {status}")


nrt = ctypes.CDLL(sys.argv[1])
free = ctypes.CDLL(None).free
free.argtypes = [ctypes.c_void_p]
free.restype = None

check(nrt.nrt_init(1, b"", b""), "nrt_init")
with open(sys.argv[2], "rb") as file:
    neff = file.read()
model = ctypes.c_void_p()
check(nrt.nrt_load(neff, ctypes.c_size_t(len(neff)), 0, 1, ctypes.byref(model)), "nrt_load")

# Count, then an array of 296 bytes each: name, usage, size, dtype, shape, dimensions.
infos = ctypes.c_void_p()
check(nrt.nrt_get_model_tensor_info(model, ctypes.byref(infos)), "nrt_get_model_tensor_info")
(count,) = struct.unpack("<Q", ctypes.string_at(infos, 8))
sets = [ctypes.c_void_p(), ctypes.c_void_p()]
tensors = {}
for each in sets:
    check(nrt.nrt_allocate_tensor_set(ctypes.byref(each)), "nrt_allocate_tensor_set")
for i in range(count):
    raw = ctypes.string_at(infos.value + 8 + 296 * i, 296)
    name = raw[:256].split(b"\0")[0]
    usage, size = struct.unpack_from("<I4xQ", raw, 256)
    tensor = ctypes.c_void_p()
    check(nrt.nrt_tensor_allocate(0, 0, ctypes.c_size_t(size), name, ctypes.byref(tensor)), "nrt_tensor_allocate")
    check(nrt.nrt_add_tensor_to_tensor_set(sets[usage], name, tensor), "nrt_add_tensor_to_tensor_set")
    tensors[name.decode()] = (tensor, size)
nrt.nrt_free_model_tensor_info(infos)

stream = ctypes.c_int()
check(nrt.nrt_debug_client_connect(0, ctypes.byref(stream)), "nrt_debug_client_connect")
waiting = select.epoll()
waiting.register(stream.value, select.EPOLLIN)

check(nrt.nrt_execute(model, sets[0], sets[1]), "nrt_execute")

tensor, size = tensors["c"]
content = ctypes.create_string_buffer(size)
check(nrt.nrt_tensor_read(tensor, content, ctypes.c_size_t(0), ctypes.c_size_t(size)), "nrt_tensor_read")
print("c", struct.unpack(f"<{size // 4}f", content.raw))

while waiting.poll(0):
    header = ctypes.create_string_buffer(64)
    payload = ctypes.c_void_p()
    check(nrt.nrt_debug_client_read_one_event(stream, header, ctypes.byref(payload)), "read")
    (size,) = struct.unpack_from("<Q", header.raw)
    event = ctypes.string_at(payload, size)
    free(payload)
    print(event[:512].split(b"\0")[0].decode(), event[520:536].split(b"\0")[0].decode(), event[1024:].hex())

nrt.nrt_debug_client_connect_close(stream)
nrt.nrt_close()
