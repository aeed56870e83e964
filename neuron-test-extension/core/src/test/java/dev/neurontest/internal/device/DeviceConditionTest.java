package dev.neurontest.internal.device;

import static dev.neurontest.device.HostFixture.Kind.TRN1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceConditionTest {

    private static final String DEVICE = "sys/devices/virtual/neuron_device/neuron0";

    @TempDir
    Path root;

    private HostFixture fixture;

    @BeforeEach
    void host() {
        fixture = new HostFixture(root).devices(TRN1, 0);
    }

    private String condition() {
        return DeviceCondition.of(fixture.host().devices().get(0)).toString();
    }

    @Test
    void describesErrorsAndOwners() {
        // given
        fixture.file(DEVICE + "/reset", "2\n")
                .file(DEVICE + "/stats/hardware/mem_ecc_uncorrected", "3\n")
                .link("proc/1200/fd/7", "/dev/neuron0")
                .file("proc/1200/comm", "python\n");

        // then
        assertThat(condition())
                .isEqualTo(
                        "neuron0: reset failed; health unreported; ecc mem_ecc_uncorrected 3; open in python (pid 1200)");
    }

    @Test
    void showsTheReportOfHealth() {
        // given
        String health = DEVICE + "/stats/hardware/health_status/";
        fixture.file(DEVICE + "/reset", "1\n")
                .file(health + "unhealthy_components", "hbm,sram\n")
                .file(health + "healthcheck_heartbeat", "77\n")
                .file(health + "hw_error_event", "2\n");

        // then
        assertThat(condition()).contains("health unhealthy (hbm, sram), heartbeat 77, hw_error_event 2;");
    }

    @Test
    void reportsUnreadableReset() {
        // given
        fixture.file(DEVICE + "/reset", "1\n").failing(DEVICE + "/reset", new AccessDeniedException(DEVICE + "/reset"));

        // then
        assertThat(condition())
                .startsWith("neuron0: reset unreadable: ")
                .endsWith("open in no process that is visible");
    }
}
