package dev.neurontest.fake.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The order in which two programs must write alike. */
class NameOrderTest {

    @Test
    void numbersInNamesAreNumbers() {
        List<String> names = List.of(
                "",
                "0",
                "00",
                "1",
                "2",
                "10",
                "A",
                "a",
                "a1b",
                "a01c",
                "a2",
                "a2b",
                "a10",
                "a99999999999999999999999",
                "neuron",
                "neuron2",
                "neuron10",
                "neuron_core0",
                "é");
        List<String> shuffled = new ArrayList<>(names);
        Collections.reverse(shuffled);
        shuffled.sort(NameOrder.NAMES);
        assertThat(shuffled).isEqualTo(names);
    }

    @Test
    void directoryIsFollowedByWhatIsInIt() {
        List<String> paths = List.of("a", "a/b", "a/b2", "a/b2/c", "a/b10", "a-b");
        List<String> shuffled = new ArrayList<>(paths);
        Collections.reverse(shuffled);
        shuffled.sort(NameOrder.PATHS);
        assertThat(shuffled).isEqualTo(paths);
    }
}
