package dev.neurontest;

import static dev.neurontest.NeuronTestKit.failures;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.NoForeignActivityExpectation;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of two tests that run at the same time on cores of one device. */
class ConcurrentTestsOnDeviceTest {

    private static CyclicBarrier together;

    @TempDir
    private Path output;

    private NeuronTestKit kit(String platform) {
        together = new CyclicBarrier(2);
        return new NeuronTestKit(output)
                .on(platform)
                .with("junit.jupiter.execution.parallel.enabled", "true")
                .with("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .with("junit.jupiter.execution.parallel.config.fixed.parallelism", "2");
    }

    private static void meet() throws Exception {
        together.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Executes while the other test measures. */
    private static void execute(NeuronCore core, FakeNeuronHost fake) throws Exception {
        meet();
        try (FakeProcess process = fake.openProcess("python3", core)) {
            process.execute(core, 3);
        }
        meet();
    }

    @NeuronTest
    @Execution(ExecutionMode.CONCURRENT)
    static class TwoTestsFixture {

        @Test
        @ExpectCounter(value = "inference_count", delta = 3)
        void first(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) throws Exception {
            execute(core, fake);
        }

        @Test
        @ExpectCounter(value = "inference_count", delta = 3)
        void second(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) throws Exception {
            execute(core, fake);
        }
    }

    @NeuronTest
    @Execution(ExecutionMode.CONCURRENT)
    static class WithForeignProcessFixture {

        @Test
        void first(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) throws Exception {
            execute(core, fake);
        }

        @Test
        void second(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) throws Exception {
            meet();
            try (FakeProcess foreign =
                    fake.openProcess("foreign", fake.device(0).core(3))) {
                foreign.execute(fake.device(0).core(3), 1);
            }
            meet();
        }
    }

    @Execution(ExecutionMode.CONCURRENT)
    static class AloneFixture {

        @RegisterExtension
        static final NeuronExtension NEURON = NeuronExtension.builder()
                .counters(rules -> rules.expect(new NoForeignActivityExpectation()))
                .build();

        @Test
        void first(@NeuronIndex(0) NeuronCore core, FakeNeuronHost fake) throws Exception {
            execute(core, fake);
        }

        @Test
        void second(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) throws Exception {
            execute(core, fake);
        }
    }

    @NeuronTest
    static class ClassWithCoreFixture {

        @BeforeAll
        static void start(@NeuronIndex(0) NeuronCore core) {}

        @Test
        void onItsOwnCore(@NeuronIndex(1) NeuronCore core, FakeNeuronHost fake) {
            try (FakeProcess process = fake.openProcess("python3", core)) {
                process.execute(core, 3);
            }
        }
    }

    @Test
    void activityOfATestIsNotForeignToItsClass() {
        // given
        NeuronTestKit kit = kit("fake:trn1.2xlarge");

        // when
        EngineExecutionResults results = kit.run(ClassWithCoreFixture.class);

        // then
        assertThat(failures(results)).isEmpty();
        assertThat(kit.notices()).noneMatch(notice -> notice.contains("Foreign activity"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fake:trn1.2xlarge", "fake:trn1.2xlarge@driver-2.28", "fake:trn2.48xlarge"})
    void activityOfAnotherTestIsNotForeign(String platform) {
        // given
        NeuronTestKit kit = kit(platform);

        // when
        EngineExecutionResults results = kit.run(TwoTestsFixture.class);

        // then
        assertThat(failures(results)).isEmpty();
        assertThat(kit.notices()).noneMatch(notice -> notice.contains("Foreign activity"));
    }

    @Test
    void activityOnUnleasedCoreIsForeign() {
        // given
        NeuronTestKit kit = kit("fake:trn2.48xlarge").with("neuron.test.lnc", "1");

        // when
        EngineExecutionResults results = kit.run(WithForeignProcessFixture.class);

        // then
        assertThat(failures(results)).isEmpty();
        assertThat(kit.notices()).anyMatch(notice -> notice.contains("Foreign activity on neuron0/neuron_core3"));
    }

    @Test
    void expectationOfNoForeignActivityConcernsOtherTestsToo() {
        // when
        EngineExecutionResults results = kit("fake:trn1.2xlarge").run(AloneFixture.class);

        // then
        assertThat(failures(results))
                .hasSize(2)
                .allSatisfy(failure -> assertThat(failure).hasMessageContaining("no foreign activity"));
    }
}
