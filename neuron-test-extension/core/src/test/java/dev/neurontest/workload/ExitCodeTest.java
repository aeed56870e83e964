package dev.neurontest.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitCodeTest {

    @Test
    void namesItsSignal() {
        // then
        assertThat(new ExitCode(137)).hasToString("exit code 137 (128 + 9: SIGKILL)");
        assertThat(new ExitCode(134).signal()).contains("SIGABRT");
    }

    @Test
    void namesNoSignalForOrdinaryNumber() {
        // then
        assertThat(new ExitCode(3)).hasToString("exit code 3");
        assertThat(new ExitCode(128)).hasToString("exit code 128");
        assertThat(new ExitCode(178)).hasToString("exit code 178");
        assertThat(new ExitCode(0).isZero()).isTrue();
        assertThat(new ExitCode(3).isZero()).isFalse();
    }
}
