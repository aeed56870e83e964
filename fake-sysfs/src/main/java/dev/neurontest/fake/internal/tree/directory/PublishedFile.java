package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.tree.FileNode;
import java.io.File;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An attribute and its copy in the directory view. Used in turn, but for what says otherwise. */
final class PublishedFile {

    private final FileNode node;
    private final Path path;
    private final AtomicBoolean queued = new AtomicBoolean();
    private byte[] content = {};
    private Staging.@Nullable Memory memory;
    private long emptiedAt;
    private boolean emptied;
    private @Nullable File asked;
    private volatile boolean made;
    private volatile @Nullable Write taken;
    private volatile boolean written;
    private final RetryState retry = new RetryState();

    /** A write as the file tells of it. Another file of the same name may be written at the same time. */
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

    /** The path for a cheap look; on any thread. */
    File file() {
        File known = asked;
        if (known == null) {
            known = path.toFile();
            asked = known;
        }
        return known;
    }

    /** Whether it is finished, so that its looks tell whether another program has written it; on any thread. */
    boolean made() {
        return made;
    }

    void make() {
        made = true;
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

    /** Where its digits can be changed in place. */
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

    /** Whether a write was handed to the driver already, alone or with a later one, and only putting the file back is left to do. */
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

    /** Whether a write was handed to the driver, and the file is not put back yet. */
    boolean written() {
        return written;
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

    RetryState retry() {
        return retry;
    }

    void succeeded() {
        retry.known = false;
    }
}
