package dev.neurontest.fake.internal.profiler;

import static dev.neurontest.patience.Patience.await;

import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A host with its tools, which run in the JVM of the test. */
public final class ToolFixture {

    private static final List<String> COUNTERS = List.of(
            "other_info/inference_count",
            "other_info/model_load_count",
            "status/oob_error",
            "status/execute_completed_with_num_error");

    public final FakeNeuronHost host;
    public final Map<String, String> environment = new HashMap<>();

    private final Path folder;

    public record Result(int exitCode, String out, String err) {

        /** Returns the only object in the only object of a summary. */
        public JsonNode metrics() {
            JsonNode root = new ObjectMapper().readTree(out);
            return root.iterator().next();
        }
    }

    /** Creates a fixture. The tests of a class share one host, because creating its files takes long. */
    public ToolFixture(FakeNeuronHost host, Path folder) throws IOException {
        this.folder = folder;
        this.host = host;
        environment.put("HOME", folder.resolve("home").toString());
        host.directory();
        host.profiler().reset();
        for (FakeCore core : host.device(0).cores()) {
            for (String counter : COUNTERS) {
                host.tree().write(file(core.toString(), counter), new byte[] {'1'});
            }
        }
    }

    private static String file(String core, String counter) {
        return "sys/devices/virtual/neuron_device/" + core + "/stats/" + counter + "/total";
    }

    public void environment(String name, String value) {
        environment.put(name, value);
    }

    /** Scripts the tools by the words of the command. */
    public void script(String words) {
        host.openSession().answer("profiler " + words);
    }

    public Result explorer(String... arguments) {
        return run("neuron-explorer", arguments);
    }

    public Result profile(String... arguments) {
        return run("neuron-profile", arguments);
    }

    private Result run(String tool, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = ProfilerCommand.run(new Invocation(
                new ToolRelease(tool, host.profiler().tool(tool).replace("working ", "")),
                host.directory(),
                List.of(arguments),
                environment,
                folder,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8)));
        // The tool had the process ID of this JVM. No other tool gets it until the host has noticed the end of the
        // connection.
        await().until(() -> host.processes().stream()
                .noneMatch(process -> process.pid() == ProcessHandle.current().pid()));
        return new Result(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Returns the traces in the working directory. */
    public List<String> traces() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".ntff"))
                    .sorted()
                    .toList();
        }
    }

    public long counter(String core, String counter) throws IOException {
        return Long.parseLong(new String(host.tree().read(file(core, counter)), StandardCharsets.UTF_8).strip());
    }
}
