"""The functions of libnrt that nrtpy needs, called by ctypes."""

import ctypes
import itertools
import struct
import weakref

SONAME = "libnrt.so.1"
FIRST_VERSION = (2, 34)
SIZE_OF_VERSION = 224
SIZE_OF_INFO = 296
NO_FRAMEWORK = 1
ON_DEVICE = 0
EACH_CORE = 1
HW_ERROR = 6

# The data types of libnrt as NumPy names them. It has no bfloat16, and nrtpy has no type for float16: both are bytes.
DTYPES = {
    1: "uint64",
    2: "int8",
    3: "uint8",
    4: "int16",
    5: "uint16",
    6: "V2",
    7: "V2",
    8: "int32",
    9: "uint32",
    10: "float32",
    11: "float32",
    12: "int64",
    13: "int8",
    14: "int8",
    15: "int8",
}


class NrtpyError(RuntimeError):
    """A wrong use of this module, such as a tensor that was freed."""


class NrtError(RuntimeError):
    """A call of libnrt that did not return NRT_SUCCESS."""


def _open():
    try:
        library = ctypes.CDLL(SONAME)
    except OSError as missing:
        raise ImportError(str(missing)) from None
    version = ctypes.create_string_buffer(SIZE_OF_VERSION)
    library.nrt_get_version(version, ctypes.c_size_t(SIZE_OF_VERSION))
    numbers = struct.unpack_from("<4Q", version.raw)
    if numbers[:2] < FIRST_VERSION:
        raise ImportError(
            "nrtpy exists since runtime 2.34 (SDK 2.32), but this fake host has runtime %s."
            " Use a driver from 2.30 on, or set another runtime." % ".".join(map(str, numbers))
        )
    library.nrt_get_status_as_str.restype = ctypes.c_char_p
    return library


nrt = _open()


def check(status, message, loading=False):
    """Raises the error of a status that is not NRT_SUCCESS."""
    if status != 0:
        name = nrt.nrt_get_status_as_str(status).decode()
        if loading and status == HW_ERROR:
            # The genuine module has this name for the status of a NEFF of another architecture.
            name = "NRT_FAILURE"
        raise NrtError(f"NRT Error {name}({status}): {message}")


class Runtime:
    """libnrt of this process from nrt_init to nrt_close, with everything that was created in between."""

    def __init__(self):
        check(nrt.nrt_init(NO_FRAMEWORK, b"", b""), "Failed to initialize the runtime")
        self.is_open = True
        self._keys = itertools.count()
        self._owned = {}

    def own(self, owner, release):
        """Calls a function when the owner is garbage, released, or the runtime is closed."""
        key = next(self._keys)
        self._owned[key] = release
        weakref.finalize(owner, self.release, key)
        return key

    def release(self, key):
        release = self._owned.pop(key, None)
        if release is not None:
            release()

    def owns(self, key):
        return key in self._owned

    def close(self):
        for key in reversed(list(self._owned)):
            self.release(key)
        if self.is_open:
            self.is_open = False
            nrt.nrt_close()

    def free_tensor(self, tensor):
        """Frees the device memory of an NrtpyTensor at once."""
        tensor.tensor_ref.free()


class NrtTensor:
    """A block of device memory."""

    def __init__(self, runtime, size, core_id, name):
        self.size = size
        self.core_id = core_id
        self.name = name
        self._runtime = runtime
        pointer = ctypes.c_void_p()
        check(
            nrt.nrt_tensor_allocate(ON_DEVICE, core_id, ctypes.c_size_t(size), name.encode(), ctypes.byref(pointer)),
            f"Failed to allocate tensor {name} of {size} bytes",
        )
        self._pointer = pointer
        self._key = runtime.own(self, lambda: nrt.nrt_tensor_free(ctypes.byref(pointer)))

    @property
    def pointer(self):
        if not self._runtime.owns(self._key):
            raise NrtpyError(f"tensor {self.name} was freed, or its runtime was reset")
        return self._pointer

    def free(self):
        self._runtime.release(self._key)

    def write(self, content):
        check(
            nrt.nrt_tensor_write(self.pointer, content, ctypes.c_size_t(0), ctypes.c_size_t(len(content))),
            f"Failed to write tensor {self.name}",
        )

    def read(self):
        content = ctypes.create_string_buffer(self.size)
        check(
            nrt.nrt_tensor_read(self.pointer, content, ctypes.c_size_t(0), ctypes.c_size_t(self.size)),
            f"Failed to read tensor {self.name}",
        )
        return content.raw


class TensorMetadata:
    """Name, data type, shape and size in bytes of a tensor of a model."""

    def __init__(self, info):
        self.name = info[:256].split(b"\0")[0].decode()
        self.usage, self.size, dtype, shape, dimensions = struct.unpack_from("<I4xQI4xQI", info, 256)
        self.shape = list(struct.unpack(f"<{dimensions}I", ctypes.string_at(shape, 4 * dimensions)))
        elements = 1
        for length in self.shape:
            elements *= length
        self.dtype = DTYPES.get(dtype, f"V{self.size // max(1, elements)}")

    def __repr__(self):
        return f"TensorMetadata(name={self.name}, dtype={self.dtype}, shape={self.shape}, size={self.size})"


class NrtModel:
    """A NEFF that is loaded on a core."""

    def __init__(self, runtime, neff_path, core_id, cc_enabled, rank_id, world_size):
        self.core_id = core_id
        self._runtime = runtime
        try:
            neff = neff_path.read_bytes()
        except OSError:
            check(1, "Failed to load model")
        pointer = ctypes.c_void_p()
        words = (neff, ctypes.c_size_t(len(neff)), core_id, EACH_CORE)
        if cc_enabled:
            status = nrt.nrt_load_collectives(*words, rank_id, world_size, ctypes.byref(pointer))
        else:
            status = nrt.nrt_load(*words, ctypes.byref(pointer))
        check(status, "Failed to load model", loading=True)
        self._pointer = pointer
        self._key = runtime.own(self, lambda: nrt.nrt_unload(pointer))

    @property
    def pointer(self):
        if not self._runtime.owns(self._key):
            raise NrtpyError("the runtime of this model was reset")
        return self._pointer

    def tensors(self):
        infos = ctypes.c_void_p()
        check(nrt.nrt_get_model_tensor_info(self.pointer, ctypes.byref(infos)), "Failed to get the tensors of the model")
        try:
            (count,) = struct.unpack("<Q", ctypes.string_at(infos, 8))
            first = infos.value + 8
            return [TensorMetadata(ctypes.string_at(first + SIZE_OF_INFO * i, SIZE_OF_INFO)) for i in range(count)]
        finally:
            nrt.nrt_free_model_tensor_info(infos)

    def execute(self, inputs, outputs):
        check(nrt.nrt_execute(self.pointer, inputs.pointer, outputs.pointer), "Failed to execute model")


class TensorSet:
    """The inputs or the outputs of executions."""

    def __init__(self, tensors):
        self.pointer = ctypes.c_void_p()
        check(nrt.nrt_allocate_tensor_set(ctypes.byref(self.pointer)), "Failed to allocate a tensor set")
        try:
            for name, tensor in tensors.items():
                check(
                    nrt.nrt_add_tensor_to_tensor_set(self.pointer, name.encode(), tensor.tensor_ref.pointer),
                    f"Failed to add tensor {name}",
                )
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *error):
        nrt.nrt_destroy_tensor_set(ctypes.byref(self.pointer))


class SystemTrace:
    """The events of the runtime on one core, while this is open."""

    def __init__(self, core_id):
        self._core_id = core_id
        config = ctypes.c_void_p()
        check(nrt.nrt_sys_trace_config_allocate(ctypes.byref(config)), "Failed to allocate a trace")
        nrt.nrt_sys_trace_config_set_capture_enabled_for_nc(config, ctypes.c_uint32(core_id), ctypes.c_bool(True))
        status = nrt.nrt_sys_trace_start(config)
        nrt.nrt_sys_trace_config_free(config)
        check(status, "Failed to start a trace")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        nrt.nrt_sys_trace_stop()

    def take(self):
        """Returns the events since the last call, as JSON."""
        options = ctypes.c_void_p()
        check(nrt.nrt_sys_trace_fetch_options_allocate(ctypes.byref(options)), "Failed to fetch the trace")
        nrt.nrt_sys_trace_fetch_options_set_nc_idx(options, ctypes.c_uint64(self._core_id))
        text = ctypes.c_void_p()
        size = ctypes.c_size_t()
        status = nrt.nrt_sys_trace_fetch_events(ctypes.byref(text), ctypes.byref(size), options)
        nrt.nrt_sys_trace_fetch_options_free(options)
        check(status, "Failed to fetch the trace")
        try:
            return ctypes.string_at(text, size.value)
        finally:
            nrt.nrt_sys_trace_buffer_free(text)


def profile(model, ntff, execute):
    """Writes the trace of an execution into a file."""
    name = str(ntff).encode()
    check(nrt.nrt_profile_start(model.pointer, name), "Failed to start the profile")
    try:
        execute()
    finally:
        status = nrt.nrt_profile_stop(name)
    check(status, "Failed to write the profile")
