package dev.neurontest.device.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.RuntimeStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusLinesTest {

    private final StatusLines lines = new StatusLines();

    private List<Integer> codes() {
        return lines.statuses().stream().map(RuntimeStatus::code).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "NRT_EXEC_HW_ERR_NC_UE | 1202",
                "E0101 execution failed: NRT_TIMEOUT(5) on core 3 | 5",
                "RuntimeError: nrt_tensor_allocate status=4 message=\"Allocation Failure\" | 4",
                "Execute failed: nrt_execute: status=1004, error message=\"Execution was completed with other errors\". | 1004",
                "error message \"\"; nrt status code 1004, details \"\" | 1004",
                "2021-Nov-01 06:02:18.0992 13660:14125 ERROR  NMGR:dlr_infer    Inference completed with err: 1004 | 1004",
                "1: [NRTD:infer_wait] error: 1006 | 1006",
                "{\"nrt\": true, \"status_code\": 1202} | 1202",
                "worker 3: status=1202 | 1202",
                "NRT_STATUS 4711 | 4711",
                "ERROR   TDRV:exec_consume   status: 4711 | 4711",
                "NRTD response code 'NERR_RESOURCE_NC' (9), NRT_LOAD_NOT_ENOUGH_NC | 9",
                "2026-May-10 06:59:24.358064 16842:16842 ERROR   NRT:nrt_allocate_neuron_cores                   Logical Neuron Core(s) not available - Requested:2 Available:0 Logical Core size 1 | 1",
                "ERROR NRT:nrt_allocate_neuron_cores   Logical Neuron Core(s) not available - Requested:lnc1-lnc1 Available:0 Logical Core size:2 (cores busy, ret=-16) | 1",
                "NeuronCore(s) not available - Requested:1 Available:0 | 1",
            })
    void findsTheStatusInALine(String line, int code) {
        // when
        lines.read(line);

        // then
        assertThat(codes()).containsExactly(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INFO 127.0.0.1 \"GET /health\" status=200",
                "neuronx-cc terminated with exit status 1",
                "grpc status code 13",
                "NRT: exit status 1",
                "HTTP status 404",
                "status: running",
                "ERROR NRT:nrt_close  Unexpected runtime state: NRT_STATE_START",
                "nrt_execute returned NRT_SUCCESS, status=0",
                "Timeout polling for async exec completion on nc 3 (waited 2 minutes)",
                "status=9999",
                "12 errors",
                "",
            })
    void findsNothingInOtherLines(String line) {
        // when
        lines.read(line);

        // then
        assertThat(codes()).isEmpty();
        assertThat(lines.taken()).isEmpty();
    }

    @Test
    void tellsEachStatusOnceInTheOrderOfTheLines() {
        // when
        lines.read("NRT_TIMEOUT");
        lines.read("nrt_execute status=1202, then NRT_TIMEOUT");
        lines.read("NRT_EXEC_HW_ERR_NC_UE");
        lines.read("NRT_FAILURE");

        // then
        assertThat(codes()).containsExactly(5, 1202, 1);
    }

    @Test
    void keepsWhatTheRuntimeSaidOfTakenCores() {
        // when
        lines.read(
                "x ERROR   NRT:nrt_allocate_neuron_cores   Logical Neuron Core(s) not available - Requested:2 Available:0\n");
        lines.read("Neuron Core(s) not available - Requested:4 Available:0\n");

        // then
        assertThat(lines.taken()).contains("Neuron Core(s) not available - Requested:2 Available:0");
    }

    @Test
    void isBounded() {
        // when
        for (int code = 2000; code < 9000; code++) {
            lines.read("NRT status=" + code);
        }

        // then
        assertThat(codes()).hasSize(30).startsWith(2000, 2001);
    }

    @ParameterizedTest
    @CsvSource({"178,1202", "181,1205", "234,1002", "238,1006", "182,1206"})
    void knowsWhatIsLeftOfALargeStatusInAnExitCode(int exitCode, int status) {
        // then
        assertThat(StatusLines.ofExitCode(exitCode)).contains(RuntimeStatus.of(status));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 6, 101, 134, 137, 143, 239, 255})
    void readsNothingElseIntoExitCodes(int exitCode) {
        // then
        assertThat(StatusLines.ofExitCode(exitCode)).isEmpty();
    }
}
