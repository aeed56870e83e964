package dev.neurontest.fake;

import dev.neurontest.fake.internal.runtime.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
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
}
