package dev.neurontest.fake.internal.fuse;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.neurontest.fake.Errno;
import dev.neurontest.fake.internal.fuse.protocol.Notification;
import dev.neurontest.fake.internal.fuse.protocol.Reply;
import dev.neurontest.fake.internal.fuse.protocol.SessionMessages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;

/** The connection of a mount with the kernel: an open {@code /dev/fuse}. */
final class FuseDevice {

    /** Size in bytes of the largest write request with its headers. */
    private static final int REQUEST = SessionMessages.MAX_WRITE + 4096;

    /** Size in bytes of the largest read answer with its header. */
    private static final int ANSWER = (128 << 10) + 4096;

    private static final int NOTICE = 512;
    private static final long PATIENCE_SECONDS = 1;

    private final ThreadLocal<Buffer> notices = ThreadLocal.withInitial(() -> new Buffer(NOTICE));
    private final int fd;
    // Writers hold a read lock. An event may be sent at any time, even after the descriptor number was reused for
    // another file.
    private final StampedLock use = new StampedLock();
    private boolean closed;

    FuseDevice(int fd) {
        this.fd = fd;
    }

    /** A buffer in native memory. */
    static final class Buffer {

        private final ByteBuffer bytes;
        private final long address;

        Buffer(int size) {
            bytes = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
            address = Pointer.nativeValue(Native.getDirectBufferPointer(bytes));
        }

        static Buffer forRequests() {
            return new Buffer(REQUEST);
        }

        static Buffer forAnswers() {
            return new Buffer(ANSWER);
        }

        ByteBuffer bytes() {
            return bytes;
        }
    }

    /** Reads the next request. Returns its length, 0 after {@link #disconnect()}, or the negative error number. */
    int read(Buffer into) {
        long length = LinuxCalls.read(fd, into.address, into.bytes.capacity());
        return length < 0 ? -LinuxCalls.errno() : (int) length;
    }

    /**
     * Writes an answer or a notification. Returns 0 or the error number. Errors need no handling: the request was interrupted or
     * the mount is gone.
     */
    int write(Buffer from, int length) {
        long writing = use.readLock();
        try {
            if (closed) {
                return Errno.EBADF.number();
            }
            return LinuxCalls.write(fd, from.address, length) < 0 ? LinuxCalls.errno() : 0;
        } finally {
            use.unlockRead(writing);
        }
    }

    /** Wakes the pollers of an open file, without waiting. */
    void wake(long kernelHandle) {
        send(Notification.POLL, body -> Notification.putPoll(body, kernelHandle));
    }

    /**
     * Removes a name from the kernel's cache. It waits while a program accesses that directory. Therefore threads that answer
     * requests must not call it.
     */
    void invalidate(long parent, String name) {
        send(Notification.INVALIDATE_ENTRY, body -> Notification.putEntry(body, parent, name));
    }

    private void send(Notification notification, Consumer<ByteBuffer> content) {
        Buffer notice = notices.get();
        Reply message = new Reply(notice.bytes);
        message.begin();
        content.accept(message.body());
        write(notice, message.end(notification));
    }

    /**
     * Releases the connection with the kernel. When all threads in {@link #read} have returned, the kernel fails all unanswered
     * requests. The descriptor number stays in use, which keeps late writes away from other files.
     */
    void disconnect() {
        int nothing = LinuxCalls.open("/dev/null", LinuxCalls.O_RDWR | LinuxCalls.O_CLOEXEC);
        if (nothing >= 0) {
            LinuxCalls.dup3(nothing, fd, LinuxCalls.O_CLOEXEC);
            LinuxCalls.close(nothing);
        }
    }

    /**
     * Closes the descriptor when no thread reads any more. Later writes have no effect. The descriptor stays open if a thread does
     * not finish writing.
     */
    void close() {
        long alone;
        try {
            alone = use.tryWriteLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            alone = use.tryWriteLock();
        }
        if (alone == 0) {
            return;
        }
        try {
            if (!closed) {
                closed = true;
                LinuxCalls.close(fd);
            }
        } finally {
            use.unlockWrite(alone);
        }
    }
}
