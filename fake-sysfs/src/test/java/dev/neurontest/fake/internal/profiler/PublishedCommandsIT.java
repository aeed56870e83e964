package dev.neurontest.fake.internal.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.profiler.ToolFixture.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of command lines of the tools that guides print for SDK 2.25 to 2.33, with the files that the guides assume. */
class PublishedCommandsIT {

    private static final int TENSOR_BYTES = 16;

    @TempDir
    private static Path prepared;

    @AutoClose
    private static FakeNeuronHost host;

    @TempDir
    private Path folder;

    private ToolFixture tools;
    private final List<Process> started = new ArrayList<>();

    /** Prepares a model with its inputs, a trace, the trace of a rank, and the output of a run. */
    @BeforeAll
    static void prepareFiles() throws Exception {
        // SDK 2.29 is the last in which both tools work.
        host = FakeNeuronHost.builder()
                .instance("inf2.24xlarge")
                .layout("driver-2.27")
                .start();
        Files.createDirectories(prepared.resolve("compiler_workdir"));
        for (String neff : List.of("file.neff", "compiler_workdir/graph.neff")) {
            FakeNeff.builder()
                    .input("IN1", TENSOR_BYTES)
                    .input("IN2", TENSOR_BYTES)
                    .write(prepared.resolve(neff));
        }
        for (String input : List.of("x", "y", "worker0_x", "worker0_y", "worker1_x", "worker1_y")) {
            Files.write(prepared.resolve(input + ".npy"), new byte[TENSOR_BYTES]);
        }
        Files.writeString(
                prepared.resolve("inputs.txt"),
                "IN1 worker0_x.npy IN2 worker0_y.npy\nIN1 worker1_x.npy IN2 worker1_y.npy\n");
        ToolFixture tools = new ToolFixture(host, prepared);
        assertThat(tools.explorer("capture").exitCode()).isZero();
        assertThat(tools.explorer("capture", "-r", "12", "-i", "5", "-s", "output/profile.ntff")
                        .exitCode())
                .isZero();
        Process run = shell(prepared, "neuron-explorer inspect -o my-run \"$ROOT\"/bin/run-neff file.neff");
        assertThat(run.waitFor()).isZero();
    }

    @BeforeEach
    void copyFiles() throws IOException {
        try (Stream<Path> files = Files.walk(prepared)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Path copy = folder.resolve(prepared.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        tools = new ToolFixture(host, folder);
        tools.environment("HOME", folder.toString());
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    /** Starts a command line in a shell of the host. */
    private static Process shell(Path directory, String line) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", ". \"$ROOT/env.sh\"; PATH=.:$PATH; exec " + line)
                .directory(directory.toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        builder.environment().put("ROOT", host.directory().toString());
        builder.environment().put("HOME", directory.toString());
        return builder.start();
    }

    /** Runs a command line in this JVM. */
    private Result run(String version, String line) {
        List<String> words = List.of(line.replace("\"", "").split(" +"));
        host.profiler().tool(words.get(0), "working " + version);
        String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
        return words.get(0).equals("neuron-explorer") ? tools.explorer(arguments) : tools.profile(arguments);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            2.32.9.0 | neuron-explorer capture -n file.neff -s new.ntff                             | new.ntff
            2.32.9.0 | neuron-explorer capture -n file.neff -s new.ntff IN1 x.npy IN2 y.npy         | new.ntff
            2.32.9.0 | neuron-explorer capture -n ./compiler_workdir/graph.neff -s profile.ntff --profile-nth-exec=2 --enable-dge-notifs | profile_exec_2.ntff
            2.32.9.0 | neuron-explorer capture -n file.neff -r 4 -s output/profile.ntff             | output/profile_rank_3.ntff
            2.32.9.0 | neuron-explorer capture -n file.neff -r 4 -i 1 -s output/profile.ntff        | output/profile_rank_1.ntff
            2.32.9.0 | neuron-explorer capture -n file.neff --collectives-worker-start-id 0 --collectives-workers-per-node 2 --collectives-worker-count 4 -s output/profile.ntff | output/profile_rank_0.ntff
            2.32.9.0 | neuron-explorer capture -n file.neff --collectives-worker-start-id 2 --collectives-workers-per-node 2 --collectives-worker-count 4 -s output/profile.ntff | output/profile_rank_3.ntff
            2.25.0.0 | neuron-profile capture -n file.neff -s new.ntff                              | new.ntff
            2.25.0.0 | neuron-profile capture -n file.neff --collectives-workers-per-node 12 -s output/profile.ntff | output/profile_rank_11.ntff
            2.25.0.0 | neuron-profile capture -n file.neff --collectives-profile-id 7 --collectives-workers-per-node 12 -s output/profile.ntff | output/profile_rank_7.ntff
            2.25.0.0 | neuron-profile capture -n file.neff -m inputs.txt --collectives-workers-per-node 2 -s output/profile.ntff | output/profile_rank_1.ntff
            2.25.0.0 | neuron-profile capture -n file.neff --collectives-worker-start-id 2 --collectives-workers-per-node 2 --collectives-worker-count 4 | profile_rank_3.ntff
            2.25.0.0 | neuron-profile capture --single-io -n file.neff -s new.ntff                  | new.ntff
            2.25.0.0 | neuron-profile capture --save-output -n file.neff                            | output0
            2.32.9.0 | neuron-explorer view --session-dir ./my-run --output-format json --output-file ./integrated_trace.json | system_profile.json
            2.32.9.0 | neuron-explorer view --session-dir ./my-run --output-format json --output-file ./integrated_trace.json | device_profile_model_10001.json
            2.32.9.0 | neuron-explorer view -d ./my-run --output-format perfetto                    | system_profile.pftrace
            2.32.9.0 | neuron-explorer view -d ./my-run --output-format perfetto                    | device_profile_model_10001.pftrace
            2.28.0.0 | neuron-explorer view -d ./my-run --ignore-device-profile --output-format perfetto | system_profile.pftrace
            2.32.9.0 | neuron-explorer view -d ./my-run --ingest-only --display-name "my-profile-run" | .local/share/neuron-profile/profiles/global/my-profile-run@latest/SystemProfileEvents.parquet
            2.32.9.0 | neuron-explorer view -d ./my-run --ingest-only                               | .local/share/neuron-profile/profiles/global/my-run@latest/SystemProfileEvents.parquet
            2.29.0.0 | neuron-profile view --output-format json --output-file profile.json -n file.neff -s output/profile_rank_5.ntff | profile.json
            2.29.0.0 | neuron-profile view -n file.neff -s profile.ntff --output-format perfetto    | ntff.pftrace
            2.29.0.0 | neuron-profile view -n file.neff -s profile.ntff --output-format perfetto --show-perfetto-flows | ntff.pftrace
            2.29.0.0 | neuron-profile view -d ./my-run --output-format perfetto                     | system_profile.pftrace
            2.29.0.0 | neuron-profile view -d ./my-run --output-format json                         | system_profile.json
            2.29.0.0 | neuron-profile view -d ./my-run --ignore-device-profile --output-format perfetto | system_profile.pftrace
            2.29.0.0 | neuron-profile view -d ./my-run --output-format=perfetto --system-trace-primary-group=instance_id,process_id --system-trace-secondary-group=lnc_idx,thread_id | system_profile.pftrace
            2.29.0.0 | neuron-profile view -d ./my-run --system-trace-filter-neuron-core "0,1,2,3" --output-format perfetto | system_profile.pftrace
            2.29.0.0 | neuron-profile view -d ./my-run --system-trace-filter-event-type "nrt_execute,nrt_load" --output-format perfetto | system_profile.pftrace
            2.29.0.0 | neuron-profile view -d ./my-run --system-trace-filter-instance-id "i-0123456789abcdef0,i-def456" --output-format perfetto | system_profile.pftrace
            """)
    void leaveTheirFiles(String version, String line, String file) {
        Result result = run(version, line);

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(folder.resolve(file)).isNotEmptyFile();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            2.32.9.0 | neuron-explorer --version                                                    | neuron-explorer 2.32.9.0
            2.32.9.0 | neuron-explorer --show-profile-schema                                        | Summary
            2.33.0.0 | neuron-explorer view --show-profile-schema                                   | Summary
            2.32.9.0 | neuron-explorer view -d ./my-run --output-format summary-text                | total_time
            2.32.9.0 | neuron-explorer view -d ./my-run --output-format summary-json                | "total_time":
            2.32.9.0 | neuron-explorer recommend -n file.neff -s profile.ntff --nki-source-root ./src | # Recommendation for n_
            2.29.0.0 | neuron-profile view --output-format summary-text -n file.neff -s output/profile_rank_5.ntff | nd_idx
            2.29.0.0 | neuron-profile view -d my-run --output-format summary-text                   | total_time
            """)
    void printTheirResult(String version, String line, String text) {
        Result result = run(version, line);

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains(text);
    }

    /** Verifies the failure of lines that need InfluxDB, which no host of a test has. */
    @ParameterizedTest
    @CsvSource({
        "neuron-profile view",
        "neuron-profile view -n file.neff -s profile.ntff",
        "neuron-profile view -n file.neff -s profile.ntff --ingest-only",
        "neuron-profile view -n file.neff -s profile.ntff --enable-memory-tracker",
        "neuron-profile view -n file.neff -s profile.ntff --framework-source-root /path/to/sources",
        "neuron-profile view -n file.neff -d output",
        "neuron-profile view -d ./my-run"
    })
    void needInfluxDbInTheOldTool(String line) {
        Result result = run("2.29.0.0", line);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("influxdb not setup correctly");
    }

    @ParameterizedTest
    @CsvSource({
        "neuron-explorer view",
        "neuron-explorer view --data-path ./workspace",
        "neuron-explorer view --data-path ./workspace --output-format parquet",
        "neuron-explorer view -v 2 --data-path ./parquet_files",
        "neuron-explorer view --data-path ./workspace -p 0",
        "neuron-explorer view -n file.neff -s profile.ntff",
        "neuron-explorer view -n file.neff -s profile.ntff --framework-source-root /a --nki-source-root /b",
        "neuron-explorer view -d ./my-run",
        "neuron-explorer view -d ./my-run --system-trace-filter-neuron-core '0'",
        "neuron-explorer view -d ./my-run --ignore-device-profile",
        "neuron-explorer view -d ./my-run --ignore-system-profile",
        "neuron-explorer view -d ./my-run --data-path ./ne_workspace --display-name profiled"
    })
    void serveUntilTerminated(String line) throws Exception {
        host.profiler().tool("neuron-explorer", "working 2.32.9.0");

        Process process = shell(folder, line);

        started.add(process);
        assertThat(lines(process)).anyMatch(each -> each.startsWith("View a list of profiles at http://localhost:"));
    }

    /** Returns the output up to the line that a server prints last. */
    private static List<String> lines(Process process) throws IOException {
        List<String> lines = new ArrayList<>();
        BufferedReader out = process.inputReader();
        String line;
        while ((line = out.readLine()) != null) {
            lines.add(line);
            if (line.equals("ctrl-c to exit")) {
                return lines;
            }
        }
        throw new AssertionError("ended early, after " + lines);
    }

    @Test
    void inspectLeavesOptionsToTheProgram() throws Exception {
        program("nccom-test", "printf '%s ' \"$@\" > called; echo \"$NEURON_RT_INSPECT_OUTPUT_DIR\" >> called");

        Process process = shell(
                folder,
                "neuron-explorer inspect -o ./inspect-output nccom-test allg -b 512kb -e 512kb -r 32 -n 10 -d fp32 --help");

        assertThat(process.waitFor()).isZero();
        assertThat(folder.resolve("called"))
                .hasContent("allg -b 512kb -e 512kb -r 32 -n 10 -d fp32 --help ./inspect-output");
        assertThat(folder.resolve("err"))
                .content()
                .startsWith("INFO[0000] Running command \"nccom-test allg -b 512kb")
                .contains("with profiling enabled");
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + '\n');
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void filtersKeepOnlyMatchingEvents() throws Exception {
        assertThat(events()).contains("\"nrt_execute\"").contains("\"lnc_idx\": \"0\"");

        assertThat(events("--system-trace-filter-event-type", "nrt_load, nrt_execute"))
                .contains("\"nrt_execute\"")
                .doesNotContain("\"nc_exec_running\"");
        assertThat(events("--system-trace-filter-neuron-core", "1,2,3")).contains("\"trace_events\": []");
        assertThat(events("--system-trace-filter-instance-id", "i-abc123")).contains("\"trace_events\": []");
    }

    private String events(String... filter) throws IOException {
        String[] view = {"view", "-d", "my-run", "--output-format", "json"};
        Result result =
                tools.explorer(Stream.of(view, filter).flatMap(Stream::of).toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return Files.readString(folder.resolve("system_profile.json"));
    }
}
