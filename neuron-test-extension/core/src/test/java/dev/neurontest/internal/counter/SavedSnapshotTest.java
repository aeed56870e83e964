package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import java.math.BigInteger;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavedSnapshotTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Counter TIMEOUT = new Counter(CounterPlace.ofCore(0, 1), "status/timeout", CounterField.TOTAL);
    private static final Counter ECC =
            new Counter(CounterPlace.ofDevice(0), "hardware/mem_ecc_uncorrected", CounterField.VALUE);
    private static final Counter LAST_CHANGE =
            new Counter(CounterPlace.ofCore(0, 1), "status/timeout", CounterField.PRESENT);

    private static SavedSnapshot snapshot(Map<Counter, String> values) {
        return snapshot("/", "2.30.2.0", NOON, values);
    }

    private static SavedSnapshot snapshot(String host, String driver, Instant taken, Map<Counter, String> values) {
        Map<Counter, BigInteger> numbers = new LinkedHashMap<>();
        values.forEach((counter, value) -> numbers.put(counter, new BigInteger(value)));
        return new SavedSnapshot(host, "trn1.2xlarge", driver, taken, numbers, List.of());
    }

    @Test
    void isReadBackUnchanged() {
        // given
        SavedSnapshot written = new SavedSnapshot(
                "/",
                "trn1.2xlarge",
                "2.30.2.0",
                NOON,
                Map.of(TIMEOUT, new BigInteger("18446744073709551615"), ECC, BigInteger.ZERO),
                List.of("neuron1 is \"gone\""));

        // when
        SavedSnapshot read = SavedSnapshot.parse(written.toJson());

        // then
        assertThat(read).isEqualTo(written);
    }

    @Test
    void groupsCountersByPlaceAndFile() {
        // then
        assertThat(snapshot(Map.of(TIMEOUT, "3")).toJson())
                .isEqualTo(
                        "{\"version\":1,\"kind\":\"neuron-counter-snapshot\",\"host\":\"/\",\"instance\":\"trn1.2xlarge\","
                                + "\"driver\":\"2.30.2.0\",\"taken\":\"2026-11-21T12:00:00Z\","
                                + "\"counters\":{\"neuron0/neuron_core1\":{\"status/timeout/total\":3}},\"unreadable\":[]}\n");
    }

    @Test
    void listsChangedCounters() {
        // given
        SavedSnapshot before = snapshot(Map.of(TIMEOUT, "1", ECC, "0"));
        SavedSnapshot after = snapshot("/", "2.30.2.0", NOON.plusSeconds(60), Map.of(TIMEOUT, "4", ECC, "0"));

        // then
        assertThat(before.compare(after)).isEqualTo("""
                        Counters of / from 2026-11-21T12:00:00Z to 2026-11-21T12:01:00Z

                        counter                              before  after  delta
                        neuron0/neuron_core1 status/timeout       1      4     +3
                        """);
    }

    @Test
    void omitsLastChangeOfCounterFromComparison() {
        // given
        SavedSnapshot before = snapshot(Map.of(LAST_CHANGE, "1"));

        // then
        assertThat(before.compare(snapshot(Map.of(LAST_CHANGE, "3")))).contains("No counter changed.");
    }

    @Test
    void comparesCountersRenamedBetweenDrivers() {
        // given
        CounterPlace core = CounterPlace.ofCore(0, 1);
        Counter documented = new Counter(core, "status/infer_failed_to_queue", CounterField.TOTAL);
        Counter real = new Counter(core, "status/execute_failed_to_queue", CounterField.TOTAL);

        // when
        String compared =
                snapshot("/", "2.7.15.0", NOON, Map.of(documented, "1")).compare(snapshot(Map.of(real, "4")));

        // then
        assertThat(compared)
                .contains("neuron0/neuron_core1 status/execute_failed_to_queue       1      4     +3")
                .doesNotContain("only in the first");
    }

    @Test
    void reportsUnreadableCounters() {
        // given
        SavedSnapshot before = new SavedSnapshot("/", "", "", NOON, Map.of(), List.of("No status counter was found."));

        // then
        assertThat(before.compare(before)).contains("No counter changed.", "No status counter was found.");
    }

    @Test
    void detectsClearedCounter() {
        // given
        SavedSnapshot before = snapshot(Map.of(TIMEOUT, "10"));

        // then
        assertThat(before.compare(snapshot(Map.of(TIMEOUT, "2")))).contains("at least +2  ");
    }

    @Test
    void warnsWhenHostsDriversOrTimesDiffer() {
        // given
        SavedSnapshot before = snapshot(Map.of(TIMEOUT, "1"));
        SavedSnapshot other = snapshot("root:/tmp/a", "2.29.0.0", NOON.minusSeconds(1), Map.of(ECC, "1"));

        // then
        assertThat(before.compare(other))
                .contains("They are of different hosts, / (trn1.2xlarge) and root:/tmp/a (trn1.2xlarge)")
                .contains("The driver changed from 2.30.2.0 to 2.29.0.0")
                .contains("The first was taken after the second")
                .contains("1 counter only in the first, 1 only in the second");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"version": 2, "kind": "neuron-counter-snapshot"} | is of version 2, but this reader supports 1: use the version that wrote it
                    {"version": 1, "kind": "other"}    | is of kind "other", expected "neuron-counter-snapshot"
                    {"version": 1}                     | line 1: has no "kind", expected an object with that member
                    {"version": 1, "kind": "neuron-counter-snapshot", "counters": {}} | line 1: has no "host", expected an object with that member
                    {"version": 1, "kind": "neuron-counter-snapshot", "counters": {"neuron0": {"a/total": "1"}}} | line 1, /counters/neuron0/a~1total: is "1", expected a whole number of 64 bits
                    []                                                | line 1: is an array, expected an object
                    """)
    void refusesInvalidFileWithReason(String json, String problem) {
        // then
        assertThatThrownBy(() -> SavedSnapshot.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    neuron0/neuron_core1 | cpu0 | "cpu0" is not a place, expected neuronN or neuronN/neuron_coreN
                    :3                   | :-3  | status/timeout/total of neuron0/neuron_core1 is -3, expected a number that is not negative
                    """)
    void refusesAnImpossibleCounter(String written, String instead, String problem) {
        // given
        String json = snapshot(Map.of(TIMEOUT, "3")).toJson().replace(written, instead);

        // then
        assertThatThrownBy(() -> SavedSnapshot.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }

    @Test
    void refusesTruncatedFile() {
        // given
        String json = snapshot(Map.of(TIMEOUT, "3")).toJson();

        // then
        assertThatThrownBy(() -> SavedSnapshot.parse(json.substring(0, json.length() / 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 1: breaks off, expected a whole JSON object");
        assertThatThrownBy(() -> SavedSnapshot.parse("{"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("line 1: breaks off, expected a whole JSON object");
    }
}
