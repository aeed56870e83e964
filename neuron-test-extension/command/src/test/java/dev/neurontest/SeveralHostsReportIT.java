package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.command.CommandFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of reports about tests over several hosts, each a fake host with an agent of its own. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class SeveralHostsReportIT {

    @TempDir
    private Path output;

    private CommandFixture report(Class<?> fixture) {
        new NeuronTestKit(output)
                .on("fake:2xtrn1.32xlarge")
                .with("neuron.test.summary", "false")
                .launch(fixture);
        return CommandFixture.run(
                "report",
                output.resolve("run").toString(),
                "--html",
                output.resolve("report.html").toString());
    }

    private String page() throws IOException {
        return Files.readString(output.resolve("report.html"));
    }

    @NeuronTest
    static class MemoryErrorFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster, List<FakeNeuronHost> fakes) {
            fakes.get(1).device(0).ecc("mem_uncorrected", 1);
        }
    }

    @Test
    void coresAndCountersAreGroupedByHost() throws IOException {
        // when
        CommandFixture report = report(MemoryErrorFixture.class);

        // then
        assertThat(report.out())
                .contains("test() on host0 (32 cores), host1 (32 cores)")
                .containsOnlyOnce("host1: neuron0 hardware/mem_ecc_uncorrected: expected unchanged, was +1")
                .contains("neuron0 of host0: 2 cores used for at most ")
                .contains("quarantine: neuron0/neuron_core1 of host1 after ");
        assertThat(page())
                .contains("Counters that changed on host1", "<optgroup label=\"host1 neuron15\">")
                .containsOnlyOnce("<p class=\"mute\">No counter changed on the other hosts.</p>")
                .contains("<b>neuron0/neuron_core0</b> of host1", "<b>neuron0/neuron_core1</b> of host1")
                .doesNotContain("<b>neuron0/neuron_core0</b> of host0")
                .contains(
                        "host0 (32 cores), host1 (32 cores): the others had no failure that a core can cause, and no quarantine");
    }

    @NeuronTest
    static class LostHostFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {
            cluster.workloads()
                    .perHost("sh", "-c", "test $GROUP_RANK = 0 || kill -9 $PPID; exec sleep 600")
                    .run();
        }
    }

    @Test
    void lostHostHasOneReason() throws IOException {
        // when
        CommandFixture report = report(LostHostFixture.class);

        // then
        assertThat(report.out())
                .containsOnlyOnce("host1: its counters: They could not be read after the test: host1: the connection")
                .contains("neuron3/neuron_core1 and 24 more")
                .doesNotContain("readable counter");
        assertThat(page()).doesNotContain("can no longer be listed");
    }
}
