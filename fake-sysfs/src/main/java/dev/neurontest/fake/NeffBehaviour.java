package dev.neurontest.fake;

import dev.neurontest.fake.internal.runtime.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What one execution does: everything that is scripted for it, put together. */
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

    /** Events by the logical core that makes them. */
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
