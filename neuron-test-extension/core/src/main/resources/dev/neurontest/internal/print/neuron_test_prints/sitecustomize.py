"""Forwards the prints of kernels (the debug streams of libnrt) out of this process.

Python imports this module automatically when its folder is on PYTHONPATH. A thread waits until the process has loaded libnrt.so.1
and initialised it, connects to the debug stream of every visible core, and sends each event over the Unix socket that
NEURON_TEST_PRINTS_SOCKET names. The program is not changed: no part of it is replaced or wrapped. Errors in this module are
invisible to the program.
"""

import atexit
import ctypes
import os
import select
import socket
import struct
import sys
import threading

_ADDRESS = "NEURON_TEST_PRINTS_SOCKET"
_LIBRARY = "libnrt.so.1"

_EVENT, _CONNECTED, _REFUSED, _UNAVAILABLE, _SETTLED, _END, _LOST, _FULL = 1, 2, 3, 4, 5, 6, 7, 8
_INVALID, _UNINITIALIZED, _CLOSED, _EMPTY = 2, 13, 14, 15
_HEADER = 64
_FAILURES = 3
_JOIN_SECONDS = 5

# Maximum number of events of one stream before other work is done, because a program may print faster than this module reads.
_BATCH = 512
# Assumed if the capacity is unknown. No stream holds more, so all prints before a request are among this number of events.
_DEFAULT_CAPACITY = 1 << 18

# Maximum duration of a step while a print could be missed.
_TICK_SECONDS = 0.001
# Maximum time to detect that the runtime was closed and perhaps initialised again.
_IDLE_SECONDS = 0.005


class _Gone(Exception):
    """Raised when the receiver has closed the socket, or the program ends."""


class _Consumer:
    def __init__(self, address):
        self.pid = os.getpid()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(address)
        self.socket.sendall(struct.pack("<8sII", b"NTPRINTS", 1, self.pid))
        self.woken, self.wake = os.pipe()
        self.epoll = select.epoll()
        self.epoll.register(self.socket.fileno(), select.EPOLLIN)
        self.epoll.register(self.woken, select.EPOLLIN)
        self.stopping = False
        self.closed = False
        self.library = None
        self.streams = {}
        self.copies = {}
        self.failures = {}
        self.runs = {}
        self.capacity = 0
        self.header = ctypes.create_string_buffer(_HEADER)
        self.payload = ctypes.c_void_p()
        self.usable = ctypes.CDLL(None).malloc_usable_size
        self.usable.argtypes, self.usable.restype = [ctypes.c_void_p], ctypes.c_size_t
        self.free = ctypes.CDLL(None).free
        self.free.argtypes, self.free.restype = [ctypes.c_void_p], None
        self.thread = threading.Thread(target=self.run, name="neuron-test prints", daemon=True)

    def run(self):
        try:
            self.load()
            while True:
                self.connect()
                self.forward()
        except _Gone:
            pass
        except Exception as trouble:
            self.give_up(trouble)
        finally:
            self.end()

    def give_up(self, trouble):
        """Reports that later prints are not forwarded. Otherwise it would look like a program without prints."""
        try:
            self.send(_UNAVAILABLE, 0, str(trouble).encode(errors="replace"))
        except OSError:
            pass

    def send(self, kind, core=0, content=b""):
        self.socket.sendall(struct.pack("<IIQ", kind, core, len(content)) + content)

    def pause(self, seconds):
        """Waits for events, and answers requests to confirm that everything was sent."""
        ready = self.epoll.poll(seconds)
        if self.stopping:
            raise _Gone()
        for descriptor, _ in ready:
            if descriptor == self.socket.fileno():
                request = self.socket.recv(8, socket.MSG_WAITALL)
                if len(request) < 8:
                    raise _Gone()
                self.drain(_capacity() or _DEFAULT_CAPACITY)
                self.send(_SETTLED, 0, request)
        return ready

    def load(self):
        """Waits for the library that the program loads, without loading it."""
        mode = os.RTLD_NOLOAD | os.RTLD_LAZY
        # Calls dlopen directly, because an exception each time would cost more than the call.
        is_loaded = ctypes.CDLL(None).dlopen
        is_loaded.argtypes, is_loaded.restype = [ctypes.c_char_p, ctypes.c_int], ctypes.c_void_p
        while is_loaded(_LIBRARY.encode(), mode) is None:
            self.pause(_TICK_SECONDS)
        self.library = ctypes.CDLL(_LIBRARY, mode=mode)
        try:
            self.connect_to = self.library.nrt_debug_client_connect
            self.close_one = self.library.nrt_debug_client_connect_close
            self.read_one = self.library.nrt_debug_client_read_one_event
        except AttributeError as missing:
            self.send(_UNAVAILABLE, 0, str(missing).encode())
            while True:
                self.pause(1)
        self.connect_to.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_int)]
        self.close_one.argtypes, self.close_one.restype = [ctypes.c_int], None
        self.read_one.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]

    def connect(self):
        """Waits for nrt_init, also after nrt_close, and connects to every core."""
        self.capacity = 0
        status, descriptor = self.connected(0)
        while status in (_UNINITIALIZED, _CLOSED):
            self.pause(_TICK_SECONDS)
            status, descriptor = self.connected(0)
        self.note(0, status, descriptor)
        for core in range(1, self.cores()):
            self.note(core, *self.connected(core))

    def connected(self, core):
        descriptor = ctypes.c_int(-1)
        return self.connect_to(core, ctypes.byref(descriptor)), descriptor.value

    def cores(self):
        count = ctypes.c_uint32(0)
        for name in ("nrt_get_visible_vnc_count", "nrt_get_visible_nc_count"):
            try:
                if getattr(self.library, name)(ctypes.byref(count)) == 0:
                    return count.value
            except AttributeError:
                pass
        return 1

    def note(self, core, status, descriptor):
        if status == 0:
            self.streams[descriptor] = core
            self.copies[descriptor] = os.dup(descriptor)
            self.failures[descriptor] = 0
            self.runs[descriptor] = 0
            self.capacity = self.capacity or _capacity()
            self.epoll.register(descriptor, select.EPOLLIN)
            self.send(_CONNECTED, core)
        else:
            self.send(_REFUSED, core, struct.pack("<i", status))

    def forward(self):
        """Forwards events until the runtime is closed."""
        self.closed = False
        while not self.closed:
            self.pause(_IDLE_SECONDS if self.streams else 1)
            self.drain(_BATCH)

    def drain(self, at_most):
        for descriptor in list(self.streams):
            if not self.drained(descriptor, at_most):
                del self.streams[descriptor]
                try:
                    self.epoll.unregister(descriptor)
                except OSError:
                    pass
                os.close(self.copies.pop(descriptor))

    def drained(self, descriptor, at_most):
        """Reads events, also after an event that cannot be read. Returns whether there may be more later."""
        for _ in range(at_most):
            self.payload.value = None
            status = self.read_one(descriptor, self.header, ctypes.byref(self.payload))
            if status == _EMPTY:
                self.failures[descriptor] = 0
                self.runs[descriptor] = 0
                return True
            if status != 0:
                if not self.failed(descriptor, status):
                    return False
                continue
            self.failures[descriptor] = 0
            self.pass_on(self.streams[descriptor])
            self.count(descriptor)
        return True

    def count(self, descriptor):
        """Reports a full ring. It drops events silently, and returns as many events in a row as it holds, or one less."""
        self.runs[descriptor] += 1
        if self.runs[descriptor] == max(1, self.capacity - 1):
            self.send(_FULL, self.streams[descriptor], struct.pack("<QQ", self.runs[descriptor], self.capacity))

    def failed(self, descriptor, status):
        if status == _CLOSED:
            self.closed = True
            self.report_lost(descriptor)
            return False
        self.failures[descriptor] += 1
        core = self.streams[descriptor]
        problem = b"nrt_debug_client_read_one_event returned %d for core %d, " % (status, core)
        if self.failures[descriptor] < _FAILURES:
            self.send(_UNAVAILABLE, core, problem + b"and an event may be lost")
            return True
        self.send(_UNAVAILABLE, core, problem + b"repeatedly")
        return False

    def report_lost(self, descriptor):
        """Reports unread events. A closed runtime frees them, but the copy of its eventfd still has their number."""
        copy = self.copies[descriptor]
        unread = 0
        try:
            os.set_blocking(copy, False)
            count = os.read(copy, 8)
            while len(count) == 8:
                unread += struct.unpack("<Q", count)[0]
                count = os.read(copy, 8)
        except OSError:
            pass
        if unread:
            self.send(_LOST, self.streams[descriptor], struct.pack("<Q", unread))

    def pass_on(self, core):
        address = self.payload.value
        try:
            promised = struct.unpack_from("<Q", self.header)[0]
            size = min(promised, self.usable(address) if address else 0)
            frame = struct.pack("<IIQ", _EVENT, core, _HEADER + size) + self.header.raw
            if size <= 1 << 16:
                self.socket.sendall(frame + (ctypes.string_at(address, size) if size else b""))
            else:
                self.socket.sendall(frame)
                self.socket.sendall((ctypes.c_char * size).from_address(address))
        finally:
            if address:
                self.free(address)

    def end(self):
        """Sends the remaining events and closes the streams, unless the runtime was closed before."""
        try:
            self.drain(_capacity() or _DEFAULT_CAPACITY)
            self.send(_END)
        except Exception:
            pass
        for descriptor in self.streams:
            self.close_one(descriptor)
        self.socket.close()

    def stop(self):
        if os.getpid() == self.pid and self.thread.is_alive():
            self.stopping = True
            os.write(self.wake, b"!")
            self.thread.join(_JOIN_SECONDS)


def _capacity():
    """Returns the number of events that a stream holds; 0 if unknown."""
    try:
        return max(0, int(os.environ["NEURON_RT_DEBUG_STREAM_BUFFER_SIZE"]))
    except (KeyError, ValueError):
        return 0


_consumer = None


def _start():
    global _consumer
    address = os.environ.get(_ADDRESS)
    if not address or not sys.platform.startswith("linux"):
        return
    # Another consumer in this process would take the streams, and a stream has only one reader.
    os.environ.pop("NEURON_RT_DEBUG_OUTPUT_DIR", None)
    try:
        consumer = _Consumer(address)
    except OSError:
        return
    _consumer = consumer
    consumer.thread.start()


def _after_fork():
    """Starts a new thread in a forked child. The child can use the runtime if its parent has not loaded it."""
    parent = _consumer
    if parent is None:
        return
    for descriptor in (parent.woken, parent.wake):
        os.close(descriptor)
    parent.epoll.close()
    parent.socket.close()
    if parent.library is None:
        _start()


def _stop():
    if _consumer is not None:
        _consumer.stop()


def _go_on():
    """Imports the sitecustomize module that this one hides, if there is one."""
    import importlib.machinery
    import importlib.util

    own_folder = os.path.dirname(os.path.abspath(__file__))
    folders = [folder for folder in sys.path if os.path.abspath(folder or os.curdir) != own_folder]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", folders)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


try:
    _start()
    if _consumer is not None:
        os.register_at_fork(after_in_child=_after_fork)
        atexit.register(_stop)
except Exception:
    pass
_go_on()
