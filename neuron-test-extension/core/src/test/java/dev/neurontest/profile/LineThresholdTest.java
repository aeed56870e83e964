package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.internal.profile.threshold.InstructionPlace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineThresholdTest {

    /**
     * Instructions with 1.8 ms of line 120, of a kernel and of the compiler's code for it. Line 12, and line 120 of
     * another file with the same ending, have 9 ms.
     */
    private static final String INSTRUCTIONS = """
            select * from (values
                ('/src/attention.py:120', null, 'Block[0]/Linear[q]', 1000000::bigint),
                ('', '/src/attention.py:120', 'Block[0]', 800000),
                ('/src/flash_attention.py:120', null, 'Block[10]', 7000000),
                ('/src/attention.py:12', null, null, 2000000))
            as t(nki_source_location, bir_debug_info_source_location, layer, duration_ns)""";

    @TempDir
    Path folder;

    private Profile profile() {
        return MeasuredFixture.in(folder)
                .and()
                .table("Instruction", INSTRUCTIONS)
                .profile();
    }

    private static ProfileFailure judged(Grouping by, String name, String max, Profile profile) {
        return ProfileFailure.judged(
                ProfileExpectations.builder()
                        .expect(MetricExpectation.time(
                                new InstructionPlace(by, name),
                                max,
                                "",
                                "median",
                                "@Threshold(line = \"%s\", max = \"%s\")".formatted(name, max)))
                        .build(),
                profile);
    }

    @Test
    void sumsTheInstructionsOfALine() {
        // then
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.8 ms", profile())
                        .isFailure())
                .isFalse();
        assertThat(judged(Grouping.LINE, "src/attention.py:120", "1.79 ms", profile())
                        .isFailure())
                .isTrue();
        assertThat(judged(Grouping.LINE, "/src/attention.py:12", "2 ms", profile())
                        .isFailure())
                .isFalse();
    }

    @Test
    void sumsLayerWithItsInnerLayers() {
        // then
        assertThat(judged(Grouping.LAYER, "Block[0]", "1.8 ms", profile()).isFailure())
                .isFalse();
        assertThat(judged(Grouping.LAYER, "Block[0]", "1.7 ms", profile()).isFailure())
                .isTrue();
    }

    @Test
    void reportsValueLimitAndMargin() {
        // then
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.5 ms", profile())
                        .text())
                .startsWith(
                        "line attention.py:120: expected at most 1.5 ms, was 1.8 ms, 20 % over\nProfile of resnet50.neff by neuron-explorer 2.32.7.0: 1 expectation violated\n")
                .containsPattern("line attention.py:120 +1.8 ms +at most 1.5 ms +20 % over")
                .contains("line attention.py:120\n  expected at most 1.5 ms\n  was 1.8 ms, 20 % over\n")
                .doesNotContain("is not a known metric");
    }

    @Test
    void namesNearestLinesWhenLineIsAbsent() {
        // then
        assertThat(judged(Grouping.LINE, "attention.py:121", "1.5 ms", profile())
                        .text())
                .contains("1 expectation violated")
                .contains("was absent")
                .contains("Absent is not zero. Nearest in " + folder)
                .contains(
                        "/src/attention.py:12, /src/attention.py:120, /src/flash_attention.py:120. Write a line as the end");
    }

    @Test
    void reportsProfileWithoutLinesOrLayers() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", "select 1::bigint as duration_ns, null::varchar as nki_source_location")
                .profile();

        // then
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.5 ms", profile).text())
                .contains("No instruction in " + folder)
                .contains("has a line: compile the model or kernel with debug information");
        assertThat(judged(Grouping.LAYER, "Block[0]", "1.5 ms", profile).text()).contains("has a layer");
    }

    @Test
    void isUndecidedWithoutTables() {
        // given
        Profile none = MeasuredFixture.in(folder).and().profile();
        Profile noInstructions =
                MeasuredFixture.in(folder).rank(1).table("Warning", "select 1").profile();

        // then
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.5 ms", none).text())
                .contains("1 expectation undecided")
                .contains("has no tables");
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.5 ms", noInstructions)
                        .text())
                .contains("1 expectation undecided")
                .contains("has no table Instruction");
    }

    @Test
    void isUndecidedWhenLineTookNoTime() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table("Instruction", "select 'a.py:7' as nki_source_location, 0::bigint as duration_ns")
                .profile();

        // then
        assertThat(judged(Grouping.LINE, "a.py:7", "1 s", profile).text())
                .contains("1 expectation undecided")
                .contains("took 0 ns in all, which is not a measurement");
    }

    /** Verifies the doubt: the line may be among those that are summed together. */
    @Test
    void isUndecidedWhenLinesAreSummedTogether() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .and()
                .table(
                        "Instruction",
                        "select 'a.py:' || i as nki_source_location, 5::bigint as duration_ns from range(5001) t(i)")
                .profile();

        // then
        assertThat(judged(Grouping.LINE, "a.py:7", "1 s", profile).text())
                .contains("1 expectation undecided")
                .contains("line a.py:7 cannot be measured in")
                .contains("more or longer names than are kept apart");
    }

    @Test
    void judgesSlowestRankAndNotFirstExecution() {
        // given
        Profile profile = MeasuredFixture.in(folder)
                .rank(0)
                .table("Instruction", INSTRUCTIONS)
                .rank(1)
                .table("Instruction", INSTRUCTIONS.replace("800000", "900000"))
                .profile();
        Profile first = MeasuredFixture.in(folder.resolve("first"))
                .doubtful(Doubt.Kind.FIRST_EXECUTION, "Start-up is in it.")
                .table("Instruction", INSTRUCTIONS)
                .profile();

        // then
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.5 ms", profile).text())
                .contains("1.9 ms, 26.7 % over: on rank 1, the slowest of 2");
        assertThat(judged(Grouping.LINE, "attention.py:120", "1.5 ms", first).text())
                .contains("1 expectation undecided")
                .contains("Start-up is in it.");
    }

    @Test
    void refusesLimitThatIsNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> judged(Grouping.LINE, "attention.py:120", "1 MiB", profile()))
                .withMessageContaining("@Threshold(line = \"attention.py:120\"")
                .withMessageContaining("such as \"17 ms\"");
    }
}
