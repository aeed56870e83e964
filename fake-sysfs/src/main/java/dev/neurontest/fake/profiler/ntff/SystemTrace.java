package dev.neurontest.fake.profiler.ntff;

import dev.neurontest.fake.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * What a runtime did itself, as {@code ntrace.pb} holds it. How the genuine file looks is not known: this one is read by the stand-in alone.
 *
 * @param instance of EC2
 * @param process that did it
 * @param dropped how many events were lost
 * @param events in their order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SystemTrace(String instance, long process, long dropped, List<Event> events) {

    private static final int MESSAGE = 4;
    private static final int LARGEST = 256 << 20;

    /**
     * Something that took time.
     *
     * @param name of its type
     * @param start in nanoseconds since 1970
     * @param duration in nanoseconds
     * @param thread that it happened in
     * @param core the logical one
     * @param physical core of the device; -1 on the host
     * @param model the number of the model
     */
    public record Event(String name, long start, long duration, long thread, long core, long physical, long model) {

        /**
         * Whether it happened on a device.
         *
         * @return false for what the host did
         */
        public boolean isHardware() {
            return physical >= 0;
        }
    }

    /**
     * Keeps its own copy.
     *
     * @param instance of EC2
     * @param process that did it
     * @param dropped how many events were lost
     * @param events in their order
     */
    public SystemTrace {
        events = List.copyOf(events);
    }

    /**
     * The content of the file.
     *
     * @return a message
     */
    public byte[] toBytes() {
        Protobuf message = new Protobuf().text(1, instance).number(2, process).number(3, dropped);
        for (Event event : events) {
            message.message(
                    MESSAGE,
                    new Protobuf()
                            .text(1, event.name())
                            .number(2, event.start())
                            .number(3, event.duration())
                            .number(4, event.thread())
                            .number(5, event.core())
                            .number(6, event.physical() + 1)
                            .number(7, event.model()));
        }
        return message.toBytes();
    }

    /**
     * Reads a file.
     *
     * @param file of a runtime of the stand-in
     * @return without events where it is of another
     * @throws IOException when it cannot be read
     */
    public static SystemTrace read(Path file) throws IOException {
        byte[] content;
        try (InputStream in = RegularFile.open(file)) {
            content = in.readNBytes(LARGEST + 1);
        }
        if (content.length > LARGEST) {
            throw new IOException(file + " has more than the " + (LARGEST >> 20) + " MiB of a trace of the system");
        }
        String instance = "";
        long process = 0;
        long dropped = 0;
        List<Event> events = new ArrayList<>();
        try {
            ProtobufReader reader = new ProtobufReader(content);
            while (reader.next()) {
                switch (reader.field()) {
                    case 1 -> instance = reader.text();
                    case 2 -> process = reader.number();
                    case 3 -> dropped = reader.number();
                    case MESSAGE -> events.add(event(new ProtobufReader(reader.bytes())));
                    default -> {
                        // Of another writer.
                    }
                }
            }
        } catch (IOException another) {
            return new SystemTrace("", 0, 0, List.of());
        }
        return new SystemTrace(instance, process, dropped, events);
    }

    private static Event event(ProtobufReader reader) throws IOException {
        String name = "";
        long[] numbers = new long[8];
        while (reader.next()) {
            if (reader.field() == 1) {
                name = reader.text();
            } else if (reader.field() < numbers.length) {
                numbers[reader.field()] = reader.number();
            }
        }
        return new Event(name, numbers[2], numbers[3], numbers[4], numbers[5], numbers[6] - 1, numbers[7]);
    }
}
