package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.workload.WorkloadFailure;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of child processes that open their cores on the fake host. */
class OwnedCoresIT {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    @NeuronTest
    static class InfersFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 5, each = true)
        void test(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            workloads.command(FakeProgram.command("infer", "5")).run();
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class HangsFixture {
        @Test
        @Order(1)
        void hangs(@Count(2) List<NeuronCore> cores, Workloads workloads) {
            workloads
                    .command(FakeProgram.command("hang"))
                    .timeout(Duration.ofSeconds(10))
                    .run();
        }

        @Test
        @Order(2)
        void takesTheSameCores(@Count(2) List<NeuronCore> cores, FakeNeuronHost fake) {
            try (FakeProcess process =
                    fake.openProcess(fake.device(0).core(0), fake.device(0).core(1))) {
                assertThat(process.alive()).isTrue();
            }
        }
    }

    @NeuronTest
    static class TwoOnOneCoreFixture {
        @Test
        void test(NeuronCore core, Workloads workloads) {
            workloads
                    .command(FakeProgram.command("hang"))
                    .readyWhenPrinted("runs on")
                    .start()
                    .awaitReady();
            workloads.command(FakeProgram.command("infer", "1")).run();
        }
    }

    @Test
    void haveAllInferencesCountedBeforeJudgement() {
        assertThat(NeuronTestKit.failures(kit().run(InfersFixture.class))).isEmpty();
    }

    @Test
    void areFreeAfterOwnerWasEndedAtDeadline() {
        // when
        EngineExecutionResults results = kit().run(HangsFixture.class);

        // then
        results.testEvents().assertStatistics(stats -> stats.failed(1).succeeded(1));
        assertThat(onlyFailure(results))
                .isInstanceOf(WorkloadFailure.class)
                .hasMessageContaining("timed out and was ended");
    }

    @Test
    void areRefusedToASecondProgramWithTheReason() {
        assertThat(onlyFailure(kit().run(TwoOnOneCoreFixture.class)))
                .isInstanceOf(WorkloadFailure.class)
                .hasMessageContainingAll("NeuronCore(s) not available", "exit code 1");
    }

    @NeuronTest
    static class ServesItsClassFixture {
        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            workloads
                    .command(FakeProgram.command("hang"))
                    .readyWhenPrinted("runs on")
                    .start()
                    .awaitReady();
        }

        @Test
        void test(NeuronCore core) {}
    }

    @Test
    void stayOpenInServerOfClassWithoutNotice() {
        // given
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(ServesItsClassFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(kit.notices()).noneMatch(notice -> notice.contains("still open"));
    }

    @NeuronTest
    static class AnyCoreFixture {
        @Test
        void test(NeuronCore core) {}
    }

    @Nested
    class OfProcessWithoutLease {

        private FakeNeuronHost host;
        private Process notebook;

        @BeforeEach
        void openANotebookOnTheFirstDevice() throws IOException {
            host = FakeNeuronHost.builder().instance("inf2.24xlarge").start();
            ProcessBuilder builder = new ProcessBuilder(FakeProgram.command("hang"));
            builder.environment().putAll(host.environment());
            builder.environment().put("NEURON_RT_VISIBLE_CORES", "0");
            builder.environment().put("NEURON_LOGICAL_NC_CONFIG", "1");
            notebook = builder.start();
            await().until(() -> !host.processes().isEmpty());
            host.awaitPublished();
        }

        @AfterEach
        void closeIt() {
            notebook.destroyForcibly();
            host.close();
        }

        @Test
        void areNotLeased() {
            // given
            NeuronTestKit kit = kit().on("root:" + host.directory());

            // when
            kit.run(AnyCoreFixture.class);

            // then
            assertThat(kit.events(RunEvent.Leased.class))
                    .singleElement()
                    .satisfies(leased -> assertThat(leased.cores()).containsExactly("neuron1/neuron_core0"));
        }

        @Test
        void areLeasedWithWarningWhenConfigured() {
            // given
            NeuronTestKit kit = kit().on("root:" + host.directory()).with("neuron.test.lease.owners", "warn");

            // when
            kit.run(AnyCoreFixture.class);

            // then
            assertThat(kit.events(RunEvent.Leased.class))
                    .singleElement()
                    .satisfies(leased -> assertThat(leased.cores()).containsExactly("neuron0/neuron_core0"));
            assertThat(kit.notices())
                    .anySatisfy(notice -> assertThat(notice)
                            .contains("neuron0", "model (pid " + notebook.pid() + ")", "has no lease"));
        }

        @Test
        void haveOwnerNamedInCounterDifference() {
            // given
            NeuronTestKit kit = kit().on("root:" + host.directory()).with("neuron.test.lease.owners", "warn");

            // when
            kit.run(AnyCoreFixture.class);

            // then
            assertThat(kit.events(RunEvent.Recorded.class))
                    .singleElement()
                    .satisfies(recorded -> assertThat(recorded.recording().text())
                            .contains("model (pid " + notebook.pid() + ") on neuron0"));
        }
    }
}
