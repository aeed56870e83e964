package dev.neurontest.counter;

import static dev.neurontest.device.HostFixture.Kind.TRN1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.host.Pipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a pipe in place of an attribute, which blocks its reader forever. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class SilentCounterTest {

    private static final String DEVICE = "sys/devices/virtual/neuron_device/neuron0/";

    @TempDir
    Path root;

    private HostFixture host() {
        return new HostFixture(root)
                .devices(TRN1, 0)
                .sysfs("neuron0/stats/hardware/mem_ecc_uncorrected", "0\n")
                .sysfs("neuron0/neuron_core0/stats/status/hw_error/total", "0\n")
                .sysfs("neuron0/neuron_core1/stats/status/hw_error/total", "0\n");
    }

    private String pipe(String file) throws IOException {
        Path path = root.resolve(DEVICE + file);
        Files.delete(path);
        return Pipes.make(path).toRealPath().toString();
    }

    @Test
    void pipeIsReportedUnreadable() throws IOException {
        // given
        HostFixture fixture = host();
        String pipe = pipe("neuron_core1/stats/status/hw_error/total");
        NeuronHost host = fixture.host();

        // when
        CounterSnapshot snapshot = CounterSnapshot.of(new CounterScopes(host).wholeHost());

        // then
        assertThat(snapshot.unreadable())
                .singleElement()
                .satisfies(unreadable -> assertThat(unreadable)
                        .isInstanceOf(NeuronSysfsException.class)
                        .hasMessage(pipe + " could not be read: it is not a regular file, and reading it does not end."
                                + " See what is there (ls -l) and what the kernel reports (dmesg)."));
    }

    @Test
    void pipeDoesNotPreventDiscovery() throws IOException {
        // given
        HostFixture fixture = host();
        String pipe = pipe("info/architecture/arch_type");

        // when
        NeuronHost host = fixture.host();

        // then
        assertThat(host.devices()).hasSize(1);
        assertThat(host.notices()).singleElement().asString().contains(pipe, "not a regular file");
    }
}
