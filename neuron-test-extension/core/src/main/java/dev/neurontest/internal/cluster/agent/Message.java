package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** The messages between a test JVM and an agent, each a line of JSON. */
final class Message {

    /** The beginning of each line of an agent. Other lines come from the launcher or from a login shell. */
    static final String MARK = "neuron-test-agent ";

    /** The longest line. A longer one is not from this protocol and must not fill the memory. */
    static final int LONGEST = 64 << 20;

    /** The first byte of a compressed message. */
    private static final char COMPRESSED = '*';

    private static final int LONGEST_PLAIN = 1000;

    /** The longest compressed message. The parts of files are longer, and compressing them takes longer than sending them. */
    private static final int LONGEST_COMPRESSED = 1 << 20;

    private static final Map<String, Class<?>> CALLS = Stream.of(
                    HostCalls.class, FileCalls.class, LeaseCalls.class, RankCalls.class)
            .flatMap(calls -> Arrays.stream(calls.getDeclaredClasses()))
            .filter(Call.class::isAssignableFrom)
            .collect(Collectors.toMap(Class::getSimpleName, call -> call));

    private Message() {}

    /**
     * A call.
     *
     * @param id the number of the call, repeated in its answer
     * @param call the name of its type
     * @param with its components
     */
    record Request(long id, String call, JsonObject with) {

        static Request of(long id, Call<?> call) {
            return new Request(id, call.getClass().getSimpleName(), JsonObject.of((Record) call));
        }

        /** Returns the call; null if it is unknown. */
        @Nullable
        Call<?> toCall() {
            Class<?> type = CALLS.get(call);
            return type == null ? null : (Call<?>) RecordReader.EXACT.read(with, type.asSubclass(Record.class));
        }
    }

    /**
     * An answer: either a result or a failure, or news without a call.
     *
     * @param id the number of the call; 0 for news
     * @param result the answer of the call
     * @param failure the exception of the call
     * @param news an event of the host
     */
    record Answer(long id, Optional<JsonObject> result, Optional<CallFailure> failure, Optional<HostNews> news) {

        Answer(long id, Optional<JsonObject> result, Optional<CallFailure> failure) {
            this(id, result, failure, Optional.empty());
        }

        static Answer of(HostNews news) {
            return new Answer(0, Optional.empty(), Optional.empty(), Optional.of(news));
        }
    }

    /**
     * Returns the line of a message: JSON, or {@link #COMPRESSED} with compressed JSON. srun sends a line in pieces of 1 KiB, and the second
     * piece waits 40 ms for the acknowledgement of the first one, as long as the host does not answer.
     */
    static byte[] line(String mark, Record message) {
        byte[] json = RecordWriter.text(message).getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream line = new ByteArrayOutputStream(json.length + mark.length() + 1);
        line.writeBytes(mark.getBytes(StandardCharsets.US_ASCII));
        if (json.length > LONGEST_PLAIN && json.length <= LONGEST_COMPRESSED) {
            line.write(COMPRESSED);
            line.writeBytes(Base64.getEncoder().encode(compressed(json)));
        } else {
            line.writeBytes(json);
        }
        line.write('\n');
        return line.toByteArray();
    }

    private static byte[] compressed(byte[] json) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(compressed)) {
            out.write(json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return compressed.toByteArray();
    }

    /**
     * Returns the JSON of a message.
     *
     * @param line the line after its mark
     * @throws IOException if it is not a message, or longer than any message
     */
    static byte[] json(byte[] line) throws IOException {
        if (line.length == 0 || line[0] != COMPRESSED) {
            return line;
        }
        byte[] json;
        try (InputStream in = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(Arrays.copyOfRange(line, 1, line.length))))) {
            json = in.readNBytes(LONGEST_COMPRESSED + 1);
        } catch (IllegalArgumentException notBase64) {
            throw new IOException("a compressed message is damaged", notBase64);
        }
        if (json.length > LONGEST_COMPRESSED) {
            throw new IOException("a compressed message is longer than %s KiB".formatted(LONGEST_COMPRESSED >> 10));
        }
        return json;
    }
}
