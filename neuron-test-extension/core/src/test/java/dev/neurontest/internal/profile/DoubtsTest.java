package dev.neurontest.internal.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import org.junit.jupiter.api.Test;

class DoubtsTest {

    @Test
    void manyDoubtsOfOneKindAreCounted() {
        // given
        MeasuredFixture measured = MeasuredFixture.nothing();
        for (int rank = 0; rank < 64; rank++) {
            measured.doubtful(Doubt.Kind.FIRST_EXECUTION, "Trace %s is a first one.".formatted(rank), "total_time", 1);
        }
        measured.doubt(Doubt.Kind.INCOMPLETE_TRACE, "One is missing.");

        // then
        assertThat(Doubts.reasons(measured.profile(), "total_time"))
                .isEqualTo(
                        "One is missing. Trace 0 is a first one. Trace 1 is a first one. Trace 2 is a first one. And 61 more of this kind.");
    }
}
