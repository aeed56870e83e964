package dev.neurontest;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Awaited;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of waits for counters. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AwaitTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private static FakeCore of(FakeNeuronHost fake, NeuronCore core) {
        return fake.core(core);
    }

    @NeuronTest
    static class WaitsFixture {
        @Test
        void countsWhatTheTestDidBefore(NeuronCore core, Counters counters, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess(of(fake, core))) {
                process.execute(of(fake, core), 10);
                Awaited awaited = counters.await("inference_count").atLeast(10).within(ofSeconds(5));
                assertThat(awaited.looks()).isEqualTo(1);
            }
        }

        @Test
        void waitsForAServer(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
            try (FakeProcess process = fake.openProcess(of(fake, core))) {
                Thread server = new Thread(() -> process.execute(of(fake, core), 10));
                server.start();
                counters.await("inference_count").atLeast(10).within(ofHours(1));
                server.join();
            }
        }

        @Test
        @AllowCounter("oob_error")
        void goesOnWithWhatItAllows(NeuronCore core, Counters counters, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess(of(fake, core))) {
                process.execute(of(fake, core), NrtStatus.NRT_EXEC_OOB, 1);
                counters.await("oob_error").atLeast(1).within(Duration.ZERO);
                process.execute(of(fake, core));
                counters.await("inference_count").within(Duration.ZERO);
            }
        }
    }

    @NeuronTest
    static class FailsFixture {
        @Test
        void doesNotWaitOutAnError(NeuronCore core, Counters counters, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess(of(fake, core))) {
                process.execute(of(fake, core), NrtStatus.NRT_TIMEOUT, 1);
                counters.await("inference_count").atLeast(10).within(ofHours(1));
            }
        }
    }

    @NeuronTest
    static class TimesOutFixture {
        @Test
        @Timeout(value = 300, unit = TimeUnit.MILLISECONDS)
        void waitsTooLong(@NeuronIndex(0) NeuronCore core, Counters counters) {
            counters.await("inference_count").within(ofHours(1));
        }
    }

    @Test
    void waitsForCountsOfTestAndServer() {
        // when
        EngineExecutionResults results = kit().run(WaitsFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        results.testEvents().assertStatistics(stats -> stats.succeeded(3));
    }

    @Test
    void failsAtOnceWhenAnErrorCounterRises() {
        // when
        EngineExecutionResults results = kit().run(FailsFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results))
                .singleElement()
                .satisfies(failure -> assertThat(failure.getMessage() + List.of(failure.getSuppressed()))
                        .contains("Waited for other_info/inference_count of neuron0/neuron_core0")
                        .contains("status/timeout had changed (+1)")
                        .contains("no error counter may move"));
    }

    @Test
    void isInterruptedByTestTimeoutWithoutQuarantine() {
        // when
        EngineExecutionResults results = kit().run(TimesOutFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).singleElement().satisfies(failure -> {
            assertThat(failure).isInstanceOf(TimeoutException.class);
            assertThat(failure.getSuppressed())
                    .anySatisfy(suppressed ->
                            assertThat(suppressed).hasMessageContaining("when the thread was interrupted after"));
        });
        assertThat(kit().events(RunEvent.Quarantined.class)).isEmpty();
    }
}
