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

    // Reused, because most contents are short and a new page for each read is expensive.
    private static final ThreadLocal<byte[]> PAGES = ThreadLocal.withInitial(() -> new byte[PAGE]);

    private final FakeDescriptor descriptor;
    private final LongConsumer wake;
    private final AtomicBoolean awaited = new AtomicBoolean();
    private volatile long kernelHandle;
    // The content at the last read from offset 0, for readers that read in pieces.
    private volatile byte[] content = NOTHING;
    private volatile boolean produced;
    private boolean listening;

    /** @param wake receives the kernel's handle to wake a poller */
    OpenFuseFile(FakeDescriptor descriptor, LongConsumer wake) {
        this.descriptor = descriptor;
        this.wake = wake;
    }

    /** Returns the content from an offset on. At offset 0 the content is created anew. */
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

    /** Writes to the file. As in sysfs, the offset does not matter. */
    int write(byte[] written) throws IOException {
        return descriptor.write(written);
    }

    /** Returns whether there is an event. If requested, the kernel is notified of the next event. */
    boolean poll(long handle, boolean wakeLater) {
        if (wakeLater) {
            listen();
            kernelHandle = handle;
            // Set before the check. Therefore no event is lost in between.
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
