package dev.neurontest.lease.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The content of a table in a file with two places of fixed size, written in turn, so that a JVM that is killed while writing
 * leaves the one before. Both are filled when the file is made, so that a full disk does not keep a JVM from giving cores back.
 *
 * <p>What was written last is valid once its generation is in the commit record, which is in another file. So a place that was
 * not written to its end can be told from one that was and is damaged.
 */
final class TableFile {

    static final int PLACE = 256 * 1024;
    private static final int HEADER = 96;
    private static final int VERSION = 1;
    private static final String MAGIC = "neuron-test-leases";
    private static final Pattern HEADER_LINE =
            Pattern.compile(MAGIC + " 1 generation (\\d{1,18}) length (\\d{1,9}) crc ([0-9a-f]{8}) *\n");
    private static final Pattern COMMIT_LINE =
            Pattern.compile(MAGIC + " 1 table ([0-9a-f]{16}) committed (\\d{1,18}) crc ([0-9a-f]{8}) *\n");
    private static final Pattern ANY_VERSION = Pattern.compile(MAGIC + " (\\d{1,9}) .*", Pattern.DOTALL);

    private TableFile() {}

    /** A file that is no table, or one that is damaged. */
    static final class DamagedTableException extends IOException {

        private static final long serialVersionUID = 1;

        DamagedTableException(String what) {
            super(what);
        }

        DamagedTableException(String what, Throwable cause) {
            super(what, cause);
        }
    }

    /** A table of a later version than this one can read. */
    static final class NewerTableException extends IOException {

        private static final long serialVersionUID = 1;

        NewerTableException(int version) {
            super("it was written by a newer version: its format is " + version + ", this one knows " + VERSION);
        }
    }

    /**
     * What is valid.
     *
     * @param table tells it from any other that was ever in the same place
     */
    record Commit(String table, long generation) {

        static Commit first() {
            return new Commit(UUID.randomUUID().toString().replace("-", "").substring(0, 16), 1);
        }

        Commit next() {
            return new Commit(table, generation + 1);
        }

        private String text() {
            return String.format(Locale.ROOT, "table %s committed %018d", table, generation);
        }

        private String checksum() {
            return crc(text().getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** What is valid; empty where nothing was ever committed. */
    static Optional<Commit> committed(SharedFile lock) throws IOException {
        byte[] record = lock.read(0, HEADER);
        if (record.length == 0) {
            return Optional.empty();
        }
        Matcher line = match(COMMIT_LINE, record, "the commit record");
        Commit commit = new Commit(line.group(1), Long.parseLong(line.group(2)));
        if (!line.group(3).equals(commit.checksum())) {
            throw new DamagedTableException("the commit record does not match its checksum");
        }
        return Optional.of(commit);
    }

    static void commit(SharedFile lock, Commit commit) throws IOException {
        lock.write(0, line("%s %s %s crc %s".formatted(MAGIC, VERSION, commit.text(), commit.checksum())));
    }

    /** Fills both places. */
    static void allocate(SharedFile table) throws IOException {
        table.write(0, new byte[2 * PLACE]);
    }

    static TableState read(SharedFile table, long generation) throws IOException {
        long place = place(generation);
        Matcher header = match(HEADER_LINE, table.read(place, HEADER), "generation " + generation);
        int length = Integer.parseInt(header.group(2));
        byte[] content = table.read(place + HEADER, Math.min(length, PLACE - HEADER));
        if (Long.parseLong(header.group(1)) != generation
                || content.length != length
                || !crc(content).equals(header.group(3))) {
            throw new DamagedTableException("generation " + generation + " was written, but is not there");
        }
        try {
            return TableText.read(new String(content, StandardCharsets.UTF_8));
        } catch (TableText.MalformedTableException malformed) {
            throw new DamagedTableException(malformed.getMessage(), malformed);
        }
    }

    /**
     * Writes a table beside the one that is valid.
     *
     * @throws IOException also when it is too large
     */
    static void write(SharedFile table, long generation, TableState state) throws IOException {
        byte[] content = TableText.write(state).getBytes(StandardCharsets.UTF_8);
        if (content.length > PLACE - HEADER) {
            throw new IOException(
                    "with %s leases, %s waiting and %s cores in quarantine it has %s bytes, and there is room for %s"
                            .formatted(
                                    state.claims().size(),
                                    state.queue().size(),
                                    state.barred().size(),
                                    content.length,
                                    PLACE - HEADER));
        }
        byte[] header = line(String.format(
                Locale.ROOT,
                "%s %s generation %018d length %s crc %s",
                MAGIC,
                VERSION,
                generation,
                content.length,
                crc(content)));
        byte[] whole = Arrays.copyOf(header, HEADER + content.length);
        System.arraycopy(content, 0, whole, HEADER, content.length);
        table.write(place(generation), whole);
    }

    private static long place(long generation) {
        return generation % 2 * PLACE;
    }

    private static Matcher match(Pattern wanted, byte[] record, String what) throws IOException {
        String text = new String(record, StandardCharsets.ISO_8859_1);
        Matcher found = wanted.matcher(text);
        if (found.matches()) {
            return found;
        }
        Matcher version = ANY_VERSION.matcher(text);
        if (version.matches() && Integer.parseInt(version.group(1)) > VERSION) {
            throw new NewerTableException(Integer.parseInt(version.group(1)));
        }
        throw new DamagedTableException(what + " is not there");
    }

    private static byte[] line(String text) {
        byte[] line = new byte[HEADER];
        Arrays.fill(line, (byte) ' ');
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, line, 0, ascii.length);
        line[HEADER - 1] = '\n';
        return line;
    }

    private static String crc(byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return "%08x".formatted(crc.getValue());
    }
}
