package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the fake host with the cores that a test leases. */
class FakeCoresTest {

    @TempDir
    private Path output;

    @NeuronTest
    static class LeasedCoresFixture {
        @Test
        @AllowCounter("timeout")
        @ExpectCounter(value = "inference_count", delta = 3)
        @ExpectCounter(value = "timeout", delta = 1)
        void usesCore(NeuronCore core, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess("python3", core)) {
                process.execute(core, 3);
                process.execute(core, NrtStatus.of("NRT_TIMEOUT"), 1);
                assertThat(process.cores()).hasSameSizeAs(core.physicalCores());
                assertThat(fake.core(core)).isEqualTo(process.cores().get(0));
                assertThat(fake.core(core).toString())
                        .isEqualTo(core.physicalCores().get(0).toString());
            }
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 7, each = true)
        void usesListOfCores(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess("python3", cores)) {
                process.execute(cores, 7);
            }
        }

        @Test
        void refusesWhatIsNoCore(FakeNeuronHost fake) {
            assertThatThrownBy(() -> fake.openProcess("python3", "no core"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no core \"no core\"");
        }
    }

    @NeuronTest
    static class LogicalCoreFixture {
        @Test
        void executesOnBothPhysicalCores(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake, Counters counters) {
            CounterDiff diff = counters.during(() -> {
                try (FakeProcess process = fake.openProcess(core)) {
                    process.execute(core, 3);
                }
            });
            assertThat(core.physicalCores()).hasSize(2);
            assertThat(diff.moved())
                    .filteredOn(change -> change.path().equals("other_info/inference_count"))
                    .extracting(CounterChange::toString)
                    .containsExactlyElementsOf(core.physicalCores().stream()
                            .map(physical -> physical + " other_info/inference_count +3")
                            .toList());
        }
    }

    @Test
    void logicalCoreStandsForItsPhysicalCores() {
        NeuronTestKit kit = new NeuronTestKit(output).on("fake:trn2.48xlarge");

        assertThat(NeuronTestKit.failures(kit.run(LogicalCoreFixture.class))).isEmpty();
    }

    @Test
    void leasedCoreWorksOnEveryFamily() {
        for (String platform : List.of("fake:trn1.2xlarge", "fake:trn2.48xlarge", "fake:inf2.xlarge")) {
            NeuronTestKit kit = new NeuronTestKit(output.resolve(platform.substring(5))).on(platform);

            assertThat(NeuronTestKit.failures(kit.run(LeasedCoresFixture.class)))
                    .as(platform)
                    .isEmpty();
        }
    }
}
