package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of settling after a test on files. */
class SettleTest {

    private static FakeNeuronHost host;
    private static Consumer<FakeCore> body;

    @TempDir
    private Path output;

    @NeuronTest
    static class Fixture {
        @Test
        void test(NeuronCore core) {
            body.accept(host.device(0).core(0));
        }
    }

    @BeforeEach
    void aHostOnFiles() {
        host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.30")
                .start();
    }

    @AfterEach
    void closeIt() {
        host.close();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).on("root:" + host.directory()).with("neuron.test.settle.timeout", "1 h");
    }

    private static long settlingMillis(NeuronTestKit kit) {
        List<RunEvent.Recorded> recorded = kit.events(RunEvent.Recorded.class);
        assertThat(recorded).hasSize(1);
        String text = String.valueOf(recorded.get(0).recording());
        return Long.parseLong(text.replaceFirst("(?s).*\"settlingMillis\":(\\d+).*", "$1"));
    }

    private static void executesAndCloses(FakeCore core, NrtStatus status) {
        try (FakeProcess process = host.openProcess(core)) {
            process.execute(core, status, 3);
        }
        host.awaitPublished();
    }

    @Test
    void waitsConfiguredInterval() {
        // given
        body = core -> executesAndCloses(core, NrtStatus.NRT_SUCCESS);
        NeuronTestKit kit = kit().with("neuron.test.settle.interval", "300 ms");

        // when
        kit.run(Fixture.class);

        // then
        assertThat(settlingMillis(kit))
                .isGreaterThanOrEqualTo(Duration.ofMillis(300).toMillis());
    }

    @Test
    void countsErrorsWhenProcessHasClosedDevices() {
        // given
        body = core -> executesAndCloses(core, NrtStatus.NRT_HW_ERROR);

        // when, then: its counts are included nevertheless
        assertThat(onlyFailure(kit().run(Fixture.class)))
                .hasMessageContainingAll("neuron0/neuron_core0 status/hw_error", "was +3");
    }

    @Test
    @Timeout(60)
    void waitsOneIntervalWhileDeviceIsOpen() {
        // given
        body = core -> host.openProcess(core).execute(core, NrtStatus.NRT_SUCCESS, 3);
        NeuronTestKit kit = kit();

        // when
        kit.run(Fixture.class);

        // then
        assertThat(settlingMillis(kit)).isGreaterThanOrEqualTo(10);
    }
}
