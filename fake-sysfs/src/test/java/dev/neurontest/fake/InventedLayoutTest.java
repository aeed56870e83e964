package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.fake.HostFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.internal.control.CommandSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that scripts move the files of a given name in any layout. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.neurontest.fake.FactsFixture#inventedLayoutNames")
class InventedLayoutTest {

    private static final String CORE = "neuron0/neuron_core3/";
    private static final String DEVICE = "neuron0/";

    @Parameter
    private String layout = "";

    @TempDir
    private Path folder;

    private final ClockFixture clock = new ClockFixture("2026-11-23T09:00:00Z");

    @AutoClose
    private FakeNeuronHost host = FakeNeuronHost.builder().start();

    @BeforeEach
    void start() {
        host.close();
        host = FakeNeuronHost.builder()
                .instance("trn2.3xlarge")
                .layout(layout)
                .clock(clock)
                .resetDuration(Duration.ZERO)
                .start();
    }

    /** Returns the content of a file, given its path in driver 2.30. */
    private String shown(String file) throws IOException {
        String place = host.place(DEVICES + file);
        return read(host, place.substring(DEVICES.length())).strip();
    }

    private FakeCore core() {
        return host.core("neuron0/neuron_core3");
    }

    @Test
    void faultsAcceptDriver230PathsAndLayoutPaths() throws IOException {
        core().fault(Fault.statusRises("hw_error", 2)).close();
        assertThat(shown(CORE + "stats/status/hw_error/total")).isEqualTo("2");
        String file = "stats/memory_usage/device_mem/tensors/total";
        try (FakeFault garbage = core().fault(Fault.garbage(file, "0x10\n"))) {
            assertThat(garbage.triggered()).isFalse();
            assertThat(shown(CORE + file)).isEqualTo("0x10");
        }
        host.device(0).fault(Fault.ecc("mem_corrected", 4)).close();
        assertThat(shown(DEVICE + "stats/hardware/mem_ecc_corrected")).isEqualTo("4");
        String place = host.place("sys/class/neuron_device/neuron0/stats/power/utilization");
        try (FakeFault empty = host.fault(Fault.empty(place))) {
            assertThat(shown(DEVICE + "stats/power/utilization")).isEmpty();
            assertThat(empty.triggered()).isTrue();
        }
    }

    @Test
    void commandsAcceptDriver230Paths() {
        try (CommandSession session = host.openSession()) {
            String file = DEVICES + CORE + "stats/status/success/total";
            assertThat(session.answer("get " + file)).isEqualTo("ok 0\\n");
            assertThat(session.answer("fault " + file + " garbage 0x2a")).isEqualTo("ok");
            assertThat(session.answer("get /" + host.place(file))).isEqualTo("ok 0x2a");
            assertThat(session.answer("ecc neuron0 mem_corrected 3")).isEqualTo("ok");
            assertThat(session.answer("get " + DEVICES + "neuron0/stats/hardware/mem_ecc_corrected"))
                    .isEqualTo("ok 3\\n");
        }
    }

    @Test
    void driver230PathsAreAbsentFromTheTree() {
        assertThatThrownBy(() -> read(host, CORE + "stats/memory_usage/device_mem/total"))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void replayedRecordingKeepsTheLayout() throws Exception {
        Path file = folder.resolve("moved.neuron-archive.txt");
        core().fault(Fault.statusRises("hw_error", 2)).close();
        RecordingFixture.record(host, file);

        try (FakeNeuronHost replayed = FakeNeuronHost.builder().recording(file).start()) {
            assertThat(replayed.layout()).isEqualTo(layout);
            assertThat(replayed.driverVersion()).isEqualTo(host.driverVersion()).startsWith("2.99.");
            replayed.core("neuron0/neuron_core3")
                    .fault(Fault.statusRises("hw_error", 1))
                    .close();
            String total = replayed.place(DEVICES + CORE + "stats/status/hw_error/total");
            assertThat(new String(replayed.tree().read(total), StandardCharsets.UTF_8))
                    .isEqualTo("3\n");
        }
    }

    @Test
    void recordingOfNewerDriverUsesNewestRealLayout() throws Exception {
        Path file = folder.resolve("newer.neuron-archive.txt");
        try (FakeNeuronHost newest = FakeNeuronHost.builder().start()) {
            RecordingFixture.record(newest, file);
        }
        for (String version : new String[] {"2.31.7.0", "2.99.7.0", "2.x.7693.0"}) {
            Files.writeString(file, Files.readString(file).replaceAll("(version 0444 = )[0-9.x]+", "$1" + version));
            try (FakeNeuronHost newer = FakeNeuronHost.builder().recording(file).start()) {
                assertThat(newer.layout()).isEqualTo("driver-2.30");
            }
        }
    }

    @Test
    void driverMinorIs30() {
        assertThat(host.driverMinor()).isEqualTo(30);
    }
}
