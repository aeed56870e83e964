package dev.neurontest.internal.participant.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedMarksTest {

    private static final TestId TEST =
            new TestId("[class:A]/[test-template-invocation:#1]", "A > [1] password=swordfish");
    private static final Violation VIOLATION =
            new Violation("@ExpectPrint(\"apiKey=swordfish\")", "neuron0", "expected", "actual", "advice");

    private static RecordedMarks marks() {
        List<String> marks = new ArrayList<>(RecordedMarks.test(TEST));
        marks.add(RecordedMarks.undecided("token=swordfish is not known"));
        marks.add(RecordedMarks.violated(VIOLATION));
        return new RecordedMarks(marks);
    }

    @Test
    void haveNoSecrets() {
        assertThat(marks().marks())
                .hasSize(4)
                .noneMatch(mark -> mark.contains("swordfish"))
                .contains("test A > [1] password=***", "test-id [class:A]/[test-template-invocation:#1]");
    }

    @Test
    void matchTestWithSecretInName() {
        TestId elsewhere = new TestId("[engine:other]", TEST.name());
        assertThat(marks().areOf(elsewhere)).isTrue();
        assertThat(marks().areOfOrIn(new TestId("[class:A]", "B"))).isTrue();
        assertThat(marks().areOfOrIn(new TestId("[class:B]", "A"))).isTrue();
        assertThat(marks().areOfOrIn(new TestId("[class:B]", "B"))).isFalse();
        assertThat(marks().areOf(new TestId("[class:A]", "A"))).isFalse();
        assertThat(marks().notViolatedAgain(List.of(VIOLATION))).isEmpty();
    }

    @Test
    void ofOlderRecordingMatchByNameAlone() {
        RecordedMarks older = new RecordedMarks(List.of("test " + TEST.name()));
        assertThat(older.areOf(new TestId("[class:A]", TEST.name()))).isTrue();
        assertThat(older.areOf(new TestId(TEST.id(), "A > [2]"))).isFalse();
        assertThat(older.areOfOrIn(new TestId("[class:A]", "B"))).isFalse();
    }
}
