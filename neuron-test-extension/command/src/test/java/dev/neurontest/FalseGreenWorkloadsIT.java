package dev.neurontest;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadFailure;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tests and classes with programs that end in every way: JUnit's result, the violations in the report, and the gates
 * that fail.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class FalseGreenWorkloadsIT {

    private static final String CRASH = "kill -SEGV $$";
    private static final String HANG = "exec sleep 600";
    private static final String SERVE = "echo ready; exec sleep 600";

    @TempDir
    private Path output;

    private static NeuronWorkload.Builder shell(Workloads workloads, String script) {
        return workloads.command("sh", "-c", script);
    }

    private static NeuronWorkload.Builder hanging(Workloads workloads) {
        return shell(workloads, HANG).timeout(Duration.ofMillis(500));
    }

    private static NeuronWorkload ended(NeuronWorkload workload) {
        await().until(() -> !workload.isAlive());
        return workload;
    }

    // Programs that a test runs.

    @NeuronTest
    static class RunsFixture {
        @Test
        void exitsWith1(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 1").run();
        }
    }

    @NeuronTest
    static class RunsCrashFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            shell(workloads, CRASH).run();
        }
    }

    @NeuronTest
    static class RunsTooLongFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            hanging(workloads).run();
        }
    }

    @NeuronTest
    static class CatchesFixture {
        @Test
        void catchesTheFailure(NeuronCore core, Workloads workloads) {
            assertThatThrownBy(() -> shell(workloads, "exit 1").run()).isInstanceOf(WorkloadFailure.class);
        }
    }

    @NeuronTest
    static class GroupsFixture {
        @Test
        void groupsTwoFailures(NeuronCore core, Workloads workloads) {
            assertAll(
                    () -> shell(workloads, "exit 1").run(),
                    () -> shell(workloads, "exit 2").run());
        }
    }

    @NeuronTest
    static class DynamicFixture {
        @TestFactory
        Stream<DynamicTest> runsEach(NeuronCore core, Workloads workloads) {
            return Stream.of("exit 0", "exit 1", "exit 2")
                    .map(script ->
                            dynamicTest(script, () -> shell(workloads, script).run()));
        }
    }

    @NeuronTest
    static class ExpectedFixture {
        @Test
        void exitsWith3(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 3").expectExit(3).run();
        }
    }

    @NeuronTest
    static class NotExpectedFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 0").expectExit(3).run();
        }
    }

    @NeuronTest
    static class IgnoredFixture {
        @Test
        void exitsAnyhow(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 3").ignoringExit().run();
            ended(shell(workloads, CRASH).ignoringExit().start());
        }
    }

    @NeuronTest
    static class IgnoredButHangsFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            ended(hanging(workloads).ignoringExit().start());
        }
    }

    // Programs that a test starts.

    @NeuronTest
    static class AwaitsFixture {
        @Test
        void exitsWith1(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 1").start().await();
        }
    }

    @NeuronTest
    static class AwaitsCrashFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            shell(workloads, CRASH).start().await();
        }
    }

    @NeuronTest
    static class AwaitsTooLongFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            hanging(workloads).start().await();
        }
    }

    @NeuronTest
    static class StartsFixture {
        @Test
        void exitsWith1(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 1").start());
        }
    }

    @NeuronTest
    static class StartsCrashFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, CRASH).start());
        }
    }

    @NeuronTest
    static class StartsTooLongFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            ended(hanging(workloads).start());
        }
    }

    @NeuronTest
    static class StartsWellFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 0").start());
        }
    }

    @NeuronTest
    static class ForgetsFixture {
        @Test
        void leavesItRunning(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).start();
        }
    }

    @NeuronTest
    static class StopsFixture {
        @Test
        void stopsIt(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).start().stop();
        }
    }

    @NeuronTest
    static class EndedByTestFixture {
        @Test
        void leavesItRunning(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).endedByTest().start();
        }
    }

    @NeuronTest
    static class EndedByTestButCrashesFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, CRASH).endedByTest().start());
        }
    }

    @NeuronTest
    static class EndsDuringTeardownFixture {
        @TempDir
        private Path folder;

        private NeuronWorkload program;

        @Test
        void passes(NeuronCore core, Workloads workloads) {
            program = shell(workloads, "while ! test -e \"$SIGN\"; do sleep 0.05; done; exit 1")
                    .environment("SIGN", folder.resolve("sign").toString())
                    .start();
        }

        @AfterEach
        void letItEnd() throws IOException {
            Files.createFile(folder.resolve("sign"));
            ended(program);
        }
    }

    @NeuronTest
    static class SeveralFixture {
        @Test
        void startsFive(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 1").name("first").start());
            ended(shell(workloads, "exit 0").name("second").start());
            ended(shell(workloads, "exit 3").name("third").start());
            shell(workloads, HANG).name("fourth").start();
            shell(workloads, "exit 5").name("fifth").run();
        }
    }

    // Servers.

    @NeuronTest
    static class ServesFixture {
        @Test
        void leavesItRunning(NeuronCore core, Workloads workloads) {
            shell(workloads, SERVE).readyWhenPrinted("ready").start().awaitReady();
        }
    }

    @NeuronTest
    static class ServerStoppedFixture {
        @Test
        void stopsIt(NeuronCore core, Workloads workloads) {
            shell(workloads, "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done")
                    .readyWhenPrinted("ready")
                    .start()
                    .awaitReady()
                    .stop();
        }
    }

    @NeuronTest
    static class ServerCrashedFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "echo ready; " + CRASH)
                    .readyWhenPrinted("ready")
                    .start());
        }
    }

    @NeuronTest
    static class ServerCrashedBeforeStopFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "echo ready; exit 7")
                            .readyWhenPrinted("ready")
                            .start())
                    .stop();
        }
    }

    @NeuronTest
    static class ServerNeverReadyFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 7").readyWhenPrinted("ready").start().awaitReady();
        }
    }

    @NeuronTest
    static class ServerEndsBeforeReadyFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 0").readyWhenPrinted("ready").start());
        }
    }

    @NeuronTest
    static class ServerEndsBeforeReadyAndStopFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 0").readyWhenPrinted("ready").start()).stop();
        }
    }

    @NeuronTest
    static class ServerEndsBeforeReadyIgnoredFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 0")
                    .readyWhenPrinted("ready")
                    .ignoringExit()
                    .start());
        }
    }

    @NeuronTest
    static class ServerEndsAfterReadyFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "echo ready; exit 0")
                    .readyWhenPrinted("ready")
                    .start());
        }
    }

    @NeuronTest
    static class ServerRunsBeforeReadyFixture {
        @Test
        void exitsWith0(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 0").readyWhenPrinted("ready").run();
        }
    }

    @NeuronTest
    static class ServerLateFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            late(workloads).awaitReady();
        }
    }

    @NeuronTest
    static class ServerLateCaughtFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            assertThatThrownBy(() -> late(workloads).awaitReady()).isInstanceOf(WorkloadFailure.class);
        }
    }

    private static NeuronWorkload late(Workloads workloads) {
        return shell(workloads, HANG)
                .readyWhenPrinted("ready")
                .readyWithin(Duration.ofMillis(200))
                .start();
    }

    @NeuronTest
    static class StopsTwiceAfterCrashFixture {
        @Test
        void crashes(NeuronCore core, Workloads workloads) {
            NeuronWorkload program = ended(shell(workloads, CRASH).start());
            program.stop();
            program.stop();
        }
    }

    @NeuronTest
    static class EndsItselfBySigtermFixture {
        @Test
        void ends(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "kill -TERM $$").start());
        }
    }

    @NeuronTest
    static class OtherThreadFixture {
        @Test
        void runsInAnotherThread(NeuronCore core, Workloads workloads) throws InterruptedException {
            Thread thread = new Thread(() -> shell(workloads, "exit 1").run());
            thread.setUncaughtExceptionHandler((dead, failure) -> {});
            thread.start();
            thread.join();
        }
    }

    @NeuronTest
    static class DeadlineWithCodeOfSignalFixture {
        @Test
        void hangs(NeuronCore core, Workloads workloads) {
            ended(hanging(workloads).expectExit(143).start());
        }
    }

    @NeuronTest
    static class ParameterizedFixture {
        @ParameterizedTest
        @ValueSource(ints = {0, 1, 0})
        void exits(int code, NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit " + code).start());
        }
    }

    // Programs of a class.

    @NeuronTest
    static class ClassTeardownFixture {
        @AfterAll
        static void crash(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, CRASH).start());
        }

        @Test
        void passes() {}
    }

    @NeuronTest
    static class ClassOfSkippedTestFixture {
        @BeforeAll
        static void crash(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, CRASH).start());
        }

        @Test
        @Disabled("its class alone matters")
        void isSkipped() {}
    }

    @NeuronTest
    static class ClassFixture {
        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 1").start());
        }

        @Test
        void passes() {}
    }

    @NeuronTest
    static class ClassForgetsFixture {
        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).start();
        }

        @Test
        void passes() {}
    }

    @NeuronTest
    static class ClassServesFixture {
        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            shell(workloads, SERVE).readyWhenPrinted("ready").start().awaitReady();
        }

        @Test
        void passes() {}
    }

    @NeuronTest
    static class ClassAwaitedFixture {
        private static NeuronWorkload program;

        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            program = shell(workloads, "exit 1").start();
        }

        @Test
        void awaitsIt() {
            program.await();
        }
    }

    @NeuronTest
    static class ClassRunsFixture {
        @BeforeAll
        static void start(NeuronCore core, Workloads workloads) {
            shell(workloads, "exit 1").run();
        }

        @Test
        void passes() {}
    }

    // Bodies that do not pass, and repeated tests.

    @NeuronTest
    static class AbortedAfterCrashFixture {
        @Test
        void aborts(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, CRASH).start());
            assumeTrue(false);
        }
    }

    @NeuronTest
    static class AbortedBeforeEndFixture {
        @Test
        void aborts(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).start();
            assumeTrue(false);
        }
    }

    @NeuronTest
    static class FailedAfterCrashFixture {
        @Test
        void fails(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, CRASH).start());
            throw new IllegalStateException("broken");
        }
    }

    @NeuronTest
    static class FailedBeforeEndFixture {
        @Test
        void fails(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).start();
            throw new IllegalStateException("broken");
        }
    }

    @NeuronTest
    static class RepeatedFixture {
        @RetryOnAnotherCore
        void crashesOnTheFirstCore(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "test $NEURON_RT_VISIBLE_CORES != 0 || { echo NRT_EXEC_HW_ERR_NC_UE >&2; exit 1; }")
                    .start());
        }
    }

    @NeuronTest
    static class RepeatedSuspectFixture {
        @RetryOnAnotherCore
        void crashesOnTheFirstCore(NeuronCore core, Workloads workloads) {
            ended(shell(
                            workloads,
                            "test $NEURON_RT_VISIBLE_CORES != 0 || { echo NRT_EXEC_UNIT_UNRECOVERABLE >&2; exit 1; }")
                    .start());
        }
    }

    /** A class with a program that only the first attempt awaits, which does not count. */
    @NeuronTest
    static class ClassAwaitedByRepeatedFixture {
        private static NeuronWorkload program;

        @BeforeAll
        static void start(@NeuronIndex(0) NeuronCore core, Workloads workloads) {
            program = ended(shell(workloads, "exit 1").start());
        }

        @RetryOnAnotherCore
        void awaitsIt(NeuronCore core, Workloads workloads) {
            if (core.index() == 1) {
                shell(workloads, "echo NRT_EXEC_HW_ERR_NC_UE; exit 1")
                        .on(core)
                        .ignoringExit()
                        .run();
                program.await();
            }
        }
    }

    @NeuronTest
    static class InterruptedFixture {
        @Test
        @Timeout(1)
        void hangs(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).run();
        }
    }

    @NeuronTest
    static class InterruptedThreadFixture {
        @Test
        @Timeout(value = 1, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void hangs(NeuronCore core, Workloads workloads) {
            shell(workloads, HANG).run();
        }
    }

    @NeuronTest
    static class NotRepeatedFixture {
        @RetryOnAnotherCore
        void crashes(NeuronCore core, Workloads workloads) {
            ended(shell(workloads, "exit 1").start());
        }
    }

    record World(String name, Class<?> fixture, String junit, int violations, String gates) {

        static World passes(String name, Class<?> fixture) {
            return new World(name, fixture, "1 passed", 0, "");
        }

        /**
         * Creates a scenario in which the body fails at what it awaits, without a second report of the same problem.
         */
        static World failsItsBody(String name, Class<?> fixture) {
            return new World(name, fixture, "1 failed", 0, "failed.max");
        }

        static World fails(String name, Class<?> fixture) {
            return new World(name, fixture, "1 failed", 1, "failed.max");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<World> worlds() {
        return Stream.of(
                World.failsItsBody("run, exit 1", RunsFixture.class),
                World.failsItsBody("run, signal", RunsCrashFixture.class),
                World.failsItsBody("run, deadline", RunsTooLongFixture.class),
                World.fails("run, failure caught", CatchesFixture.class),
                World.failsItsBody("run, two failures grouped", GroupsFixture.class),
                new World("run, dynamic tests", DynamicFixture.class, "1 passed, 2 failed", 0, "failed.max"),
                World.passes("run, expected exit", ExpectedFixture.class),
                World.failsItsBody("run, not the expected exit", NotExpectedFixture.class),
                World.passes("run and start, ignored exit", IgnoredFixture.class),
                World.fails("start, ignored exit, deadline", IgnoredButHangsFixture.class),
                World.failsItsBody("await, exit 1", AwaitsFixture.class),
                World.failsItsBody("await, signal", AwaitsCrashFixture.class),
                World.failsItsBody("await, deadline", AwaitsTooLongFixture.class),
                World.fails("start, exit 1", StartsFixture.class),
                World.fails("start, signal", StartsCrashFixture.class),
                World.fails("start, deadline", StartsTooLongFixture.class),
                World.passes("start, exit 0", StartsWellFixture.class),
                World.fails("start, still running", ForgetsFixture.class),
                World.passes("start, stopped", StopsFixture.class),
                World.passes("start, ended by the test", EndedByTestFixture.class),
                World.fails("start, ended by the test, signal", EndedByTestButCrashesFixture.class),
                World.fails("start, exit 1 in the teardown", EndsDuringTeardownFixture.class),
                new World("several programs", SeveralFixture.class, "1 failed", 2, "failed.max"),
                World.passes("server, still running", ServesFixture.class),
                World.passes("server, stopped, exit 9", ServerStoppedFixture.class),
                World.fails("server, signal", ServerCrashedFixture.class),
                World.fails("server, exit 7 before it is stopped", ServerCrashedBeforeStopFixture.class),
                World.failsItsBody("server, exit 7 before it is ready", ServerNeverReadyFixture.class),
                World.fails("server, exit 0 before it is ready", ServerEndsBeforeReadyFixture.class),
                World.fails("server, exit 0 before it is ready and stopped", ServerEndsBeforeReadyAndStopFixture.class),
                World.passes("server, exit 0 before it is ready, ignored", ServerEndsBeforeReadyIgnoredFixture.class),
                World.passes("server, exit 0 after it was ready", ServerEndsAfterReadyFixture.class),
                World.failsItsBody("server, run, exit 0 before it is ready", ServerRunsBeforeReadyFixture.class),
                World.failsItsBody("server, late", ServerLateFixture.class),
                World.fails("server, late, failure caught", ServerLateCaughtFixture.class),
                World.fails("start, signal, stopped twice", StopsTwiceAfterCrashFixture.class),
                World.fails("start, SIGTERM by itself", EndsItselfBySigtermFixture.class),
                World.fails("run in another thread, exit 1", OtherThreadFixture.class),
                World.fails("start, deadline, code of its signal expected", DeadlineWithCodeOfSignalFixture.class),
                new World(
                        "start, one invocation of three, exit 1",
                        ParameterizedFixture.class,
                        "2 passed, 1 failed",
                        1,
                        "failed.max"),
                new World(
                        "class teardown, signal",
                        ClassTeardownFixture.class,
                        "1 passed, 1 container failed",
                        1,
                        "failed.max"),
                new World(
                        "class of a skipped test, signal",
                        ClassOfSkippedTestFixture.class,
                        "1 container failed",
                        1,
                        "ran, failed.max"),
                new World("class, exit 1", ClassFixture.class, "1 passed, 1 container failed", 1, "failed.max"),
                new World(
                        "class, still running",
                        ClassForgetsFixture.class,
                        "1 passed, 1 container failed",
                        1,
                        "failed.max"),
                World.passes("class, server", ClassServesFixture.class),
                World.failsItsBody("class, exit 1 awaited by a test", ClassAwaitedFixture.class),
                new World("class, run, exit 1", ClassRunsFixture.class, "1 container failed", 0, "failed.max"),
                World.fails("aborted body, signal", AbortedAfterCrashFixture.class),
                new World("aborted body, still running", AbortedBeforeEndFixture.class, "1 aborted", 0, "ran"),
                World.fails("failed body, signal", FailedAfterCrashFixture.class),
                World.failsItsBody("failed body, still running", FailedBeforeEndFixture.class),
                new World(
                        "hardware, run again",
                        RepeatedFixture.class,
                        "1 passed, 1 aborted",
                        1,
                        "flaky.max, quarantined.max"),
                new World("suspect, run again", RepeatedSuspectFixture.class, "1 passed, 1 aborted", 1, "flaky.max"),
                World.fails("no hardware, not run again", NotRepeatedFixture.class),
                new World(
                        "class, exit 1 awaited by an attempt that does not count",
                        ClassAwaitedByRepeatedFixture.class,
                        "1 passed, 1 aborted, 1 container failed",
                        1,
                        "failed.max, flaky.max, quarantined.max"),
                World.failsItsBody("interrupted at JUnit's limit", InterruptedFixture.class));
    }

    private static String counts(TestExecutionSummary junit) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(" passed", junit.getTestsSucceededCount());
        counts.put(" failed", junit.getTestsFailedCount());
        counts.put(" aborted", junit.getTestsAbortedCount());
        counts.put(" container failed", junit.getContainersFailedCount());
        return counts.entrySet().stream()
                .filter(count -> count.getValue() > 0)
                .map(count -> count.getValue() + count.getKey())
                .reduce((first, second) -> first + ", " + second)
                .orElse("");
    }

    private TestExecutionSummary launch(Class<?> fixture) {
        return new NeuronTestKit(output).on("fake:inf2.24xlarge@driver-2.30").launch(fixture);
    }

    private RunReport report() {
        return RunReports.merge(List.of(output.resolve("run")));
    }

    private static List<Violation> violations(RunReport report) {
        return report.executions().flatMap(test -> test.violations().stream()).toList();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void resultReportAndGateAgree(World world) {
        // when
        TestExecutionSummary junit = launch(world.fixture());

        // then
        RunReport report = report();
        List<GateOutcome> refusals = GateRules.ofDefaults().decide(report).stream()
                .filter(outcome -> !outcome.passed())
                .toList();
        String details = junit.getFailures().stream()
                        .map(failure -> failure.getException() + "\n")
                        .reduce("", String::concat)
                + report.problems()
                + refusals;
        assertThat(counts(junit)).as(details).isEqualTo(world.junit());
        assertThat(violations(report))
                .as(details)
                .hasSize(world.violations())
                .allSatisfy(violation -> assertThat(violation.rule()).isEqualTo("a workload must succeed"));
        assertThat(refusals)
                .as(details)
                .extracting(GateOutcome::gate)
                .isEqualTo(Stream.of(world.gates().split(", "))
                        .filter(gate -> !gate.isEmpty())
                        .toList());
    }

    @Test
    void failureNamesEachProgramOnce() {
        // when
        TestExecutionSummary junit = launch(SeveralFixture.class);

        // then
        Throwable failure = junit.getFailures().get(0).getException();
        assertThat(failure).isInstanceOf(WorkloadFailure.class).hasMessageContaining("Workload fifth ");
        assertThat(failure.getSuppressed())
                .singleElement()
                .asString()
                .containsOnlyOnce("Workload first ")
                .containsOnlyOnce("Workload third ")
                .doesNotContain("second", "fourth", "fifth");
        assertThat(violations(report()))
                .extracting(violation -> violation.subject().replaceAll(" \\(.*", ""))
                .containsExactly("workload first", "workload third");
    }

    /** Verifies that there is no violation when another thread gets the failure of the program. */
    @Test
    void timedOutTestHasNoWorkloadViolation() {
        // when
        TestExecutionSummary junit = launch(InterruptedThreadFixture.class);

        // then
        assertThat(counts(junit)).isEqualTo("1 failed");
        assertThat(violations(report())).isEmpty();
    }

    @Test
    void failureReportsServerThatWasNeverReady() {
        // when
        TestExecutionSummary junit = launch(ServerEndsBeforeReadyFixture.class);

        // then
        assertThat(junit.getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .hasMessageContaining("It was expected to show its readiness before its end."));
        assertThat(violations(report()))
                .singleElement()
                .satisfies(violation -> assertThat(violation.advice()).contains("readyWithin(...)"));
    }

    @Test
    void failureAdvisesOnProgramThatStillRuns() {
        // when
        TestExecutionSummary junit = launch(ForgetsFixture.class);

        // then
        assertThat(junit.getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .hasMessageContaining("It was still running: await it, or call endedByTest()."));
    }
}
