"""nrtpy of a fake Neuron host: the documented calls of the module of that name, on the fake's libnrt.

On hardware the genuine module of the Neuron packages takes its place. Needs NumPy, as the genuine one does.
"""

import atexit
import dataclasses
import json
import os
import pathlib
import statistics
import threading
import time

import numpy

from nrtpy import _libnrt
from nrtpy._libnrt import NrtError, NrtpyError, NrtTensor, TensorMetadata

__all__ = [
    "BenchmarkResult",
    "NrtError",
    "NrtTensor",
    "NrtpyError",
    "NrtpyModel",
    "NrtpyTensor",
    "TensorMetadata",
    "configure",
    "get_nrtpy_singleton",
    "reset",
]

NANOSECONDS_OF_MILLISECOND = 1_000_000

_lock = threading.RLock()
_runtime = None


def __getattr__(name):
    raise AttributeError(f"The fake Neuron host's nrtpy has no {name}; it has {', '.join(__all__)}")


def get_nrtpy_singleton():
    """Returns the runtime of this process, which is started if necessary."""
    global _runtime
    with _lock:
        if _runtime is None:
            _runtime = _libnrt.Runtime()
        return _runtime


def configure(visible_cores=None):
    """Sets the cores of the runtime before it starts."""
    if visible_cores is not None and isinstance(visible_cores, int):
        raise TypeError(f"visible_cores is a number, {visible_cores}; give it as [{visible_cores}]")
    cores = None if visible_cores is None else list(visible_cores)
    for core in cores or []:
        if not isinstance(core, int):
            raise TypeError(f"visible_cores contains {core!r}, which is not a whole number")
        if core < 0:
            raise ValueError(f"visible_cores contains {core}; the number of a core is at least 0")
    with _lock:
        if _runtime is not None:
            raise NrtpyError("the runtime is active: call nrtpy.reset() before nrtpy.configure()")
        if cores:
            os.environ["NEURON_RT_VISIBLE_CORES"] = ",".join(map(str, cores))


def reset():
    """Closes the runtime. Its tensors and models become invalid."""
    global _runtime
    with _lock:
        if _runtime is not None:
            _runtime.close()
            _runtime = None


atexit.register(reset)


class _Documented:
    """A class with the documented attributes of the genuine one, and no others."""

    def __getattr__(self, name):
        raise AttributeError(f"{type(self).__name__} of the fake Neuron host's nrtpy has no {name}")


class NrtpyTensor(_Documented):
    """A tensor in the memory of a device. It is freed as soon as it is garbage."""

    def __init__(self, tensor_ref, shape, dtype, name=None):
        self.tensor_ref = tensor_ref
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = numpy.dtype(dtype)
        self.name = tensor_ref.name if name is None else name

    @classmethod
    def from_numpy(cls, array, name=None, core_id=0):
        array = numpy.ascontiguousarray(array)
        name = "tensor" if name is None else name
        tensor = cls(NrtTensor(get_nrtpy_singleton(), array.nbytes, core_id, name), array.shape, array.dtype, name)
        tensor.write_from_numpy(array)
        return tensor

    def write_from_numpy(self, array):
        array = numpy.ascontiguousarray(array)
        if array.nbytes != self.tensor_ref.size:
            raise ValueError(f"tensor {self.name} has {self.tensor_ref.size} bytes, but the array has {array.nbytes}")
        self.tensor_ref.write(array.tobytes())

    def numpy(self):
        return numpy.frombuffer(bytearray(self.tensor_ref.read()), self.dtype).reshape(self.shape)


@dataclasses.dataclass
class BenchmarkResult:
    """The times of a benchmark in milliseconds."""

    mean_ms: float
    min_ms: float
    max_ms: float
    std_dev_ms: float
    iterations: int
    warmup_iterations: int
    durations_ms: list = dataclasses.field(default_factory=list)


class NrtpyModel(_Documented):
    """A NEFF that is loaded on a core."""

    def __init__(self, model_ref, name, neff_path):
        self.model_ref = model_ref
        self.name = name
        self.neff_path = neff_path
        tensors = model_ref.tensors()
        self.input_tensors_info = {each.name: each for each in tensors if each.usage == 0}
        self.output_tensors_info = {each.name: each for each in tensors if each.usage == 1}

    @classmethod
    def load_from_neff(cls, neff_path, name=None, core_id=0, cc_enabled=False, rank_id=0, world_size=1):
        path = pathlib.Path(neff_path)
        model = _libnrt.NrtModel(get_nrtpy_singleton(), path, core_id, cc_enabled, rank_id, world_size)
        return cls(model, path.stem if name is None else name, path)

    def __call__(self, inputs, outputs=None, save_trace=False, ntff_name=None):
        written = self._allocated() if outputs is None else outputs
        with _libnrt.TensorSet(inputs) as read, _libnrt.TensorSet(written) as write:
            if save_trace:
                ntff = self.neff_path.with_suffix(".ntff") if ntff_name is None else ntff_name
                _libnrt.profile(self.model_ref, ntff, lambda: self.model_ref.execute(read, write))
            else:
                self.model_ref.execute(read, write)
        return written if outputs is None else None

    def benchmark(self, inputs, outputs=None, warmup_iter=5, benchmark_iter=5, mode="device"):
        if mode not in ("device", "host"):
            raise ValueError(f'mode is "{mode}"; it must be "device" or "host"')
        if benchmark_iter < 1:
            raise ValueError(f"benchmark_iter is {benchmark_iter}; it must be at least 1")
        written = self._allocated() if outputs is None else outputs
        with _libnrt.TensorSet(inputs) as read, _libnrt.TensorSet(written) as write:
            measure = self._device_times if mode == "device" else self._host_times
            times = measure(read, write, warmup_iter, benchmark_iter)
        return BenchmarkResult(
            mean_ms=statistics.fmean(times),
            min_ms=min(times),
            max_ms=max(times),
            std_dev_ms=statistics.pstdev(times),
            iterations=len(times),
            warmup_iterations=warmup_iter,
            durations_ms=times,
        )

    def _device_times(self, read, write, warmup_iter, benchmark_iter):
        with _libnrt.SystemTrace(self.model_ref.core_id) as trace:
            for _ in range(warmup_iter):
                self.model_ref.execute(read, write)
            trace.take()
            for _ in range(benchmark_iter):
                self.model_ref.execute(read, write)
            times = _times_on_device(json.loads(trace.take()))
        if not times:
            raise RuntimeError("no execution was seen on the device during the benchmark")
        return times

    def _host_times(self, read, write, warmup_iter, benchmark_iter):
        for _ in range(warmup_iter):
            self.model_ref.execute(read, write)
        times = []
        for _ in range(benchmark_iter):
            started = time.perf_counter_ns()
            self.model_ref.execute(read, write)
            times.append((time.perf_counter_ns() - started) / NANOSECONDS_OF_MILLISECOND)
        return times

    def _allocated(self):
        tensors = {}
        for name, info in self.output_tensors_info.items():
            memory = NrtTensor(get_nrtpy_singleton(), info.size, self.model_ref.core_id, name)
            tensors[name] = NrtpyTensor(memory, info.shape, info.dtype, name)
            memory.write(bytes(info.size))
        return tensors


def _times_on_device(trace):
    """Returns the time of each execution in milliseconds. An execution without its start or end in the trace is left out."""
    starts = {}
    times = []
    for event in trace["events"]:
        if event["event_type"] == "nc_exec_running":
            now = event["data"]["nc_timestamp_ns"]
            if event["phase"] == "start":
                starts[event["tracking_id"]] = now
            elif event["tracking_id"] in starts:
                times.append((now - starts.pop(event["tracking_id"])) / NANOSECONDS_OF_MILLISECOND)
    return times
