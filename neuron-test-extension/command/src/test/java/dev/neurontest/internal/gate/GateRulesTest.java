package dev.neurontest.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.TestOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GateRulesTest {

    private final RunFixture run = new RunFixture();

    @TempDir
    Path folder;

    private GateRules rules() {
        return GateRules.ofDefaults();
    }

    private GateRules rules(String... assignments) {
        return rules().withAssignments(List.of(assignments));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve(GateRules.FILE), text);
    }

    private GateOutcome outcome(GateRules rules, String gate) {
        return rules.decide(run.report()).stream()
                .filter(outcome -> outcome.gate().equals(gate))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> failed(List<GateOutcome> outcomes) {
        return outcomes.stream()
                .filter(outcome -> !outcome.passed())
                .map(GateOutcome::gate)
                .toList();
    }

    @Nested
    class Deciding {

        @Test
        void healthyRunPasses() {
            // given
            run.jvm("real").test("infer()", TestOutcome.PASSED).skipped("train()", "no core");

            // when
            List<GateOutcome> outcomes = rules().decide(run.report());

            // then
            assertThat(failed(outcomes)).isEmpty();
            assertThat(outcomes)
                    .extracting(GateOutcome::gate)
                    .containsExactly(
                            "ran",
                            "complete",
                            "hardware.min",
                            "failed.max",
                            "flaky.max",
                            "lost.max",
                            "undecided.max",
                            "quarantined.max",
                            "errors.max",
                            "regressions.max");
        }

        static Stream<Arguments> closed() {
            String problem = "out/run-1.jsonl:17 is not JSON";
            String noEnd = "out/run-2.jsonl has no last line: its JVM was killed, or is still running.";
            return Stream.of(
                    closed("ran", run -> {}, "no run file"),
                    closed(
                            "ran",
                            run -> run.jvm("real")
                                    .skipped("infer()", "no Neuron device")
                                    .test("train()", TestOutcome.ABORTED),
                            "nothing ran in 1 JVM; the first skip: BertTest > infer(): no Neuron device"),
                    closed(
                            "ran",
                            run -> run.jvm("real").container("BertTest", TestOutcome.PASSED),
                            "nothing ran in 1 JVM"),
                    closed("complete", run -> run.jvm("real").problem(problem), problem),
                    closed("complete", run -> run.jvm("real").jvm("real", false), noEnd),
                    closed(
                            "complete",
                            run -> run.jvm("real").problem(problem).jvm("real", false),
                            problem + "; " + noEnd),
                    closed("complete", run -> run.jvm("real", false).problem(problem), problem),
                    closed(
                            "hardware.min",
                            run -> run.jvm("none").container("BertTest", TestOutcome.SKIPPED),
                            "no test ran; the first skip: BertTest"),
                    closed(
                            "hardware.min",
                            run -> run.jvm("fake").test("infer()", TestOutcome.PASSED),
                            "none of 1 test ran on hardware; others on fake:trn1.2xlarge"));
        }

        private static Arguments closed(String gate, Consumer<RunFixture> events, String actual) {
            return Arguments.of(gate, events, actual);
        }

        @ParameterizedTest(name = "{0}: {2}")
        @MethodSource("closed")
        void missingEvidenceFailsGate(String gate, Consumer<RunFixture> events, String actual) {
            // given
            events.accept(run);

            // when
            GateOutcome outcome = outcome(rules("hardware.min=1"), gate);

            // then
            assertThat(outcome.passed()).isFalse();
            assertThat(outcome.actual()).isEqualTo(actual);
            assertThat(outcome.advice()).isNotEmpty();
        }

        static Stream<Arguments> measured() {
            return Stream.of(
                    measured(
                            "lost.max",
                            1,
                            run -> run.test("hang()", TestOutcome.LOST),
                            "1 lost test: BertTest > hang() in its body"),
                    measured(
                            "failed.max",
                            3,
                            run -> run.test("infer()", TestOutcome.FAILED)
                                    .test("infer()", TestOutcome.PASSED)
                                    .test("train()", TestOutcome.FAILED)
                                    .test("train()", TestOutcome.FAILED),
                            "3 failed tests: BertTest > infer() (passed later); BertTest > train(); BertTest > train()"),
                    measured(
                            "failed.max",
                            5,
                            run -> List.of("a", "b", "c", "d", "e").forEach(name -> run.test(name, TestOutcome.FAILED)),
                            "5 failed tests: BertTest > a; BertTest > b; BertTest > c; and 2 more"),
                    measured(
                            "skipped.max",
                            2,
                            run -> run.skipped("b()", "no core").test("c()", TestOutcome.ABORTED),
                            "2 skipped or aborted tests: BertTest > b(): no core; BertTest > c()"),
                    measured(
                            "undecided.max",
                            3,
                            run -> run.undecided(
                                            "a()", TestOutcome.ABORTED, "@MaxLatency(\"17 ms\")", "@MaxSpill(\"0 B\")")
                                    .undecided(
                                            "b()",
                                            TestOutcome.UNDECIDED,
                                            "no error counter moves",
                                            "not worse than the baseline by more than 3 %")
                                    .test("c()", TestOutcome.ABORTED),
                            "3 undecided expectations: BertTest > a(): @MaxLatency(\"17 ms\"); BertTest > a(): @MaxSpill(\"0 B\"); BertTest > b(): no error counter moves"),
                    measured(
                            "undecided.max",
                            1,
                            run -> run.test("a()", TestOutcome.UNDECIDED),
                            "1 undecided expectation: BertTest > a()"),
                    measured(
                            "undecided-comparisons.max",
                            2,
                            run -> run.compared("b()", ComparisonOutcome.UNDECIDED)
                                    .compared("c()", ComparisonOutcome.CONTAMINATED)
                                    .compared("d()", ComparisonOutcome.NOT_WORSE)
                                    .undecided(
                                            "e()",
                                            TestOutcome.UNDECIDED,
                                            "not worse than the baseline by more than 3 %"),
                            "2 undecided comparisons: com.acme.BertTest#b() total_time; com.acme.BertTest#c() total_time"),
                    measured(
                            "quarantined.max",
                            1,
                            run -> run.quarantine("neuron0/neuron_core1", "timed out", null)
                                    .quarantine("neuron0/neuron_core1", "timed out again", "reset"),
                            "1 quarantined core: neuron0/neuron_core1 of ip-10-0-0-1 after BertTest > hang(): timed out again; over: reset"),
                    measured(
                            "quarantined.max",
                            1,
                            run -> run.suspect("neuron0/neuron_core1", "status 5", "counts are as before")
                                    .suspect("neuron0/neuron_core2", "status 5", null),
                            "1 quarantined core: neuron0/neuron_core2 of ip-10-0-0-1 after BertTest > hang(): status 5"),
                    measured(
                            "errors.max",
                            2,
                            run -> run.error("neuron3 hardware/mem_ecc_uncorrected", 5, 8, 1)
                                    .error("neuron3 hardware/sram_ecc_uncorrected", 0, 2, 2),
                            "2 unexplained errors: neuron3 hardware/mem_ecc_uncorrected of ip-10-0-0-1 went from 5 to 8: +3, no test explains 2 of it"),
                    measured(
                            "regressions.max",
                            1,
                            run -> run.compared("a()", ComparisonOutcome.WORSE)
                                    .compared("b()", ComparisonOutcome.NOT_WORSE),
                            "1 regression: com.acme.BertTest#a() total_time: 4.3 % slower (95 % interval: +4.1 % to +4.5 %), up to 3 % is accepted"),
                    measured(
                            "without-baseline.max",
                            1,
                            run -> run.compared("a()", ComparisonOutcome.NO_BASELINE),
                            "1 comparison without a baseline: com.acme.BertTest#a() total_time"));
        }

        private static Arguments measured(String gate, int number, Consumer<RunFixture> events, String words) {
            return Arguments.of(gate, number, events, words);
        }

        @ParameterizedTest(name = "{0}: {3}")
        @MethodSource("measured")
        void countUpToLimitPasses(String gate, int number, Consumer<RunFixture> events, String words) {
            // given
            run.jvm("real").test("passes()", TestOutcome.PASSED);
            events.accept(run);

            // when
            GateOutcome tooMuch = outcome(rules(gate + "=" + (number - 1)), gate);
            GateOutcome asMuch = outcome(rules(gate + "=" + number), gate);

            // then
            assertThat(tooMuch.passed()).isFalse();
            assertThat(tooMuch.actual()).isEqualTo(words);
            assertThat(tooMuch.expected()).startsWith(number == 1 ? "no " : "at most ");
            assertThat(asMuch.passed()).isTrue();
        }

        @Test
        void advisesToGiveReasonForNewBaseline() {
            // given
            run.jvm("real").test("passes()", TestOutcome.PASSED).compared("a()", ComparisonOutcome.NO_BASELINE);

            // when
            GateOutcome without = outcome(rules("without-baseline.max=0"), "without-baseline.max");

            // then
            assertThat(without.advice()).contains("accept them with neuron-test baseline approve --note 'why'.");
        }

        @Test
        void namesFirstSkipReasonWhenTooFewRanOnHardware() {
            // given
            run.jvm("none")
                    .skipped("infer()", "no Neuron device:\n  is the driver loaded?")
                    .skipped("train()", "another");

            // when
            GateOutcome hardware = outcome(rules("hardware.min=40"), "hardware.min");

            // then
            assertThat(hardware.passed()).isFalse();
            assertThat(hardware.expected()).isEqualTo("at least 40 tests on hardware");
            assertThat(hardware.actual())
                    .isEqualTo(
                            "none of 2 tests ran on hardware; the first skip: BertTest > infer(): no Neuron device: is the"
                                    + " driver loaded?");
            assertThat(hardware.advice()).endsWith("(hardware.min = 40, from the command line)");
        }

        @Test
        void shortensReasonBeyond200Characters() {
            // given
            String longest = "x".repeat(200);

            // then
            assertThat(actualWhenSkipped(longest)).endsWith(": " + longest);
            assertThat(actualWhenSkipped(longest + "x")).endsWith(": " + longest + "…");
        }

        private String actualWhenSkipped(String reason) {
            RunFixture skipped = new RunFixture().jvm("none").skipped("infer()", reason);
            return rules().decide(skipped.report()).get(0).actual();
        }

        @Test
        void countsEachTestFinishedOnHardwareOnce() {
            // given
            run.jvm("real")
                    .test("a()", TestOutcome.PASSED)
                    .test("a()", TestOutcome.PASSED)
                    .test("b()", TestOutcome.FAILED)
                    .test("c()", TestOutcome.UNDECIDED)
                    .test("d()", TestOutcome.LOST)
                    .test("e()", TestOutcome.ABORTED)
                    .container("BertTest", TestOutcome.PASSED)
                    .skipped("f()", "no core");

            // then
            assertThat(outcome(rules("hardware.min=3"), "hardware.min").passed())
                    .isTrue();
            assertThat(outcome(rules("hardware.min=4"), "hardware.min").actual())
                    .isEqualTo(
                            "4 of 7 tests ran on hardware, 3 of them different; the first skip: BertTest > f(): no core");
        }

        @Test
        void limitsTotalWaitingOfAllTests() {
            // given
            run.jvm("real")
                    .waiting("a()", Duration.ofSeconds(40))
                    .waiting("b()", Duration.ofSeconds(83))
                    .waiting("c()", Duration.ZERO);

            // then
            assertThat(outcome(rules("waiting.max=123 s"), "waiting.max").passed())
                    .isTrue();
            GateOutcome waiting = outcome(rules("waiting.max=2 min"), "waiting.max");
            assertThat(waiting.passed()).isFalse();
            assertThat(waiting.expected()).isEqualTo("at most 2 min 0 s of waiting for cores");
            assertThat(waiting.actual())
                    .isEqualTo(
                            "2 min 3 s of waiting for cores: 1 min 23 s of it BertTest > b(); 40.0 s of it BertTest >"
                                    + " a()");
        }
    }

    @Nested
    class Reading {

        @Test
        void commandLineOverridesFileAndFileOverridesDefaults() throws IOException {
            // given
            Path file = file("lost.max = 2\nskipped.max=2\n");

            // when
            GateRules rules = rules().withFile(file).withAssignments(List.of("skipped.max=3"));

            // then
            assertThat(rules.limit(Gate.FAILED)).isEqualTo(new GateLimit(OptionalLong.of(0), "0", "default"));
            assertThat(rules.limit(Gate.LOST).value()).hasValue(2);
            assertThat(rules.limit(Gate.LOST).source()).isEqualTo("from " + file + ":1");
            assertThat(rules.limit(Gate.SKIPPED).value()).hasValue(3);
        }

        @Test
        void acceptsCommentsBlankLinesByteOrderMarkAndCrLf() throws IOException {
            // given
            Path file = file("\uFEFF# nightly\r\n\r\n! another\r\nhardware.min=40\r\nerrors.max = any\r\n");

            // when
            GateRules rules = rules().withFile(file);

            // then
            assertThat(rules.limit(Gate.HARDWARE).value()).hasValue(40);
            assertThat(rules.limit(Gate.ERRORS).value()).isEmpty();
        }

        @Test
        void readsFileOfExamples() {
            // given
            Path file = Path.of("..", "..", "examples", "ci", GateRules.FILE);

            // when
            GateRules rules = rules().withFile(file);

            // then
            assertThat(rules.limit(Gate.WAITING).value())
                    .hasValue(Duration.ofMinutes(10).toNanos());
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                hardware.mni = 40             | "hardware.mni" is not a gate, did you mean hardware.min?
                hardware.min = many           | hardware.min is "many": it is not a number. Expected a number, or any.
                hardware.min = -1             | hardware.min is "-1": it is negative. Expected a number, or any.
                hardware.min =                | hardware.min is "": it is not a number. Expected a number, or any.
                hardware.min 40               | "hardware.min 40" has no "=". Expected lines such as hardware.min = 40.
                lost.max = 1\\                 | lost.max is "1\\": it is not a number. Expected a number, or any.
                failed.max = 5                | failed.max has a value already, in FILE:1. Remove one of the two.
                """)
        void errorInFileNamesItsLine(String line, String message) throws IOException {
            // given
            Path file = file("failed.max = 3\n" + line + "\n");

            // then
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules().withFile(file))
                    .withMessage(file + ":2: " + message.replace("FILE", file.toString()));
        }

        @Test
        void unknownGateWithoutSimilarNameListsGates() throws IOException {
            // given
            Path file = file("colour = blue\n");

            // then
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules().withFile(file))
                    .withMessageContaining("\"colour\" is not a gate, the gates are hardware.min, failed.max,");
        }

        @Test
        void missingFileIsNamed() {
            // given
            Path file = folder.resolve("nightly.properties");

            // then
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules().withFile(file))
                    .withMessage(file
                            + ": there is no such file or folder. Name a file of lines such as hardware.min = 40.");
        }

        @Test
        void fileThatIsNotUtf8IsRefused() throws IOException {
            // given
            Path file = Files.write(folder.resolve("binary"), "lost.max=\u00e4".getBytes(StandardCharsets.ISO_8859_1));

            // then
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules().withFile(file))
                    .withMessage(file + ": it is not text in UTF-8. Name a file of lines such as hardware.min = 40.");
        }

        @Test
        void binaryFileIsRefusedWithShortMessage() throws IOException {
            // given
            Path file = Files.write(folder.resolve("binary"), new byte[1 << 20]);

            // then
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules().withFile(file))
                    .satisfies(refusal -> assertThat(refusal.getMessage())
                            .startsWith(file + ":1: ")
                            .contains(" … ", "has no \"=\"")
                            .hasSizeLessThan(2000));
        }

        @Test
        void errorOnCommandLineNamesAssignment() {
            // then
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules("hardware.min 40"))
                    .withMessage(
                            "command line, hardware.min 40: \"hardware.min 40\" has no \"=\". Expected lines such as hardware.min = 40.");
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules("waiting.max=3"))
                    .withMessageContaining("waiting.max is \"3\": the unit is missing. Expected a duration such as");
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules("=40"))
                    .withMessageStartingWith("command line, =40: \"\" is not a gate");
            assertThatExceptionOfType(GateRulesException.class)
                    .isThrownBy(() -> rules("lost.max=1", "lost.max=2"))
                    .withMessageContaining("lost.max has a value already, in command line, lost.max=1");
        }
    }
}
