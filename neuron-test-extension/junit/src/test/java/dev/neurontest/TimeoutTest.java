package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lease.CoresQuarantinedException;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of a test that exceeds its timeout, and of its cores. */
class TimeoutTest {

    private static CountDownLatch release = new CountDownLatch(1);
    private static Thread hanging;

    @TempDir
    private Path output;

    @BeforeEach
    void holdTheBody() {
        release = new CountDownLatch(1);
    }

    @AfterEach
    void letTheBodyGo() {
        release.countDown();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s");
    }

    /** Blocks like a native call that cannot be interrupted. */
    private static void neverListen() {
        hanging = Thread.currentThread();
        boolean interrupted = false;
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException ignored) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class HangsFixture {
        @Test
        @Order(1)
        @Timeout(value = 1000, unit = TimeUnit.MILLISECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void hangs(@NeuronIndex(0) NeuronCore core) {
            neverListen();
        }

        @Test
        @Order(2)
        void runsElsewhere(NeuronCore core) {
            assertThat(core.index()).isEqualTo(1);
        }

        @Test
        @Order(3)
        void needsThatCore(@NeuronIndex(0) NeuronCore core) {}

        @Test
        @Order(4)
        void letsTheBodyEnd() throws InterruptedException {
            release.countDown();
            hanging.join();
        }

        @Test
        @Order(5)
        void getsTheCoreBack(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    static class ListensFixture {
        @Test
        @Timeout(value = 1000, unit = TimeUnit.MILLISECONDS)
        void listens(@NeuronIndex(0) NeuronCore core) throws InterruptedException {
            release.await();
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class HangsOnItsClassCoreFixture {
        @Test
        @Order(1)
        @Timeout(value = 1000, unit = TimeUnit.MILLISECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void hangs(@LeasedPer(LeaseScope.CLASS) NeuronCore core) {
            neverListen();
        }

        @Test
        @Order(2)
        void sharesIt(@LeasedPer(LeaseScope.CLASS) NeuronCore core) {}
    }

    @Nested
    class UninterruptibleBody {

        @Test
        void keepsCoreFromOtherTests() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(HangsFixture.class);

            // then
            results.testEvents().assertStatistics(stats -> stats.failed(2).succeeded(3));
            assertThat(results.testEvents().failed().stream()
                            .map(event -> event.getTestDescriptor().getDisplayName()))
                    .containsExactly("hangs(NeuronCore)", "needsThatCore(NeuronCore)");
            assertThat(kit.events(RunEvent.Quarantined.class)).singleElement().satisfies(quarantined -> {
                assertThat(quarantined.cores()).containsExactly("neuron0/neuron_core0");
                assertThat(quarantined.reason()).contains("timed out, and thread", "still runs");
            });
        }

        @Test
        void releasesCoreWhenItEndsLater() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(HangsFixture.class);

            // then
            assertThat(kit.events(RunEvent.QuarantineEnded.class))
                    .extracting(RunEvent.QuarantineEnded::core)
                    .containsExactly("neuron0/neuron_core0");
        }

        @Test
        void failsTestsThatNeedItsCoreAtOnce() {
            // when
            List<Throwable> failures = NeuronTestKit.failures(kit().run(HangsFixture.class));

            // then
            assertThat(failures.get(1))
                    .isInstanceOf(CoresQuarantinedException.class)
                    .hasMessageContainingAll("neuron0/neuron_core0", "timed out", "hangs");
        }

        @Test
        void failsOtherTestsThatShareCoreOfClass() {
            // when
            List<Throwable> failures = NeuronTestKit.failures(kit().run(HangsOnItsClassCoreFixture.class));

            // then
            assertThat(failures).hasSize(2);
            assertThat(failures.get(1)).isInstanceOf(CoresQuarantinedException.class);
        }
    }

    @Nested
    class Leaves {

        @Test
        void theStateBeforeTheInterruptOfASeparateThread() throws IOException {
            // when
            kit().run(HangsFixture.class);

            // then
            assertThat(kit().attachment("neuron-timeout.txt"))
                    .contains("neuron0: reset ready", "neverListen", "Counters until then");
        }

        @Test
        void aSuppressedNoteInTheFailure() {
            assertThat(NeuronTestKit.failures(kit().run(ListensFixture.class)))
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .anySatisfy(note -> assertThat(note)
                                    .hasMessageContainingAll(
                                            "Before the interrupt, in its body",
                                            "neuron0: reset ready",
                                            "neuron-timeout.txt")));
        }

        @Test
        void theStateBeforeTheInterruptOfTheSameThread() throws IOException {
            // when
            kit().run(ListensFixture.class);

            // then
            assertThat(kit().attachment("neuron-timeout.txt"))
                    .contains("neuron0: reset ready", "ListensFixture.listens");
        }

        @Test
        void aLineInTheRunFileBeforeItIsInterrupted() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(ListensFixture.class);

            // then
            assertThat(kit.events().stream().map(event -> event.getClass().getSimpleName()))
                    .containsSubsequence("PhaseStarted", "Interrupted", "Recorded", "TestFinished");
        }
    }

    @Test
    void interruptedBodyReleasesItsCore() {
        // given
        NeuronTestKit kit = kit();

        // when
        kit.run(ListensFixture.class);

        // then
        assertThat(kit.events(RunEvent.Quarantined.class)).isEmpty();
        assertThat(kit.events(RunEvent.Released.class)).hasSize(1);
    }
}
