package dev.neurontest.fake.internal.profiler.ntff;

import dev.neurontest.fake.internal.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The events of a runtime, as {@code ntrace.pb} contains them. The format of the genuine file is not known: only the stand-in reads
 * this format.
 *
 * @param instance EC2 instance
 * @param process number of the process
 * @param dropped number of lost events
 * @param events the events in order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record SystemTrace(String instance, long process, long dropped, List<Event> events) {

    private static final int LARGEST = 256 << 20;

    /**
     * An event with a duration.
     *
     * @param name name of the event type
     * @param start in nanoseconds since 1970
     * @param duration in nanoseconds
     * @param thread number of the thread
     * @param core the logical core
     * @param physical core of the device; -1 on the host
     * @param model number of the model
     */
    public record Event(String name, long start, long duration, long thread, long core, long physical, long model) {

        /**
         * Returns whether the event occurred on a device.
         *
         * @return false for an event of the host
         */
        public boolean isHardware() {
            return physical >= 0;
        }
    }

    /** Creates a trace with a copy of the events. */
    public SystemTrace {
        events = List.copyOf(events);
    }

    /**
     * Encodes the trace.
     *
     * @return a line for the process, and a line for each event
     */
    public byte[] toBytes() {
        StringBuilder text = new StringBuilder(instance + ' ' + process + ' ' + dropped + '\n');
        for (Event event : events) {
            text.append(event.name());
            LongStream.of(
                            event.start(),
                            event.duration(),
                            event.thread(),
                            event.core(),
                            event.physical(),
                            event.model())
                    .forEach(number -> text.append(' ').append(number));
            text.append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a file.
     *
     * @param file a file of the stand-in's runtime
     * @return the trace, without events if another program wrote the file
     * @throws IOException if it cannot be read
     */
    public static SystemTrace read(Path file) throws IOException {
        byte[] content;
        try (InputStream in = RegularFile.open(file)) {
            content = in.readNBytes(LARGEST + 1);
        }
        if (content.length > LARGEST) {
            throw new IOException(file + " has more than the " + (LARGEST >> 20) + " MiB that a system trace can have");
        }
        List<String> lines = new String(content, StandardCharsets.UTF_8).lines().toList();
        try {
            String[] process = lines.get(0).split(" ");
            return new SystemTrace(
                    process[0],
                    Long.parseLong(process[1]),
                    Long.parseLong(process[2]),
                    lines.stream().skip(1).map(SystemTrace::event).toList());
        } catch (NumberFormatException | IndexOutOfBoundsException another) {
            return new SystemTrace("", 0, 0, List.of());
        }
    }

    private static Event event(String line) {
        String[] words = line.split(" ");
        long[] numbers = Stream.of(words).skip(1).mapToLong(Long::parseLong).toArray();
        return new Event(words[0], numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    }
}
