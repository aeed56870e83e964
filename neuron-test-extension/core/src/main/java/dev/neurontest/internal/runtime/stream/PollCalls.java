package dev.neurontest.internal.runtime.stream;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import dev.neurontest.internal.runtime.library.Jna;

/** Functions of libc for waiting on file descriptors, on 64-bit Linux. */
final class PollCalls {

    static final short POLLIN = 1;
    static final short POLLNVAL = 0x20;
    static final int EINTR = 4;
    static final int EFD_CLOEXEC_NONBLOCK = 0x80800;

    static {
        Jna.load();
        Native.register(PollCalls.class, NativeLibrary.getProcess());
    }

    private PollCalls() {}

    static native int poll(long fds, long count, int milliseconds);

    static native int eventfd(int initial, int flags);

    static native long read(int fd, long buffer, long size);

    static native long write(int fd, long buffer, long size);

    static native int close(int fd);

    static native long malloc_usable_size(long allocation);
}
