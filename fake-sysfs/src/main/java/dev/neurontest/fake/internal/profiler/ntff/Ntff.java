package dev.neurontest.fake.internal.profiler.ntff;

import dev.neurontest.fake.internal.files.RegularFile;
import dev.neurontest.fake.internal.neff.Neff;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A device trace, as far as the format is known from genuine files. It starts with a header of 128 bytes: a byte with the version,
 * and the length of a message. The message follows, and then notification records of 16 bytes each.
 *
 * @param version version of the format
 * @param neffName the name in the NEFF's header
 * @param uuid UUID of the NEFF, 16 bytes; in a file it ends before the first zero byte, because the runtime writes it as a C string
 * @param graphs a graph for each physical core
 * @param instanceType instance type of the host
 * @param properties other values that the stand-in needs when it reads the trace; empty in a genuine trace
 * @param records number of notification records
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Ntff(
        int version,
        String neffName,
        byte[] uuid,
        List<Graph> graphs,
        String instanceType,
        TraceProperties properties,
        int records) {

    static final int HEADER = 128;
    static final int RECORD = 16;

    private static final int UUID_BYTES = 16;
    private static final int UUID_FIELD_BYTES = 22;
    private static final long MODEL_ID = 10001;
    private static final int LARGEST_MESSAGE = 256 << 20;

    private static final int NEFF_NAME = 1;
    private static final int NEFF_UUID = 2;
    private static final int MODEL = 3;
    private static final int NODES = 4;
    private static final int NODE_GRAPHS = 4;
    private static final int GRAPH = 1;
    private static final int GRAPH_NAME = 1;
    private static final int GRAPH_CORE = 3;
    private static final int GRAPH_DURATION = 14;
    private static final int GRAPH_COUNT = 5;
    private static final int UNIX_TIME = 7;
    private static final int RUNTIME_VERSION = 8;
    private static final int INSTANCE_TYPE = 9;
    private static final int DRIVER_VERSION = 11;
    private static final int COLLECTIVES_VERSION = 12;
    private static final int PROPERTIES = 1000;
    private static final String OWN = "\nfake-sysfs\n";

    /**
     * The execution on a physical core.
     *
     * @param name {@code sg00}, {@code sg01}
     * @param core number of the core on its device
     * @param picoseconds duration of the execution
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Graph(String name, int core, long picoseconds) {

        private static Graph parse(String text) {
            String[] parts = text.split(":");
            return new Graph(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
        }

        private String text() {
            return name + ':' + core + ':' + picoseconds;
        }
    }

    /** Thrown when a file is not a trace, or is truncated. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final class Unreadable extends IOException {

        private static final long serialVersionUID = 1;

        /** The first byte of the file; -1 if it is empty. */
        private final int version;

        Unreadable(String message, int version) {
            super(message);
            this.version = version;
        }

        /**
         * Returns the first byte of the file.
         *
         * @return a version such as 5; -1 if the file is empty
         */
        public int version() {
            return version;
        }
    }

    /** Returns the duration of the execution in picoseconds, the longest of its graphs. Returns 0 without a graph. */
    public long picoseconds() {
        long longest = 0;
        for (Graph graph : graphs) {
            longest = Math.max(longest, graph.picoseconds());
        }
        return longest;
    }

    /**
     * Encodes the trace.
     *
     * @param unixSeconds time of the capture
     * @return content of the file
     */
    public byte[] toBytes(long unixSeconds) {
        byte[] message = message(unixSeconds);
        ByteBuffer file =
                ByteBuffer.allocate(HEADER + message.length + records * RECORD).order(ByteOrder.LITTLE_ENDIAN);
        file.put((byte) version).putLong(message.length);
        if (version >= 5) {
            for (int at = 0x10; at <= 0x40; at += 0x10) {
                file.putInt(at, 3).putInt(at + 4, 3);
            }
        }
        file.position(HEADER);
        file.put(message);
        long start = unixSeconds * 1_000_000_000L;
        for (int i = 0; i < records; i++) {
            file.putInt(0x8400d804 + (i & 1) * 0x01000000 + (i & 0xf));
            file.putInt((i & 1) == 0 ? i : -1);
            file.putLong(start + picoseconds() / 1000 * i / records);
        }
        return file.array();
    }

    private byte[] message(long unixSeconds) {
        Protobuf nodes = new Protobuf();
        for (Graph graph : graphs) {
            nodes.message(
                    GRAPH,
                    new Protobuf()
                            .text(GRAPH_NAME, graph.name())
                            .number(GRAPH_CORE, graph.core())
                            .number(GRAPH_DURATION, graph.picoseconds()));
        }
        byte[] identity = upToZero(uuid);
        if (identity.length == UUID_BYTES) {
            // The runtime reads beyond the UUID into the following bytes.
            identity = Arrays.copyOf(identity, UUID_FIELD_BYTES);
        }
        Protobuf message = new Protobuf()
                .text(NEFF_NAME, neffName)
                .bytes(NEFF_UUID, identity)
                .number(MODEL, MODEL_ID)
                .message(NODES, new Protobuf().message(NODE_GRAPHS, nodes))
                .number(GRAPH_COUNT, graphs.size());
        boolean own = !properties.toString().isEmpty();
        if (own && version == 4) {
            message.number(UNIX_TIME, unixSeconds);
        }
        if (own) {
            message.message(RUNTIME_VERSION, version(properties.get("runtime", "")));
        }
        message.text(INSTANCE_TYPE, instanceType);
        if (own) {
            message.message(DRIVER_VERSION, version(properties.get("driver", "")))
                    .message(COLLECTIVES_VERSION, version(properties.get("collectives", "")))
                    .text(PROPERTIES, ownLines());
        }
        return message.toBytes();
    }

    private static Protobuf version(String dotted) {
        Protobuf version = new Protobuf();
        String[] numbers = dotted.split("\\.");
        for (int i = 0; i < Math.min(numbers.length, 3); i++) {
            if (!numbers[i].isEmpty()) {
                version.number(i + 1, Long.parseLong(numbers[i]));
            }
        }
        return version;
    }

    /**
     * Reads the trace except for its records.
     *
     * @param file a trace
     * @throws IOException if it cannot be read, or is not a trace
     */
    public static Ntff read(Path file) throws IOException {
        try (InputStream in = RegularFile.open(file)) {
            byte[] header = in.readNBytes(HEADER);
            int version = header.length == 0 ? -1 : header[0] & 0xff;
            if (header.length < HEADER) {
                throw new Unreadable("unexpected EOF", version);
            }
            long length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getLong(1);
            if (length < 0 || length > LARGEST_MESSAGE) {
                throw new Unreadable("message of " + length + " bytes", version);
            }
            byte[] message = in.readNBytes((int) length);
            if (message.length < length) {
                throw new Unreadable("unexpected EOF", version);
            }
            int records = (int) Math.min(Integer.MAX_VALUE, (Files.size(file) - HEADER - length) / RECORD);
            return parse(version, message, records);
        }
    }

    private static Ntff parse(int version, byte[] message, int records) throws IOException {
        String text = new String(message, StandardCharsets.UTF_8);
        int own = text.lastIndexOf(OWN);
        if (own < 0) {
            return new Ntff(version, "", new byte[UUID_BYTES], List.of(), "", new TraceProperties(), records);
        }
        try {
            String[] lines = text.substring(own + OWN.length()).split("\n", 5);
            return new Ntff(
                    version,
                    URLDecoder.decode(lines[0], StandardCharsets.UTF_8),
                    Arrays.copyOf(HexFormat.of().parseHex(lines[1]), UUID_BYTES),
                    Stream.of(lines[3].split(" "))
                            .filter(graph -> !graph.isEmpty())
                            .map(Graph::parse)
                            .toList(),
                    lines[2],
                    TraceProperties.parse(lines[4]),
                    records);
        } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
            throw new IOException("the stand-in wrote no such trace", damaged);
        }
    }

    /** Returns the lines by which the stand-in recognizes its traces. They are in a field that a genuine message does not have. */
    private String ownLines() {
        return OWN
                + URLEncoder.encode(neffName, StandardCharsets.UTF_8)
                + '\n'
                + uuidText()
                + '\n'
                + instanceType
                + '\n'
                + graphs.stream().map(Graph::text).collect(Collectors.joining(" "))
                + '\n'
                + properties;
    }

    /**
     * Returns whether the stand-in wrote the trace.
     *
     * @return false for a trace of a genuine tool
     */
    public boolean isOwn() {
        return !properties.get("work", "").isEmpty();
    }

    /**
     * Returns whether the trace may belong to a NEFF, based on the preserved part of its UUID.
     *
     * @param neff the model
     */
    public boolean isOf(Neff neff) {
        return Arrays.equals(upToZero(uuid), upToZero(neff.uuid()));
    }

    private static byte[] upToZero(byte[] uuid) {
        int length = 0;
        while (length < UUID_BYTES && uuid[length] != 0) {
            length++;
        }
        return Arrays.copyOf(uuid, length);
    }

    /** Returns the UUID as hexadecimal digits. */
    public String uuidText() {
        return HexFormat.of().formatHex(uuid);
    }
}
