package dev.neurontest.fake.internal.profiler.capture;

import static dev.neurontest.fake.internal.tool.GoFlags.flag;
import static dev.neurontest.fake.internal.tool.GoFlags.number;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.neff.NeffTensor;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.call.ProcessFaults;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The command {@code capture}. It loads and executes a NEFF, and writes a trace for each traced execution and worker. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CaptureCommand {

    /** The flags of {@code capture}. */
    public static final GoFlags.Flag[] FLAGS = {
        text('n', "neff").does("The compiled model to execute."),
        text('s', "session-file").does("The NTFF to write; those of several executions or ranks are named after it."),
        number(0, "num-exec").does("How often it is executed."),
        number(0, "profile-nth-exec").does("Only each Nth execution is traced."),
        text('t', "capture-type").does("What is captured."),
        text(0, "exec-mode"),
        flag("ignore-exec-errors").does("Goes on after an execution that failed."),
        flag("disable-profile").does("Executes without a trace."),
        flag("enable-dge-notifs"),
        flag("single-io").does("Uses one buffer for all tensors: outputs are wrong."),
        number(0, "single-io-threshold"),
        flag("save-output")
                .does("Writes the outputs to files of their names. They are zeros unless a script sets them."),
        flag("save-output-npy").does("Writes them as NumPy arrays."),
        number(0, "save-nth-output").does("Writes only those of each Nth execution."),
        flag("check-output-determinism"),
        text(0, "io-from"),
        text(0, "write-tensors-per-exec"),
        number('r', "collectives-workers-per-node").does("How many ranks this node has."),
        number(0, "collectives-worker-count").does("How many ranks there are on all nodes."),
        number(0, "collectives-worker-start-id").does("The first rank of this node."),
        text('i', "collectives-profile-id").does("Which rank is traced, or all."),
        text('m', "multi-input").does("A file with the inputs of each rank in a line."),
        flag("systrace-get-event-types"),
        text(0, "systrace-event-filter"),
    };

    private static final String NUMERICAL_ERROR = "NRT_EXEC_COMPLETED_WITH_NUM_ERR";
    private static final String NUMERICAL_ERROR_CODE = "1003";

    private final Invocation invocation;
    private final GoFlags flags;
    private final Neff neff;
    private final Workers workers;
    private final int executions;
    private final int nth;

    private CaptureCommand(Invocation invocation, GoFlags flags, Neff neff, Workers workers) throws ToolFailure {
        this.invocation = invocation;
        this.flags = flags;
        this.neff = neff;
        this.workers = workers;
        this.nth = flags.number("profile-nth-exec", 1);
        // If only this flag is given, it also sets the number of executions.
        this.executions = flags.number("num-exec", Math.max(1, nth));
        if (executions < 1 || nth < 0) {
            throw invocation.refuse("there must be at least one execution");
        }
    }

    /** The workers of this node, and the traced ranks. The ranks start at {@code first}. */
    private record Workers(boolean collectives, int first, int onThisNode, int traced) {

        static final int ALL = -1;

        static Workers of(GoFlags flags, NeffModel model, Invocation invocation) throws ToolFailure {
            boolean isCollective = flags.has("collectives-workers-per-node") || flags.has("collectives-worker-count");
            if (!isCollective && model.workers() == 1) {
                return new Workers(false, 0, 1, ALL);
            }
            int first = flags.number("collectives-worker-start-id", 0);
            int count = flags.number(
                    "collectives-worker-count", first + flags.number("collectives-workers-per-node", model.workers()));
            int onThisNode = flags.number("collectives-workers-per-node", count - first);
            if (onThisNode < 1 || first < 0 || count < first + onThisNode) {
                throw invocation.refuse(onThisNode + " workers from " + first + " on do not fit among " + count);
            }
            if (count < model.workers()) {
                new RuntimeLog(invocation.err())
                        .error(
                                "nrt_load_collectives",
                                "Unsupported topology. The NEFF needs " + model.workers() + " workers, not " + count);
                throw new ToolFailure("nrt_load failed: NRT_INVALID (2)");
            }
            String profiled = flags.get("collectives-profile-id", "all");
            int traced = ALL;
            if (!profiled.equals("all")) {
                try {
                    traced = Integer.parseInt(profiled);
                } catch (NumberFormatException wrong) {
                    traced = count;
                }
                if (traced < 0 || traced >= count) {
                    throw invocation.refuse("no worker " + profiled + ": they are 0 to " + (count - 1));
                }
            }
            return new Workers(true, first, onThisNode, traced);
        }

        boolean traces(int rank) {
            return traced == ALL || traced == rank;
        }
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
        requireChoice(flags, "capture-type", "profile", "systrace");
        requireChoice(flags, "exec-mode", "sync", "async", "async-wait");
        requireChoice(flags, "io-from", "neff", "runtime");
        if (flags.get("capture-type", "").equals("systrace")) {
            throw invocation.refuse("this stand-in traces the system only of a program, by inspect");
        }
        Neff neff = invocation.readOwnNeff(flags.get("neff", "file.neff"));
        Workers workers = Workers.of(flags, neff.model(), invocation);
        checkInputs(invocation, flags, neff, workers);
        return new CaptureCommand(invocation, flags, neff, workers).capture();
    }

    private static void requireChoice(GoFlags flags, String name, String... allowed) throws ToolFailure {
        String value = flags.get(name, allowed[0]);
        if (!Arrays.asList(allowed).contains(value)) {
            throw new ToolFailure("Invalid value `" + value + "' for option `--" + name + "'. Allowed values are: "
                    + String.join(", ", allowed));
        }
    }

    private static void checkInputs(Invocation invocation, GoFlags flags, Neff neff, Workers workers)
            throws ToolFailure, IOException {
        Inputs.check(flags.words(), neff.model(), invocation);
        String file = flags.get("multi-input", "");
        if (file.isEmpty()) {
            return;
        }
        if (!flags.words().isEmpty()) {
            throw invocation.refuse("inputs are given twice, by --multi-input and by name");
        }
        List<String> lines;
        try {
            lines = Files.readAllLines(invocation.path(file));
        } catch (NoSuchFileException gone) {
            throw invocation.refuse("open " + file + ": no such file or directory");
        }
        if (lines.size() != workers.onThisNode()) {
            throw invocation.refuse(file + " has " + lines.size() + " lines for " + workers.onThisNode() + " workers");
        }
        for (String line : lines) {
            Inputs.check(Arrays.asList(line.strip().split("\\s+")), neff.model(), invocation);
        }
    }

    private int capture() throws ToolFailure, IOException {
        try (HostConnection host = HostConnection.open(invocation.root())) {
            if (host == null) {
                new RuntimeLog(invocation.err()).error("nrt_init", "No neuron device available");
                throw new ToolFailure("nrt_init failed: NRT_INVALID (2)");
            }
            Call call = Call.begin(host, Effect.Stage.CAPTURE, invocation);
            ProcessFaults mishaps = new ProcessFaults(call, Effect.Stage.CAPTURE, invocation);
            mishaps.begin();
            DeviceProcess process = DeviceProcess.init(host, invocation, call.logicalCoreSize());
            int result = execute(host, process, call, mishaps);
            process.close();
            return result;
        }
    }

    private int execute(HostConnection host, DeviceProcess process, Call call, ProcessFaults mishaps)
            throws ToolFailure, IOException {
        RuntimeLog log = new RuntimeLog(invocation.err());
        if (process.size() < workers.onThisNode()) {
            log.error(
                    "nrt_load",
                    "Not enough Neuron Cores: " + workers.onThisNode() + " needed, " + process.size() + " visible");
            throw new ToolFailure("nrt_load failed: NRT_LOAD_NOT_ENOUGH_NC (9)");
        }
        for (int worker = 0; worker < workers.onThisNode(); worker++) {
            process.load(worker, neff.bytes());
        }
        allocate(process);
        String status = call.argument(Effect.STATUS, 0, -1, "");
        boolean numerical = status.equals(NUMERICAL_ERROR) || status.equals(NUMERICAL_ERROR_CODE);
        boolean goesOn = status.isEmpty() || numerical || flags.has("ignore-exec-errors");
        for (int worker = 0; worker < workers.onThisNode(); worker++) {
            process.execute(worker, status, goesOn ? executions : 1);
        }
        mishaps.inTheMiddle();
        if (numerical) {
            invocation.out().println("execution completed with numerical error (NaN)");
        } else if (!status.isEmpty()) {
            log.error("nrt_execute", "Execution failed with status " + status);
        }
        if (!goesOn) {
            throw new ToolFailure("execution failed: " + status);
        }
        if (!flags.has("disable-profile")) {
            writeTraces(process, call);
        }
        new Outputs(invocation, flags, neff.model(), host).save(executions);
        return status.isEmpty() || flags.has("ignore-exec-errors") ? 0 : 1;
    }

    private void allocate(DeviceProcess process) throws ToolFailure, IOException {
        LongStream sizes = Stream.of(neff.model().inputs(), neff.model().written())
                .flatMap(tensors -> tensors.values().stream())
                .mapToLong(NeffTensor::bytes);
        long bytes = flags.has("single-io") ? sizes.max().orElse(0) : sizes.sum();
        for (int worker = 0; worker < workers.onThisNode(); worker++) {
            process.allocate(worker, bytes);
        }
    }

    private void writeTraces(DeviceProcess process, Call call) throws IOException {
        for (int worker = 0; worker < workers.onThisNode(); worker++) {
            int rank = workers.first() + worker;
            if (nth == 0 || !workers.traces(rank) || call.has(Effect.NO_TRACE, rank)) {
                continue;
            }
            for (int execution = nth; execution <= executions; execution += nth) {
                Ntff ntff = new Trace(invocation.release(), call, neff, process::physical).of(worker, rank, execution);
                write(invocation.path(fileName(rank, execution)), ntff, call);
            }
        }
    }

    /** Returns the file name of a trace. Only a first execution without ranks has the plain name. */
    private String fileName(int rank, int execution) {
        String session = flags.get("session-file", "profile.ntff");
        String stem = session.endsWith(".ntff") ? session.substring(0, session.length() - 5) : session;
        StringBuilder name = new StringBuilder(stem);
        if (workers.collectives()) {
            name.append("_rank_").append(rank);
        }
        if (execution > 1) {
            name.append("_exec_").append(execution);
        }
        return name.append(".ntff").toString();
    }

    private static void write(Path file, Ntff ntff, Call call) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.write(file, Trace.bytes(ntff, call));
    }
}
