package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.tree.FileNode;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An attribute and its copy in the directory view. Only one thread uses it at a time, except for methods callable from any thread. */
final class PublishedFile {

    private final FileNode node;
    private final Path path;
    private final AtomicBoolean queued = new AtomicBoolean();
    private byte[] content = {};
    private Staging.@Nullable Memory memory;
    private long emptiedAt;
    private boolean emptied;
    private @Nullable File cachedFile;
    private volatile boolean made;
    private volatile @Nullable Write taken;
    private volatile boolean written;
    private final RetryState retry = new RetryState();

    /** A write, identified by the file and its time. Another file of the same name may be written at the same time. */
    private record Write(@Nullable Object file, FileTime at) {}

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

    /** Returns the path for a cheap check; callable from any thread. */
    File file() {
        File current = cachedFile;
        if (current == null) {
            current = path.toFile();
            cachedFile = current;
        }
        return current;
    }

    /**
     * Returns whether the file is complete. From then on its time shows whether another program has written it. Callable from any
     * thread.
     */
    boolean made() {
        return made;
    }

    void make() {
        made = true;
    }

    /** Returns true for the first call since the last {@link #dequeue()}. */
    boolean queue() {
        return queued.compareAndSet(false, true);
    }

    void dequeue() {
        queued.set(false);
    }

    byte[] content() {
        return content;
    }

    /** Returns the memory for changing digits in place. */
    Staging.@Nullable Memory memory() {
        return memory;
    }

    void memory(Staging.@Nullable Memory ofNewFile) {
        memory = ofNewFile;
    }

    void published(byte[] bytes) {
        content = bytes;
        emptied = false;
        written = false;
        succeeded();
    }

    /** Returns whether a write was already passed to the driver, alone or with a later one. Then the file only has to be restored. */
    boolean taken(BasicFileAttributes written) {
        Write last = taken;
        return last != null
                && Objects.equals(last.file(), written.fileKey())
                && written.lastModifiedTime().compareTo(last.at()) <= 0;
    }

    void take(BasicFileAttributes file) {
        taken = new Write(file.fileKey(), file.lastModifiedTime());
        written = true;
    }

    /** Returns whether a write was passed to the driver, and the file is not restored yet. */
    boolean written() {
        return written;
    }

    /** Returns how long the file has been empty. Other programs empty a file before they write it. */
    long emptyNanos() {
        long now = System.nanoTime();
        if (!emptied) {
            emptied = true;
            emptiedAt = now;
        }
        return now - emptiedAt;
    }

    RetryState retry() {
        return retry;
    }

    void succeeded() {
        retry.reported = false;
    }
}
