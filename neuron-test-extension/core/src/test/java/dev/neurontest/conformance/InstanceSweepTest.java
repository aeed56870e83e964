package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.conformance.Facts.Instance;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.device.runtime.CollectiveGroups;
import dev.neurontest.internal.platform.InProcessFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every machine of the facts is discovered correctly with the newest driver for it. */
class InstanceSweepTest {

    static List<String> types() {
        return Facts.instances().stream().map(Instance::name).toList();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyTypeIsDiscoveredAsInFacts(String name) {
        Instance type = Facts.instance(name).orElseThrow();
        try (FakeNeuronHost fake = FakeNeuronHost.builder().instance(name).start()) {
            // when
            NeuronHost found = NeuronHost.discover(InProcessFixture.tree(fake));

            // then
            assertThat(found.notices()).isEmpty();
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
            assertThat(order(found))
                    .as("in the order of the runtime")
                    .containsExactlyElementsOf(inOrder(found, type.coreMap(fake.driverVersion())));
        }
    }

    /** Verifies the groups of each type. The facts lack the groups of 4 that Trn1 has since runtime 2.23.110. */
    @ParameterizedTest
    @MethodSource("types")
    void everyTypeHasCollectiveGroupsOfFacts(String name) {
        Instance type = Facts.instance(name).orElseThrow();
        List<Integer> sizes = new ArrayList<>(type.collectiveGroupSizes());
        if (type.family().equals("Trn1") && type.devices() > 1) {
            sizes.add(4);
        }
        try (FakeNeuronHost fake = FakeNeuronHost.builder().instance(name).start()) {
            NeuronHost found = NeuronHost.discover(InProcessFixture.tree(fake));

            assertThat(CollectiveGroups.of(found).sizes()).containsExactlyInAnyOrderElementsOf(sizes);
        }
    }

    private static List<String> order(NeuronHost found) {
        return found.cores().stream()
                .flatMap(core -> core.physicalCores().stream())
                .map(String::valueOf)
                .toList();
    }

    private static List<String> inOrder(NeuronHost found, String coreMap) {
        return found.devices().stream()
                .flatMap(device -> Facts.cores(
                                coreMap, device.index(), device.physicalCores().size())
                        .stream()
                        .map(core -> device.name() + "/neuron_core" + core))
                .toList();
    }

    @ParameterizedTest(name = "{0}@{1} node {2} of {3}: {4}")
    @CsvSource({
        "trn2u.48xlarge, driver-2.27, 1, 4, seng-swap-flipped",
        "trn2u.48xlarge, driver-2.27, 2, 4, seng-swap",
        "trn2u.48xlarge, driver-2.27, 1, 2, seng-swap-flipped",
        "trn3p.48xlarge, driver-2.x, 3, 4, seng-swap-flipped",
        "trn2es.48xlarge, driver-2.30, 1, 4, seng-swap"
    })
    void secondServerOfUltraServerPairHasFlippedDies(String name, String layout, int node, int nodes, String coreMap) {
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance(name).layout(layout).start()) {
            fake.elect(node, nodes);

            NeuronHost found = NeuronHost.discover(InProcessFixture.tree(fake));

            assertThat(order(found)).isEqualTo(inOrder(found, coreMap));
        }
    }

    @Test
    void fakeHasExactlyTypesAndLayoutsOfFacts() {
        assertThat(FakeNeuronHost.instanceTypes()).containsExactlyElementsOf(types());
        assertThat(FakeNeuronHost.layouts())
                .containsExactlyElementsOf(Facts.layouts().stream()
                        .filter(layout -> !layout.isInvented())
                        .map(Facts.Layout::name)
                        .toList());
        assertThat(FakeNeuronHost.inventedLayouts())
                .containsExactlyElementsOf(Facts.layouts().stream()
                        .filter(Facts.Layout::isInvented)
                        .map(Facts.Layout::name)
                        .toList());
    }
}
