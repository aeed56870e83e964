package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.help.Reason;
import dev.neurontest.fake.internal.tool.HostConnection;
import dev.neurontest.fake.internal.tool.ToolFailure;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code nccom-test}. It takes cores of the host and counts executions there, but transfers nothing: its results are
 * scripted.
 */
final class NccomTest {

    private static final String DRIVER_MISSING =
            "Neuron DKMS Driver is not running! Read the troubleshooting guide at: "
                    + "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/neuron-runtime/nrt-troubleshoot.html";

    private final int minor;
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private String taken = "";

    NccomTest(String version, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.minor = new ToolRelease("nccom-test", version).minor();
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command.
     *
     * @param host the host; null if it no longer exists
     * @return the exit code
     */
    int run(@Nullable HostConnection host, List<String> options) throws IOException, ToolFailure {
        if (options.contains("--help") || options.contains("-h")) {
            out.print(NccomOptions.help());
            return 0;
        }
        try {
            return benchmark(host, options);
        } catch (ToolFailure wrong) {
            err.println(wrong.message());
            return wrong.exitCode();
        }
    }

    private int benchmark(@Nullable HostConnection host, List<String> words) throws IOException, ToolFailure {
        NccomOptions options = NccomOptions.parse(words);
        String operation = options.operation();
        int workers = options.workers();
        List<Long> sizes = options.sizes();
        options.statistics();
        long operations = options.operations();
        options.refuseWhatIsNotPlayed();
        CollectivesBenchmark results =
                host == null ? CollectivesBenchmark.USUAL : CollectivesBenchmark.of(host.request("system-tool nccom"));
        if (host == null || !host.request("system-tool devices").equals("some")) {
            out.println(DRIVER_MISSING);
            return results.exitCode();
        }
        String refusal = take(host, workers);
        int failures = 0;
        NccomTable table = new NccomTable(minor, options, results);
        for (long size : sizes) {
            String reason = refusal != null ? refusal : size == results.failingBytes() ? "scripted failure" : null;
            if (reason != null) {
                failures++;
                table.addFailure(size, "Failure running neuron-bench - log file " + log(words, size, reason));
            } else {
                execute(host, operations);
                table.add(size);
            }
        }
        out.print(table);
        if (options.checks() && results.checkFails()) {
            failures++;
            out.println("The results of " + operation + " differ from what was expected (scripted)");
        }
        if (failures > 0) {
            out.println(failures + " errors found - test failed");
        }
        if (!options.reportFile().isEmpty()) {
            write(options.reportFile(), table);
        }
        return failures > 0 ? results.exitCode() : 0;
    }

    private static void write(String file, NccomTable table) throws ToolFailure {
        try {
            Files.writeString(Path.of(file), table.toJson());
        } catch (IOException failed) {
            throw new ToolFailure("nccom-test: the report cannot be written: " + Reason.of(failed));
        }
    }

    /** Takes cores for the workers. Returns the reason if they are not available. */
    private @Nullable String take(HostConnection host, int workers) throws IOException {
        String visible = environment.getOrDefault("NEURON_RT_VISIBLE_CORES", "");
        String cores = visible.isEmpty() ? workers == 1 ? "0" : "0-" + (workers - 1) : visible;
        try {
            int size = SystemToolCommand.logicalCoreSize(environment);
            taken = host.request("init neuron-bench " + cores + (size == 0 ? "" : " lnc " + size) + " pid "
                    + ProcessHandle.current().pid());
            return null;
        } catch (ToolFailure refused) {
            return refused.message();
        }
    }

    private void execute(HostConnection host, long operations) throws IOException, ToolFailure {
        for (String core : taken.substring(taken.indexOf("cores ") + 6).split(" ")) {
            host.request("execute neuron-bench " + core + " NRT_SUCCESS " + operations);
        }
    }

    private Path log(List<String> options, long size, String reason) throws IOException {
        Path folder = Path.of(environment.getOrDefault("TMPDIR", System.getProperty("java.io.tmpdir")));
        Path log = Files.createTempFile(folder, "nccom_test_log_", ".log");
        return Files.writeString(
                log, "nccom-test " + String.join(" ", options) + "\nsize " + size + ": " + reason + "\n");
    }
}
