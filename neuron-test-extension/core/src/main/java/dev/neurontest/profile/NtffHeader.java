package dev.neurontest.profile;

import dev.neurontest.internal.neff.FileHead;
import dev.neurontest.internal.neff.NeffHeader;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The header of an NTFF, read without any tool. The vendor does not document this layout, therefore unreadable parts are absent.
 *
 * @param version the first byte; it determines the tools that can read the file
 * @param neffName the name that the NEFF contains
 * @param neffUuid the UUID of the executed NEFF up to its first zero byte: 2 to 32 hexadecimal digits. The runtime stores it as a C string
 *     and loses the rest of a UUID with a zero byte; empty when no digit is left
 * @param graphs one graph for each physical core of the logical core
 * @param runtimeVersion the version of the library that wrote the file, such as {@code 2.27.23}
 * @param instanceType the instance type, such as {@code trn2.3xlarge}
 * @param notificationBytes number of bytes after the message; 0 when the trace is empty
 * @param cut true if the file is shorter than its header requires, or ends within a record
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NtffHeader(
        int version,
        Optional<String> neffName,
        Optional<String> neffUuid,
        List<Graph> graphs,
        Optional<String> runtimeVersion,
        Optional<String> instanceType,
        long notificationBytes,
        boolean cut) {

    private static final int LENGTH = 128;
    private static final int LENGTH_OF_MESSAGE = 1;
    private static final int RECORD = 16;

    /** Highest accepted first byte. A file with a higher one is not an NTFF; genuine versions are 1 to 7. */
    private static final int HIGHEST_VERSION = 64;

    /** Highest version seen in a real file. Newer versions are assumed to have the same layout. */
    private static final int HIGHEST_SEEN_VERSION = 5;

    private static final int UUID_LENGTH = 16;
    private static final int LONGEST_TEXT = 4096;
    private static final int MOST_FIELDS = 1_000_000;
    private static final int PICOSECONDS_PER_NANOSECOND = 1000;

    /**
     * An executed graph.
     *
     * @param name the name, such as {@code sg00}
     * @param core the number of its physical core; -1 for an invalid number
     * @param duration the duration, converted from picoseconds; empty when it is not recorded
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Graph(String name, int core, Optional<Duration> duration) {}

    /**
     * Creates a header with its own copy of the graphs.
     *
     * @param version the first byte
     * @param neffName the name that the NEFF contains
     * @param neffUuid the UUID of the NEFF
     * @param graphs the executed graphs
     * @param runtimeVersion the version of the library that wrote the file
     * @param instanceType the instance type
     * @param notificationBytes number of bytes after the message
     * @param cut true if the file is truncated
     */
    public NtffHeader {
        graphs = List.copyOf(graphs);
    }

    /**
     * Returns the part of a NEFF's UUID that an NTFF can store.
     *
     * @param neff a header with the whole UUID
     * @return the digits up to the first zero byte; empty when the UUID begins with a zero byte
     */
    static Optional<String> keptUuid(NeffHeader neff) {
        String uuid = neff.uuid();
        int end = 0;
        while (end + 2 <= uuid.length() && !uuid.startsWith("00", end)) {
            end += 2;
        }
        return end == 0 ? Optional.empty() : Optional.of(uuid.substring(0, end));
    }

    /**
     * The result of reading a header.
     *
     * @param header the readable parts; empty when the file is not an NTFF
     * @param problem the problem of the file and a remedy; a header may be present in addition
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Reading(Optional<NtffHeader> header, Optional<String> problem) {

        private static Reading of(Path ntff, String problem) {
            return new Reading(Optional.empty(), Optional.of(ntff + " " + problem));
        }
    }

    /**
     * Reads the header of an NTFF. The method throws no exception: unreadable parts are absent, and the result contains the reason.
     *
     * @param ntff the file
     * @return the header, or the reason why it is missing
     */
    public static Reading read(Path ntff) {
        if (!Files.exists(ntff)) {
            return Reading.of(ntff, "does not exist. See the log of the capture.");
        }
        if (!Files.isRegularFile(ntff)) {
            return Reading.of(
                    ntff,
                    (Files.isDirectory(ntff) ? "is a folder" : "is not a regular file")
                            + ", expected an NTFF file. Use the *.ntff in the folder of the capture.");
        }
        try (SeekableByteChannel file = Files.newByteChannel(ntff)) {
            return of(ntff, file);
        } catch (AccessDeniedException e) {
            return Reading.of(ntff, "is not readable. Allow this user to read it.");
        } catch (IOException e) {
            return Reading.of(ntff, "cannot be read (%s). Read it by hand: xxd | head.".formatted(e));
        }
    }

    private static Reading of(Path ntff, SeekableByteChannel file) throws IOException {
        FileHead head = FileHead.read(file, LENGTH);
        long size = file.size();
        if (head.length() == 0) {
            return Reading.of(ntff, "is empty: its core was made ready, but no execution on it was traced.");
        }
        int version = head.unsignedByte(0);
        if (version == 0 || version > HIGHEST_VERSION) {
            return Reading.of(
                    ntff,
                    "is not an NTFF file: its first byte is %s, expected a version from 1 to 7. Use the *.ntff, not the *.pb or the NEFF."
                            .formatted(version));
        }
        if (head.length() < LENGTH) {
            return Reading.of(
                    ntff,
                    "is cut: it has %s bytes, expected a head of %s. The capture was ended, or the disk is full; capture it again."
                            .formatted(size, LENGTH));
        }
        long message = head.eightBytes(LENGTH_OF_MESSAGE);
        if (message < 0) {
            return Reading.of(ntff, "is not an NTFF file: its message would have a negative length.");
        }
        long notifications = size - LENGTH - message;
        boolean cut = notifications < 0 || notifications % RECORD != 0;
        Message values = new Message();
        Optional<String> problem = Optional.empty();
        try {
            values.read(ProtobufWalk.of(file, LENGTH, notifications < 0 ? size : LENGTH + message, MOST_FIELDS));
        } catch (IOException e) {
            problem = Optional.of(
                    "%s has a message that cannot be parsed (%s). Its version is %s; the file may be damaged or newer than the known versions."
                            .formatted(ntff, e.getMessage(), version));
        }
        if (cut) {
            problem = Optional.of(
                    "%s is cut: it has %s bytes, expected %s. The capture was ended, or the disk is full; capture it again.%s"
                            .formatted(
                                    ntff,
                                    size,
                                    notifications < 0
                                            ? "a head of %s and a message of %s"
                                                    .formatted(LENGTH, Long.toUnsignedString(message))
                                            : "whole records of %s after byte %s".formatted(RECORD, LENGTH + message),
                                    version <= HIGHEST_SEEN_VERSION
                                            ? ""
                                            : " If every capture fails like this, files of version %s have an unknown layout."
                                                    .formatted(version)));
        }
        return new Reading(
                Optional.of(new NtffHeader(
                        version,
                        values.neffName,
                        values.neffUuid,
                        values.graphs,
                        values.runtimeVersion,
                        values.instanceType,
                        Math.max(0, notifications),
                        cut)),
                problem);
    }

    /** The values read from the message until it ended or became invalid. */
    private static final class Message {

        private static final int NEFF_NAME = 1;
        private static final int NEFF_UUID = 2;
        private static final int NODES = 4;
        private static final int NODE = 4;
        private static final int GRAPH = 1;
        private static final int GRAPH_NAME = 1;
        private static final int GRAPH_CORE = 3;
        private static final int GRAPH_DURATION = 14;
        private static final int RUNTIME_VERSION = 8;
        private static final int INSTANCE_TYPE = 9;
        private static final int NUMBERS_OF_A_VERSION = 3;
        private static final long HIGHEST_OF_A_VERSION = 1_000_000;

        private Optional<String> neffName = Optional.empty();
        private Optional<String> neffUuid = Optional.empty();
        private Optional<String> runtimeVersion = Optional.empty();
        private Optional<String> instanceType = Optional.empty();
        private final List<Graph> graphs = new ArrayList<>();

        void read(ProtobufWalk message) throws IOException {
            while (message.next()) {
                switch (message.field()) {
                    case NEFF_NAME -> neffName = text(message);
                    case NEFF_UUID -> neffUuid = uuid(message);
                    case NODES -> readNodes(message.inside());
                    case RUNTIME_VERSION -> runtimeVersion = version(message.inside());
                    case INSTANCE_TYPE -> instanceType = text(message);
                    default -> {}
                }
            }
        }

        private void readNodes(ProtobufWalk nodes) throws IOException {
            while (nodes.next()) {
                if (nodes.field() == NODE) {
                    ProtobufWalk node = nodes.inside();
                    while (node.next()) {
                        if (node.field() == GRAPH) {
                            readGraph(node.inside());
                        }
                    }
                }
            }
        }

        private void readGraph(ProtobufWalk graph) throws IOException {
            String name = "";
            // The writer omits the number when it is 0.
            long core = 0;
            Optional<Duration> duration = Optional.empty();
            while (graph.next()) {
                switch (graph.field()) {
                    case GRAPH_NAME -> name = text(graph).orElse("");
                    case GRAPH_CORE -> core = graph.number();
                    case GRAPH_DURATION -> duration = duration(graph.number());
                    default -> {}
                }
            }
            graphs.add(new Graph(name, core < 0 || core > Integer.MAX_VALUE ? -1 : (int) core, duration));
        }

        /** Reads a version. The writer omits numbers that are 0. */
        private static Optional<String> version(ProtobufWalk version) throws IOException {
            long[] numbers = new long[NUMBERS_OF_A_VERSION];
            while (version.next()) {
                if (version.field() <= NUMBERS_OF_A_VERSION) {
                    numbers[version.field() - 1] = version.number();
                }
            }
            boolean isPlausible = Arrays.stream(numbers).allMatch(each -> each >= 0 && each < HIGHEST_OF_A_VERSION);
            return isPlausible && numbers[0] > 0
                    ? Optional.of("%s.%s.%s".formatted(numbers[0], numbers[1], numbers[2]))
                    : Optional.empty();
        }

        private static Optional<Duration> duration(long picoseconds) {
            return picoseconds < 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(Math.round((double) picoseconds / PICOSECONDS_PER_NANOSECOND)));
        }

        private static Optional<String> text(ProtobufWalk field) throws IOException {
            byte[] text = field.bytes(LONGEST_TEXT);
            return text.length == 0 ? Optional.empty() : Optional.of(FileHead.printable(text, 0, text.length));
        }

        /**
         * Reads a UUID up to its first zero byte. Without a zero byte, the string continues with unrelated memory and is limited to the
         * length of a UUID.
         */
        private static Optional<String> uuid(ProtobufWalk field) throws IOException {
            byte[] uuid = field.bytes(LONGEST_TEXT);
            int end = 0;
            while (end < Math.min(UUID_LENGTH, uuid.length) && uuid[end] != 0) {
                end++;
            }
            return end == 0 ? Optional.empty() : Optional.of(HexFormat.of().formatHex(uuid, 0, end));
        }
    }
}
