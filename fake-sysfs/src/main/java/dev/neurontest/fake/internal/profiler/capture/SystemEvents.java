package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.ntff.SystemTrace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** The events of a process's runtime on the host and on its cores, filtered as requested. */
final class SystemEvents {

    private static final int FIRST_MODEL = 10001;
    private static final long USUAL_MOST = 1_000_000;
    private static final long LOAD = 200_000;
    private static final long COPY = 20_000;
    private static final long CALL = 8_000;

    private final Call call;
    private final IntFunction<List<String>> physical;
    private final List<String> types;
    private final String cores;
    private final long most;
    private final long process;
    private final List<SystemTrace.Event> events = new ArrayList<>();
    private int models;
    private long now;

    /**
     * Creates an empty list of events that starts now.
     *
     * @param process number of the process
     * @param physical returns the physical cores of a logical core
     * @param types names, {@code hardware} or {@code software}; names after a caret are excluded; empty for all
     * @param cores numbers and ranges; empty for all
     * @param most maximum number of events of a core; empty for the default
     */
    SystemEvents(
            Call call,
            long process,
            IntFunction<List<String>> physical,
            List<String> types,
            String cores,
            String most) {
        this.call = call;
        this.process = process;
        this.physical = physical;
        this.types = types;
        this.cores = cores;
        this.most = most.matches("[0-9]{1,18}") ? Long.parseLong(most) : USUAL_MOST;
        this.now = System.currentTimeMillis() * 1_000_000;
    }

    /** Adds the events of a model that is loaded and executed on a logical core. The executions follow each other. */
    void executed(Neff neff, int core, int times) {
        long model = FIRST_MODEL + models++;
        host("nrt_load", LOAD, core, model);
        host("nrt_tensor_write", COPY, core, model);
        for (int execution = 1; execution <= times; execution++) {
            long time = Execution.of(call, neff.model(), Chip.of(call.instanceType()), core, execution)
                            .picoseconds()
                    / 1000;
            long start = now + CALL;
            add("nrt_execute", now, time + 2 * CALL, process, core, -1, model);
            add("kbl_exec_wait", start, time, process + 1, core, -1, model);
            for (String each : physical.apply(core)) {
                add("nc_exec_running", start, time, process, core, Trace.numberAfter(each, "neuron_core"), model);
            }
            now = start + time + CALL;
            host("nrt_tensor_read", COPY, core, model);
        }
        host("nrt_unload", COPY, core, model);
    }

    private void host(String name, long duration, int core, long model) {
        add(name, now, duration, process, core, -1, model);
        now += duration;
    }

    private void add(String name, long start, long duration, long thread, int core, int physicalCore, long model) {
        SystemTrace.Event event = new SystemTrace.Event(name, start, duration, thread, core, physicalCore, model);
        if (isWanted(event)) {
            events.add(event);
        }
    }

    private boolean isWanted(SystemTrace.Event event) {
        String kind = event.isHardware() ? "hardware" : "software";
        boolean named = types.stream().allMatch(type -> type.startsWith("^"))
                || types.contains(kind)
                || types.contains(event.name());
        return named
                && !types.contains("^" + kind)
                && !types.contains("^" + event.name())
                && (cores.isEmpty() || Arrays.stream(cores.split(",")).anyMatch(range -> isIn(event.core(), range)));
    }

    private static boolean isIn(long core, String range) {
        String[] ends = range.strip().split("-", 2);
        return ends[0].matches("[0-9]{1,9}")
                && core >= Long.parseLong(ends[0])
                && core <= Long.parseLong(ends[ends.length - 1]);
    }

    /** Returns the trace with the last events of each core. The buffer is a ring and does not record overflows. */
    SystemTrace trace(String instance) {
        Map<Long, Long> remaining = new HashMap<>();
        events.forEach(event -> remaining.merge(event.core(), 1L, Long::sum));
        List<SystemTrace.Event> kept = new ArrayList<>();
        for (SystemTrace.Event event : events) {
            if (remaining.merge(event.core(), -1L, Long::sum) < most) {
                kept.add(event);
            }
        }
        return new SystemTrace(instance, process, Long.parseLong(call.argument(Effect.DROPPED, 0, -1, "0")), kept);
    }
}
