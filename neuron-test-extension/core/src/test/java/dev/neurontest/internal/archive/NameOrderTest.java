package dev.neurontest.internal.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameOrderTest {

    private static List<String> shuffled(List<String> names) {
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled, new Random(7));
        return shuffled;
    }

    @Test
    void comparesDigitsAsNumbersAndOtherCharactersAsBytes() {
        // given
        List<String> ordered = List.of(
                "Neuron",
                "neuron",
                "neuron0",
                "neuron2",
                "neuron02",
                "neuron2a",
                "neuron10",
                "neuron99999999999999999999",
                "neuron100000000000000000000",
                "neuron_core1",
                "neurön");

        // when
        List<String> sorted = shuffled(ordered);
        sorted.sort(NameOrder.NAMES);

        // then
        assertThat(sorted)
                .containsExactly(
                        "Neuron",
                        "neuron",
                        "neuron0",
                        "neuron02",
                        "neuron2",
                        "neuron2a",
                        "neuron10",
                        "neuron99999999999999999999",
                        "neuron100000000000000000000",
                        "neuron_core1",
                        "neurön");
    }

    @Test
    void putsDirectoryBeforeItsContents() {
        // given
        List<String> ordered =
                List.of("dev", "sys/a", "sys/a/b", "sys/a/b/c", "sys/a-b", "sys/neuron2/z", "sys/neuron10/a");

        // when
        List<String> sorted = shuffled(ordered);
        sorted.sort(NameOrder.PATHS);

        // then
        assertThat(sorted).containsExactlyElementsOf(ordered);
    }
}
