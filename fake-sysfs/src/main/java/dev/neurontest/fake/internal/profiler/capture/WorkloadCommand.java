package dev.neurontest.fake.internal.profiler.capture;

import static dev.neurontest.fake.internal.tool.GoFlags.flag;
import static dev.neurontest.fake.internal.tool.GoFlags.number;
import static dev.neurontest.fake.internal.tool.GoFlags.text;

import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Effect;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.call.ProcessFaults;
import dev.neurontest.fake.internal.tool.GoFlags;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A stand-in for a user's program: it reserves cores, executes NEFFs, and ends. With the variables {@code NEURON_RT_INSPECT_*} it
 * writes the files that the runtime writes.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WorkloadCommand {

    private static final GoFlags.Flag[] FLAGS = {
        number(0, "times").does("How often it is executed."),
        text(0, "status").does("The status that executions end with."),
        flag("each-core").does("Executes on each core of the process."),
        flag("hold").does("Keeps its cores until it is ended."),
    };

    private static final String NAME = "run-neff";
    private static final String USAGE =
            "usage: run-neff [--times N] [--status NRT_STATUS] [--each-core] [--hold] NEFF [HELPER_NEFF ...]";

    private WorkloadCommand() {}

    /**
     * Runs the program and ends the JVM with its exit code.
     *
     * @param arguments the root of its host, and the user's arguments
     * @throws IOException if the host does not answer
     */
    public static void main(String[] arguments) throws IOException {
        Invocation invocation = Invocation.ofThisProcess(
                new ToolRelease(NAME, ""),
                arguments[0],
                Arrays.asList(arguments).subList(1, arguments.length));
        int exitCode;
        try {
            exitCode = run(invocation);
        } catch (ToolFailure failure) {
            invocation.err().println(failure.message());
            exitCode = failure.exitCode();
        }
        System.exit(exitCode);
    }

    private static int run(Invocation invocation) throws ToolFailure, IOException {
        if (GoFlags.asksForHelp(invocation.arguments())) {
            invocation.out().print(USAGE + "\n\n" + GoFlags.columns(FLAGS));
            invocation.out().flush();
            return 0;
        }
        GoFlags flags = GoFlags.parse(FLAGS, invocation.arguments());
        if (flags.words().isEmpty()) {
            throw new ToolFailure(USAGE, 2);
        }
        List<Neff> neffs = new ArrayList<>();
        for (String file : flags.words()) {
            neffs.add(invocation.readNeff(file));
        }
        // The connection stays open until the process ends, because the cores are released when it closes.
        HostConnection host = HostConnection.open(invocation.root());
        if (host == null) {
            throw new ToolFailure("no fake host in " + invocation.root());
        }
        boolean inspected =
                invocation.variable(InspectOutput.VARIABLES + "ENABLE").equals("1");
        Call call = inspected ? Call.begin(host, Effect.Stage.CAPTURE, invocation) : Call.facts(host);
        DeviceProcess process = DeviceProcess.init(host, invocation, call.logicalCoreSize());
        InspectOutput output = new InspectOutput(
                invocation.environment(), call, ProcessHandle.current().pid(), process.size(), process::physical);
        Runnable flush = () -> end(process, output, inspected, invocation);
        Runtime.getRuntime().addShutdownHook(new Thread(flush));
        int times = flags.number("times", 1);
        String status = flags.get("status", "");
        for (int core = 0; core < (flags.has("each-core") ? process.size() : 1); core++) {
            for (int i = 0; i < neffs.size(); i++) {
                process.load(core, neffs.get(i).bytes());
                int executions = i == 0 ? times : 1;
                process.execute(core, status, executions);
                Neff neff = neffs.get(i);
                output.executed(neff, () -> Files.readAllBytes(neff.file()), core, executions);
            }
        }
        if (!status.isEmpty()) {
            new RuntimeLog(invocation.err()).error("nrt_execute", "Execution failed with status " + status);
        }
        invocation.out().println("executed " + times);
        invocation.out().flush();
        if (flags.has("hold")) {
            ProcessFaults.waitForever();
        }
        return status.isEmpty() ? 0 : 1;
    }

    /** Closes the process like {@code nrt_close}. It also runs on SIGTERM and SIGINT. */
    private static void end(DeviceProcess process, InspectOutput output, boolean inspected, Invocation invocation) {
        try {
            if (inspected) {
                write(output, invocation);
            }
            process.close();
        } catch (IOException | ToolFailure failed) {
            invocation.err().println(failed);
        }
    }

    private static void write(InspectOutput output, Invocation invocation) throws IOException {
        String configured = invocation.variable(InspectOutput.VARIABLES + "OUTPUT_DIR");
        Path folder =
                invocation.path(configured.isEmpty() ? "output" : configured).resolve(output.folder());
        Files.createDirectories(folder);
        for (Map.Entry<String, byte[]> file : output.files().entrySet()) {
            Files.write(folder.resolve(file.getKey()), file.getValue());
        }
    }
}
