package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.evidence.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of the explanation of a worse comparison by its slower parts. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class ExplainedComparisonIT {

    private static final String NEFF = "target/explained-comparison/resnet50.neff";

    @TempDir
    private Path output;

    private static boolean slower;

    private static void compile(FakeNeuronHost fake) throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(Path.of(NEFF));
        fake.profiler().script("run-noise", 0.003, 7);
        if (slower) {
            fake.profiler().script("slowdown", 1.06);
            fake.profiler().script("slower", "layer3", 3);
            fake.profiler().script("spill", "layer3", 12 << 20);
        }
    }

    @NeuronTest
    static class TablesFixture {
        @BeforeAll
        static void script(FakeNeuronHost fake) throws IOException {
            compile(fake);
        }

        @Test
        @ProfileNeff(value = NEFF, tables = true)
        @CompareToBaseline(metric = "total_time", margin = "3 %")
        void isNotSlower(NeuronCore core) {}
    }

    @NeuronTest
    static class NoEventsFixture {
        @BeforeAll
        static void script(FakeNeuronHost fake) throws IOException {
            compile(fake);
        }

        @Test
        @ProfileNeff(NEFF)
        @CompareToBaseline(metric = "total_time", margin = "3 %")
        void isNotSlower(NeuronCore core) {}
    }

    private NeuronTestKit kit(String run) {
        return new NeuronTestKit(output.resolve(run)).with("neuron.test.baseline.directory", baselines());
    }

    private String baselines() {
        return output.resolve("baselines").toString();
    }

    private void baselineOf(Class<?> fixture) {
        slower = false;
        EngineExecutionResults results = kit("before").run(fixture);
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        BaselineFixture.approve(Path.of(baselines()), output.resolve("before/run"));
    }

    private Throwable failureOf(NeuronTestKit kit, Class<?> fixture) {
        slower = true;
        List<? extends Throwable> failures = NeuronTestKit.failures(kit.run(fixture));
        assertThat(failures).hasSize(1);
        return failures.get(0);
    }

    private Path kept() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(baselines()))) {
            return files.filter(file -> file.toString().endsWith(".events.json"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void namesSlowerLayerAndExplainCommand() throws IOException {
        // given
        baselineOf(TablesFixture.class);
        NeuronTestKit kit = kit("now");

        // when
        Throwable failure = failureOf(kit, TablesFixture.class);

        // then
        assertThat(failure)
                .hasMessageMatching(
                        "(?s)total_time .* is .* slower than its baseline; .* accepted\nWorse \\(slower\\): .*")
                .hasMessageContaining("\nWhat took longer, by the events of one execution:\nSlower by ")
                .hasMessageContaining(": layer3 took ")
                .hasMessageContaining("; it spilled 24 MiB more.\n")
                .hasMessageContaining("\nAll of it:\n  neuron-test explain '" + kept() + "' '")
                .hasMessageFindingMatch("-tables' --duckdb '[^']*duckdb_jdbc[^']*\\.jar'\n$");
        assertThat(kit.events(RunEvent.Violated.class))
                .singleElement()
                .satisfies(event -> assertThat(event.violation().advice())
                        .startsWith("Slower by ")
                        .contains(": layer3 took ")
                        .contains("\nTo accept it: neuron-test baseline approve "));
        assertThat(kit.events(RunEvent.Attached.class))
                .extracting(RunEvent.Attached::name)
                .contains(
                        "neuron-comparison-explained.html",
                        "neuron-comparison-explained.txt",
                        "neuron-comparison-explained.json");
    }

    @Test
    void advisesTablesWhenProfileHasNoEvents() {
        // given
        baselineOf(NoEventsFixture.class);

        // then
        assertThat(failureOf(kit("now"), NoEventsFixture.class))
                .hasMessageEndingWith(
                        "\nWhat took longer is unknown: this profile has no events. Keep them with @ProfileNeff(tables = true). A baseline accepted afterwards keeps the events of its run.\n");
    }
}
