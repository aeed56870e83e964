package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterPlace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a test of this build leased it        | BertTest > infers() (pid 7) on neuron0/neuron_core1               | true",
                "with another core                     | BertTest > infers() (pid 7) on neuron0/neuron_core0, neuron0/neuron_core1 | true",
                "as a part of a logical core           | T > a() (pid 7) on core 0 (neuron0/neuron_core0, neuron0/neuron_core1) | true",
                "with a name like a lease              | T > a() (pid 8) on b (pid 7) on neuron0/neuron_core1              | true",
                "a test of this build, and of another  | T > a() (pid 7) on neuron0/neuron_core1; T > b() (pid 8) on neuron0/neuron_core1 | false",
                "another build on the core             | T > b() (pid 8) on neuron0/neuron_core1                           | false",
                "another build on another core         | T > a() (pid 7) on neuron0/neuron_core1; T > b() (pid 8) on neuron0/neuron_core0 | true",
                "another core                          | T > a() (pid 7) on neuron0/neuron_core0                           | false",
                "a core with a longer number           | T > a() (pid 7) on neuron0/neuron_core11                          | false",
                "another device                        | T > a() (pid 7) on neuron1/neuron_core1                           | false",
                "a process without a lease             | T > a() (pid 7) on neuron0/neuron_core1; python3 (pid 9) on neuron0 | false",
                "an unknown process                    | T > a() (pid 7) on neuron0/neuron_core1; a process with an unknown name | false",
                "a process with the name of a lease    | x (pid 7) on neuron0/neuron_core1 (pid 9) on neuron0              | false"
            })
    void coreIsUsedByThisRunOnlyIfLeasedByIt(String situation, String names, boolean isUsed) {
        // given
        ConcurrentUsers users = new ConcurrentUsers(
                List.of(names.split("; ")),
                name -> name + ", left by T > a > [1] neuron0/neuron_core0",
                process -> process == 7);

        // then
        assertThat(users.isUsedByThisRun(CounterPlace.ofCore(0, 1)))
                .as(situation)
                .isEqualTo(isUsed);
    }
}
