package dev.neurontest.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.print.GivenFeed;
import dev.neurontest.internal.print.PrintFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PrintExpectationsTest {

    private static final float NAN = Float.NaN;

    private static Judgement judged(PrintFixture feed, PrintExpectation... expectations) {
        PrintExpectations.Builder rules = PrintExpectations.builder();
        List.of(expectations).forEach(rules::expect);
        return rules.build().judge(feed.live());
    }

    private static PrintFixture prints(int number) {
        PrintFixture feed = new PrintFixture();
        for (int i = 0; i < number; i++) {
            feed.floats("acc", i);
        }
        return feed;
    }

    @ParameterizedTest
    @CsvSource({
        "4, 4, 3, true",
        "4, 4, 4, false",
        "4, 4, 5, true",
        "0, 4, 5, true",
        "0, 4, 0, false",
        "2, 4, 1, true",
        "0, 0, 1, true"
    })
    void limitsNumberOfPrints(long least, long most, int arrived, boolean violated) {
        // when
        Judgement judgement = judged(prints(arrived), PrintExpectation.of("acc").between(least, most));

        // then
        assertThat(judgement.violations()).hasSize(violated ? 1 : 0);
        assertThat(judgement.undecided()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(PrintDoubt.Kind.class)
    void decidesOnlyFinalResultsWhenPrintsMayBeMissing(PrintDoubt.Kind doubt) {
        // given
        PrintFixture three = prints(3).doubt(doubt, "the reason");

        // then
        assertThat(judged(three, PrintExpectation.of("acc").atLeast(3))).satisfies(judgement -> {
            assertThat(judgement.undecided()).isEmpty();
            assertThat(judgement.notices()).containsExactly("Prints may be missing: the reason");
        });
        assertThat(judged(three, PrintExpectation.of("acc").atMost(2)).violations())
                .hasSize(1);
        assertThat(judged(three, PrintExpectation.of("acc").exactly(4).inWords("four"))
                        .undecided())
                .containsExactly(new Undecided(
                        "four", "number of prints of \"acc\"", "3 arrived, and there may have been more: the reason"));
        assertThat(judged(three, PrintExpectation.of("acc").exactly(3)).undecided())
                .hasSize(1);
        assertThat(judged(three, PrintExpectation.of("none").exactly(0)).undecided())
                .hasSize(1);
        assertThat(judged(three, PrintExpectation.of("acc").withoutNaN()).undecided())
                .extracting(Undecided::reason)
                .containsExactly("there may have been more prints: the reason");
    }

    @Test
    void givesNoticeOfNaNAndInfinityByDefault() {
        // given
        PrintFixture feed = prints(2)
                .print(0, "acc", "bfloat16", List.of(2L, 2L), new byte[] {
                    0, 0, 0, 0, (byte) 0xC0, 0x7F, (byte) 0xC0, 0x7F
                })
                .floats("acc", NAN)
                .floats("masked", 1, Float.NEGATIVE_INFINITY)
                .odd("type 7 is not known");

        // then
        assertThat(judged(feed, PrintExpectation.of("acc")).notices())
                .containsExactly(
                        "\"acc\" has NaN in 2 of 4 prints, first in print 2 at [1, 0] (2 of 4 values)",
                        "\"masked\" has infinity in 1 of 1 prints, first in print 4 at [1] (1 of 2 values)",
                        "1 event is not a print and is kept unchanged; the first: type 7 is not known");
        assertThat(PrintExpectations.DEFAULT.judge(feed.live()).violations()).isEmpty();
    }

    @Test
    void failsOnNaNWhenForbidden() {
        // given
        PrintExpectation expectation = PrintExpectation.of("acc").withoutNaN().inWords("no NaN in acc");

        // then
        assertThat(judged(prints(1).floats("acc", 0, NAN), expectation)).satisfies(judgement -> {
            assertThat(judgement.violations())
                    .containsExactly(new Violation(
                            "no NaN in acc",
                            "values of \"acc\"",
                            "no NaN",
                            "NaN in 1 of 2 prints, first in print 1 at [1] (1 of 2 values)",
                            "Start at the first print with NaN: its inputs were still correct."));
            assertThat(judgement.notices()).isEmpty();
        });
        assertThat(judged(prints(1).floats("other", NAN), expectation).violations())
                .isEmpty();
        assertThat(judged(prints(1).print(0, "acc", "mystery", List.of(1L), (byte) 1), expectation)
                        .undecided())
                .extracting(Undecided::reason)
                .containsExactly("print 1 \"acc\" cannot be decoded: dtype \"mystery\" is unknown");
    }

    @Test
    void adviceDependsOnArrivedPrints() {
        // given
        PrintExpectation expectation = PrintExpectation.of("Acc").exactly(1);

        // then
        assertThat(judged(new PrintFixture(), expectation).violations().get(0).advice())
                .startsWith("Nothing was printed at all.");
        assertThat(judged(prints(2).floats("a\nb", 1), expectation)
                        .violations()
                        .get(0)
                        .advice())
                .isEqualTo("No print has exactly this prefix. Arrived: \"acc\", \"a\\u000ab\".");
        assertThat(judged(prints(2), PrintExpectation.of("acc").exactly(1))
                        .violations()
                        .get(0)
                        .advice())
                .startsWith("Every execution prints again");
    }

    @Test
    void refusesImpossibleNumberOfPrints() {
        // then
        assertThatThrownBy(() -> PrintExpectation.of("acc").between(3, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the number of prints must be at least 0, and its minimum at most its maximum, but was 3 to 2");
        assertThatThrownBy(() -> PrintExpectation.of("acc").exactly(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reportsEverythingInOneMessage() {
        // given
        PrintFixture feed =
                prints(3).floats("scale", NAN).doubt(PrintDoubt.Kind.LOST, "a sequence has gaps: 2 of 66 are missing");
        PrintExpectations rules = PrintExpectations.builder()
                .expect(PrintExpectation.of("acc").exactly(4).inWords("@ExpectPrint(prefix = \"acc\", count = 4)"))
                .expect(PrintExpectation.of("scale").exactly(0).inWords("@ExpectPrint(prefix = \"scale\", count = 0)"))
                .build();

        // when
        PrintFailure failure = PrintFailure.judged(rules, feed.live());

        // then
        assertThat(failure.isFailure()).isTrue();
        assertThat(failure.expected())
                .isEqualTo(
                        "number of prints of \"scale\": exactly 0\nnumber of prints of \"acc\": @ExpectPrint(prefix = \"acc\", count = 4)");
        assertThat(failure.actual())
                .isEqualTo("number of prints of \"scale\": 1\nnumber of prints of \"acc\": undecided");
        assertThat(failure.toError()).hasMessage("""
                number of prints of "scale": expected exactly 0, was 1
                Device prints: 1 expectation violated, 1 expectation undecided

                prefix   arrived  expected   dtype    shape  rule
                "acc"          3  exactly 4  float32  (1,)   @ExpectPrint(prefix = "acc", count = 4)
                "scale"        1  exactly 0  float32  (1,)   @ExpectPrint(prefix = "scale", count = 0)

                number of prints of "scale"
                  expected exactly 0
                  was 1
                  Every execution prints again, and so does every iteration of a loop: number = print sites x iterations x executions.

                number of prints of "acc"
                  undecided: 3 arrived, and there may have been more: a sequence has gaps: 2 of 66 are missing

                Also seen:
                  "scale" has NaN in 1 of 1 prints, first in print 3 at [0] (1 of 1 values)
                """);
        assertThat(PrintFailure.judged(PrintExpectations.DEFAULT, feed.live()).isFailure())
                .isFalse();
    }

    @Test
    void keepsItsTableWithin120Columns() {
        // given
        String prefix =
                "after the attention block of layer 17, before the residual connection is added to it: ".repeat(2);
        DevicePrints prints = new PrintFixture().floats(prefix, 1, 2).live();
        PrintExpectations rules = PrintExpectations.builder()
                .expect(PrintExpectation.of(prefix)
                        .exactly(2)
                        .inWords("@ExpectPrint(prefix = \"" + prefix + "\", count = 2)"))
                .build();

        // when
        String text = PrintFailure.judged(rules, prints).text();

        // then
        assertThat(text.split("\n\n")[1].lines())
                .hasSizeGreaterThan(2)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
    }

    @Test
    void givesNoticeOfOddPrintsWithoutExpectations() {
        // given
        String odd = "1 print has more bytes than its tensor; the extra bytes are omitted.";
        DevicePrints prints =
                DevicePrints.of(new GivenFeed(List.of(), List.of(), List.of(), List.of(odd), false), List.of());

        // when, then
        assertThat(PrintExpectations.DEFAULT.judge(prints.frozen()).notices()).containsExactly(odd);
        assertThat(prints.toText()).contains(odd);
    }
}
