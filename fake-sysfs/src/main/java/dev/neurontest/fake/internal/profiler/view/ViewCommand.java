package dev.neurontest.fake.internal.profiler.view;

import static dev.neurontest.fake.internal.tool.GoFlags.flag;
import static dev.neurontest.fake.internal.tool.GoFlags.number;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.call.ProcessFaults;
import dev.neurontest.fake.internal.profiler.call.Script;
import dev.neurontest.fake.internal.profiler.table.Schema;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The command {@code view}. It computes metrics from a NEFF and a trace, and prints, writes or serves them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ViewCommand {

    /** The options of {@code view}, in the order of its help. */
    public static final GoFlags.Flag[] FLAGS = {
        text('n', "neff-path").does("The compiled model."),
        text('s', "session-file").does("The trace (NTFF) of it."),
        text('d', "session-dir").does("A folder with the traces of a run."),
        text(0, "output-format").does("The form of the output, such as summary-json, json, perfetto or parquet."),
        text(0, "output-file").does("Where it is written."),
        flag("ingest-only").does("Ends when all is written, and serves no page."),
        text(0, "data-path").does("The folder for what was read."),
        text(0, "display-name").does("The name of the profile in that folder."),
        flag("disable-ui").does("Serves the API alone."),
        number('p', "port").does("Where pages are served; 3001 unless it is given."),
        number(0, "api-server-port").does("Where the API is served; 3002 unless it is given."),
        flag("force").does("Overwrites a profile of that name."),
        flag("ignore-device-profile").does("Leaves out the traces of devices."),
        flag("ignore-system-profile").does("Leaves out the trace of the system."),
        flag("ignore-instruction-trace").does("Leaves out the tables of instructions."),
        flag("ignore-dma-trace").does("Leaves out the tables of transfers."),
        flag("ignore-event-trace").does("Leaves out the table of semaphores."),
        flag("ignore-instruction-hierarchy"),
        flag("ignore-nc-buf-usage").does("Leaves out the tables of SBUF and PSUM."),
        text('F', "feature"),
        text(0, "processing-status-file").does("Where a JSON says how it ended."),
        text(0, "system-trace-filter-neuron-core").does("Keeps the system events of these cores: numbers with commas."),
        text(0, "system-trace-filter-event-type").does("Keeps the system events with these names."),
        text(0, "system-trace-filter-instance-id").does("Keeps the system events of these instances."),
        text(0, "system-trace-primary-group"),
        text(0, "system-trace-secondary-group"),
        flag("show-perfetto-flows"),
        flag("enable-memory-tracker"),
        flag("terminology"),
        flag("show-profile-schema").does("Prints the schema of the tables."),
        text(0, "framework-source-root"),
        text(0, "nki-source-root"),
        text(0, "source-code-root"),
        number('v', "verbose"),
        text(0, "db-endpoint"),
        text(0, "db-org"),
        text(0, "db-bucket"),
    };

    /** The options of {@code recommend}. */
    public static final GoFlags.Flag[] RECOMMEND_FLAGS = {
        text('n', "neff-path").does("The compiled model."),
        text('s', "session-file").does("The trace (NTFF) of it."),
        text(0, "nki-source-root").does("The folder of the sources. It is not read."),
    };

    private static final String ADVICE = "advice";
    private static final int FIRST_MODEL = 10001;

    private final Invocation invocation;
    private final GoFlags flags;
    private final Call call;
    private final ProcessFaults mishaps;
    private final TraceReader traces;
    private final String format;

    private ViewCommand(Invocation invocation, GoFlags flags, Call call, String format) {
        this.invocation = invocation;
        this.flags = flags;
        this.call = call;
        this.mishaps = new ProcessFaults(call, Effect.Stage.VIEW, invocation);
        this.traces = new TraceReader(invocation, flags, format);
        this.format = format;
    }

    /**
     * Runs the command.
     *
     * @param invocation the invocation
     * @param arguments the arguments after the name of the command
     * @return the exit code
     * @throws ToolFailure if the command ends early
     * @throws IOException if a file cannot be read or written
     */
    public static int run(Invocation invocation, List<String> arguments) throws ToolFailure, IOException {
        GoFlags flags = GoFlags.parse(FLAGS, arguments);
        if (flags.has("show-profile-schema")) {
            if (!invocation.release().explorer() || invocation.release().minor() < 33) {
                throw new ToolFailure("unknown flag `show-profile-schema'");
            }
            invocation.out().print(new Schema().toYaml());
            return 0;
        }
        return run(invocation, flags);
    }

    static int run(Invocation invocation, GoFlags flags) throws ToolFailure, IOException {
        if (invocation.variable("HOME").isEmpty()) {
            throw new ToolFailure("$HOME is not defined");
        }
        Call call = begin(invocation);
        boolean explorer = invocation.release().explorer();
        String format = flags.get("output-format", explorer ? "parquet" : "db");
        if (!explorer && format.equals("parquet")) {
            throw invocation.refuse("output format parquet is not supported by neuron-profile, use neuron-explorer");
        }
        List<String> formats = formats(invocation.release(), call);
        if (!formats.contains(format)) {
            throw new ToolFailure("Invalid value `" + format + "' for option `--output-format'. Allowed values are: "
                    + String.join(", ", formats));
        }
        return new ViewCommand(invocation, flags, call, format).view();
    }

    /**
     * Runs the command {@code recommend}. The genuine one prints the answer of a language model.
     *
     * @param invocation the invocation
     * @param arguments the arguments after the name of the command
     * @return the exit code
     * @throws ToolFailure if the command ends early
     * @throws IOException if a file cannot be read
     */
    public static int recommend(Invocation invocation, List<String> arguments) throws ToolFailure, IOException {
        GoFlags flags = GoFlags.parse(RECOMMEND_FLAGS, arguments);
        return new ViewCommand(invocation, flags, begin(invocation), ADVICE).view();
    }

    private static Call begin(Invocation invocation) throws ToolFailure, IOException {
        try (HostConnection host = HostConnection.open(invocation.root())) {
            return host == null ? Call.withoutHost() : Call.begin(host, Effect.Stage.VIEW, invocation);
        }
    }

    private static List<String> formats(ToolRelease release, Call call) {
        String tables = release.explorer() ? "parquet" : "db";
        List<String> formats = new ArrayList<>(List.of(tables, "summary-text", "summary-json", "json", "perfetto"));
        if (release.explorer() && !release.writesJson()) {
            formats.remove("json");
        }
        for (Script script : call.scripts()) {
            if (script.effect() == Effect.NO_FORMAT) {
                formats.remove(script.arguments().get(0));
            }
        }
        return formats;
    }

    private int view() throws ToolFailure, IOException {
        mishaps.begin();
        if (format.equals("db")) {
            invocation
                    .err()
                    .println("ERRO[0001] To install influxdb, go to https://portal.influxdata.com/downloads/"
                            + " and follow the instructions there");
            throw new ToolFailure("influxdb not setup correctly: exec: \"influx\": executable file not found in $PATH");
        }
        boolean explorer = invocation.release().explorer();
        if (explorer && format.startsWith("summary") && flags.has("output-file")) {
            throw new ToolFailure("fatal: --output-file is not supported for output format " + format);
        }
        if (format.equals("parquet") && showsStoreAlone()) {
            mishaps.inTheMiddle();
            new ViewServer(invocation, flags).serve();
            return 0;
        }
        if (format.equals("parquet") && call.has(Effect.NAME_REQUIRED) && Ingestion.lacksName(flags)) {
            throw new ToolFailure("FATA[0000] Missing --display-name");
        }
        List<TracePair> pairs = traces.pairs();
        logNoise();
        mishaps.inTheMiddle();
        switch (format) {
            case "summary-json" -> invocation.out().print(summaryJson(pairs));
            case "summary-text" -> invocation.out().print(summaryText(pairs));
            case "json", "perfetto" -> export(pairs);
            case ADVICE -> invocation.out().print(advice(pairs.get(0)));
            default -> new Ingestion(invocation, flags, call).write(pairs);
        }
        statusFile(pairs);
        if (format.equals("parquet") && !flags.has("ingest-only")) {
            new ViewServer(invocation, flags).serve();
        }
        return 0;
    }

    /** Returns whether no trace is named. The server then shows the profiles of earlier calls. */
    private boolean showsStoreAlone() {
        return Stream.of("neff-path", "session-file", "session-dir", "output-file", "ingest-only")
                .noneMatch(flags::has);
    }

    /** Logs the lines that the tools log even without an error. */
    private void logNoise() {
        List<String> lines = new ArrayList<>();
        if (format.startsWith("summary")) {
            lines.add("WARN[0000] NeuronCore buffer usage simulation is disabled for output format " + format
                    + ". The output will not include SB and PSUM usage over time values.");
        }
        if (invocation.release().explorer()) {
            lines.add("INFO[0001] Successfully initialized OpenAPI server configuration");
        }
        lines.add("ERRO[0001] invalid DMA duration - transfer rate is invalid");
        for (String line : lines) {
            invocation.err().println(line);
        }
    }

    private Summary summary(TracePair pair) {
        return Summary.of(pair.ntff(), invocation.release(), call);
    }

    private String summaryJson(List<TracePair> pairs) {
        StringBuilder json = new StringBuilder("{");
        String separator = "";
        for (TracePair pair : pairs) {
            json.append(separator).append('"').append(pair.key()).append("\": ");
            json.append(summary(pair).toJson());
            separator = ", ";
        }
        return json.append("}\n").toString();
    }

    private String summaryText(List<TracePair> pairs) {
        StringBuilder text = new StringBuilder();
        for (TracePair pair : pairs) {
            Summary summary = summary(pair);
            List<String> names = summary.shuffled();
            int longest = 0;
            for (String name : names) {
                longest = Math.max(longest, name.length());
            }
            text.append(pair.key()).append('\n');
            for (String name : names) {
                text.append("    ").append(name).append(" ".repeat(longest + 4 - name.length()));
                text.append(summary.text(name)).append('\n');
            }
        }
        return text.toString();
    }

    private String advice(TracePair pair) {
        Summary summary = summary(pair);
        return """
                # Recommendation for %s

                This stand-in uses no language model. The figures are those of the trace, and the advice is made up.

                ## 1. Keep the Tensor Engine busy

                * **Symptom**: the Tensor Engine is active for %s of the time, DMA for %s.
                * **Optimization**: load the next tile while the current one is computed.
                * **Expected speedup**: unknown.
                * **Trade-off**: two tiles take twice the space in SBUF.
                """.formatted(
                        pair.key(),
                        percent(summary, "tensor_engine_active_time_percent"),
                        percent(summary, "dma_active_time_percent"));
    }

    private static String percent(Summary summary, String metric) {
        return Math.round(100 * summary.number(metric)) + " %";
    }

    private Path target(String usual) throws IOException {
        // A single name is not enough for several files: they are written next to it.
        String named = flags.get("output-file", usual);
        Path file = invocation.path(named);
        if (flags.has("session-dir") && !flags.has("ignore-device-profile") && !flags.has("ignore-system-profile")) {
            file = file.resolveSibling(usual);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        return file;
    }

    /** Writes a file for each model of a folder, or a single file for the trace. */
    private void export(List<TracePair> pairs) throws IOException {
        String suffix = format.equals("json") ? ".json" : ".pftrace";
        if (!flags.has("session-dir")) {
            export(pairs.get(0), "ntff" + suffix);
            return;
        }
        Path folder = invocation.path(flags.get("session-dir", ""));
        if (traces.hasSystemProfile(folder)) {
            SystemProfile system = SystemProfile.read(folder, flags);
            Files.write(
                    target("system_profile" + suffix), format.equals("json") ? system.toJson() : system.toPerfetto());
        }
        for (int i = 0; i < pairs.size() && !flags.has("ignore-device-profile"); i++) {
            export(pairs.get(i), "device_profile_model_" + (FIRST_MODEL + i) + suffix);
        }
    }

    private void export(TracePair pair, String usual) throws IOException {
        Summary summary = summary(pair);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target(usual)), 1 << 16)) {
            if (format.equals("json")) {
                new EventsJson(summary, pair.ntff(), new Events(summary, pair.ntff(), call), out).write();
            } else {
                out.write(Perfetto.trace(summary));
            }
        }
    }

    private void statusFile(List<TracePair> pairs) throws IOException {
        if (flags.has("processing-status-file") && !pairs.isEmpty()) {
            Files.writeString(
                    invocation.path(flags.get("processing-status-file", "")),
                    "{\"status_code\": 0, \"profiles\": [{\"name\": \""
                            + pairs.get(0).key() + "\", \"status\": \"success\"}]}\n");
        }
    }
}
