package dev.neurontest.fake;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.runtime.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The behavior of one execution, combined from all scripts for it. */
final class NeffBehaviour {

    @Nullable
    Duration latency;

    boolean hangs;

    @Nullable
    NrtStatus status;

    @Nullable
    ExecutionFault fault;

    @Nullable
    NrtStatus loadStatus;

    /** Functions from the logical core that makes an event to that event. */
    final List<LongFunction<Event>> events = new ArrayList<>();

    final Map<String, NeffOutput> outputs = new LinkedHashMap<>();

    /** Returns the scripted status, or the status of the fault. */
    NrtStatus status() {
        if (status != null) {
            return status;
        }
        return fault != null ? fault.status() : NrtStatus.NRT_SUCCESS;
    }

    /**
     * Checks the outputs before any execution.
     *
     * @throws IllegalArgumentException when no execution of the NEFF can write one of them
     */
    void check(Neff neff) {
        outputs.forEach((name, output) -> require(neff, name, declared -> {
            output.check(neff.model(), declared);
            return "";
        }));
    }

    /**
     * Returns the outputs of an execution.
     *
     * @param inputs the bytes of the inputs, by name
     * @return the bytes of the outputs, by name
     * @throws IllegalArgumentException when one of them cannot be written
     */
    Map<String, byte[]> contents(Neff neff, Map<String, byte[]> inputs) {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        outputs.forEach((name, output) ->
                contents.put(name, require(neff, name, declared -> output.bytes(declared, inputs))));
        return contents;
    }

    /** Returns the names of the outputs that an execution writes only in part. */
    Set<String> partial() {
        return outputs.entrySet().stream()
                .filter(output -> output.getValue().isPartial())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static <T> T require(Neff neff, String name, Function<@Nullable NeffTensor, T> use) {
        NeffModel model = neff.model();
        NeffTensor declared = model.outputs().get(name);
        try {
            if (declared == null && model.inputs() != null) {
                throw new IllegalArgumentException("the NEFF has " + NeffTensor.listed("outputs", model.outputs()));
            }
            return use.apply(declared);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "output " + name + " of " + neff.name() + " cannot be written: " + wrong.getMessage(), wrong);
        }
    }
}
