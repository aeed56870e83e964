package dev.neurontest.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NearestNameTest {

    @Test
    void hasFewestEditsAndIsAbsentWhenTooDifferent() {
        assertThat(NearestName.of("oltp", List.of("otlp", "influx"))).contains("otlp");
        assertThat(NearestName.of("graphite", List.of("otlp", "influx"))).isEmpty();
    }

    @Test
    void editsAreAMetric() {
        // given
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            String one = word(random);
            String two = word(random);
            String three = word(random);

            // when
            int direct = NearestName.edits(one, two);

            // then
            assertThat(direct)
                    .isEqualTo(NearestName.edits(two, one))
                    .isLessThanOrEqualTo(NearestName.edits(one, three) + NearestName.edits(three, two));
            assertThat(direct == 0).isEqualTo(one.equals(two));
        }
        assertThat(NearestName.edits("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestName.edits("", "abc")).isEqualTo(3);
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            word.append((char) ('a' + random.nextInt(2)));
        }
        return word.toString();
    }
}
