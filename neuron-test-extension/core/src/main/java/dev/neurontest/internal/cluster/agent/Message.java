package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.json.RecordWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The messages between a test JVM and an agent, each a line of JSON. */
final class Message {

    /** The beginning of each line of an agent. Other lines come from the launcher or from a login shell. */
    static final String MARK = "neuron-test-agent ";

    /** The longest line. A longer one is not from this protocol and must not fill the memory. */
    static final int LONGEST = 64 << 20;

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

    static byte[] line(String mark, Record message) {
        return (mark + RecordWriter.text(message) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
