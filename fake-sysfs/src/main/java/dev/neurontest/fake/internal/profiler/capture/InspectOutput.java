package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.ntff.Protobuf;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The files that the runtime writes when a process with {@code NEURON_RT_INSPECT_*} variables ends. */
final class InspectOutput {

    static final String INSTANCE = "i-0123456789abcdef0";
    private static final int FIRST_WITH_WARM_UP = 35;

    private final Invocation invocation;
    private final Call call;
    private final DeviceProcess process;
    private final List<Executed> executed = new ArrayList<>();

    private record Executed(Neff neff, int core, int times) {}

    InspectOutput(Invocation invocation, Call call, DeviceProcess process) {
        this.invocation = invocation;
        this.call = call;
        this.process = process;
    }

    static boolean isRequested(Invocation invocation) {
        return invocation.variable("NEURON_RT_INSPECT_ENABLE").equals("1");
    }

    void executed(Neff neff, int core, int times) {
        executed.add(new Executed(neff, core, times));
    }

    void write() throws IOException {
        String configured = invocation.variable("NEURON_RT_INSPECT_OUTPUT_DIR");
        Path folder = invocation
                .path(configured.isEmpty() ? "output" : configured)
                .resolve(INSTANCE + "_pid_" + ProcessHandle.current().pid());
        Files.createDirectories(folder);
        if (!invocation.variable("NEURON_RT_INSPECT_SYSTEM_PROFILE").equals("0")) {
            Files.write(folder.resolve("ntrace.pb"), events().trace(INSTANCE).toBytes());
            Files.write(
                    folder.resolve("trace_info.pb"),
                    new Protobuf().text(1, INSTANCE).toBytes());
        }
        switch (invocation.variable("NEURON_RT_INSPECT_DEVICE_PROFILE")) {
            case "1", "model" -> writeModels(folder);
            case "session" -> writeSessions(folder);
            default -> {
                // Device profiles are off, also if the variable is not set. The guides describe this and a report
                // confirms it.
            }
        }
    }

    private SystemEvents events() {
        String types = invocation.variable("NEURON_RT_INSPECT_EVENT_FILTER_TYPE");
        SystemEvents events = new SystemEvents(
                call,
                process::physical,
                types.isEmpty() ? List.of() : List.of(types.split(",")),
                invocation.variable("NEURON_RT_INSPECT_EVENT_FILTER_NC"),
                invocation.variable("NEURON_RT_INSPECT_SYS_TRACE_MAX_EVENTS_PER_NC"));
        executed.forEach(each -> events.executed(each.neff(), each.core(), each.times()));
        return events;
    }

    /** Writes one execution of each NEFF on each core: the first after the warm-up. A NEFF with fewer executions produces no files. */
    private void writeModels(Path folder) throws IOException {
        int warmUp = warmUp();
        for (Executed each : executed) {
            if (each.times() <= warmUp) {
                continue;
            }
            String hash = each.neff().decimalHash();
            copy(each.neff(), folder.resolve("neff_" + hash + "_vnc_" + each.core() + ".neff"));
            if (!call.has(Effect.NO_TRACE, each.core())) {
                Files.write(folder.resolve(hash + "_vnc_" + each.core() + ".ntff"), trace(each, warmUp + 1));
            }
        }
    }

    /** Returns the number of warm-up executions. Older runtimes do not support the variable. */
    private int warmUp() {
        String warmUps = invocation.variable("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP");
        boolean isSupported = new ToolRelease("libnrt", call.runtime()).minor() >= FIRST_WITH_WARM_UP;
        return isSupported && warmUps.matches("[0-9]{1,9}") ? Integer.parseInt(warmUps) : 0;
    }

    /** Writes the session of each core; it is an empty file for an idle core. */
    private void writeSessions(Path folder) throws IOException {
        TreeMap<Integer, byte[]> traces = new TreeMap<>();
        for (Executed each : executed) {
            copy(each.neff(), folder.resolve("neff_" + each.neff().decimalHash() + ".neff"));
            if (each.times() > 0 && !traces.containsKey(each.core())) {
                traces.put(each.core(), trace(each, 1));
            }
        }
        for (int core = 0; core < process.size(); core++) {
            Files.write(
                    folder.resolve("profile_nc_" + core + "_session_1.ntff"), traces.getOrDefault(core, new byte[0]));
        }
    }

    private byte[] trace(Executed each, int execution) {
        ToolRelease release = ToolRelease.ofDriver(call.driver());
        return Trace.bytes(
                new Trace(release, call, each.neff(), process::physical).of(each.core(), each.core(), execution), call);
    }

    private static void copy(Neff neff, Path target) throws IOException {
        if (!Files.exists(target)) {
            Files.copy(neff.file(), target);
        }
    }
}
