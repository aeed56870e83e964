package dev.neurontest.internal.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * Kinds of input files that users name, with their maximum sizes. Valid files are far smaller. The kind of a file is checked before it is
 * opened, because a pipe would block until it has a writer, and a device might never end.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum InputFile {
    /** Limits of a gate. */
    GATES("a file of gates", 1 << 20),
    /** The counters of a host. The largest snapshot has 540 KB. */
    SNAPSHOT("a snapshot of counters", 16 << 20),
    /** The JSON of a report, which is read by streaming. */
    REPORT("the JSON of a report", 4L << 30),
    /** A record of a run in a history. */
    RUN("a record of a run", 1 << 20),
    /** The shares of a profile that belong to a baseline. */
    SHARES("the shares of a profile", 4 << 20),
    /** The result of a benchmark. With the times of a million tokens, it has some 20 MB. */
    RESULT("the result of a benchmark", 64 << 20),
    /** An array of NumPy. */
    ARRAY("an array", Integer.MAX_VALUE - 8),
    /** The events of a profile in JSON, which are read by streaming. */
    EVENTS("the JSON of a profile", 1L << 40),
    /** The hosts of an allocation. */
    HOSTS("a list of hosts", 1 << 20),
    /** Properties of a program, such as the release of a JDK. */
    PROPERTIES("a file of properties", 1 << 20);

    private static final int KIND = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private final String content;
    private final long limit;

    InputFile(String content, long limit) {
        this.content = content;
        this.limit = limit;
    }

    /**
     * Opens a file.
     *
     * @param file a file named by a user; links are followed
     * @return the content; reading ends with an exception when it exceeds the limit
     * @throws UnfitFileException when the file is not a regular file, or too large
     * @throws IOException when the file cannot be read
     */
    public InputStream open(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new UnfitFileException(
                    file,
                    "is %s and was not read, expected %s in a regular file".formatted(kind(file, attributes), content));
        }
        if (attributes.size() > limit) {
            throw tooLarge(file, "%s bytes".formatted(attributes.size()));
        }
        return new Bounded(file, Files.newInputStream(file));
    }

    /**
     * Reads a file.
     *
     * @param file a file named by a user; links are followed
     * @throws UnfitFileException when the file is not a regular file, or too large
     * @throws IOException when the file cannot be read
     */
    public byte[] read(Path file) throws IOException {
        long size = Files.size(file);
        try (InputStream in = open(file)) {
            byte[] content = new byte[(int) Math.min(size, limit)];
            int length = in.readNBytes(content, 0, content.length);
            byte[] grown = in.readAllBytes();
            byte[] all =
                    length + grown.length == content.length ? content : Arrays.copyOf(content, length + grown.length);
            System.arraycopy(grown, 0, all, length, grown.length);
            return all;
        }
    }

    /**
     * Reads a text.
     *
     * @param file a file named by a user; links are followed
     * @throws UnfitFileException when the file is not a regular file, or too large
     * @throws java.nio.charset.CharacterCodingException when the file is not UTF-8
     * @throws IOException when the file cannot be read
     */
    public String text(Path file) throws IOException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(read(file)))
                .toString();
    }

    private UnfitFileException tooLarge(Path file, String size) {
        return new UnfitFileException(file, "has %s, and %s has at most %s".formatted(size, content, limitWithUnit()));
    }

    private String limitWithUnit() {
        long number = limit;
        int unit = 0;
        while (number % 1024 == 0) {
            number /= 1024;
            unit++;
        }
        return number + " " + UNITS[unit];
    }

    private static String kind(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isDirectory()) {
            return "a folder";
        }
        try {
            return switch ((int) Files.getAttribute(file, "unix:mode") & KIND) {
                case PIPE -> "a pipe";
                case SOCKET -> "a socket";
                default -> "a device";
            };
        } catch (UnsupportedOperationException notUnix) {
            return "not a regular file";
        }
    }

    /** A stream with a limit, because a file may grow while it is read. */
    private final class Bounded extends FilterInputStream {

        private final Path file;
        private long remaining = limit;

        Bounded(Path file, InputStream content) {
            super(content);
            this.file = file;
        }

        @Override
        public int read() throws IOException {
            byte[] next = new byte[1];
            return read(next, 0, 1) < 0 ? -1 : next[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            remaining -= Math.max(0, read);
            if (remaining < 0) {
                throw tooLarge(file, "grown beyond its first size");
            }
            return read;
        }
    }
}
