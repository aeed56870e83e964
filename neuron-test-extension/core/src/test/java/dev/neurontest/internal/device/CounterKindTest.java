package dev.neurontest.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterKindTest {

    @ParameterizedTest
    @CsvSource({
        "status/success, STATUS, false, false",
        "status/timeout, STATUS, true, false",
        "status/hw_hbm_ue_error, STATUS, true, true",
        "status/hw_error_of_tomorrow, STATUS, true, true",
        "status/hw_collectives_error, STATUS, true, false",
        "other_info/inference_count, EXECUTION, false, false",
        "other_info/reset_req_count, RESET, false, false",
        "other_info/reset_fail_count, RESET, true, false",
        "memory_usage/device_mem, MEMORY, false, false",
        "hardware/mem_ecc_corrected, ECC, false, false",
        "hardware/mem_ecc_uncorrected, ECC, true, true",
        "hardware/sram_ecc_uncorrectable, ECC, true, true",
        "hardware/health_status/sram_ecc_uncorrected, OTHER, false, false",
        "hardware/health_status/hw_error_event, OTHER, false, false",
        "thermal/throttled, OTHER, false, false"
    })
    void classifiesCounterAndWhetherItIsError(String path, CounterKind kind, boolean isError, boolean isOfHardware) {
        assertThat(CounterKind.of(path)).isEqualTo(kind);
        assertThat(CounterKind.isError(path)).isEqualTo(isError);
        assertThat(CounterKind.isHardwareError(path)).isEqualTo(isOfHardware);
        assertThat(CounterKind.isNeeded(path)).isEqualTo(isError && kind != CounterKind.RESET);
    }

    @ParameterizedTest
    @CsvSource({
        "hardware/mem_ecc_repairable_uncorrected, true, false, false",
        "hardware/mem_ecc_uncorrected, false, false, false",
        "status/execute_sw_psum_collision, false, true, false",
        "status/execute_sw_nq_overflow, false, false, false",
        "hardware/health_status/hw_error_event, false, false, true"
    })
    void distinguishesRepairableProgramAndEventErrors(
            String path, boolean repairable, boolean ofProgram, boolean event) {
        assertThat(CounterKind.isRepairable(path)).isEqualTo(repairable);
        assertThat(CounterKind.isProgramError(path)).isEqualTo(ofProgram);
        assertThat(CounterKind.isHardwareEvent(path)).isEqualTo(event);
    }
}
