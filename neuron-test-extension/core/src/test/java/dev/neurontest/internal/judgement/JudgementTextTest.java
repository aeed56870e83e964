package dev.neurontest.internal.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTextTest {

    private static final Violation SLOW =
            new Violation("max = \"17 ms\"", "total_time", "at most 17 ms", "18 ms", "Look at the trace.");
    private static final Undecided TIME = new Undecided("max = \"1 s\"", "total_time", "The device was slowed down.");
    private static final Undecided BYTES = new Undecided("max = \"1 B\"", "bytes", "The device was slowed down.");

    @Test
    void headlineIsViolationThatDecided() {
        assertThat(words(List.of(SLOW), List.of(TIME)).headline())
                .isEqualTo("total_time: expected at most 17 ms, was 18 ms\n");
        assertThat(words(List.of(SLOW, new Violation("rule", "bytes", "1", "2", "Look.")), List.of())
                        .headline())
                .isEqualTo("total_time: expected at most 17 ms, was 18 ms\n");
        assertThat(words(List.of(), List.of(TIME)).headline()).isEmpty();
        assertThat(new Violation("rule", "sql", "0", "1\n  row", "Look.").sentence())
                .isEqualTo("sql: expected 0, was 1 row");
    }

    @Test
    void countsExpectationsInHeadline() {
        // then
        assertThat(words(List.of(SLOW), List.of()).found()).isEqualTo("1 expectation violated");
        assertThat(words(List.of(SLOW, SLOW), List.of(TIME)).found())
                .isEqualTo("2 expectations violated, 1 expectation undecided");
        assertThat(words(List.of(), List.of(TIME, BYTES)).found()).isEqualTo("2 expectations undecided");
    }

    @Test
    void printsSharedReasonOnce() {
        // when
        String text = new JudgementText(new Judgement(List.of(SLOW), List.of(TIME, BYTES), List.of("Two ranks.")))
                .explained();

        // then
        assertThat(text).isEqualTo("""

                total_time
                  expected at most 17 ms
                  was 18 ms
                  Look at the trace.

                total_time
                bytes
                  undecided: The device was slowed down.

                Also seen:
                  Two ranks.
                """);
    }

    @Test
    void listsExpectedAndActualBySubject() {
        // given
        JudgementText words = words(List.of(SLOW), List.of(BYTES));

        // then
        assertThat(words.expected()).isEqualTo("total_time: at most 17 ms\nbytes: max = \"1 B\"");
        assertThat(words.actual()).isEqualTo("total_time: 18 ms\nbytes: undecided");
    }

    @Test
    void noticesAloneAreNoFailure() {
        // then
        assertThat(new JudgementText(new Judgement(List.of(), List.of(), List.of("Two ranks."))).isFailure())
                .isFalse();
        assertThat(words(List.of(), List.of(TIME)).isFailure()).isTrue();
    }

    private static JudgementText words(List<Violation> violations, List<Undecided> undecided) {
        return new JudgementText(new Judgement(violations, undecided, List.of()));
    }
}
