package dev.neurontest.internal.counter.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.device.CounterKind;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterScopesTest {

    private static final String ODD = "stats/hardware/odd";

    private final TreeFixture tree = TreeFixture.host(3, 2);

    private CounterScope wholeHost() {
        return new CounterScopes(NeuronHost.discover(tree)).wholeHost();
    }

    private Stream<CounterPlace> withCounter(String path) {
        return wholeHost().sections().stream()
                .filter(section -> section.row(path) != null)
                .map(CounterScope.Section::place);
    }

    /** Returns the paths of the counters, without those of present and peak files. */
    private static List<String> paths(CounterScope scope) {
        return IntStream.range(0, scope.size())
                .mapToObj(scope::counter)
                .filter(counter -> counter.field() == CounterField.TOTAL || counter.field() == CounterField.VALUE)
                .map(Counter::path)
                .toList();
    }

    @Test
    void shareLayoutBetweenPlacesWithSameFiles() {
        // when
        List<CounterScope.Section> sections = wholeHost().sections();

        // then
        assertThat(sections).hasSize(9);
        assertThat(sections.stream().map(CounterScope.Section::layout).distinct())
                .hasSize(2);
        assertThat(sections).allSatisfy(section -> assertThat(section.doubt()).isEmpty());
        assertThat(sections)
                .extracting(CounterScope.Section::directory)
                .doesNotHaveDuplicates()
                .allSatisfy(directory -> assertThat(directory).startsWith(TreeFixture.DEVICES));
    }

    @Test
    void findErrorCountersWithoutAnotherSearch() {
        // given
        NeuronHost host = NeuronHost.discover(tree);
        CounterScopes scopes = new CounterScopes(host);
        CounterScope all = scopes.wholeHost();
        List<String> searched = new ArrayList<>();
        tree.onListing(TreeFixture.DEVICES + "neuron0/stats/hardware", () -> searched.add("neuron0"));

        // when
        CounterScope errors = scopes.errors().wholeHost();

        // then
        assertThat(searched).isEmpty();
        assertThat(errors.sections()).hasSameSizeAs(all.sections());
        assertThat(paths(errors))
                .isEqualTo(paths(all).stream().filter(CounterKind::isError).toList());
        assertThat(CounterSnapshot.of(errors).errors())
                .isNotEmpty()
                .isEqualTo(CounterSnapshot.of(all).errors());
    }

    @Test
    void findAdditionalCounterOfOneCore() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron1/neuron_core1/stats/status/new_error/total", "0\n");

        // then
        assertThat(withCounter("status/new_error")).containsExactly(CounterPlace.ofCore(1, 1));
    }

    @Test
    void findNewCountersAndKeepThoseOfRemovedDevice() {
        // given
        CounterScopes scopes = new CounterScopes(NeuronHost.discover(tree));
        CounterScope first = scopes.wholeHost();
        assertThat(scopes.wholeHost()).isSameAs(first);

        // when
        tree.set(TreeFixture.DEVICES + "neuron1/neuron_core1/stats/status/new_error/total", "0\n");
        CounterScope later = scopes.wholeHost();
        tree.remove(TreeFixture.DEVICES + "neuron1/").set(TreeFixture.DEVICES + "neuron9/core_count", "2\n");

        // then
        assertThat(later.sections()).anyMatch(section -> section.row("status/new_error") != null);
        assertThat(scopes.wholeHost()).isSameAs(later);
        SortedMap<String, String> identities = later.identities();
        scopes.addIdentities(identities);
        assertThat(identities.keySet())
                .containsExactly(
                        TreeFixture.DEVICES + "neuron0",
                        TreeFixture.DEVICES + "neuron2",
                        TreeFixture.DEVICES + "neuron9",
                        "sys/module/neuron");
    }

    @Test
    void readFileWithUnknownNameToClassifyIt() {
        // given a text at the first device and a number at the second
        tree.set(TreeFixture.DEVICES + "neuron0/" + ODD, "none\n")
                .set(TreeFixture.DEVICES + "neuron1/" + ODD, "5\n")
                .set(TreeFixture.DEVICES + "neuron2/" + ODD, "none\n");

        // then
        assertThat(withCounter("hardware/odd")).containsExactly(CounterPlace.ofDevice(1));
    }

    @Test
    void findErrorCounterInAGroupThatOnlyOneDeviceHas() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron1/stats/hardware/new/mem_ecc_uncorrected_hbm", "0\n");

        // then
        assertThat(wholeHost().sections().stream()
                        .filter(section -> section.rows().stream()
                                .anyMatch(row -> row.path().endsWith("mem_ecc_uncorrected_hbm")))
                        .map(CounterScope.Section::place))
                .containsExactly(CounterPlace.ofDevice(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status/oob_error", "memory_usage/device_mem"})
    void keepFileThatALaterCoreLacksAsUnreadable(String counter) {
        // given
        String file = "neuron1/neuron_core0/stats/" + counter + "/total";
        tree.set(TreeFixture.DEVICES + file.replace("/total", "/present"), "0\n")
                .remove(TreeFixture.DEVICES + file);

        // when
        CounterScope scope = wholeHost();

        // then either the scope is in doubt, or its reading fails
        List<String> problems = new ArrayList<>(scope.doubts());
        CounterSnapshot.of(scope).unreadable().forEach(failure -> problems.add(failure.getMessage()));
        assertThat(problems).singleElement().asString().contains("neuron1/neuron_core0");
    }

    @Test
    void doubtCoreFoundAtTwoPlaces() {
        // given the same files, with two for one core
        tree.set(TreeFixture.DEVICES + "neuron1/other/neuron_core0/stats/status/hw_error/total", "0\n");

        // then
        assertThat(wholeHost().doubts())
                .singleElement()
                .asString()
                .contains("One core must have one place, but neuron_core0 is at", "neuron1/other/neuron_core0");
    }
}
