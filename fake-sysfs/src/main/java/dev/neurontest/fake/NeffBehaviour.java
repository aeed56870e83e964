package dev.neurontest.fake;

import dev.neurontest.fake.runtime.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What one execution does: everything that is scripted for it, put together. */
final class NeffBehaviour {

    private @Nullable Duration latency;
    private boolean hangs;
    private @Nullable NrtStatus status;
    private @Nullable ExecutionFault fault;
    private @Nullable NrtStatus loadStatus;
    private final List<LongFunction<Event>> events = new ArrayList<>();
    private final Map<String, NeffOutput> outputs = new LinkedHashMap<>();

    @Nullable
    Duration latency() {
        return latency;
    }

    void latency(Duration time) {
        latency = time;
        hangs = false;
    }

    boolean hangs() {
        return hangs;
    }

    void hang() {
        hangs = true;
    }

    /** Returns the scripted status, or the status of the fault. */
    NrtStatus status() {
        if (status != null) {
            return status;
        }
        return fault != null ? fault.status() : NrtStatus.NRT_SUCCESS;
    }

    void status(NrtStatus end) {
        status = end;
    }

    @Nullable
    ExecutionFault fault() {
        return fault;
    }

    void fault(ExecutionFault met) {
        fault = met;
    }

    @Nullable
    NrtStatus loadStatus() {
        return loadStatus;
    }

    void loadStatus(NrtStatus end) {
        loadStatus = end;
    }

    /** Events by the logical core that makes them. */
    List<LongFunction<Event>> events() {
        return events;
    }

    Map<String, NeffOutput> outputs() {
        return outputs;
    }
}
