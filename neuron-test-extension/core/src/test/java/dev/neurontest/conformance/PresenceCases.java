package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.fake.FakeDevice;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cases for a device that disappears and returns. */
abstract class PresenceCases implements Cases {

    private FakeDevice device;

    @BeforeEach
    void chooseDevice() {
        host().needs(Ability.SCRIPT);
        device = host().device();
    }

    @AfterEach
    void restore() {
        if (host().can(Ability.SCRIPT)) {
            device.restore();
            host().published();
        }
    }

    private List<String> namesIn(String directory) throws IOException {
        return host().tree().list(directory);
    }

    @Test
    void disappearsAndReappearsInAllDirectories() throws IOException {
        String name = device.toString();

        device.remove();
        host().published();

        for (String directory : new String[] {Facts.DEVICES, Facts.CLASS, "dev"}) {
            assertThat(namesIn(directory)).as(directory).doesNotContain(name);
        }
        assertThatThrownBy(() -> host().read(host().path(name, "info/architecture/arch_type")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> host().read(Facts.CLASS + "/" + name + "/info/architecture/arch_type"))
                .isInstanceOf(NoSuchFileException.class);
        device.restore();
        host().published();
        for (String directory : new String[] {Facts.DEVICES, Facts.CLASS, "dev"}) {
            assertThat(namesIn(directory)).as(directory).contains(name);
        }
    }

    @Test
    void removalKeepsOtherDevices() throws IOException {
        device.remove();
        host().published();

        for (FakeDevice other : host().fake().devices()) {
            if (other != device) {
                assertThat(host().read(host().path(other, "core_count"))).isNotEmpty();
            }
        }
    }

    @Test
    void removalFailsPreparedReadsUntilRestore() {
        String file = host().path(device.core(0), "stats/status/success/total");
        HostTree.Batch batch = host().tree().prepare(List.of(file));
        assertThat(readings(batch)).singleElement().isInstanceOf(String.class);

        device.remove();
        host().published();

        assertThat(readings(batch)).singleElement().isInstanceOf(IOException.class);
        device.restore();
        host().published();
        assertThat(readings(batch)).singleElement().isInstanceOf(String.class);
    }

    private static List<Object> readings(HostTree.Batch batch) {
        List<Object> readings = new ArrayList<>();
        batch.read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                readings.add(new String(buffer, 0, length, StandardCharsets.UTF_8));
            }

            @Override
            public void failed(int index, IOException cause) {
                readings.add(cause);
            }
        });
        return readings;
    }

    @Test
    void removalFailsOpenDescriptors() throws Exception {
        String file = host().path(device.core(0), "stats/status/success/total");
        try (Access.Open open = host().access().open(file)) {
            String before = open.read();
            device.remove();
            host().published();
            host().needs(Ability.KEPT_OPEN, () -> assertThat(open.read()).isEqualTo(before));

            assertThatThrownBy(open::read).isInstanceOf(IOException.class).hasMessageContaining("No such device");
        }
    }

    @Test
    void keepsCountsAfterRestore() throws IOException {
        String counter = host().path(device.core(0), "stats/other_info/model_load_count/total");
        try (FakeProcess process = host().fake().openProcess(device.core(0))) {
            process.load(device.core(0), 4096);
        }
        host().published();
        String before = host().read(counter);

        device.remove();
        host().published();
        device.restore();

        host().shows(before, () -> host().read(counter));
        assertThat(before).isNotEqualTo("0\n");
    }

    @Test
    void continuesCountingAfterRestore() throws IOException {
        String counter = host().path(device.core(0), "stats/memory_usage/device_mem/tensors/total");
        device.remove();
        host().published();
        device.restore();
        host().published();
        String before = host().read(counter);

        try (FakeProcess process = host().fake().openProcess(device.core(0))) {
            process.allocate(device.core(0), "tensors", 4096);

            host().shows((Long.parseLong(before.strip()) + 4096) + "\n", () -> host().read(counter));
        }
    }
}
