package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeDescriptor;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.NotifiedFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An open file (kernfs_open_file): its access mode, and whether an event occurred since the last read. */
final class OpenFile implements FakeDescriptor {

    /** Marks a file that was not read yet; it counts as a file with an event. */
    private static final long UNREAD = -1;

    private final OpenFiles all;
    private final FileNode file;
    private final String path;
    private final FakeAccess access;
    private final @Nullable NotifiedFile notified;
    private final @Nullable Device device;
    private final int removals;
    private volatile long eventsAtRead = UNREAD;
    private volatile @Nullable Runnable listener;
    private volatile boolean closed;

    OpenFile(OpenFiles all, FileNode file, String path, FakeAccess access) {
        this.all = all;
        this.file = file;
        this.path = path;
        this.access = access;
        this.notified = file.notified();
        this.device = file.device();
        this.removals = device != null ? device.removals() : 0;
    }

    /** Returns whether the file belongs to the device. */
    boolean of(Device other) {
        return device == other;
    }

    private boolean dead() {
        return device != null && (device.removals() != removals || !device.present());
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public byte[] read() throws IOException {
        beforeRead();
        return file.read();
    }

    @Override
    public int read(byte[] buffer) throws IOException {
        beforeRead();
        return file.read(buffer);
    }

    private void beforeRead() throws IOException {
        admit(access.reads());
        // Read before the content is created, as in the kernel. Therefore no event in between is lost.
        eventsAtRead = events();
    }

    @Override
    public int write(byte[] content) throws IOException {
        admit(access.writes());
        return file.write(content);
    }

    private long events() {
        return notified != null ? all.events(notified) : 0;
    }

    private void admit(boolean allowed) throws IOException {
        if (closed || !allowed) {
            throw FakeErrnoException.of(Errno.EBADF, path);
        }
        if (dead()) {
            throw FakeErrnoException.of(Errno.ENODEV, path);
        }
    }

    @Override
    public boolean signalled() {
        return !closed && file.isAttribute() && (eventsAtRead != events() || dead());
    }

    @Override
    public void onSignal(Runnable newListener) {
        listener = newListener;
        if (notified != null) {
            all.register(this, notified);
            if (closed) {
                all.forget(this, notified);
            }
        }
    }

    /** Notifies the pollers of the file of an event. */
    void signal() {
        Runnable current = listener;
        if (current != null && !closed) {
            current.run();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (listener != null && notified != null) {
                all.forget(this, notified);
            }
            listener = null;
        }
    }

    @Override
    public String toString() {
        return path;
    }
}
