package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.platform.InProcessFixture;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every machine of the facts, with the newest driver that drives it, is discovered as what it is. */
class InstanceSweepTest {

    static List<String> types() {
        return Facts.instances().stream().map(Instance::name).toList();
    }

    /** Inf1 lost its support in 2.25.4. */
    private static String newestLayout(Instance type) {
        return type.family().equals("Inf1") ? "driver-2.x" : "driver-2.30";
    }

    @ParameterizedTest
    @MethodSource("types")
    void isDiscoveredAsWhatItIs(String name) {
        Instance type = Facts.instance(name).orElseThrow();
        try (FakeNeuronHost fake = FakeNeuronHost.builder()
                .instance(name)
                .layout(newestLayout(type))
                .start()) {
            // when
            NeuronHost found = NeuronHost.discover(InProcessFixture.tree(fake));

            // then
            DiscoveryCases.DiscoveredMachine.assertIs(type, found, true);
            assertThat(found.cores())
                    .extracting(core -> core.index())
                    .containsExactlyElementsOf(IntStream.range(0, type.devices() * type.logicalCoresPerDevice())
                            .boxed()
                            .toList());
            assertThat(found.cores().stream().flatMap(core -> core.physicalCores().stream()))
                    .as("physical cores, each in one logical core")
                    .hasSize(type.devices() * type.coresPerDevice())
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void theFakeHasEveryTypeAndLayoutOfTheFactsAndNoOther() {
        assertThat(FakeNeuronHost.instanceTypes()).containsExactlyElementsOf(types());
        assertThat(FakeNeuronHost.layouts())
                .containsExactlyElementsOf(
                        Facts.layouts().stream().map(Facts.Layout::name).toList());
    }
}
