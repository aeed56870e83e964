package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputExpectation;
import dev.neurontest.internal.output.OutputExpectations;
import dev.neurontest.internal.output.OutputOddity;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of expectations on the outputs that a profiler tool saves, or fails to save. */
class SavedOutputsIT {

    private static final String SAVE_Y_2 = "printf 12345678 > y.2; echo 'saved output \"y\" as \"y.2\"'\n";

    @TempDir
    private Path root;

    private ToolFixture tool;
    private Path input;

    @BeforeEach
    void tool() throws IOException {
        tool = new ToolFixture(root);
        input = Files.writeString(root.resolve("x"), "abcdefgh");
    }

    private static OutputExpectations expected(boolean same, String... outputs) {
        return OutputExpectations.read(Stream.of(outputs)
                .map(output -> new OutputExpectation(
                        output,
                        Optional.empty(),
                        Tolerance.exact(),
                        "float32",
                        Set.of(OutputOddity.UNWRITTEN),
                        same,
                        "@ExpectOutput"))
                .toList());
    }

    private NeffCapture capture(OutputCollector collector) {
        return tool.outputs(collector)
                .profiler()
                .capture(tool.neff("model.neff"))
                .on(tool.host().cores().get(0))
                .input("x", input);
    }

    private List<String> found(String toolPrints, String output, int measured) {
        tool.beforeCapture(toolPrints);
        OutputExpectations rules = expected(false, output);
        OutputCollector collector = new OutputCollector(rules);
        capture(collector).measured(measured).run();
        return found(rules.judge(collector.collected()));
    }

    private static List<String> found(Judgement judgement) {
        return Stream.concat(
                        judgement.violations().stream().map(Violation::actual),
                        judgement.undecided().stream().map(Undecided::reason))
                .toList();
    }

    @Test
    void allSavedPass() {
        assertThat(found(SAVE_Y_2, OutputExpectation.EACH, 1)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            echo 'saved output "z" as "z.2"'                                  | the tool saved it as "z.2", which is not a file of the capture
            echo 'saved output "a/z" as "a/z.2"'                              | the tool saved it as "a/z.2", which is not a file of the capture
            mkdir z.2; echo 'saved output "z" as "z.2"'                       | the tool saved it as "z.2", which is not a file of the capture
            ln -s y.2 z.2; echo 'saved output "z" as "z.2"'                   | the tool saved it as "z.2", which is not a file of the capture
            printf 1234 > z; echo 'saved output "z" as "z"'                   | the tool did not save it after this execution
            printf '' > z.2; echo 'saved output "z" as "z.2"'                 | the tool saved it as an empty file
            echo 'saved output "a"z" as "a"z.2"'                              | the tool saved it as "a"z.2", which is not a file of the capture
            printf 12345678 > z%2Fy.2; echo 'saved output "z/y" as "z%2Fy.2"' | the tool saved it as "z%2Fy.2", which does not name the execution
            """)
    void savedInUnknownWayAreUndecidedBesideAnotherOne(String toolPrints, String reason) {
        assertThat(found(SAVE_Y_2 + toolPrints, OutputExpectation.EACH, 1)).containsExactly(reason);
    }

    @Test
    void missingInOneOfSeveralExecutionsAreUndecided() {
        assertThat(found(SAVE_Y_2, "y", 2)).containsExactly("the tool did not save it after this execution");
    }

    @Test
    void savedOnlyBeforeMeasuredExecutionAreUndecided() {
        String savesY = "printf 12345678 > y; echo 'saved output \"y\" as \"y\"'\n";

        assertThat(found(savesY, "y", 1)).containsExactly("the tool did not save it after this execution");
        assertThat(found(savesY, OutputExpectation.EACH, 1))
                .containsExactly("the tool did not save it after this execution");
    }

    @Test
    void missingInOneOfSeveralCapturesAreUndecided() {
        // given a tool that saves no output in its first capture
        tool.beforeCapture("if [ -f ../captured ]; then " + SAVE_Y_2.strip() + "; fi; touch ../captured");
        OutputExpectations rules = expected(false, "y");
        OutputCollector collector = new OutputCollector(rules);

        // when
        capture(collector).captures(2).run();

        // then
        assertThat(found(rules.judge(collector.collected()))).containsExactly("the tool saved no output: see its log");
    }

    @Test
    void missingInOneOfSeveralCapturesAreUndecidedBesideAnotherOne() {
        // given a tool that saves z only in its second capture
        tool.beforeCapture(SAVE_Y_2 + "if [ -f ../captured ]; then "
                + SAVE_Y_2.strip().replace("y", "z") + "; fi; touch ../captured");
        OutputExpectations rules = expected(false, "z");
        OutputCollector collector = new OutputCollector(rules);

        // when
        capture(collector).captures(2).run();

        // then
        assertThat(found(rules.judge(collector.collected())))
                .containsExactly("the tool did not save it in each capture");
    }

    @Test
    void differingAfterChangeOfInputFileAreNoViolation() throws IOException {
        // given a tool whose output is its input
        tool.beforeCapture("cp '%s' y.2; echo 'saved output \"y\" as \"y.2\"'".formatted(input));
        OutputExpectations rules = expected(true, "y");
        OutputCollector collector = new OutputCollector(rules);

        // when
        capture(collector).captures(2).run();
        Files.writeString(input, "ijklmnop");
        capture(collector).captures(2).run();

        // then
        assertThat(found(rules.judge(collector.collected()))).isEmpty();
    }

    @Test
    void ofInputsFromFileOfRanksAreNotOfZeros() {
        // given
        tool.beforeCapture("head -c 8 /dev/zero > y.2; echo 'saved output \"y\" as \"y.2\"'");
        OutputExpectations rules = expected(false, "y");
        OutputCollector collector = new OutputCollector(rules);

        // when
        tool.outputs(collector)
                .profiler()
                .capture(tool.neff("model.neff"))
                .on(tool.host().cores().get(0))
                .option("--multi-input", "inputs.txt")
                .run();

        // then
        assertThat(found(rules.judge(collector.collected()))).containsExactly("zero in all 2 values");
    }
}
