package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.jvm.MavenProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a Maven project whose failed tests Surefire runs again. */
class RetriedBySurefireIT {

    private static final String TESTS = """
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import dev.neurontest.*;
            import dev.neurontest.device.*;
            import dev.neurontest.fake.*;
            import org.junit.jupiter.api.*;
            import org.junit.jupiter.params.*;
            import org.junit.jupiter.params.provider.*;

            @NeuronTest
            class DecodeTest {
                private static int passing, error, parameter, aborted;

                @Test void passesLater(NeuronCore core) { assertTrue(passing++ > 0); }
                @Test void neverPasses(NeuronCore core) { Assertions.fail("always"); }
                @Test void passes(NeuronCore core) {}
                @Test void isAbortedWhenRunAgain(NeuronCore core) {
                    if (aborted++ > 0) { Assumptions.abort("not again"); }
                    Assertions.fail("first");
                }
                @Test void meetsAnErrorOnce(NeuronCore core, FakeNeuronHost fake) {
                    if (error++ == 0) {
                        FakeCore physical = fake.core(core);
                        try (FakeProcess process = fake.openProcess("python3", physical)) {
                            process.execute(physical, NrtStatus.of("NRT_EXEC_OOB"), 1);
                        }
                    }
                }
                @ParameterizedTest @ValueSource(ints = {1, 2, 3})
                void onlyTheSecondPassesLater(int number, NeuronCore core) { assertTrue(number != 2 || parameter++ > 0); }
            }

            @NeuronTest
            @ExpectCounter(value = "inference_count", delta = 9, wholeClass = true)
            class CountTest {
                private static NeuronCore shared;
                private static int starts;

                @BeforeAll static void lease(NeuronCore core) { shared = core; }
                @Test void infersOnce(FakeNeuronHost fake) {
                    FakeCore physical = fake.core(shared);
                    try (FakeProcess process = fake.openProcess("python3", physical)) { process.execute(physical, 1); }
                }
                @Test void countsLater() { assertTrue(starts++ > 0); }
            }

            class BrokenAtFirstTest {
                private static int starts;

                @BeforeAll static void start() { assertTrue(starts++ > 0); }
                @Test @NeuronTest void runs(NeuronCore core) {}
            }
            """;

    @TempDir
    private static Path folder;

    private static MavenProgram.Ended build;
    private static RunReport report;

    @BeforeAll
    static void runProject() throws Exception {
        assumeTrue(MavenProgram.find().isPresent(), "no mvn in PATH");
        SurefireProjectFixture project = SurefireProjectFixture.with(folder, 1);
        Path classes = Files.createDirectories(folder.resolve("target/test-classes"));
        Path source = Files.writeString(folder.resolve("DecodeTest.java"), TESTS);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString(),
                                source.toString()))
                .as("javac")
                .isZero();
        build = project.test(
                "-Dneuron.test.platform=fake:trn1.2xlarge",
                "-Dneuron.test.output=" + folder.resolve("run"),
                "-Dsurefire.rerunFailingTestsCount=2");
        report = RunReports.merge(List.of(folder.resolve("run")));
    }

    @Test
    void eachTestIsReportedOnceWithItsAttempts() {
        assertThat(report.tests().stream()
                        .filter(ReportedTest::isTest)
                        .map(test -> "%s: %s after %s"
                                .formatted(
                                        test.id().name(),
                                        test.outcome(),
                                        test.executions().stream()
                                                .map(ReportedTest::outcome)
                                                .toList())))
                .as(build.out())
                .containsExactlyInAnyOrder(
                        "BrokenAtFirstTest > runs(): passed after [failed, passed]",
                        "CountTest > infersOnce(): passed after [passed]",
                        "CountTest > countsLater(): passed after [failed, passed]",
                        "DecodeTest > passesLater(): passed after [failed, passed]",
                        "DecodeTest > neverPasses(): failed after [failed, failed, failed]",
                        "DecodeTest > passes(): passed after [passed]",
                        "DecodeTest > isAbortedWhenRunAgain(): failed after [failed]",
                        "DecodeTest > meetsAnErrorOnce(): passed after [failed, passed]",
                        "DecodeTest > onlyTheSecondPassesLater(int) > [1] 1: passed after [passed]",
                        "DecodeTest > onlyTheSecondPassesLater(int) > [2] 2: passed after [failed, passed]",
                        "DecodeTest > onlyTheSecondPassesLater(int) > [3] 3: passed after [passed]");
    }

    @Test
    void expectationOverWholeClassFailsUntilItIsMet() {
        assertThat(report.tests())
                .filteredOn(test -> test.id().name().equals("CountTest"))
                .singleElement()
                .satisfies(count -> assertThat(count.executions())
                        .as(build.out())
                        .extracting(ReportedTest::outcome)
                        .containsExactly(TestOutcome.FAILED, TestOutcome.FAILED))
                .satisfies(count -> assertThat(count.violations())
                        .extracting(Violation::actual)
                        .containsExactly("0"));
    }

    @Test
    void gateCountsFlakyTestsAndErrorsOfEarlierAttempts() {
        // when
        CommandFixture gate =
                CommandFixture.run("report", "--gate", folder.resolve("run").toString());

        // then
        assertThat(build.status()).as(build.out()).isOne();
        assertThat(gate.status()).as(gate.out()).isOne();
        assertThat(gate.out().replaceAll("\\s+", " "))
                .contains(
                        "11 tests of 1 JVM",
                        "2 failed, 9 passed, 1 failed class",
                        "GATES FAILED: 3 of 10",
                        "failed.max: expected no failed test, was 3 failed tests: ",
                        "flaky.max: expected no flaky test, was 5 flaky tests: BrokenAtFirstTest > runs() passed on attempt 2 on neuron0/neuron_core0; attempt 1 failed: expected: <true> but was: <false>;",
                        "errors.max: expected no unexplained error, was 1 unexplained error: neuron0/neuron_core0 status/oob_error");
    }
}
