package dev.neurontest.internal.counter.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.counter.CounterNameException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CounterNamesTest {

    private final CounterNames driver = new CounterNames(
            List.of(
                    "status/success",
                    "status/hw_error",
                    "status/oob_error",
                    "status/execute_failed_to_queue",
                    "other_info/inference_count",
                    "other_info/reset_req_count",
                    "memory_usage/host_mem",
                    "memory_usage/device_mem",
                    "memory_usage/device_mem/tensors",
                    "memory_usage/host_mem/tensors",
                    "hardware/mem_ecc_uncorrected"),
            "neuron0/neuron_core1");

    private final CounterNames documented =
            new CounterNames(List.of("status/infer_failed_to_queue", "other_info/reset_count"), "neuron0/neuron_core0");

    @ParameterizedTest
    @CsvSource({
        "inference_count, other_info/inference_count",
        "other_info/inference_count, other_info/inference_count",
        "stats/status/oob_error, status/oob_error",
        "/sys/devices/virtual/neuron_device/neuron0/neuron_core1/stats/status/oob_error/total, status/oob_error",
        "device_mem/tensors, memory_usage/device_mem/tensors",
        "device_mem, memory_usage/device_mem",
        "host_mem, memory_usage/host_mem",
        "mem_ecc_uncorrected, hardware/mem_ecc_uncorrected"
    })
    void resolvesPathOrItsLastParts(String name, String path) {
        assertThat(driver.resolve(name)).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource({
        "infer_failed_to_queue, status/execute_failed_to_queue",
        "status/infer_failed_to_queue, status/execute_failed_to_queue",
        "execute_failed_to_queue, status/execute_failed_to_queue",
        "reset_count, other_info/reset_req_count"
    })
    void resolvesDocumentedNameToDriverName(String name, String path) {
        assertThat(driver.resolve(name)).isEqualTo(path);
    }

    @ParameterizedTest
    @CsvSource({
        "execute_failed_to_queue, status/infer_failed_to_queue",
        "infer_failed_to_queue, status/infer_failed_to_queue",
        "reset_req_count, other_info/reset_count"
    })
    void resolvesDriverNameInDocumentedTree(String name, String path) {
        assertThat(documented.resolve(name)).isEqualTo(path);
    }

    @Test
    void prefersExistingNameOverAlias() {
        // given
        CounterNames both = new CounterNames(
                List.of("status/infer_failed_to_queue", "status/execute_failed_to_queue"), "neuron0/neuron_core0");

        // when, then
        assertThat(both.resolve("infer_failed_to_queue")).isEqualTo("status/infer_failed_to_queue");
        assertThat(both.resolve("execute_failed_to_queue")).isEqualTo("status/execute_failed_to_queue");
    }

    @Test
    void listsCandidatesOfAmbiguousName() {
        assertThatThrownBy(() -> driver.resolve("tensors"))
                .isInstanceOf(CounterNameException.class)
                .hasMessage(
                        "The counter name \"tensors\" is ambiguous, it could be memory_usage/device_mem/tensors or memory_usage/host_mem/tensors. Write one of these.");
    }

    @Test
    void suggestsNearestOfUnknownName() {
        // when
        CounterNameException unknown =
                catchThrowableOfType(CounterNameException.class, () -> driver.resolve("inference_cuont"));

        // then
        assertThat(unknown)
                .hasMessage(
                        "There is no counter \"inference_cuont\" among the 11 counters of neuron0/neuron_core1. Nearest: other_info/inference_count, other_info/reset_req_count, memory_usage/device_mem. Names are paths below stats or their last parts; they differ by driver (ls -R stats).");
        assertThat(unknown.name()).isEqualTo("inference_cuont");
        assertThat(unknown.candidates()).startsWith("other_info/inference_count");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "total", "error", "mem_ecc", "HW_ERROR", "status/", "hw_collectives_error"})
    void refusesInexactName(String name) {
        assertThatThrownBy(() -> driver.resolve(name)).isInstanceOf(CounterNameException.class);
    }

    @ParameterizedTest
    @CsvSource({"device_mem/present, total", "device_mem/tensors/peak, rule for peaks"})
    void refusesPresentOrPeakAndNamesAlternative(String name, String instead) {
        assertThatThrownBy(() -> driver.resolve(name))
                .isInstanceOf(CounterNameException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(instead);
    }
}
