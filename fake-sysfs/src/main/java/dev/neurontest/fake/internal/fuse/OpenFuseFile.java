package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.FakeDescriptor;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** A file that a program has open through the mount. */
final class OpenFuseFile {

    private static final int PAGE = 4096;
    private static final byte[] NOTHING = {};

    // Most contents are some bytes, for which a page each time is dear.
    private static final ThreadLocal<byte[]> PAGES = ThreadLocal.withInitial(() -> new byte[PAGE]);

    private final FakeDescriptor descriptor;
    private final LongConsumer wake;
    private final AtomicBoolean awaited = new AtomicBoolean();
    private volatile long kernelHandle;
    // What was read at offset 0, for readers that take it piece by piece.
    private volatile byte[] content = NOTHING;
    private volatile boolean produced;
    private boolean listening;

    /** @param wake is given the kernel's handle when a poller is to be woken */
    OpenFuseFile(FakeDescriptor descriptor, LongConsumer wake) {
        this.descriptor = descriptor;
        this.wake = wake;
    }

    /** The content from an offset on: at 0 it is made anew. */
    byte[] read(long offset) throws IOException {
        if (offset == 0 || !produced) {
            byte[] page = PAGES.get();
            int length = descriptor.read(page);
            content = Arrays.copyOf(page, length);
            produced = true;
        }
        byte[] now = content;
        if (offset == 0) {
            return now;
        }
        return offset >= now.length ? NOTHING : Arrays.copyOfRange(now, (int) offset, now.length);
    }

    /** As in sysfs the offset does not matter. */
    int write(byte[] written) throws IOException {
        return descriptor.write(written);
    }

    /** Whether there is an event; if none and so wished, tells the kernel when there is. */
    boolean poll(long handle, boolean wakeLater) {
        if (wakeLater) {
            listen();
            kernelHandle = handle;
            // Before the look, so that no event falls in between.
            awaited.set(true);
        }
        return descriptor.signalled();
    }

    private synchronized void listen() {
        if (!listening) {
            listening = true;
            descriptor.onSignal(this::signal);
        }
    }

    private void signal() {
        if (awaited.compareAndSet(true, false)) {
            wake.accept(kernelHandle);
        }
    }

    void close() {
        awaited.set(false);
        descriptor.close();
    }
}
