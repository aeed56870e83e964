package dev.neurontest.internal.profile.explain;

import static dev.neurontest.profile.EventsFixture.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.neurontest.profile.EventsFixture;
import dev.neurontest.profile.ProfileEvents;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class ExplanationTest {

    private static final long MIB = 1 << 20;

    /** Returns events before a change that makes a line slower with twice its spills, and another line faster. */
    private static EventsFixture before() {
        return events().execution(17_200)
                .spilled(12 * MIB)
                .line("models/attention.py:120", 4_000, 64, 12 * MIB)
                .line("models/attention.py:98", 3_000, 32, 0)
                .line("models/mlp.py:41", 2_000, 16, 0)
                .line("models/norm.py:7", 1_000, 8, 0)
                .layer("model/layers/0/attention", 7_000, 96)
                .layer("model/layers/0/mlp", 2_000, 16)
                .layer("model/norm", 1_000, 8)
                .opcode("MATMUL", 10_000, 120)
                .engine("Tensor", 10_000, 120);
    }

    private static EventsFixture after() {
        return events().execution(19_100)
                .spilled(24 * MIB)
                .line("models/attention.py:120", 5_400, 64, 24 * MIB)
                .line("models/attention.py:98", 3_490, 32, 0)
                .line("models/mlp.py:41", 1_700, 16, 0)
                .line("models/norm.py:7", 1_002, 8, 0)
                .layer("model/layers/0/attention", 8_890, 96)
                .layer("model/layers/0/mlp", 1_700, 16)
                .layer("model/norm", 1_002, 8)
                .opcode("MATMUL", 11_592, 120)
                .engine("Tensor", 11_592, 120);
    }

    /** Returns an execution of one engine, with names that begin alike, each with the same time. */
    private static EventsFixture alike(long micros, String layer, String line, int names, long each) {
        EventsFixture made = events().execution(micros).engine("Tensor", micros, 100);
        for (int i = 0; i < names; i++) {
            if (!layer.isEmpty()) {
                made.layer(layer + i, each, 10);
            }
            if (!line.isEmpty()) {
                made.line(line + i, each, 10);
            }
        }
        return made;
    }

    private static EventsFixture threeLines(long micros, long tensor, long... lines) {
        EventsFixture made =
                events().execution(micros).engine("Tensor", tensor, 80).engine("Vector", tensor / 4, 20);
        for (int i = 0; i < lines.length; i++) {
            made.line("a.py:" + i, lines[i], 10);
        }
        return made;
    }

    static Stream<Arguments> firstLineIsTheAnswer() {
        EventsFixture lines = alike(20_000, "", "mlp.py:", 20, 900);
        EventsFixture linesNow = alike(22_000, "", "mlp.py:", 20, 980);
        for (int i = 0; i < 20; i++) {
            lines.layer("model/layers/" + i + "/attention", 500, 5).layer("model/layers/" + i + "/mlp", 500, 5);
            linesNow.layer("model/layers/" + i + "/attention", 580, 5).layer("model/layers/" + i + "/mlp", 520, 5);
        }
        EventsFixture some = threeLines(10_000, 8_000, 6_000, 3_000, 1_000);
        EventsFixture more = threeLines(10_500, 8_400, 6_300, 3_150, 1_050);
        EventsFixture waits = events().execution(10_000).engine("Tensor", 5_000, 10);
        EventsFixture waitsNow = events().execution(12_000).engine("Tensor", 5_000, 10);
        return Stream.of(
                arguments(
                        before(),
                        after(),
                        "Slower by 1.9 ms (11 %): models/attention.py:120 took 1.4 ms more, which is 74 % of all growth; it spilled 12 MiB more."),
                arguments(
                        after(),
                        before(),
                        "Faster by 1.9 ms (10 %): models/attention.py:120 took 1.4 ms less, which is 74 % of all shrinkage; it spilled 12 MiB less."),
                arguments(
                        alike(10_000, "", "a.py:", 10, 1_000)
                                .layer("attention", 8_000, 50)
                                .layer("mlp", 2_000, 50),
                        alike(12_000, "", "a.py:", 10, 1_200)
                                .layer("attention", 9_900, 50)
                                .layer("mlp", 2_100, 50),
                        "Slower by 2 ms (20 %): attention took 1.9 ms more, which is 95 % of all growth."),
                arguments(
                        alike(10_000, "model/layers/3/part", "", 10, 100).layer("model/layers/4/part", 9_000, 100),
                        alike(12_000, "model/layers/3/part", "", 10, 300).layer("model/layers/4/part", 9_000, 100),
                        "Slower by 2 ms (20 %): model/layers/3 took 2 ms more, which is 100 % of all growth."),
                arguments(
                        lines.line("attention.py:120", 2_000, 10),
                        linesNow.line("attention.py:120", 2_400, 10),
                        "Slower by 2 ms (10 %): attention.py:120 took 400 \u00b5s more, which is 20 % of all growth."),
                arguments(
                        some,
                        more,
                        "Slower by 500 \u00b5s (5 %): no single cause, all source lines took about 5 % more."),
                arguments(
                        more,
                        some,
                        "Faster by 500 \u00b5s (4.8 %): no single cause, all source lines took about 4.8 % less."),
                arguments(
                        waits,
                        waitsNow,
                        "Slower by 2 ms (20 %), though no instruction took longer by more than noise: there was more waiting between them."),
                arguments(
                        events().execution(10_000).queue("q1", 100, 1),
                        events().execution(12_000).queue("q1", 900, 1),
                        "Slower by 2 ms (20 %), though no instruction took longer by more than noise: DMA queue q1 took 800 \u00b5s more."),
                arguments(
                        events().engine("Tensor", 10_000, 10),
                        events().engine("Tensor", 12_000, 10),
                        "The instructions took 2 ms (20 %) more, added up: Tensor took 2 ms more, which is 100 % of all growth."),
                arguments(
                        events().execution(100).layer("a", 50, 100).layer("b", 50, 100),
                        events().execution(100).layer("a", 50, 200).layer("b", 50, 102),
                        "As fast as before, within 1 %: 100 \u00b5s, then 100 \u00b5s, though layer a changed: 200 instead of 100, each 250 ns instead of 500 ns."));
    }

    @ParameterizedTest(name = "{2}")
    @MethodSource
    void firstLineIsTheAnswer(EventsFixture before, EventsFixture after, String line) {
        // then
        assertThat(Explanation.of(before.made(), after.made()).headline()).isEqualTo(line);
    }

    @Test
    void textListsGrowthShrinkageAndReasons() {
        // when
        String text = Explanation.of(before().made(), after().made()).toText();

        // then
        assertThat(text).isEqualTo("""
                        Slower by 1.9 ms (11 %): models/attention.py:120 took 1.4 ms more, which is 74 % of all growth; it spilled 12 MiB more.

                        Execution: 17.2 ms before, 19.1 ms now.
                        Instructions: 10 ms before, 11.6 ms now, added up. Engines work in parallel, so the sums are not the execution time.
                        Spilled: 12 MiB before, 24 MiB now.

                        By source line: 1.89 ms of growth, 300 µs of shrinkage.
                          source line              before      now   change  of growth  why
                          models/attention.py:120    4 ms   5.4 ms  +1.4 ms       74 %  each 84.4 µs instead of 62.5 µs; spilled 24 MiB instead
                                                                                        of 12 MiB
                          models/attention.py:98     3 ms  3.49 ms  +490 µs       26 %  each 109 µs instead of 93.8 µs
                          models/mlp.py:41           2 ms   1.7 ms  -300 µs             each 106 µs instead of 125 µs

                        By layer: 1.89 ms of growth, 300 µs of shrinkage.
                          layer                     before      now    change  of growth  why
                          model/layers/0/attention    7 ms  8.89 ms  +1.89 ms      100 %  each 92.6 µs instead of 72.9 µs
                          model/layers/0/mlp          2 ms   1.7 ms   -300 µs             each 106 µs instead of 125 µs

                        By opcode: 1.59 ms of growth, no shrinkage.
                          opcode  before      now    change  of growth  why
                          MATMUL   10 ms  11.6 ms  +1.59 ms      100 %  each 96.6 µs instead of 83.3 µs

                        By engine: 1.59 ms of growth, no shrinkage.
                          engine  before      now    change  of growth  why
                          Tensor   10 ms  11.6 ms  +1.59 ms      100 %  each 96.6 µs instead of 83.3 µs
                        """.stripIndent());
    }

    @Test
    void linesStayWithin120ColumnsForLongNames() {
        // given
        String long1 = "project/" + "very-long-folder/".repeat(20) + "attention.py:120";

        // when
        String text = Explanation.of(
                        events().execution(100)
                                .line(long1, 50, 1)
                                .engine("E", 50, 1)
                                .about("tool", "t".repeat(300))
                                .made(),
                        events().execution(200)
                                .line(long1, 150, 1)
                                .engine("E", 150, 1)
                                .about("tool", "u".repeat(300))
                                .made())
                .toText();

        // then
        assertThat(text).contains("attention.py:120 took 100 \u00b5s more");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void messageListsOnlyGreatestGrowth() {
        // then
        assertThat(Explanation.of(before().made(), after().made()).beginning(1))
                .hasSize(4)
                .endsWith(" ".repeat(63) + "of 12 MiB")
                .noneSatisfy(line -> assertThat(line).contains("attention.py:98"));
    }

    @Test
    void distinguishesMoreEventsFromLongerOnes() {
        // when
        Explanation explanation = Explanation.of(
                events().execution(100)
                        .layer("more", 10, 10)
                        .layer("longer", 10, 10)
                        .layer("both", 10, 10)
                        .layer("gone", 30, 3)
                        .made(),
                events().execution(120)
                        .layer("more", 20, 20)
                        .layer("longer", 20, 10)
                        .layer("both", 30, 20)
                        .layer("new", 30, 5)
                        .made());

        // then
        GroupChange layers = explanation.groups().get(0);
        assertThat(layers.grown())
                .extracting(RowChange::name, RowChange::why)
                .containsExactly(
                        tuple("new", "new: 5"),
                        tuple("both", "20 instead of 10, each 1.5 \u00b5s instead of 1 \u00b5s"),
                        tuple("longer", "each 2 \u00b5s instead of 1 \u00b5s"),
                        tuple("more", "20 instead of 10, each as long as before"));
        assertThat(layers.shrunk()).extracting(RowChange::why).containsExactly("gone: 3 before");
    }

    @Test
    void sharesRelateToGrowthNotNetDifference() {
        // given: 10 grew and 9 shrank, which makes a difference of 1
        Explanation explanation = Explanation.of(
                events().execution(100).layer("a", 50, 1).layer("b", 50, 1).made(),
                events().execution(101).layer("a", 60, 1).layer("b", 41, 1).made());

        // then
        GroupChange layers = explanation.groups().get(0);
        assertThat(layers.share(layers.grown().get(0))).isEqualTo(1);
    }

    @Test
    void noiseIsNotListed() {
        // when
        Explanation explanation = Explanation.of(
                events().execution(10_000)
                        .layer("a", 5_000, 1)
                        .layer("b", 5_000, 1)
                        .made(),
                events().execution(10_050)
                        .layer("a", 5_010, 1)
                        .layer("b", 5_005, 1)
                        .made());

        // then
        assertThat(explanation.answer()).isEqualTo(Explanation.Answer.SAME);
        assertThat(explanation.headline())
                .isEqualTo(
                        "As fast as before, within 1 %: 10 ms, then 10.1 ms. No instruction changed by more than noise.");
        assertThat(explanation.toText()).contains("By layer: nothing changed by more than noise (0.5 % of all).");
    }

    @Test
    void changesSmallAgainstGrowthAreNotListed() {
        // when
        Explanation explanation = Explanation.of(
                events().execution(10_000)
                        .layer("a", 5_000, 1)
                        .layer("b", 5_000, 1)
                        .made(),
                events().execution(11_000)
                        .layer("a", 6_000, 1)
                        .layer("b", 5_010, 1)
                        .made());

        // then
        assertThat(explanation.groups().get(0).grown())
                .extracting(RowChange::name)
                .containsExactly("a");
    }

    @Test
    void cautionAboutDifferentSchemaPrecedesNumbers() {
        // given
        ProfileEvents before = before().about("schema", "7.4.0")
                .about("instance", "trn2.48xlarge")
                .made();
        ProfileEvents after = after().about("schema", "12.0.1")
                .about("instance", "trn2.48xlarge")
                .made();

        // when
        Explanation explanation = Explanation.of(before, after);

        // then
        assertThat(explanation.toText().lines().skip(1).findFirst())
                .contains("The schema differs: 7.4.0 before, 12.0.1 now. That alone may change times.");
        assertThat(explanation.cautions()).hasSize(1);
    }

    @Test
    void cautionsWhenOnlyOneProfileNamesSourceLines() {
        // when
        Explanation explanation = Explanation.of(
                events().execution(10).line("(none)", 10, 1).engine("E", 10, 1).made(),
                events().execution(20).line("a.py:1", 20, 1).engine("E", 20, 1).made());

        // then
        assertThat(explanation.cautions())
                .containsExactly(
                        "Only the profile now names its source lines: additions and removals there mean nothing.");
    }

    @Test
    void cautionsAboutTimeWithoutName() {
        // then
        assertThat(Explanation.of(
                                events().line("(none)", 50, 1)
                                        .line("a.py:1", 50, 1)
                                        .made(),
                                events().line("(none)", 50, 1)
                                        .line("a.py:1", 50, 1)
                                        .made())
                        .cautions())
                .containsExactly("50 % of the time now has no source line in the profile.");
    }

    @Test
    void growthIsUncertainWhenNameWasSummedWithOthers() {
        // given: "b" may have taken up to 5 before
        Explanation explanation = Explanation.of(
                events().execution(100)
                        .layer("a", 60, 1)
                        .layer("c", 5, 1)
                        .layer("(others)", 30, 9)
                        .made(),
                events().execution(120)
                        .layer("a", 60, 1)
                        .layer("c", 5, 1)
                        .layer("b", 25, 4)
                        .layer("(others)", 25, 9)
                        .made());

        // then
        GroupChange layers = explanation.groups().get(0);
        assertThat(layers.grown()).hasSize(1).first().satisfies(change -> {
            assertThat(change.name()).isEqualTo("b");
            assertThat(change.nanos()).isEqualTo(20_000);
            assertThat(change.certain()).isFalse();
            assertThat(change.why()).isEqualTo("summed with others before");
        });
        assertThat(layers.changes().stream().mapToLong(RowChange::nanos).sum())
                .isEqualTo(layers.after() - layers.before());
    }

    @Test
    void jsonContainsAnswerTimesAndChanges() {
        // when
        JsonNode json = new ObjectMapper()
                .readTree(Explanation.of(before().made(), after().made()).toJson());

        // then
        assertThat(json.at("/answer").asString()).isEqualTo("slower");
        assertThat(json.at("/before/executionNs").asLong()).isEqualTo(17_200_000);
        JsonNode line = json.at("/groups/0/grown/0");
        assertThat(line.at("/name").asString()).isEqualTo("models/attention.py:120");
        assertThat(line.at("/now/spilledBytes").asLong()).isEqualTo(25_165_824);
        assertThat(line.at("/share").asDouble()).isBetween(0.73, 0.75);
    }

    @Test
    void removesControlCharactersOfNames() {
        // then
        assertThat(Explanation.of(
                                events().execution(10).layer("a", 10, 1).made(),
                                events().execution(20)
                                        .layer("a", 10, 1)
                                        .layer("\u001b[31mb\n", 10, 1)
                                        .made())
                        .toText())
                .doesNotContain("\u001b")
                .contains("[31mb");
    }

    @Test
    void namesLayerThatSpilledMoreAtEqualTimes() {
        // given
        EventsFixture before = events().execution(10_000).engine("Tensor", 10_000, 100);
        EventsFixture after = events().execution(10_000).engine("Tensor", 10_000, 100);

        // when
        Explanation explanation = Explanation.of(
                before.layer("attention", 6_000, 50, 0)
                        .layer("mlp", 4_000, 50, 0)
                        .made(),
                after.layer("attention", 6_000, 50, 0)
                        .layer("mlp", 4_000, 50, 400 * MIB)
                        .made());

        // then
        assertThat(explanation.headline())
                .isEqualTo(
                        "As fast as before, within 1 %: 10 ms, then 10 ms, though layer mlp changed: spilled 400 MiB, none before.");
        assertThat(explanation.toText())
                .doesNotContain("By layer: nothing changed")
                .contains(
                        "By layer: as long as before, but the number of events or the spilled bytes changed.",
                        "  mlp      4 ms  4 ms     0 s             spilled 400 MiB, none before");
        assertThat(explanation.beginning(5)).anyMatch(line -> line.contains("spilled 400 MiB, none before"));
        assertThat(new ObjectMapper().readTree(explanation.toJson()).at("/groups/0/otherwise"))
                .hasSize(1);
    }
}
