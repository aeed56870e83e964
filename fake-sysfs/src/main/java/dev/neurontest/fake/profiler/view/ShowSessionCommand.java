package dev.neurontest.fake.profiler.view;

import static dev.neurontest.fake.profiler.call.GoFlags.flag;
import static dev.neurontest.fake.profiler.call.GoFlags.text;

import dev.neurontest.fake.profiler.call.GoFlags;
import dev.neurontest.fake.profiler.call.Invocation;
import dev.neurontest.fake.profiler.call.ToolFailure;
import dev.neurontest.fake.profiler.call.Work;
import dev.neurontest.fake.profiler.ntff.Ntff;
import java.io.PrintStream;
import java.util.List;
import org.apiguardian.api.API;

/** {@code show-session}: what is in a trace, without the NEFF. Its cycles are picoseconds. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ShowSessionCommand {

    /** What {@code show-session} takes. */
    public static final GoFlags.Flag[] FLAGS = {
        text('s', "session-file").does("The trace (NTFF) to read."),
        flag("show-trace"),
        flag("show-dma"),
        flag('j', "json").does("Prints JSON, and no table."),
        flag('e', "show-errors"),
        text('i', "node-id"),
    };

    private static final String[] COLUMNS = {
        "NODE ID",
        "EXEC TIME (NS)",
        "EXECUTOR",
        "NAME",
        "TRACE",
        "CYCLES",
        "EVENTS",
        "ERRORS",
        "TENSOR",
        "SCALAR",
        "GPSIMD",
        "DMA QUEUES",
        "SYNC"
    };

    private ShowSessionCommand() {}

    /**
     * Carries the command out.
     *
     * @param invocation the command
     * @param arguments what stands behind its name
     * @return the exit code
     * @throws ToolFailure when the command ends early
     */
    public static int run(Invocation invocation, List<String> arguments) throws ToolFailure {
        GoFlags flags = GoFlags.parse(FLAGS, arguments);
        Ntff ntff = TraceReader.readOwnNtff(invocation, flags.get("session-file", "profile.ntff"));
        String name = ntff.properties().get("work", Work.NAMES.get(0));
        Work work = Work.named(Work.NAMES.contains(name) ? name : Work.NAMES.get(0));
        if (flags.has("json")) {
            invocation.out().println(json(ntff, work));
        } else {
            printTable(invocation.out(), ntff, work);
        }
        return 0;
    }

    private static String json(Ntff ntff, Work work) {
        StringBuilder json = new StringBuilder("{\"NeffNodes\": [{\"NodeInfo\": {\"Graphs\": [");
        String separator = "";
        for (Ntff.Graph graph : ntff.graphs()) {
            json.append(separator).append("{\"Name\": ").append(Json.quoted(graph.name()));
            json.append(", \"NC\": ").append(graph.core());
            json.append(", \"CycleCount\": ").append(graph.picoseconds());
            json.append(", \"ErrorCount\": 0, \"EventsCount\": ").append(work.get("event_count"));
            json.append(", \"DMAQueues\": [{\"Name\": \"qIo0\", \"QueueIndex\": 0, \"QueueType\": 0,");
            json.append(" \"EngineIndex\": 0, \"AXIPort\": 0, \"DRAMChannel\": 0}],");
            json.append(" \"NCMemoryUsageBreakdown\": [{\"Usage\": \"profiler buffers\", \"BytesUsed\": 2415919104}],");
            json.append(" \"TimestampInfo\": {\"CC-core\": {\"InitTimestamp\": 0, \"TimestampInc\": 0,");
            json.append(" \"ExpectedTimestampInc\": 0}, \"DMA\": []}}");
            separator = ", ";
        }
        return json.append("]}}]}").toString();
    }

    private static void printTable(PrintStream out, Ntff ntff, Work work) {
        out.println("Model Name: " + ntff.neffName());
        out.println("UUID: " + ntff.uuidText());
        out.println("Model ID: 10001");
        out.println("NTFF Version: " + ntff.version());
        out.println();
        String[][] rows = new String[ntff.graphs().size() + 1][];
        rows[0] = COLUMNS;
        for (int i = 0; i < ntff.graphs().size(); i++) {
            Ntff.Graph graph = ntff.graphs().get(i);
            rows[i + 1] = new String[] {
                "0",
                "0",
                "ND " + ntff.properties().number("device", 0) + " NC " + graph.core(),
                graph.name(),
                count(work, "trace_count"),
                Long.toString(graph.picoseconds()),
                count(work, "event_count"),
                "0",
                count(work, "tensor_engine_instruction_count"),
                count(work, "scalar_engine_instruction_count"),
                count(work, "gpsimd_engine_instruction_count"),
                count(work, "dma_queue_count"),
                count(work, "sync_engine_instruction_count")
            };
        }
        int[] widths = new int[COLUMNS.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        printLine(out, widths);
        for (int i = 0; i < rows.length; i++) {
            printRow(out, rows[i], widths);
            if (i == 0) {
                printLine(out, widths);
            }
        }
        printLine(out, widths);
    }

    private static String count(Work work, String metric) {
        return Long.toString(work.get(metric));
    }

    private static void printLine(PrintStream out, int[] widths) {
        StringBuilder line = new StringBuilder("+");
        for (int width : widths) {
            line.append("-".repeat(width + 2)).append('+');
        }
        out.println(line);
    }

    private static void printRow(PrintStream out, String[] row, int[] widths) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < row.length; i++) {
            line.append(' ')
                    .append(" ".repeat(widths[i] - row[i].length()))
                    .append(row[i])
                    .append(" |");
        }
        out.println(line);
    }
}
