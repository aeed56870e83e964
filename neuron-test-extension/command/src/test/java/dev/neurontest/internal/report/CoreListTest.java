package dev.neurontest.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CoreListTest {

    private static List<String> cores(String host, int count) {
        return IntStream.range(0, count)
                .mapToObj(core -> host + "neuron0/neuron_core" + core)
                .toList();
    }

    @Test
    void coresOfHostOfJvmAreListed() {
        assertThat(CoreList.of(cores("", 2))).isEqualTo("neuron0/neuron_core0, neuron0/neuron_core1");
        assertThat(CoreList.of(cores("", 5))).endsWith("neuron0/neuron_core4");
        assertThat(CoreList.of(List.of())).isEmpty();
    }

    @Test
    void coresOfClusterAreGroupedByHost() {
        assertThat(CoreList.of(Stream.concat(cores("n1:", 1).stream(), cores("n2:", 2).stream())
                        .toList()))
                .isEqualTo("n1 (neuron0/neuron_core0), n2 (neuron0/neuron_core0, neuron0/neuron_core1)");
    }

    @Test
    void manyCoresOfHostAreCounted() {
        assertThat(CoreList.of(Stream.concat(cores("n1:", 32).stream(), cores("n2:", 4).stream())
                        .toList()))
                .startsWith("n1 (32 cores), n2 (neuron0/neuron_core0, ");
    }

    @Test
    void manyHostsAreCounted() {
        List<String> all = IntStream.rangeClosed(1, 64)
                .mapToObj(host -> cores("n" + host + ":", 32))
                .flatMap(List::stream)
                .toList();

        assertThat(CoreList.of(all)).endsWith("n8 (32 cores), 56 more hosts (1792 cores)");
    }

    @Test
    void addressOfHostMayHaveColons() {
        assertThat(CoreList.of(cores("fd00::7:", 5))).isEqualTo("fd00::7 (5 cores)");
    }
}
