package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterPlace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrentUsersTest {

    private static final List<CounterPlace> PLACES = List.of(CounterPlace.ofCore(1, 0), CounterPlace.ofDevice(2));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FooTest > bar() (pid 12) on neuron1/neuron_core1",
                "FooTest > bar() (pid 12) on core 9 (neuron0/neuron_core7, neuron2/neuron_core0)",
                "python3 (pid 4711) with /dev/neuron2",
                "python3 (pid 4711)"
            })
    void includesUsersOfDeviceAndThoseWithoutDevice(String name) {
        assertThat(new ConcurrentUsers(List.of(name)).on(PLACES)).containsExactly(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FooTest > bar() (pid 12) on neuron0/neuron_core1", "python3 (pid 4711) on neuron12"})
    void excludesUsersOfOtherDevices(String name) {
        assertThat(new ConcurrentUsers(List.of(name)).on(PLACES)).isEmpty();
    }

    @Test
    void includesNoUserWithoutPlaces() {
        assertThat(new ConcurrentUsers(List.of("a on neuron0")).on(List.of())).isEmpty();
    }

    @Test
    void namesEachUserOnce() {
        assertThat(new ConcurrentUsers(List.of("a", "b", "a")).on(PLACES)).containsExactly("a", "b");
    }

    @Test
    void namesFourUsersAndCountsOthers() {
        assertThat(ConcurrentUsers.named(List.of("a", "b", "c", "d"))).isEqualTo("a; b; c; d");
        assertThat(ConcurrentUsers.named(List.of("a", "b", "c", "d", "e", "f"))).isEqualTo("a; b; c; d and 2 more");
    }
}
