package dev.neurontest.internal.print.stream;

import dev.neurontest.tensor.TensorBytes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The append-only file of the device prints of one test. Flushed data is held by the operating system and survives the end of this JVM.
 * The first event creates the file, and closing the log deletes it. Unlike a channel, this file is not closed by an interrupt.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PrintLog implements AutoCloseable {

    /** The name of the file in the folder of the test. */
    public static final String NAME = "prints.bin";

    /** Length of the beginning of the file: a magic number and the version of the format. */
    static final int HEAD = 16;

    private static final long MAGIC = 0x474f_4c53_544e_5250L;
    private static final long VERSION = 1;

    private static final long BOUND = 4L << 30;
    private static final int BUFFER = 256 << 10;

    /** Maximum length of data that is read at once. */
    private static final int BLOCK = 64 << 10;

    private final Supplier<Path> folder;
    private final long bound;
    private byte[] buffer = {};
    private int buffered;
    private long written;
    private byte[] block = {};
    private long blockStart;
    private @Nullable RandomAccessFile file;
    private @Nullable Path created;
    private @Nullable String fault;
    private boolean closed;

    /**
     * Creates a log without a file.
     *
     * @param folder returns the existing folder of the test; called when the first event is flushed
     */
    public PrintLog(Supplier<Path> folder) {
        this(folder, BOUND);
    }

    PrintLog(Supplier<Path> folder, long bound) {
        this.folder = folder;
        this.bound = bound;
    }

    /**
     * Opens the file of another JVM for reading.
     *
     * @throws IOException when it cannot be read, or is invalid
     */
    static PrintLog open(Path path) throws IOException {
        // Opening a pipe would wait for a writer.
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileNotFoundException("%s is not a regular file".formatted(path));
        }
        PrintLog log = new PrintLog(path::getParent);
        log.file = new RandomAccessFile(path.toFile(), "r");
        log.written = log.file.length();
        log.fault = "it is open for reading only";
        ByteBuffer head = log.part(0, (int) Math.min(HEAD, log.written));
        if (head.limit() < HEAD || head.getLong(0) != MAGIC || head.getLong(Long.BYTES) != VERSION) {
            log.file.close();
            throw new IOException(
                    log.written == 0
                            ? "%s is empty, as on a full disk".formatted(path)
                            : "%s is not a file of prints of version %s: it begins with %s"
                                    .formatted(path, VERSION, HexFormat.of().formatHex(head.array(), 0, head.limit())));
        }
        return log;
    }

    /** Returns the reason why events are no longer stored; null while they are. */
    synchronized @Nullable String fault() {
        return fault;
    }

    synchronized long size() {
        return written + buffered;
    }

    /**
     * Appends the head of an event and a part of its payload.
     *
     * @return its position; -1 when it could not be stored
     * @throws IOException when the payload cannot be read
     */
    synchronized long append(ByteBuffer head, PrintEventSource event, long from, long length) throws IOException {
        long size = head.remaining() + length;
        if (fault == null && size() + size > bound) {
            fault = flush() ? "the file has %s bytes, and its limit is %s".formatted(written, bound) : fault;
        }
        if (fault != null) {
            return -1;
        }
        begin();
        if (size > buffer.length - buffered && !flush()) {
            return -1;
        }
        long place = size();
        boolean whole = false;
        try {
            buffered += take(head);
            for (long done = 0; done < length; ) {
                if (buffered == buffer.length && !flush()) {
                    return -1;
                }
                int next = (int) Math.min(buffer.length - buffered, length - done);
                event.copy(from + done, buffer, buffered, next);
                buffered += next;
                done += next;
            }
            whole = true;
            return place;
        } finally {
            if (!whole) {
                cut(place);
            }
        }
    }

    private void begin() {
        if (buffer.length == 0) {
            buffer = new byte[BUFFER];
            buffered = take(ByteBuffer.allocate(HEAD)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(MAGIC)
                    .putLong(VERSION)
                    .flip());
        }
    }

    private int take(ByteBuffer bytes) {
        int length = bytes.remaining();
        bytes.get(buffer, buffered, length);
        return length;
    }

    /**
     * Writes all data to the operating system. Data that cannot be written stays readable in this JVM, and the log stores no further
     * events.
     */
    synchronized boolean flush() {
        if (fault != null || buffered == 0) {
            return fault == null;
        }
        try {
            RandomAccessFile open = file();
            open.seek(written);
            open.write(buffer, 0, buffered);
            written += buffered;
            buffered = 0;
            return true;
        } catch (IOException | RuntimeException e) {
            fault = e.toString();
            cut(size());
            return false;
        }
    }

    /** Removes the incomplete data of an event that could not be stored. */
    private void cut(long end) {
        buffered = (int) Math.max(0, end - written);
        written = Math.min(end, written);
        block = new byte[0];
        try {
            if (file != null) {
                file.setLength(written);
            }
        } catch (IOException stays) {
            // The reader of the file detects the incomplete last event.
        }
    }

    private RandomAccessFile file() throws IOException {
        RandomAccessFile open = file;
        if (open == null) {
            Path path = folder.get().resolve(NAME);
            // The file must not exist yet, not even as a link. Other users cannot read it.
            created = Files.createFile(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            open = new RandomAccessFile(path.toFile(), "rw");
            file = open;
        }
        return open;
    }

    /**
     * Reads appended data, at most one block.
     *
     * @return bytes that do not change afterwards, little-endian
     * @throws IOException when the data cannot be read, for example after the end of the test
     */
    synchronized ByteBuffer part(long position, int length) throws IOException {
        if (position + length > written) {
            byte[] bytes = new byte[length];
            read(position, bytes, 0, length);
            return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        if (position < blockStart || position + length > blockStart + block.length) {
            byte[] next = new byte[(int) Math.min(BLOCK, written - position)];
            read(position, next, 0, next.length);
            block = next;
            blockStart = position;
        }
        return ByteBuffer.wrap(block, (int) (position - blockStart), length)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private synchronized void read(long position, byte[] target, int at, int length) throws IOException {
        if (closed) {
            throw new IOException("the prints of a test can be read until it ends");
        }
        int inFile = (int) Math.max(0, Math.min(length, written - position));
        if (inFile > 0) {
            readFile(position, target, at, inFile);
        }
        if (inFile < length) {
            System.arraycopy(buffer, (int) (position + inFile - written), target, at + inFile, length - inFile);
        }
    }

    private void readFile(long position, byte[] target, int at, int length) throws IOException {
        RandomAccessFile open = Objects.requireNonNull(file);
        open.seek(position);
        open.readFully(target, at, length);
    }

    /** Returns a view of a part. A long part is read in pieces. */
    TensorBytes view(long position, long length) throws IOException {
        return length <= BLOCK
                ? TensorBytes.of(part(position, (int) length))
                : new FileBytes((from, target, at, part) -> read(position + from, target, at, part), length);
    }

    /** Deletes the file. Appended data is no longer readable. */
    @Override
    public synchronized void close() {
        closed = true;
        fault = "the test has ended";
        buffer = new byte[0];
        block = new byte[0];
        try {
            if (file != null) {
                file.close();
            }
            if (created != null) {
                Files.deleteIfExists(created);
                Files.deleteIfExists(created.getParent());
            }
        } catch (IOException stays) {
            // The folder contains other files too.
        }
    }
}
