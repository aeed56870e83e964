package dev.neurontest.fake.internal.profiler.view;

import dev.neurontest.fake.internal.profiler.ntff.SystemTrace;
import dev.neurontest.fake.internal.profiler.table.TableFile;
import dev.neurontest.fake.internal.tool.GoFlags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The profile of a run's folder: its system traces as tables, and the names of its device profiles. */
final class SystemProfile {

    private static final Pattern PROCESS = Pattern.compile("(i-[0-9a-f]+)_pid_([0-9]{1,9})");
    private static final Pattern SESSION =
            Pattern.compile("(?:_nc|_vnc)_([0-9]{1,4})(?:_session_([0-9]{1,4}))?\\.ntff");
    private static final String INSTANCE = "i-0123456789abcdef0";
    private static final long DEVICE_MEMORY = 16L << 30;

    private final List<SystemTrace> traces = new ArrayList<>();

    private SystemProfile() {}

    /**
     * Reads the system traces in a folder and its sub folders. Traces of other programs have no events.
     *
     * @param flags the options, which select events
     */
    static SystemProfile read(Path folder, GoFlags flags) throws IOException {
        SystemProfile profile = new SystemProfile();
        for (Path file : files(folder)) {
            SystemTrace trace = SystemTrace.read(file);
            List<SystemTrace.Event> events = trace.events().stream()
                    .filter(event -> selects(flags, "instance-id", trace.instance())
                            && selects(flags, "neuron-core", Long.toString(event.core()))
                            && selects(flags, "event-type", event.name()))
                    .toList();
            profile.traces.add(new SystemTrace(trace.instance(), trace.process(), trace.dropped(), events));
        }
        return profile;
    }

    private static boolean selects(GoFlags flags, String filter, String value) {
        String option = "system-trace-filter-" + filter;
        return !flags.has(option)
                || List.of(flags.get(option, "").split("\\s*,\\s*")).contains(value);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith("ntrace.pb")).sorted().toList();
        }
    }

    static boolean isIn(Path folder) throws IOException {
        return !files(folder).isEmpty();
    }

    /** Returns the names of the profiles of traces: session name, instance, process, core and session number. */
    static List<String> names(List<TracePair> pairs, String name) {
        List<String> names = new ArrayList<>();
        for (TracePair pair : pairs) {
            Matcher process = PROCESS.matcher(pair.trace().toString());
            String owner = process.find() ? process.group(1) + '_' + Long.parseLong(process.group(2)) : INSTANCE + "_1";
            Matcher session = SESSION.matcher(pair.trace().toString());
            boolean numbered = session.find();
            long core = numbered
                    ? Long.parseLong(session.group(1))
                    : pair.ntff().properties().number("rank", 0);
            String ofCore = name + '_' + owner + "_nc_" + core + "_session_";
            names.add(ofCore
                    + (numbered && session.group(2) != null
                            ? Long.parseLong(session.group(2))
                            : 1
                                    + names.stream()
                                            .filter(each -> each.startsWith(ofCore))
                                            .count()));
        }
        return names;
    }

    long dropped() {
        return traces.stream().mapToLong(SystemTrace::dropped).sum();
    }

    void write(TableFolder tables, int ntffVersion) throws IOException {
        tables.write("SystemProfileMetadata", file -> metadata(file, ntffVersion));
        if (traces.stream().anyMatch(trace -> !trace.events().isEmpty())) {
            tables.write("SystemProfileEvents", this::events);
        }
    }

    /** Formats the events as the groups of {@code system_profile.json}. */
    byte[] toJson() {
        List<String> events = new ArrayList<>();
        for (SystemTrace trace : traces) {
            for (SystemTrace.Event event : trace.events()) {
                events.add("{\"id\": " + (events.size() + 1) + ", \"name\": " + Json.quoted(event.name())
                        + ", \"timestamp\": " + event.start() + ", \"duration\": " + event.duration()
                        + String.format(Locale.ROOT, ", \"group\": \"nrt-nc-%03d\"", event.core())
                        + ", \"lnc_idx\": \"" + event.core() + "\", \"instance_id\": " + Json.quoted(trace.instance())
                        + ", \"process_id\": \"" + trace.process() + "\", \"thread_id\": " + event.thread() + '}');
            }
        }
        return ("{\"trace_events\": [" + String.join(",\n", events) + "],\n\"mem_usage\": [],\n\"cpu_util\": []}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Formats the events for Perfetto, with a track for each core of a process. */
    byte[] toPerfetto() {
        Perfetto perfetto = new Perfetto();
        for (SystemTrace trace : traces) {
            for (SystemTrace.Event event : trace.events()) {
                perfetto.add(
                        trace.instance() + ' ' + trace.process() + " nc " + event.core(),
                        event.name(),
                        event.start(),
                        event.start() + event.duration());
            }
        }
        return perfetto.toBytes();
    }

    private void metadata(TableFile file, int ntffVersion) throws IOException {
        List<SystemTrace.Event> events =
                traces.stream().flatMap(trace -> trace.events().stream()).toList();
        long first = events.stream().mapToLong(SystemTrace.Event::start).min().orElse(Events.BEGINNING);
        long last = events.stream()
                .mapToLong(event -> event.start() + event.duration())
                .max()
                .orElse(first);
        file.put("first_ts", DeviceTables.text(first))
                .put("last_ts", DeviceTables.text(last))
                .put("first_ts_ns", Long.toString(first))
                .put("last_ts_ns", Long.toString(last))
                .put("ntff_version", ntffVersion)
                .put("hbm_capacity_bytes", DEVICE_MEMORY)
                .endRow();
    }

    private void events(TableFile file) throws IOException {
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
}
