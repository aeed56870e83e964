package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.profiler.call.Invocation;
import dev.neurontest.fake.internal.profiler.capture.CaptureCommand;
import dev.neurontest.fake.internal.profiler.view.ViewCommand;
import dev.neurontest.fake.internal.tool.ToolRelease;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A comparison of the same trace of the stand-in as full JSON and as tables, which spell an engine differently. */
class StandInEventsTest {

    @TempDir
    Path folder;

    @Test
    void fullJsonAndTablesOfStandInAgree() throws Exception {
        // given
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            FakeNeff.builder().name("resnet50").time(Duration.ofMillis(17)).write(folder.resolve("m.neff"));
            call(host, "capture", "-n", "m.neff", "-s", "p.ntff");
            call(host, "view", "-n", "m.neff", "-s", "p.ntff", "--output-format", "json", "--output-file", "p.json");
            call(
                    host,
                    "view",
                    "-n",
                    "m.neff",
                    "-s",
                    "p.ntff",
                    "--output-format",
                    "parquet",
                    "--output-file",
                    "tables",
                    "--ingest-only");
        }

        // when
        ProfileEvents json = ProfileEvents.read(folder.resolve("p.json"));
        ProfileEvents tables = ProfileEvents.read(folder.resolve("tables"));

        // then
        assertThat(tables.count(Grouping.ENGINE)).isPositive();
        for (Grouping by : Grouping.values()) {
            assertThat(times(tables, by)).isEqualTo(times(json, by));
        }
        assertThat(tables.executionNanos()).isEqualTo(json.executionNanos());
        assertThat(tables.shareOfTime(EventQuery.transposes()))
                .isEqualTo(json.shareOfTime(EventQuery.transposes()))
                .isPositive();
    }

    /** Returns the times without spills, which the stand-in writes only to its tables. */
    private static String times(ProfileEvents events, Grouping by) {
        return events.rows(by).toString().replaceAll("spilledBytes=[^,]*", "").replace("TensorMatrix", "Tensor");
    }

    private void call(FakeNeuronHost host, String... arguments) throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Invocation invocation = new Invocation(
                new ToolRelease(
                        "neuron-explorer",
                        host.profiler().tool("neuron-explorer").replace("working ", "")),
                host.directory(),
                List.of(arguments),
                Map.of("HOME", folder.resolve("home").toString()),
                folder,
                new PrintStream(said, true, StandardCharsets.UTF_8),
                new PrintStream(said, true, StandardCharsets.UTF_8));
        List<String> flags =
                invocation.arguments().subList(1, invocation.arguments().size());
        int exitCode = arguments[0].equals("view")
                ? ViewCommand.run(invocation, flags)
                : CaptureCommand.run(invocation, flags);
        assertThat(exitCode).as("%s: %s", List.of(arguments), said).isZero();
    }
}
