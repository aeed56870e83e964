package dev.neurontest.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.fuzz.Fuzzing;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SavedSnapshotFuzzTest {

    private static final SavedSnapshot GENUINE = new SavedSnapshot(
            "/",
            "trn1.2xlarge",
            "2.30.2.0",
            Instant.parse("2026-11-21T12:00:00Z"),
            Map.of(
                    new Counter(CounterPlace.ofCore(0, 1), "status/timeout", CounterField.TOTAL),
                    new BigInteger("18446744073709551615"),
                    new Counter(CounterPlace.ofCore(0, 1), "memory_usage/device_mem/tensors", CounterField.PEAK),
                    BigInteger.TWO,
                    new Counter(CounterPlace.ofDevice(0), "hardware/mem_ecc_uncorrected", CounterField.VALUE),
                    BigInteger.ZERO),
            List.of("neuron1 is \"gone\""));
    private static final String WHOLE = GENUINE.toJson();

    @Test
    void acceptedInputSurvivesWritingAndReading() {
        Fuzzing.of(SavedSnapshotFuzzTest.class, "snapshot")
                .seeds(WHOLE)
                .words(
                        "\"neuron0\":{}",
                        "neuron00",
                        "/total",
                        "/present",
                        "+1000000000-12-31T23:59:59.999999999Z",
                        "\\ud83d")
                .refusing(IllegalArgumentException.class)
                .check(input -> SavedSnapshot.parse(new String(input, StandardCharsets.UTF_8)), (input, read) -> {
                    String text = new String(input, StandardCharsets.UTF_8);
                    assertThat(WHOLE.stripTrailing().startsWith(text) && !text.equals(WHOLE.stripTrailing()))
                            .as("the beginning of a file is no file")
                            .isFalse();
                    assertThat(SavedSnapshot.parse(read.toJson())).isEqualTo(read);
                    assertThat(read.compare(GENUINE)).isNotBlank();
                    assertThat(GENUINE.compare(read)).isNotBlank();
                });
    }
}
