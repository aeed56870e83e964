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

/** One mount's connection with the kernel: an open {@code /dev/fuse}. */
final class FuseDevice {

    /** A write of the largest size and what the kernel puts before it. */
    private static final int REQUEST = SessionMessages.MAX_WRITE + 4096;

    /** The largest read, and the header of its answer. */
    private static final int ANSWER = (128 << 10) + 4096;

    private static final int NOTICE = 512;
    private static final long PATIENCE_SECONDS = 1;

    private final ThreadLocal<Buffer> notices = ThreadLocal.withInitial(() -> new Buffer(NOTICE));
    private final int fd;
    // Writers share it: an event may come at any time, also when the number is another file's already.
    private final StampedLock use = new StampedLock();
    private boolean closed;

    FuseDevice(int fd) {
        this.fd = fd;
    }

    /** Memory that the kernel can be given. */
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

    /** Waits for a request. Returns its length, 0 after {@link #disconnect()}, or the negative error number. */
    int read(Buffer into) {
        long length = LinuxCalls.read(fd, into.address, into.bytes.capacity());
        return length < 0 ? -LinuxCalls.errno() : (int) length;
    }

    /** Returns 0, or the error number: the request was interrupted or the mount is gone, and nothing can be done about it. */
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

    /** Wakes those who poll an open file. Does not wait. */
    void wake(long kernelHandle) {
        send(Notification.POLL, body -> Notification.putPoll(body, kernelHandle));
    }

    /** Makes the kernel forget a name. Waits while a program looks into that directory, so a thread that answers must not call it. */
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
     * Gives the connection up; when the threads that wait in {@link #read} have returned, every program that waits for an answer
     * gets an error. The number stays taken, so that nothing that is written late goes astray.
     */
    void disconnect() {
        int nothing = LinuxCalls.open("/dev/null", LinuxCalls.O_RDWR | LinuxCalls.O_CLOEXEC);
        if (nothing >= 0) {
            LinuxCalls.dup3(nothing, fd, LinuxCalls.O_CLOEXEC);
            LinuxCalls.close(nothing);
        }
    }

    /**
     * Gives the number back, when no thread reads any more. What is written later goes nowhere. The number stays taken when a
     * thread writes and does not come to an end.
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
