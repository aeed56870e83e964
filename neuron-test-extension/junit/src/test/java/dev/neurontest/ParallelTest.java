package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.patience.Patience;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests that run at the same time in one JVM. */
class ParallelTest {

    private static final Set<NeuronCore> IN_USE = ConcurrentHashMap.newKeySet();
    private static final Set<String> SHARED = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        IN_USE.clear();
        SHARED.clear();
        return new NeuronTestKit(output).inParallel();
    }

    /** Holds cores for a moment and records whether another test had them. */
    private static void use(List<NeuronCore> cores) {
        cores.stream().filter(core -> !IN_USE.add(core)).forEach(core -> SHARED.add(core.name()));
        Thread.yield();
        IN_USE.removeAll(cores);
    }

    @NeuronTest
    static class OneCoreFixture {
        @RepeatedTest(100)
        void test(NeuronCore core) {
            use(List.of(core));
        }
    }

    @NeuronTest
    static class TwoCoresFixture {
        private List<NeuronCore> before;

        @BeforeEach
        void beforeEach(@Count(2) List<NeuronCore> cores) {
            before = cores;
        }

        @RepeatedTest(100)
        void test(@Count(2) List<NeuronCore> cores) {
            assertThat(cores).isEqualTo(before);
            use(cores);
        }
    }

    @NeuronTest
    static class ClassAndTestFixture {
        private static NeuronCore ofClass;

        @BeforeAll
        static void beforeAll(NeuronCore core) {
            ofClass = core;
        }

        @RepeatedTest(20)
        void test(NeuronCore core) {
            use(List.of(core, ofClass));
        }
    }

    @NeuronTest
    static class OtherClassAndTestFixture {
        private static NeuronCore ofClass;

        @BeforeAll
        static void beforeAll(NeuronCore core) {
            ofClass = core;
        }

        @RepeatedTest(20)
        void test(NeuronCore core) {
            use(List.of(core, ofClass));
        }
    }

    @Test
    void testsDoNotShareCores() {
        NeuronTestKit kit = kit();

        EngineExecutionResults results = kit.run(OneCoreFixture.class, TwoCoresFixture.class);

        assertThat(NeuronTestKit.failures(results)).isEmpty();
        results.testEvents().assertStatistics(stats -> stats.succeeded(200));
        assertThat(SHARED).isEmpty();
        assertThat(kit.events(RunEvent.Released.class)).hasSize(200);
    }

    @Nested
    class ClassesWithLeases {

        @Test
        void doNotDeadlockOnForkJoinThreads() {
            run(kit());
        }

        @Test
        void doNotDeadlockOnAPoolOfFixedSize() {
            // The executor of JUnit 6.1, which adds no threads for blocked ones; JUnit 5 ignores the parameter.
            run(kit().with("junit.jupiter.execution.parallel.config.executor-service", "WORKER_THREAD_POOL"));
        }

        private void run(NeuronTestKit kit) {
            EngineExecutionResults results = kit.with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s")
                    .run(ClassAndTestFixture.class, OneCoreFixture.class, OtherClassAndTestFixture.class);

            assertThat(NeuronTestKit.failures(results)).isEmpty();
            results.testEvents().assertStatistics(stats -> stats.succeeded(140));
            assertThat(SHARED).isEmpty();
        }

        static class RegisteredFixture {
            @RegisterExtension
            static NeuronExtension neuron = NeuronExtension.builder().build();

            @BeforeAll
            static void beforeAll(NeuronCore core) {}

            @Test
            void test() {}
        }

        @Test
        void failWithoutResourceLock() {
            assertThat(onlyFailure(kit().run(RegisteredFixture.class)))
                    .hasMessageContaining("@ResourceLock(providers = NeuronCoreLocks.class)");
        }
    }

    @Nested
    class WaitingTests {

        private static CountDownLatch over = new CountDownLatch(1);

        @NeuronTest
        static class HolderFixture {
            @Test
            void holds(@Count(2) List<NeuronCore> cores) throws InterruptedException {
                assertThat(over.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
        }

        static class WaiterFixture extends HolderFixture {}

        @Test
        void failAfterTimeoutNamingHolderOfCores() {
            over = new CountDownLatch(1);
            NeuronTestKit kit = kit().with("neuron.test.lease.timeout", "200 ms");
            Thread release = new Thread(() -> {
                await().until(() -> kit.events(RunEvent.Requested.class).size() == 2);
                await().until(() -> kit.events(RunEvent.TestFinished.class).size() == 1);
                over.countDown();
            });
            release.start();

            EngineExecutionResults results = kit.run(HolderFixture.class, WaiterFixture.class);

            assertThat(onlyFailure(results))
                    .hasMessageContaining("got no cores within 0.2s")
                    .hasMessageContaining("holds(List)");
        }

        @Test
        void printHolderOfCoresWhileWaiting() {
            // given
            over = new CountDownLatch(1);
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            PrintStream before = System.err;
            System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
            EngineExecutionResults results;
            try {
                Thread release = new Thread(() -> {
                    await().until(() -> printed.toString(StandardCharsets.UTF_8).contains(" has waited "));
                    over.countDown();
                });
                release.start();

                // when
                results = kit().run(HolderFixture.class, WaiterFixture.class);
            } finally {
                System.setErr(before);
            }

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(printed.toString(StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> line.startsWith("Neuron Test: ")))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .matches(
                                            "Neuron Test: \\S+Fixture > holds\\(List\\) has waited [0-9]+ s for 2 cores in a row;"
                                                    + " 0 of 2 cores are free\\. Held: cores 0-1 by \\S+Fixture > holds\\(List\\)"
                                                    + " \\(pid "
                                                    + ProcessHandle.current().pid()
                                                    + ", this JVM, thread [^,]+, since \\S+Z\\)\\."),
                            line -> assertThat(line)
                                    .matches(
                                            "Neuron Test: \\S+Fixture > holds\\(List\\) got its cores after [0-9]+ s\\."));
        }
    }
}
