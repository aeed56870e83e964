package dev.neurontest.internal.report.merge;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static dev.neurontest.internal.evidence.RunLinesFixture.testClass;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.print.stream.EventFixture;
import dev.neurontest.internal.print.stream.PrintLog;
import dev.neurontest.internal.print.stream.UnreadPrints;
import dev.neurontest.internal.report.ReportFixture;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunReportsTest {

    private static final String CORE_3 = "neuron0/neuron_core3";
    private static final String CORE_4 = "neuron1/neuron_core0";

    @TempDir
    Path folder;

    private static RunLinesFixture jvm(long pid) {
        return new RunLinesFixture(pid).started("ip-10-0-0-7").onHardware();
    }

    private RunReport merged() {
        return RunReports.merge(List.of(folder), jvm -> false);
    }

    @Nested
    class OneTest {

        @ParameterizedTest
        @EnumSource(
                value = Outcome.class,
                mode = EnumSource.Mode.EXCLUDE,
                names = {"FAILED"})
        void violationIsProblemUnlessTestFailed(Outcome recorded) throws IOException {
            // given
            Violation violation = new Violation("no error counter moves", "subject", "expected", "actual", "advice");
            Path file = jvm(4711)
                    .begun(test("t"), CORE_3)
                    .add(new RunEvent.Violated(test("t"), violation))
                    .ended(test("t"), recorded, CORE_3)
                    .finished()
                    .writeTo(folder.resolve("target"));

            // then
            assertThat(merged().problems())
                    .containsExactly(
                            "%s: BertTest > t() is recorded as %s, although it violated no error counter moves. Treat it as failed."
                                    .formatted(file, recorded.name().toLowerCase(Locale.ROOT)));
        }

        @Test
        void retriedTestMayHaveViolation() throws IOException {
            // given
            Violation violation = new Violation("no error counter moves", "subject", "expected", "actual", "advice");
            jvm(4711)
                    .begun(test("t"), CORE_3)
                    .add(new RunEvent.Violated(test("t"), violation))
                    .add(new RunEvent.Retried(test("t"), List.of(CORE_3), "hardware"))
                    .ended(test("t"), Outcome.ABORTED, CORE_3)
                    .finished()
                    .writeTo(folder.resolve("target"));

            // then
            assertThat(merged().problems()).isEmpty();
        }

        @Test
        void hasEveryDetailOfItsLines() throws IOException {
            // given
            Violation violation = new Violation("rule", "subject", "expected", "actual", "advice");
            Undecided undecided = new Undecided("rule", "subject", "reason");
            Path file = jvm(4711)
                    .begun(test("t"), CORE_3)
                    .add(new RunEvent.Recorded(test("t"), "counters", new JsonObject("{}")))
                    .add(new RunEvent.Violated(test("t"), violation))
                    .add(new RunEvent.LeftUndecided(test("t"), undecided))
                    .add(new RunEvent.Noticed(test("t"), "a notice"))
                    .add(new RunEvent.Attached(test("t"), "counters.txt", "text/plain", 12, "../junit/counters.txt"))
                    .after(Duration.ofSeconds(2))
                    .ended(test("t"), Outcome.FAILED, CORE_3)
                    .finished()
                    .writeTo(folder.resolve("target"));

            // when
            RunReport report = merged();

            // then
            assertThat(report.problems()).isEmpty();
            assertThat(report.tests())
                    .containsExactly(new ReportedTest(
                            0,
                            test("t"),
                            false,
                            TestOutcome.FAILED,
                            Optional.of(Phase.BODY),
                            Optional.of("reason of BertTest > t()"),
                            List.of(CORE_3),
                            Instant.parse("2026-11-21T09:00:00.020Z"),
                            Duration.ofMillis(2100),
                            Duration.ofMillis(4),
                            List.of(violation),
                            List.of(undecided),
                            List.of("a notice"),
                            List.of(new ReportedTest.Recorded("counters", new JsonObject("{}"))),
                            List.of(),
                            List.of(new ReportedTest.Attached(
                                    "counters.txt",
                                    "text/plain",
                                    12,
                                    Optional.of(file.getParent().resolveSibling("junit/counters.txt")))),
                            0,
                            Optional.empty()));
        }

        @Test
        void repetitionInOneJvmIsAnotherExecution() throws IOException {
            // given
            jvm(1).ran(test("t"), Outcome.FAILED, CORE_3)
                    .ran(test("t"), Outcome.PASSED, CORE_4)
                    .finished()
                    .writeTo(folder);

            // when
            RunReport report = merged();

            // then
            assertThat(report.tests())
                    .extracting(ReportedTest::outcome)
                    .containsExactly(TestOutcome.FAILED, TestOutcome.PASSED);
        }

        @Test
        void retriesOnOtherCoresAreCounted() throws IOException {
            // given
            jvm(1).begun(test("t"), CORE_3)
                    .add(new RunEvent.Retried(test("t"), List.of(CORE_3), "hw_error rose by 1"))
                    .ended(test("t"), Outcome.ABORTED, CORE_3)
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().tests()).extracting(ReportedTest::retries).containsExactly(1);
        }

        @Test
        void testWithoutEndInFinishedJvmIsLost() throws IOException {
            // given
            jvm(1).begun(test("t"), CORE_3).finished().writeTo(folder);

            // then
            assertThat(merged().tests()).singleElement().satisfies(test -> {
                assertThat(test.outcome()).isEqualTo(TestOutcome.LOST);
                assertThat(test.reason()).contains("its run file does not contain its end; it was in its body");
            });
        }
    }

    @Nested
    class LeasingClass {

        @Test
        void isReportedButNotCountedAsTest() throws IOException {
            // given
            jvm(1).begun(testClass(), CORE_3)
                    .add(new RunEvent.PhaseStarted(test("t"), Phase.BODY))
                    .add(new RunEvent.TestFinished(test("t"), Outcome.PASSED, List.of(CORE_3), null))
                    .add(new RunEvent.Released(testClass(), List.of(CORE_3), Duration.ofSeconds(1)))
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().tests())
                    .extracting(ReportedTest::id, ReportedTest::isTest, ReportedTest::outcome, ReportedTest::waited)
                    .containsExactly(
                            tuple(testClass(), false, TestOutcome.PASSED, Duration.ofMillis(4)),
                            tuple(test("t"), true, TestOutcome.PASSED, Duration.ZERO));
            assertThat(merged().testsByJvm()).isEqualTo(Map.of(0, 1L));
        }

        @Test
        void isUndecidedAfterUndecidedExpectation() throws IOException {
            // given
            jvm(1).begun(testClass(), CORE_3)
                    .add(new RunEvent.LeftUndecided(testClass(), new Undecided("rule", "subject", "reason")))
                    .add(new RunEvent.Released(testClass(), List.of(CORE_3), Duration.ofSeconds(1)))
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().tests()).extracting(ReportedTest::outcome).containsExactly(TestOutcome.UNDECIDED);
        }

        @Test
        void isNotLostWhenItsRunningTestIsLost() throws IOException {
            // given
            jvm(1).begun(testClass(), CORE_3)
                    .add(new RunEvent.PhaseStarted(test("t"), Phase.SETTLE))
                    .writeTo(folder);

            // then
            assertThat(merged().tests()).singleElement().satisfies(lost -> {
                assertThat(lost.id()).isEqualTo(test("t"));
                assertThat(lost.outcome()).isEqualTo(TestOutcome.LOST);
                assertThat(lost.cores()).containsExactly(CORE_3);
            });
        }

        @Test
        void isLostWhenJvmIsKilledBeforeAnyTest() throws IOException {
            // given
            jvm(1).begun(testClass(), CORE_3).writeTo(folder);

            // then
            assertThat(merged().tests())
                    .extracting(ReportedTest::id, ReportedTest::outcome)
                    .containsExactly(tuple(testClass(), TestOutcome.LOST));
        }

        @Test
        void leaseOfSessionOrRuntimeIsNotReported() throws IOException {
            // given
            jvm(1).begun(TestId.RUNTIME, CORE_3)
                    .begun(new TestId("session", "all tests of a session"), CORE_4)
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().tests()).isEmpty();
        }
    }

    @Nested
    class AKilledJvm {

        @Test
        void losesItsRunningTestAndNamesLiveProcesses() throws IOException {
            // given
            Path file = jvm(4711)
                    .ran(test("before"), Outcome.PASSED, CORE_3)
                    .begun(test("t"), CORE_3)
                    .writeTo(folder.resolve("a"));
            jvm(99).add(new RunEvent.HolderDied(
                            4711, "BertTest > t()", List.of(CORE_3), Phase.BODY, List.of("4712", "4713")))
                    .finished()
                    .writeTo(folder.resolve("b"));

            // when
            RunReport report = merged();

            // then
            assertThat(report.tests())
                    .extracting(test -> test.id().name(), ReportedTest::outcome)
                    .containsExactly(
                            tuple("BertTest > t()", TestOutcome.LOST),
                            tuple("BertTest > before()", TestOutcome.PASSED));
            assertThat(report.tests().get(0).lastPhase()).contains(Phase.BODY);
            assertThat(report.tests().get(0).reason())
                    .contains(
                            "JVM 4711 was killed while the test was in its body; these processes that it had started were still alive:"
                                    + " 4712, 4713");
            assertThat(report.problems())
                    .containsExactly(file
                            + " has no last line: JVM 4711 was killed. Tests that it had not begun are in no report.");
            assertThat(report.notices()).isEmpty();
        }

        @Test
        void losesTestThatAnotherJvmSawItHold() throws IOException {
            // given
            jvm(4711).ran(test("before"), Outcome.PASSED, CORE_3).writeTo(folder);
            jvm(99).add(new RunEvent.HolderDied(4711, "BertTest > t()", List.of(CORE_3), null, List.of()))
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().tests().get(0)).satisfies(lost -> {
                assertThat(lost.id().name()).isEqualTo("BertTest > t()");
                assertThat(lost.outcome()).isEqualTo(TestOutcome.LOST);
                assertThat(lost.reason()).contains("JVM 4711 was killed, as JVM 99 reported");
            });
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "BertTest > ended()",
                    "BertTest > t()",
                    "BertTest",
                    "the runtime in this JVM",
                    "all tests of a session"
                })
        void losesEachTestOnceForAnyReportedHolder(String holder) throws IOException {
            // given a JVM that was killed before it gave back the cores of a test, of a class or of all its tests
            jvm(4711)
                    .ran(test("ended"), Outcome.PASSED, CORE_3)
                    .begun(test("t"), CORE_4)
                    .writeTo(folder);
            for (int other : List.of(98, 99)) {
                jvm(other)
                        .add(new RunEvent.HolderDied(4711, holder, List.of(CORE_3), null, List.of()))
                        .finished()
                        .writeTo(folder);
            }

            // then
            assertThat(merged().tests())
                    .extracting(test -> test.id().name(), ReportedTest::outcome)
                    .containsExactly(
                            tuple("BertTest > t()", TestOutcome.LOST), tuple("BertTest > ended()", TestOutcome.PASSED));
        }

        @Test
        void isNotedWithoutLostTestWhenOfAnotherRun() throws IOException {
            // given
            jvm(99).add(new RunEvent.HolderDied(4711, "OtherTest > t()", List.of(CORE_3), Phase.BODY, List.of()))
                    .finished()
                    .writeTo(folder);

            // when
            RunReport report = merged();

            // then
            assertThat(report.tests()).isEmpty();
            assertThat(report.notices())
                    .containsExactly("JVM 4711 died with OtherTest > t() on neuron0/neuron_core3 in its body."
                            + " It is not part of this report: its run file was not given.");
        }

        @Test
        void isNotMixedWithSamePidOfAnotherMachine() throws IOException {
            // given
            new RunLinesFixture(4711)
                    .started("ip-10-0-0-8")
                    .onHardware()
                    .begun(test("t"), CORE_3)
                    .writeTo(folder);
            jvm(99).add(new RunEvent.HolderDied(4711, "OtherTest > t()", List.of(CORE_3), null, List.of("4712")))
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().tests())
                    .singleElement()
                    .satisfies(lost ->
                            assertThat(lost.reason()).contains("JVM 4711 was killed while the test was in its body"));
        }

        @Test
        void isNoProblemWithoutTest() throws IOException {
            // given
            jvm(1).writeTo(folder);

            // then
            assertThat(merged().problems()).isEmpty();
        }
    }

    @Test
    void printsLeftByKilledJvmAreMasked() throws IOException {
        // given
        Path file = jvm(4711).begun(test("t"), CORE_3).writeTo(folder);
        EventFixture.leave(
                Files.createDirectories(RunFile.folder(file, test("t"))),
                EventFixture.counting("HF_TOKEN=abc123 step", 1));

        // when
        RunReport report = merged();

        // then
        assertThat(report.tests())
                .singleElement()
                .satisfies(test -> assertThat(test.recordings())
                        .singleElement()
                        .satisfies(recorded ->
                                assertThat(recorded.recording().text()).contains("\"prefix\":\"HF_TOKEN=*** step\"")));
    }

    @Test
    void runningJvmIsReportedAsRunning() throws IOException {
        // given
        Path file = jvm(4711).begun(test("t"), CORE_3).writeTo(folder);
        Path prints = Files.createDirectories(RunFile.folder(file, test("t")));
        EventFixture.leave(prints, EventFixture.counting("step", 1));

        // when
        RunReport report = RunReports.merge(List.of(folder), jvm -> true);

        // then
        assertThat(report.problems())
                .containsExactly(file + ": JVM 4711 is still running. Merge again when it has ended.");
        assertThat(report.tests()).singleElement().satisfies(test -> {
            assertThat(test.outcome()).isEqualTo(TestOutcome.LOST);
            assertThat(test.reason()).contains("JVM 4711 is still running, and the test is in its body");
            assertThat(test.notices()).isEmpty();
        });
        assertThat(RunReports.merge(List.of(folder), jvm -> false)
                        .tests()
                        .get(0)
                        .notices())
                .singleElement(STRING)
                .contains("The JVM ended while the test ran");
    }

    @Test
    void reportsPrintsTruncatedWhileReading() throws IOException {
        // given
        EventFixture.leave(
                folder,
                IntStream.range(0, 5000)
                        .mapToObj(step -> EventFixture.counting("step", step))
                        .toArray(EventFixture[]::new));
        TestExecution execution = new TestExecution(folder, test("t"), Instant.EPOCH, 0);

        // when
        try (UnreadPrints left = UnreadPrints.in(folder).orElseThrow();
                FileChannel file = FileChannel.open(folder.resolve(PrintLog.NAME), StandardOpenOption.WRITE)) {
            file.truncate(0);
            execution.printed(left.prints());
        }

        // then
        assertThat(execution.report(0).notices()).singleElement(STRING).contains("changed while they were read");
    }

    @Nested
    class RunFilesGiven {

        @Test
        void countOnceWhenGivenTwiceOrCopied() throws IOException {
            // given
            Path file = jvm(1).ran(test("t"), Outcome.PASSED, CORE_3).finished().writeTo(folder.resolve("a"));
            Files.copy(file, Files.createDirectories(folder.resolve("b")).resolve(file.getFileName()));

            // when
            RunReport report = RunReports.merge(List.of(folder, file, folder.resolve("b")), jvm -> false);

            // then
            assertThat(report.jvms()).hasSize(1);
            assertThat(report.tests()).hasSize(1);
            assertThat(report.problems()).isEmpty();
        }

        @Test
        void partialCopyIsCompletedByWholeFile() throws IOException {
            // given
            Path whole =
                    jvm(1).ran(test("t"), Outcome.PASSED, CORE_3).finished().writeTo(folder.resolve("a"));
            byte[] half = Arrays.copyOf(Files.readAllBytes(whole), 500);
            Files.write(Files.createDirectories(folder.resolve("b")).resolve(whole.getFileName()), half);

            // then
            assertThat(merged().tests()).extracting(ReportedTest::outcome).containsExactly(TestOutcome.PASSED);
        }

        @Test
        void keepReadableLinesWhenTornOrCorrupt() throws IOException {
            // given
            Path broken = jvm(1).raw("\0\0 no json\n")
                    .ran(test("t"), Outcome.PASSED, CORE_3)
                    .raw("{\"seq\":9,\"ti")
                    .writeTo(folder);
            Path empty = Files.createFile(folder.resolve("run-2-00000000-0000-0000-0000-000000000000.jsonl"));
            jvm(3).ran(test("u"), Outcome.PASSED, CORE_4).finished().writeTo(folder);

            // when
            RunReport report = merged();

            // then
            assertThat(report.tests()).extracting(test -> test.id()).containsExactly(test("t"), test("u"));
            assertThat(report.problems())
                    .contains(
                            broken + ": line 3 is not an event and was skipped",
                            broken
                                    + ": line 10 is torn after 12 bytes: the JVM ended while it was written, or the disk was"
                                    + " full",
                            empty + " is empty: the JVM ended before it wrote its first line, or the disk was full");
        }

        @Test
        void incompleteEventIsNamedWithItsLine() throws IOException {
            // given
            Path file = jvm(1).raw("{\"seq\":3,\"time\":\"2026-11-21T09:00:01Z\",\"event\":\"testFinished\"}\n")
                    .writeTo(folder);

            // then
            assertThat(merged().problems())
                    .contains(
                            file
                                    + ": line 3, testFinished, does not have the format of this version and was left out: use the version that wrote it");
        }

        @Test
        void missingFolderOrRunFileIsProblem() {
            // given
            Path nowhere = folder.resolve("nowhere");

            // when
            RunReport report = RunReports.merge(List.of(nowhere, folder), jvm -> false);

            // then
            assertThat(report.problems())
                    .containsExactly(
                            nowhere + " does not exist. Nothing was read from there.",
                            folder
                                    + " contains no run file (run-<pid>-<uuid>.jsonl): no test used Neuron, or the run files are"
                                    + " elsewhere");
        }

        @Test
        void areNotReadBehindLinksOrInTestFolders(@TempDir Path elsewhere) throws IOException {
            // given
            Path secret =
                    jvm(1).ran(test("t"), Outcome.PASSED, CORE_3).finished().writeTo(elsewhere);
            Files.createSymbolicLink(folder.resolve(secret.getFileName()), secret);
            Files.createSymbolicLink(folder.resolve("link"), elsewhere);
            jvm(2).ran(test("t"), Outcome.PASSED, CORE_3)
                    .finished()
                    .writeTo(folder.resolve("run-2-00000000-0000-0000-0000-000000000000"));

            // then
            assertThat(merged().jvms()).isEmpty();
            assertThat(merged().problems())
                    .containsExactly(folder.resolve(secret.getFileName())
                            + " was not read: it is not a regular file, and links are not followed. Its tests are in no report."
                            + " If it is a run file, replace it with a copy.");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "run-\u0663\u0669-00000000-0000-0000-0000-000000000000.jsonl",
                    "run-\u06f3\u06f9-00000000-0000-0000-0000-000000000000.jsonl",
                    "run-39-00000000-0000-0000-0000-000000000000 (1).jsonl",
                    "run-39-00000000-0000-0000-0000-00000000000A.jsonl",
                    "run-39-00000000-0000-0000-0000-000000000000.jsonl.gz",
                    "run-39-00000000-0000-0000-0000-000000000000.JSONL",
                    "RUN-39-00000000-0000-0000-0000-000000000000.jsonl",
                    "run-39.jsonl",
                    "run-.jsonl"
                })
        void malformedRunFileNameIsProblem(String name) throws IOException {
            // given
            Path strange = Files.writeString(folder.resolve(name), "");
            jvm(1).ran(test("t"), Outcome.PASSED, CORE_3).finished().writeTo(folder);

            // then
            assertThat(merged().problems())
                    .containsExactly(strange
                            + " was not read: its name is not run-<pid>-<uuid>.jsonl. Its tests are in no report."
                            + " If it is a run file, unpack it, or restore its original name.");
        }

        @ParameterizedTest
        @ValueSource(strings = {"runs-39.jsonl", "run-39.json", "prints-run-39.jsonl", "run-39.jsonlines"})
        void filesWithUnrelatedNamesAreIgnored(String name) throws IOException {
            // given
            Files.writeString(folder.resolve(name), "");
            jvm(1).ran(test("t"), Outcome.PASSED, CORE_3).finished().writeTo(folder);

            // then
            assertThat(merged().problems()).isEmpty();
        }

        @Test
        void startLineOfAnotherVersionIsOneProblem() throws IOException {
            // given
            Path file = Files.writeString(
                    folder.resolve("run-39-00000000-0000-0000-0000-000000000000.jsonl"),
                    "{\"seq\":1,\"time\":\"2026-11-21T09:00:01Z\",\"event\":\"runStarted\",\"version\":3,\"newer\":{\"a\":[1]}}\n");

            // then
            assertThat(merged().problems())
                    .filteredOn(problem -> problem.contains("line 1"))
                    .containsExactly(
                            file
                                    + ": line 1, runStarted, does not have the format of this version and was left out: use the version that wrote it");
        }

        @Test
        void unknownEventsAreNamedUpToLimitThenCounted() throws IOException {
            // given
            RunLinesFixture jvm = jvm(1);
            IntStream.range(3, 253)
                    .forEach(line -> jvm.raw(
                            "{\"seq\":%s,\"time\":\"2026-11-21T09:00:01Z\",\"event\":\"newer\"}\n".formatted(line)));
            Path file = jvm.writeTo(folder);

            // then
            assertThat(merged().problems()).hasSizeBetween(101, 105).contains(file + ": 150 more lines left out, too");
        }

        @Test
        void firstLineWithoutRunStartedIsProblem() throws IOException {
            // given
            Path file = Files.writeString(
                    folder.resolve("run-39-00000000-0000-0000-0000-000000000000.jsonl"),
                    "{\"seq\":1,\"time\":\"2026-11-21T09:00:01Z\",\"event\":\"epochStarted\"}\n");

            // then
            assertThat(merged().problems())
                    .containsExactly(
                            file
                                    + ": line 1 is not runStarted, the first line of each run file: data from it may be wrong",
                            file
                                    + ": line 1, epochStarted, does not have the format of this version and was left out: use the version that wrote it");
        }
    }

    @Nested
    class Clocks {

        @Test
        void clockSetBackGivesNoNegativeTime() throws IOException {
            // given
            Path file = jvm(1).begun(test("t"), CORE_3)
                    .after(Duration.ofMinutes(-5))
                    .ended(test("t"), Outcome.PASSED, CORE_3)
                    .finished()
                    .writeTo(folder);

            // when
            RunReport report = merged();

            // then
            assertThat(report.tests())
                    .singleElement()
                    .satisfies(test -> assertThat(test.took()).isEqualTo(Duration.ofMillis(30)));
            assertThat(report.jvms())
                    .singleElement()
                    .satisfies(jvm -> assertThat(jvm.ended()).isAfterOrEqualTo(jvm.started()));
            assertThat(report.problems())
                    .containsExactly(file + ": line 7 is 4 min 59 s older than the line before: the clock was set back,"
                            + " times of this JVM are wrong");
        }

        @Test
        void jvmsMoreThanADayApartAreProblem() throws IOException {
            // given
            Path first =
                    jvm(1).ran(test("t"), Outcome.PASSED, CORE_3).finished().writeTo(folder);
            Path second = new RunLinesFixture(2)
                    .at("2026-11-23T12:00:00Z")
                    .started("ip-10-0-0-8")
                    .onHardware()
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(merged().problems())
                    .containsExactly(
                            "JVM 1 on ip-10-0-0-7 ended 2 d 2 h before JVM 2 on ip-10-0-0-8 began (" + first + " and "
                                    + second
                                    + "): clocks differ, or files of an older run are among them. Their order is"
                                    + " unreliable.");
        }
    }

    @Test
    void testsAreSortedByOutcomeThenStart() throws IOException {
        // given
        jvm(1).ran(test("passed"), Outcome.PASSED, CORE_3)
                .ran(test("skipped"), Outcome.SKIPPED)
                .ran(test("failed"), Outcome.FAILED, CORE_3)
                .ran(test("aborted"), Outcome.ABORTED, CORE_3)
                .ran(test("undecided"), Outcome.UNDECIDED, CORE_3)
                .ran(test("failedToo"), Outcome.FAILED, CORE_3)
                .begun(test("lost"), CORE_3)
                .writeTo(folder);

        // then
        assertThat(merged().tests())
                .extracting(ReportedTest::id)
                .containsExactly(
                        test("failed"),
                        test("failedToo"),
                        test("lost"),
                        test("undecided"),
                        test("aborted"),
                        test("skipped"),
                        test("passed"));
    }

    @Test
    void jvmsHaveVersionsAndSharedNoticeIsReportedOnce() throws IOException {
        // given
        for (int pid = 1; pid <= 2; pid++) {
            jvm(pid).add(new RunEvent.VersionKnown("profiler", "2.31.0"))
                    .add(new RunEvent.Noticed(null, "execution counters appear when their owner exits"))
                    .finished()
                    .writeTo(folder);
        }

        // when
        RunReport report = merged();

        // then
        assertThat(report.notices()).containsExactly("execution counters appear when their owner exits");
        assertThat(report.jvms()).hasSize(2).allSatisfy(jvm -> {
            assertThat(jvm.versions()).containsExactly(Map.entry("profiler", "2.31.0"));
            assertThat(jvm.finished()).isTrue();
            assertThat(jvm.onHardware()).isTrue();
            assertThat(jvm.host()).isEqualTo("ip-10-0-0-7");
        });
    }

    @Test
    void recordedTestMustRunInOneJvm() throws IOException {
        // given
        jvm(1).add(new RunEvent.Replayed(test("recorded"), false)).finished().writeTo(folder);
        jvm(2).add(new RunEvent.Replayed(test("recorded"), true)).finished().writeTo(folder);
        assertThat(merged().problems()).isEmpty();

        // when
        jvm(3).add(new RunEvent.Replayed(test("other"), false)).finished().writeTo(folder);
        jvm(4).add(new RunEvent.Replayed(test("other"), false)).finished().writeTo(folder);

        // then
        assertThat(merged().problems())
                .singleElement()
                .asString()
                .startsWith("The recording is of \"%s\", which did not run: "
                        .formatted(test("other").name()));
    }

    @Test
    void quarantineReportedByTwoJvmsIsOne() throws IOException {
        // given
        RunEvent quarantined =
                new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "hw_error rose by 1", 1, false);
        jvm(1).add(quarantined).finished().writeTo(folder);
        jvm(2).add(quarantined)
                .add(new RunEvent.QuarantineEnded(CORE_3, "hw_error rose by 1", "its device was reset"))
                .add(new RunEvent.Quarantined("BertTest > u()", List.of(CORE_3), "hw_error rose by 2", 2, false))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().quarantines())
                .extracting(ReportedQuarantine::host, ReportedQuarantine::reason, ReportedQuarantine::ended)
                .containsExactly(
                        tuple("ip-10-0-0-7", "hw_error rose by 1", Optional.of("its device was reset")),
                        tuple("ip-10-0-0-7", "hw_error rose by 2", Optional.empty()));
    }

    @Test
    void quarantineReasonsOfOneTestAreJoined() throws IOException {
        // given
        jvm(1).add(new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "sram +1; replace it", 1, false))
                .add(new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "status 1202; replace it", 1, false))
                .add(new RunEvent.Quarantined("BertTest > u()", List.of(CORE_3), "status 1203; reset it", 1, false))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().quarantines())
                .extracting(ReportedQuarantine::reason)
                .containsExactly("sram +1; status 1202; replace it", "status 1203; reset it");
    }

    @Test
    void quarantineWithCorrectedReasonIsReportedOnce() throws IOException {
        // given
        jvm(1).add(new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "status 1203; reset it", 1, false))
                .add(new RunEvent.QuarantineEnded(CORE_3, "status 1203; reset it", "the kernel is to blame"))
                .add(new RunEvent.Quarantined(
                        "BertTest > t()", List.of(CORE_3), "status 1203; the kernel is to blame; reset it", 1, false))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().quarantines())
                .extracting(ReportedQuarantine::reason)
                .containsExactly("status 1203; the kernel is to blame; reset it");
    }

    @Test
    void quarantineContinuesWhenOneOfTwoReasonsEnds() throws IOException {
        // given
        jvm(1).add(new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "status 5", 1, true))
                .add(new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "mem_ecc rose by 1", 1, false))
                .add(new RunEvent.QuarantineEnded(CORE_3, "status 5", "counts are as before"))
                .finished()
                .writeTo(folder);

        // then
        assertThat(merged().quarantines())
                .extracting(ReportedQuarantine::reason, ReportedQuarantine::suspect, ReportedQuarantine::counts)
                .containsExactly(tuple("status 5", true, false), tuple("mem_ecc rose by 1", false, true));
    }

    @Test
    void brokenBaselineComparisonIsSkippedWithProblem() throws IOException {
        // given
        Comparison comparison = ReportFixture.slower();
        Path file = jvm(1).begun(test("t"), CORE_3)
                .add(new RunEvent.Compared(test("t"), JsonObject.of(comparison)))
                .add(new RunEvent.Compared(test("t"), new JsonObject("{\"version\":1}")))
                .ended(test("t"), Outcome.FAILED, CORE_3)
                .finished()
                .writeTo(folder);

        // when
        RunReport report = merged();

        // then
        assertThat(report.tests().get(0).comparisons()).containsExactly(comparison);
        assertThat(report.problems())
                .singleElement(STRING)
                .startsWith(file + ": line 8, a comparison of BertTest > t(), was left out: ");
    }

    /** Tests that compare the plan of JUnit's launcher with its execution. */
    @Nested
    class PlannedTests {

        private static final TestId TEMPLATE =
                new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]/[test-template:r()]", "BertTest > r()");
        private static final TestId REPETITION =
                new TestId(TEMPLATE.id() + "/[test-template-invocation:#1]", "BertTest > r() > repetition 1 of 2");

        private RunLinesFixture planned(long pid, TestId... tests) {
            RunLinesFixture jvm = jvm(pid);
            Arrays.asList(tests).forEach(test -> jvm.add(new RunEvent.Planned(test)));
            return jvm;
        }

        private List<String> lines() {
            return merged().tests().stream()
                    .map(test -> test.outcome().name() + " " + test.id().name())
                    .toList();
        }

        @Test
        void areLostWhenJvmIsKilledBeforeTheyBegin() throws IOException {
            // given
            planned(1, test("a"), test("b"), test("c"))
                    .ran(test("a"), Outcome.PASSED, CORE_3)
                    .begun(test("b"), CORE_3)
                    .writeTo(folder);

            // then
            assertThat(lines()).containsExactly("LOST BertTest > b()", "LOST BertTest > c()", "PASSED BertTest > a()");
            assertThat(merged().tests().get(1).reason()).hasValue("JVM 1 was killed before the test had run");
            assertThat(merged().problems())
                    .singleElement(STRING)
                    .endsWith("JVM 1 was killed. 1 planned test is lost: BertTest > c().");
        }

        @Test
        void areNotLostWhileJvmRuns() throws IOException {
            // given
            planned(1, test("a"), test("b"))
                    .ran(test("a"), Outcome.PASSED, CORE_3)
                    .writeTo(folder);

            // when
            RunReport report = RunReports.merge(List.of(folder), jvm -> true);

            // then
            assertThat(report.tests()).hasSize(1);
            assertThat(report.problems()).singleElement(STRING).contains("still running");
        }

        @Test
        void areProblemWhenCancelledPlanDidNotRunThem() throws IOException {
            // given
            planned(1, test("a"), test("b"))
                    .ran(test("a"), Outcome.FAILED, CORE_3)
                    .add(new RunEvent.PlanFinished())
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(lines()).containsExactly("FAILED BertTest > a()");
            assertThat(merged().problems())
                    .singleElement(STRING)
                    .startsWith(
                            "1 planned test was not run, because JUnit's execution was cancelled, for example by fail-fast: "
                                    + "BertTest > b() (");
        }

        @Test
        void areLostInLaterPlanDespiteEarlierRun() throws IOException {
            // given
            planned(1, test("a"))
                    .ran(test("a"), Outcome.FAILED, CORE_3)
                    .add(new RunEvent.PlanFinished())
                    .add(new RunEvent.Planned(test("a")))
                    .add(new RunEvent.PlanGivenUp(List.of()))
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(lines()).containsExactly("FAILED BertTest > a()", "LOST BertTest > a()");
            assertThat(merged().problems())
                    .singleElement(STRING)
                    .startsWith(
                            "JUnit gave up, for example after an OutOfMemoryError: 1 planned test is lost: BertTest > a() (");
        }

        @Test
        void templateIsLostBetweenTwoInvocations() throws IOException {
            // given
            planned(1, TEMPLATE).ran(REPETITION, Outcome.PASSED, CORE_3).writeTo(folder);

            // then
            assertThat(lines()).containsExactly("LOST BertTest > r()", "PASSED BertTest > r() > repetition 1 of 2");
        }

        @Test
        void templateWithLostInvocationIsLostOnce() throws IOException {
            // given
            planned(1, TEMPLATE).begun(REPETITION, CORE_3).writeTo(folder);

            // then
            assertThat(lines()).containsExactly("LOST BertTest > r() > repetition 1 of 2");
        }

        @Test
        void finishedTemplateIsNotLost() throws IOException {
            // given
            planned(1, TEMPLATE)
                    .ran(REPETITION, Outcome.PASSED, CORE_3)
                    .add(new RunEvent.TemplateFinished(TEMPLATE))
                    .add(new RunEvent.PlanFinished())
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(lines()).containsExactly("PASSED BertTest > r() > repetition 1 of 2");
            assertThat(merged().problems()).isEmpty();
        }

        @Test
        void areNotLostWhenRestartedShardRunsThem() throws IOException {
            // given
            planned(1, test("a"), TEMPLATE)
                    .add(new RunEvent.Sharded(1, 1, "", "Slurm job 7", 0, "", false))
                    .writeTo(folder);
            planned(2, test("a"), TEMPLATE)
                    .add(new RunEvent.Sharded(1, 1, "", "Slurm job 7", 1, "", false))
                    .ran(test("a"), Outcome.PASSED, CORE_3)
                    .ran(REPETITION, Outcome.PASSED, CORE_3)
                    .add(new RunEvent.TemplateFinished(TEMPLATE))
                    .add(new RunEvent.PlanFinished())
                    .finished()
                    .writeTo(folder);

            // then
            assertThat(lines()).containsExactly("PASSED BertTest > a()", "PASSED BertTest > r() > repetition 1 of 2");
            assertThat(merged().problems()).isEmpty();
        }
    }
}
