package dev.neurontest.fake.internal.profiler.capture;

import dev.neurontest.fake.internal.driver.instance.MadeUpIds;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.ntff.Protobuf;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apiguardian.api.API;

/** The files that the runtime writes for a process with {@code NEURON_RT_INSPECT_*} variables. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InspectOutput {

    /** The beginning of the names of the variables. */
    public static final String VARIABLES = "NEURON_RT_INSPECT_";

    private static final int FIRST_WITH_WARM_UP = 35;

    private final Map<String, String> variables;
    private final Call call;
    private final long pid;
    private final int cores;
    private final IntFunction<List<String>> physical;
    private final int warmUp;
    private final Map<String, Graph> graphs = new LinkedHashMap<>();
    private final List<Executions> history = new ArrayList<>();

    /** The content of a NEFF. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public interface Content {

        /** Reads the bytes. */
        byte[] read() throws IOException;
    }

    /** A NEFF on a logical core. */
    private static final class Graph {

        private final Neff neff;
        private final Content content;
        private final int core;
        private long times;
        private Neff traced;
        private boolean failed;

        private Graph(Neff neff, Content content, int core) {
            this.neff = neff;
            this.content = content;
            this.core = core;
            this.traced = neff;
        }
    }

    /** Executions of one NEFF that follow each other and take the same time. */
    private record Executions(Neff neff, int core, int times) {

        boolean continues(Neff other, int otherCore) {
            return core == otherCore
                    && neff.decimalHash().equals(other.decimalHash())
                    && neff.model().picoseconds() == other.model().picoseconds();
        }
    }

    /**
     * Creates the output of a process without executions.
     *
     * @param variables the variables of the process by their full names
     * @param call the host's answer to a capture
     * @param pid number of the process
     * @param cores number of its logical cores
     * @param physical returns the physical cores of a logical core
     */
    public InspectOutput(
            Map<String, String> variables, Call call, long pid, int cores, IntFunction<List<String>> physical) {
        this.variables = Map.copyOf(variables);
        this.call = call;
        this.pid = pid;
        this.cores = cores;
        this.physical = physical;
        this.warmUp = warmUp();
    }

    /** Returns the number of warm-up executions. Older runtimes do not support the variable. */
    private int warmUp() {
        String warmUps = variable("DEVICE_PROFILE_NUM_WARMUP");
        boolean isSupported = new ToolRelease("libnrt", call.runtime()).minor() >= FIRST_WITH_WARM_UP;
        return isSupported && warmUps.matches("[0-9]{1,9}") ? Integer.parseInt(warmUps) : 0;
    }

    private String variable(String name) {
        return variables.getOrDefault(VARIABLES + name, "");
    }

    /**
     * Adds executions.
     *
     * @param neff the NEFF with the duration of an execution
     * @param content the content of its file
     * @param core the logical core
     * @param times the number of executions
     */
    public void executed(Neff neff, Content content, int core, int times) {
        Graph graph = graph(neff, content, core);
        if (graph.times <= warmUp && graph.times + times > warmUp) {
            graph.traced = neff;
        }
        graph.times += times;
        Executions last = history.isEmpty() ? null : history.get(history.size() - 1);
        if (last != null && last.continues(neff, core)) {
            history.set(history.size() - 1, new Executions(last.neff(), core, last.times() + times));
        } else {
            history.add(new Executions(neff, core, times));
        }
    }

    /** Marks a NEFF whose execution failed. */
    public void failed(Neff neff, Content content, int core) {
        graph(neff, content, core).failed = true;
    }

    private Graph graph(Neff neff, Content content, int core) {
        return graphs.computeIfAbsent(neff.decimalHash() + '/' + core, none -> new Graph(neff, content, core));
    }

    /** Returns the name of the folder of the process in the output folder. */
    public String folder() {
        return MadeUpIds.INSTANCE + "_pid_" + pid;
    }

    /**
     * Creates the files.
     *
     * @return their contents by name
     * @throws IOException if a NEFF cannot be read
     */
    public Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        if (!variable("SYSTEM_PROFILE").equals("0")) {
            files.put("ntrace.pb", events().trace(MadeUpIds.INSTANCE).toBytes());
            files.put(
                    "trace_info.pb", new Protobuf().text(1, MadeUpIds.INSTANCE).toBytes());
        }
        for (String other : List.of("CPU_UTIL", "HOST_MEMORY")) {
            if (variable(other).equals("1")) {
                // Nothing reads these files, whose format is not known.
                files.put(
                        other.equals("CPU_UTIL") ? "cpu_util.pb" : "host_mem.pb",
                        new Protobuf().text(1, MadeUpIds.INSTANCE).toBytes());
            }
        }
        switch (variable("DEVICE_PROFILE")) {
            case "1", "model" -> addModels(files);
            case "session" -> addSessions(files);
            default -> {
                // Device profiles are off, also if the variable is not set. The guides describe this and a report
                // confirms it.
            }
        }
        if (variable("ON_FAIL").equals("1")) {
            for (Graph graph : graphs.values()) {
                if (graph.failed) {
                    addModel(files, graph, 1);
                }
            }
        }
        return files;
    }

    private SystemEvents events() {
        String types = variable("EVENT_FILTER_TYPE");
        SystemEvents events = new SystemEvents(
                call,
                pid,
                physical,
                types.isEmpty() ? List.of() : List.of(types.split(",")),
                variable("EVENT_FILTER_NC"),
                variable("SYS_TRACE_MAX_EVENTS_PER_NC"));
        history.forEach(each -> events.executed(each.neff(), each.core(), each.times()));
        return events;
    }

    /** Adds one execution of each NEFF on each core: the first after the warm-up. A NEFF with fewer executions has no files. */
    private void addModels(Map<String, byte[]> files) throws IOException {
        for (Graph graph : graphs.values()) {
            if (graph.times > warmUp) {
                addModel(files, graph, warmUp + 1);
            }
        }
    }

    private void addModel(Map<String, byte[]> files, Graph graph, int execution) throws IOException {
        String hash = graph.neff.decimalHash();
        files.put("neff_" + hash + "_vnc_" + graph.core + ".neff", graph.content.read());
        if (!call.has(Effect.NO_TRACE, graph.core)) {
            files.put(hash + "_vnc_" + graph.core + ".ntff", trace(graph, execution));
        }
    }

    /** Adds the session of each core; it is an empty file for an idle core. */
    private void addSessions(Map<String, byte[]> files) throws IOException {
        TreeMap<Integer, byte[]> traces = new TreeMap<>();
        for (Graph graph : graphs.values()) {
            files.put("neff_" + graph.neff.decimalHash() + ".neff", graph.content.read());
            if (graph.times > 0 && !traces.containsKey(graph.core)) {
                traces.put(graph.core, trace(graph, 1));
            }
        }
        for (int core = 0; core < cores; core++) {
            if (!call.has(Effect.NO_TRACE, core)) {
                files.put("profile_nc_" + core + "_session_1.ntff", traces.getOrDefault(core, new byte[0]));
            }
        }
    }

    private byte[] trace(Graph graph, int execution) {
        ToolRelease release = ToolRelease.ofDriver(call.driver());
        return Trace.bytes(
                new Trace(release, call, graph.traced, physical).of(graph.core, graph.core, execution), call);
    }
}
