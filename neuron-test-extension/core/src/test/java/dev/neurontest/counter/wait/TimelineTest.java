package dev.neurontest.counter.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.SeenValue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TimelineTest {

    private final Timeline timeline = new Timeline();

    @Test
    void keepsEachNewValueOfAFile() {
        // when
        timeline.add(Duration.ofMillis(1), "0", "/a");
        timeline.add(Duration.ofMillis(2), "0", "/a");
        timeline.add(Duration.ofMillis(3), "0", "/b");
        timeline.add(Duration.ofMillis(4), "1", "/a");

        // then
        assertThat(timeline.seen())
                .containsExactly(
                        new SeenValue(Duration.ofMillis(1), "0", "/a"),
                        new SeenValue(Duration.ofMillis(3), "0", "/b"),
                        new SeenValue(Duration.ofMillis(4), "1", "/a"));
    }

    @Test
    void leavesOutTheMiddleOfALongOne() {
        // when
        for (int value = 0; value < 100_000; value++) {
            timeline.add(Duration.ofMillis(value), Integer.toString(value), "/a");
        }

        // then
        assertThat(timeline.seen()).hasSize(50);
        assertThat(timeline.leftOut()).isEqualTo(99_950);
        assertThat(timeline.first()).last().returns("19", SeenValue::value);
        assertThat(timeline.last()).first().returns("99970", SeenValue::value);
        assertThat(timeline.last()).last().returns("99999", SeenValue::value);
    }
}
