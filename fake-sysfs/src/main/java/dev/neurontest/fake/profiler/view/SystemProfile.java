package dev.neurontest.fake.profiler.view;

import dev.neurontest.fake.profiler.ntff.SystemTrace;
import dev.neurontest.fake.profiler.table.TableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The system profile of a folder: what its runtimes wrote of themselves; where they wrote nothing of it, the executions of its traces, one
 * after the other.
 */
final class SystemProfile {

    /** The number of a model that is loaded first. */
    static final int FIRST_MODEL = 10001;

    private static final Pattern PROCESS = Pattern.compile("(i-[0-9a-f]+)_pid_([0-9]{1,9})");
    private static final Pattern SESSION =
            Pattern.compile("(?:_nc|_vnc)_([0-9]{1,4})(?:_session_([0-9]{1,4}))?\\.ntff");
    private static final String INSTANCE = "i-0123456789abcdef0";
    private static final long HOST_PART = 20_000;
    private static final long DEVICE_MEMORY = 16L << 30;

    private final Path folder;
    private final List<Execution> executions = new ArrayList<>();
    private final List<SystemTrace> traces = new ArrayList<>();

    /** One trace of the folder, and the name of its device profile. */
    record Execution(TracePair pair, String profile, String instance, long process, long core, long start) {

        long end() {
            return start + pair.ntff().picoseconds() / 1000;
        }
    }

    private SystemProfile(Path folder) {
        this.folder = folder;
    }

    static SystemProfile of(Path folder, List<TracePair> pairs, String name) throws IOException {
        SystemProfile profile = new SystemProfile(folder);
        profile.readTraces();
        long start = 0;
        for (TracePair pair : pairs) {
            Matcher process = PROCESS.matcher(pair.trace().toString());
            boolean named = process.find();
            String instance = named ? process.group(1) : INSTANCE;
            long pid = named ? Long.parseLong(process.group(2)) : 1;
            Matcher session = SESSION.matcher(pair.trace().toString());
            boolean numbered = session.find();
            long core = numbered
                    ? Long.parseLong(session.group(1))
                    : pair.ntff().properties().number("rank", 0);
            long number = numbered && session.group(2) != null
                    ? Long.parseLong(session.group(2))
                    : 1
                            + profile.executions.stream()
                                    .filter(each -> each.process() == pid && each.core() == core)
                                    .count();
            String device = name + '_' + instance + '_' + pid + "_nc_" + core + "_session_" + number;
            Execution execution = new Execution(pair, device, instance, pid, core, start);
            profile.executions.add(execution);
            start = execution.end();
        }
        return profile;
    }

    private void readTraces() throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                if (String.valueOf(file.getFileName()).equals("ntrace.pb")) {
                    SystemTrace trace = SystemTrace.read(file);
                    if (!trace.events().isEmpty()) {
                        traces.add(trace);
                    }
                }
            }
        }
    }

    /** How many events were lost. */
    long dropped() {
        return traces.stream().mapToLong(SystemTrace::dropped).sum();
    }

    /** Whether the runtime left one in a folder. */
    static boolean isIn(Path folder) throws IOException {
        return has(folder, "ntrace.pb");
    }

    private static boolean has(Path folder, String name) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.anyMatch(file -> String.valueOf(file.getFileName()).equals(name));
        }
    }

    List<Execution> executions() {
        return executions;
    }

    byte[] json() {
        return (traces.isEmpty() ? jsonOfExecutions() : jsonOfTraces()).getBytes(StandardCharsets.UTF_8);
    }

    private String jsonOfTraces() {
        StringBuilder json = new StringBuilder("{\"trace_events\": [");
        int id = 0;
        for (SystemTrace trace : traces) {
            for (SystemTrace.Event event : trace.events()) {
                json.append(id++ == 0 ? "" : ",\n").append("{\"id\": ").append(id);
                json.append(", \"name\": \"").append(event.name());
                json.append("\", \"timestamp\": ").append(event.start());
                json.append(", \"duration\": ").append(event.duration());
                json.append(", \"lnc_idx\": \"").append(event.core());
                json.append("\", \"instance_id\": \"").append(trace.instance());
                json.append("\", \"process_id\": \"").append(trace.process());
                json.append("\", \"thread_id\": ").append(event.thread()).append('}');
            }
        }
        return json.append("], \"mem_usage\": [], \"cpu_util\": []}\n").toString();
    }

    private String jsonOfExecutions() {
        StringBuilder json = new StringBuilder("{\"trace_events\": [");
        for (int i = 0; i < executions.size(); i++) {
            Execution each = executions.get(i);
            json.append(i == 0 ? "" : ", ")
                    .append("{\"name\": \"nc_exec_running\", \"id\": ")
                    .append(i + 1);
            json.append(", \"lnc_idx\": \"")
                    .append(each.pair().ntff().properties().number("rank", 0));
            json.append("\", \"timestamp\": ").append(each.start());
            json.append(", \"duration\": ").append(each.end() - each.start()).append('}');
        }
        return json.append("], \"mem_usage\": [], \"cpu_util\": []}\n").toString();
    }

    void write(TableFolder tables, int ntffVersion) throws IOException {
        tables.write("SystemProfileMetadata", file -> metadata(file, ntffVersion));
        if (!traces.isEmpty()) {
            tables.write("SystemProfileEvents", this::tracedEvents);
        } else if (!executions.isEmpty()) {
            tables.write("SystemProfileEvents", this::events);
        }
        if (has(folder, "cpu_util.pb")) {
            tables.write("CpuUsage", this::cpuUsage);
        }
        if (has(folder, "host_mem.pb")) {
            tables.write("HostMemUsage", this::hostMemory);
        }
    }

    private long end() {
        return Events.BEGINNING
                + (executions.isEmpty()
                        ? 0
                        : executions.get(executions.size() - 1).end());
    }

    private void metadata(TableFile file, int ntffVersion) throws IOException {
        file.put("first_ts", DeviceTables.text(Events.BEGINNING))
                .put("last_ts", DeviceTables.text(end()))
                .put("first_ts_ns", Long.toString(Events.BEGINNING))
                .put("last_ts_ns", Long.toString(end()))
                .put("ntff_version", ntffVersion)
                .put("hbm_capacity_bytes", DEVICE_MEMORY)
                .endRow();
    }

    private void tracedEvents(TableFile file) throws IOException {
        int id = 1;
        for (SystemTrace trace : traces) {
            for (SystemTrace.Event event : trace.events()) {
                file.put("id", id++)
                        .put("name", event.name())
                        .put("start_ts", event.start())
                        .put("end_ts", event.start() + event.duration())
                        .put("duration_ns", event.duration())
                        .put("trace_event_source", event.isHardware() ? "neuron_hw" : "neuron_rt")
                        .put("instance_id", trace.instance())
                        .put("process_id", trace.process())
                        .put("thread_id", event.thread())
                        .put("nc_idx", event.core())
                        .put("worker_gid", event.core())
                        .put("extra_attributes_json", "{\"model_id\": " + event.model() + "}");
                if (event.isHardware()) {
                    file.put("pcore_idx", event.physical());
                }
                file.endRow();
            }
        }
    }

    /** Loading and executing on the host, and one row for each physical core that ran. */
    private void events(TableFile file) throws IOException {
        int id = 1;
        for (int i = 0; i < executions.size(); i++) {
            Execution each = executions.get(i);
            long start = Events.BEGINNING + each.start();
            long time = each.end() - each.start();
            event(file, id++, i, "nrt_load", start - 2 * HOST_PART, HOST_PART).endRow();
            event(file, id++, i, "nrt_execute", start - HOST_PART, time + HOST_PART)
                    .endRow();
            for (int core = 0; core < each.pair().ntff().graphs().size(); core++) {
                event(file, id++, i, "nc_exec_running", start, time)
                        .put("nc_idx", each.core())
                        .put("pcore_idx", each.pair().ntff().graphs().get(core).core())
                        .endRow();
            }
        }
    }

    private TableFile event(TableFile file, int id, int execution, String name, long start, long duration) {
        Execution each = executions.get(execution);
        return file.put("id", id)
                .put("name", name)
                .put("start_ts", start)
                .put("end_ts", start + duration)
                .put("duration_ns", duration)
                .put("trace_event_source", name.startsWith("nc_") ? "neuron_hw" : "neuron_rt")
                .put("instance_id", each.instance())
                .put("process_id", each.process())
                .put("thread_id", each.process())
                .put("worker_gid", each.core())
                .put("extra_attributes_json", "{\"model_id\": " + (FIRST_MODEL + execution) + "}");
    }

    private void cpuUsage(TableFile file) throws IOException {
        for (int cpu = 0; cpu < 2; cpu++) {
            file.put("timestamp", Events.BEGINNING)
                    .put("util_percent", 0.25 + cpu / 4.0)
                    .put("cpu_id", Integer.toString(cpu))
                    .put("instance_id", INSTANCE)
                    .endRow();
        }
    }

    private void hostMemory(TableFile file) throws IOException {
        file.put("timestamp", Events.BEGINNING)
                .put("used_bytes", 8L << 30)
                .put("used_percent", 0.25)
                .put("instance_id", INSTANCE)
                .endRow();
    }
}
