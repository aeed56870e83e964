package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a lease table that is removed while a test holds a core. */
class RemovedTableTest {

    @TempDir
    private Path output;

    @AutoClose
    private FakeNeuronHost host;

    @BeforeEach
    void shareAHost() {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    }

    @NeuronTest
    static class RemovesTheTableFixture {
        @Test
        void test(NeuronCore core, NeuronHost host) throws IOException {
            Path table = Path.of(host.tree().location("tmp/neuron-test-leases"));
            try (Stream<Path> files = Files.walk(table)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("root:" + host.directory());
    }

    @Test
    void leavesTheTestUndecided() {
        // given
        NeuronTestKit kit = kit().with("neuron.test.undecided", "pass");

        // when
        kit.run(RemovesTheTableFixture.class);

        // then
        assertThat(kit.events(RunEvent.TestFinished.class)).singleElement().satisfies(finished -> {
            assertThat(finished.outcome()).isEqualTo(Outcome.UNDECIDED);
            assertThat(finished.reason())
                    .contains("no other test has the cores is undecided: The lease table in ")
                    .contains("it was removed or replaced while it was in use");
        });
    }

    @Test
    void failsTheTestUnlessAnotherOutcomeIsSet() {
        // when
        List<Throwable> failures = NeuronTestKit.failures(kit().run(RemovesTheTableFixture.class));

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure)
                                .hasMessageStartingWith(
                                        "Another test may have had neuron0/neuron_core0 at the same time: The lease table in "));
    }
}
