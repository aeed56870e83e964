package dev.neurontest.internal.device.kernel;

import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.thread.Uninterrupted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The kernel log of a host: the output of dmesg on hardware, the file {@code dev/kmsg} under another root. Ordinary users and most
 * containers have no access. After a failure it is not read again.
 *
 * <p>Safe for use by several threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class KernelLog {

    /** Rule of a test that fails because of a line. The actual value of its violation is the line. */
    public static final String RULE = "no hardware error in the kernel log";

    private static final String STAT = "proc/stat";
    private static final Pattern BOOT_TIME = Pattern.compile("(?m)^btime ([0-9]{1,12})$");

    private final HostTree tree;
    private final Messages messages;
    private final Map<String, NeuronDevice> devices;
    private volatile @Nullable Instant booted;
    // Guarded by this.
    private final Map<Place, Integer> firstSeen = new HashMap<>();
    private final Set<Place> attributed = new HashSet<>();
    private @Nullable String unreadable;
    private int readings;

    /** The identity of a line, which a change of the machine's clock does not affect. */
    private record Place(Duration sinceBoot, String text) {

        static Place of(KernelLine line) {
            return new Place(line.sinceBoot(), line.text());
        }

        /** Compares time and text. The generated method of a record would delay the first test of a JVM. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Place place && sinceBoot.equals(place.sinceBoot) && text.equals(place.text);
        }

        @Override
        public int hashCode() {
            return 31 * sinceBoot.hashCode() + text.hashCode();
        }
    }

    private KernelLog(NeuronHost host, Messages messages) {
        this.tree = host.tree();
        this.messages = messages;
        // Without a serial number, no line can match a device.
        this.devices = host.bySerialNumber();
    }

    /**
     * Creates the log of a host without reading it.
     *
     * @param host the host
     * @return the log
     */
    public static KernelLog of(NeuronHost host) {
        return new KernelLog(host, host.tree().name().equals("/") ? new Dmesg() : new KmsgFile(host.tree()));
    }

    /**
     * Creates the log of a host whose messages another process reads.
     *
     * @param host the host
     * @param messages the source of its messages
     */
    public static KernelLog of(NeuronHost host, Messages messages) {
        return new KernelLog(host, messages);
    }

    /** Returns the source of the messages. */
    public Messages messages() {
        return messages;
    }

    /**
     * Reads all lines about Neuron devices.
     *
     * @return oldest first; empty without access
     */
    public List<KernelLine> read() {
        if (unreadable().isPresent()) {
            return List.of();
        }
        // The thread of a test is interrupted after a timeout, and some sources refuse such a thread.
        try {
            return Uninterrupted.get(this::readLines);
        } catch (IOException refused) {
            setUnreadable(String.valueOf(refused.getMessage()));
            return List.of();
        }
    }

    private List<KernelLine> readLines() throws IOException {
        Instant booted = booted();
        List<KernelLine> lines = new ArrayList<>();
        messages.read((sinceBoot, text) -> {
            Optional<KernelLine> line = KernelLine.of(sinceBoot, booted, text);
            if (line.isPresent()) {
                lines.add(line.get());
            }
        });
        addSeen(lines);
        return List.copyOf(lines);
    }

    /** Returns the time of the start of the kernel. It is read once, because it only makes times readable. */
    private Instant booted() throws IOException {
        Instant known = booted;
        if (known == null) {
            Matcher time = BOOT_TIME.matcher(new String(tree.read(STAT), StandardCharsets.US_ASCII));
            if (!time.find()) {
                throw new IOException(tree.location(STAT) + " has no boot time (btime)");
            }
            known = Instant.ofEpochSecond(Long.parseLong(time.group(1)));
            booted = known;
        }
        return known;
    }

    private synchronized void addSeen(List<KernelLine> lines) {
        readings++;
        for (KernelLine line : lines) {
            firstSeen.putIfAbsent(Place.of(line), readings);
        }
    }

    private synchronized void setUnreadable(String reason) {
        unreadable = reason;
    }

    /**
     * Reads the log and returns the number of this reading, for {@link #since(int)}.
     *
     * @return the number of readings so far
     */
    public int mark() {
        read();
        synchronized (this) {
            return readings;
        }
    }

    /**
     * Reads the lines that no reading up to a mark contained. Their times are not compared, because the clock of the kernel log
     * drifts from that of the host.
     *
     * @param mark of {@link #mark()}
     * @return oldest first; empty without access
     */
    public List<KernelLine> since(int mark) {
        List<KernelLine> lines = read();
        List<KernelLine> later = new ArrayList<>();
        synchronized (this) {
            for (KernelLine line : lines) {
                if (firstSeen.getOrDefault(Place.of(line), readings) > mark) {
                    later.add(line);
                }
            }
        }
        return List.copyOf(later);
    }

    /**
     * Returns the reason of the first failed reading.
     *
     * @return such as {@code dmesg: read kernel buffer failed: Operation not permitted}; empty after a successful reading and before the
     *     first
     */
    public synchronized Optional<String> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    /**
     * Finds the device by the serial number in a line. The device number in the line may differ in a container.
     *
     * @param line a line of this log
     * @return empty for a line without the serial number of a device of this host
     */
    public Optional<NeuronDevice> device(KernelLine line) {
        return line.serialNumber().map(devices::get);
    }

    /**
     * Registers that a test failed because of a line.
     *
     * @param line a line of this log
     */
    public synchronized void attribute(KernelLine line) {
        attributed.add(Place.of(line));
    }

    /**
     * Checks whether a test failed because of a line.
     *
     * @param line a line of this log
     * @return false for a line about a device without a test
     */
    public synchronized boolean isAttributed(KernelLine line) {
        return attributed.contains(Place.of(line));
    }

    /** A source of messages. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Messages {

        /**
         * Reads all messages.
         *
         * @throws IOException if this user has no access
         */
        void read(Sink sink) throws IOException;
    }

    /** A consumer of messages, oldest first. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Sink {

        /** Receives a message with its time since the start of the kernel. */
        void message(Duration sinceBoot, String text);
    }
}
