package dev.neurontest.fake.tree;

import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An attribute and its copy in the directory view. All but the queueing is for the publishing thread only. */
final class PublishedFile {

    private final FileNode node;
    private final Path path;
    private final AtomicBoolean queued = new AtomicBoolean();
    private byte[] content = {};
    private long emptiedAt;
    private boolean emptied;
    private @Nullable FileTime taken;
    private boolean failed;
    private boolean retryQueued;

    PublishedFile(FileNode node, Path path) {
        this.node = node;
        this.path = path;
    }

    FileNode node() {
        return node;
    }

    Path path() {
        return path;
    }

    /** True for the first who wants it published since the last {@link #dequeue()}. */
    boolean queue() {
        return queued.compareAndSet(false, true);
    }

    void dequeue() {
        queued.set(false);
    }

    byte[] content() {
        return content;
    }

    void published(byte[] bytes) {
        content = bytes;
        emptied = false;
        taken = null;
        succeeded();
    }

    /** Whether a write was handed to the driver already, and only putting the file back has failed. */
    boolean taken(FileTime written) {
        return written.equals(taken);
    }

    void take(FileTime written) {
        taken = written;
    }

    /** How long another program has had the file empty, as one does before it writes. */
    long emptyNanos() {
        long now = System.nanoTime();
        if (!emptied) {
            emptied = true;
            emptiedAt = now;
        }
        return now - emptiedAt;
    }

    /** True at the first failure since the last success. */
    boolean failed() {
        boolean first = !failed;
        failed = true;
        return first;
    }

    void succeeded() {
        failed = false;
    }

    /** True for the first who wants it tried again since the last {@link #dequeueRetry()}. */
    boolean queueRetry() {
        boolean first = !retryQueued;
        retryQueued = true;
        return first;
    }

    void dequeueRetry() {
        retryQueued = false;
    }
}
