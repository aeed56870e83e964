package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.patience.Patience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of a process that the body started and that counts an error after the body. */
class LateCountsTest {

    private static final String STILL_OPEN =
            "neuron0 is still open in trainer (pid 1001): its later counts are not included in this test."
                    + " End it in the test, or start it with Workloads.";

    private static FakeNeuronHost host;

    @TempDir
    private Path output;

    private static void start(String layout) {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").layout(layout).start();
    }

    @AfterEach
    void closeIt() {
        host.close();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("root:" + host.directory());
    }

    private static Outcome outcome(NeuronTestKit kit) {
        List<RunEvent.TestFinished> finished = kit.events(RunEvent.TestFinished.class);
        assertThat(finished).hasSize(1);
        return finished.get(0).outcome();
    }

    private static FakeCore core() {
        return host.device(0).core(0);
    }

    private static void fail(FakeProcess process) {
        process.execute(core(), NrtStatus.NRT_HW_ERROR, 1);
    }

    private static String hardwareErrors() throws Exception {
        host.awaitPublished();
        return new String(
                        host.tree()
                                .read(
                                        "sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/status/hw_error/total"),
                        StandardCharsets.UTF_8)
                .strip();
    }

    @NeuronTest
    static class LeavesAProcessFixture {

        static FakeProcess left;

        @Test
        void test(NeuronCore core) {
            left = host.openProcess("trainer", core());
        }
    }

    @NeuronTest
    static class FailsAtOnceFixture {

        @Test
        void test(NeuronCore core) {
            FakeProcess left = host.openProcess("trainer", core());
            CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS).execute(() -> LateCountsTest.fail(left));
        }
    }

    @NeuronTest
    static class EndsItsProcessFixture {

        /** Counts an error in a process that has ended before the body ends, for readers of files too. */
        @Test
        void test(NeuronCore core) {
            try (FakeProcess process = host.openProcess("trainer", core())) {
                LateCountsTest.fail(process);
            }
            host.awaitPublished();
        }
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class LeavesAProcessToTheNextTestFixture {

        @Test
        void a(NeuronCore core) {
            host.openProcess("trainer", host.device(0).core(1));
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void b(NeuronCore core) {}

        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void c(NeuronCore core) {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver-2.28", "driver-2.30"})
    void laterTestsNameTheTestThatLeftTheProcess(String layout) {
        // given
        start(layout);
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(LeavesAProcessToTheNextTestFixture.class);

        // then
        assertThat(kit.notices())
                .anySatisfy(notice ->
                        assertThat(notice).contains("trainer (pid 1001)").doesNotContain("left by"));
        assertThat(NeuronTestKit.failures(results))
                .hasSize(2)
                .allSatisfy(failure -> assertThat(failure)
                        .hasMessageContaining("trainer (pid 1001)")
                        .hasMessageContaining(
                                "left by LateCountsTest$LeavesAProcessToTheNextTestFixture > a(NeuronCore)"));
    }

    @NeuronTest
    @Execution(ExecutionMode.CONCURRENT)
    static class ConcurrentFixture {

        static CountDownLatch open;
        static NeuronTestKit kit;

        @Test
        void endsFirst(@NeuronIndex(0) NeuronCore core) throws InterruptedException {
            assertThat(open.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 1)
        void hasAProcess(@NeuronIndex(1) NeuronCore core) {
            host.openProcess("trainer", host.device(0).core(1));
            open.countDown();
            Awaitility.await("the end of the other test")
                    .atMost(Patience.LIMIT)
                    .until(() -> !kit.events(RunEvent.TestFinished.class).isEmpty());
        }
    }

    @Test
    void processOfARunningTestIsNotLeftByAnother() {
        // given
        start("driver-2.30");
        ConcurrentFixture.open = new CountDownLatch(1);
        ConcurrentFixture.kit = kit().with("junit.jupiter.execution.parallel.enabled", "true")
                .with("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .with("junit.jupiter.execution.parallel.config.fixed.parallelism", "2");

        // when
        EngineExecutionResults results = ConcurrentFixture.kit.run(ConcurrentFixture.class);

        // then
        assertThat(onlyFailure(results))
                .hasMessageContaining("trainer (pid 1001)")
                .hasMessageNotContaining("left by");
    }

    /**
     * Verifies an error within the settle interval. The interval is longer than the default, to include the error on a
     * slow machine too.
     */
    @Test
    void failTestWithinSettleInterval() {
        // given
        start("driver-2.30");
        NeuronTestKit kit = kit().with("neuron.test.settle.interval", "1s").with("neuron.test.settle.timeout", "30s");

        // when
        EngineExecutionResults results = kit.run(FailsAtOnceFixture.class);

        // then
        assertThat(onlyFailure(results)).hasMessageContaining("status/hw_error");
    }

    /**
     * Verifies the notice of later counts. The error comes after the test instead of 50 or 500 ms later, to be
     * independent of the machine.
     */
    @Test
    void areAnnouncedByNoticeWhenProcessStaysOpen() throws Exception {
        // given
        start("driver-2.30");
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(LeavesAProcessFixture.class);
        assertThat(hardwareErrors()).isEqualTo("0");
        fail(LeavesAProcessFixture.left);

        // then
        assertThat(hardwareErrors()).isEqualTo("1");
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(outcome(kit)).isEqualTo(Outcome.PASSED);
        assertThat(kit.notices()).containsExactly(STILL_OPEN);
    }

    @Test
    void areNotAnnouncedForProcessEndedByTest() {
        // given
        start("driver-2.30");
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(EndsItsProcessFixture.class);

        // then
        assertThat(onlyFailure(results)).hasMessageContaining("status/hw_error").hasMessageNotContaining("still");
        assertThat(kit.notices()).isEmpty();
    }

    @Test
    void areReportedAsHeldBackOnOlderDriver() {
        // given
        start("driver-2.29");
        NeuronTestKit kit = kit();

        // when
        EngineExecutionResults results = kit.run(LeavesAProcessFixture.class);

        // then
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        assertThat(kit.notices())
                .filteredOn(notice -> notice.contains("trainer"))
                .singleElement()
                .satisfies(notice -> assertThat(notice)
                        .startsWith("Error counters may be incomplete.")
                        .contains("neuron0 is still held by trainer (pid 1001)"));
    }
}
