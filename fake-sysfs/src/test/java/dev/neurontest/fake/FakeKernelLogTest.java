package dev.neurontest.fake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel log of a fake host. */
class FakeKernelLogTest {

    private static final String KMSG = "dev/kmsg";

    private final ClockFixture clock = new ClockFixture("2026-11-20T10:11:12.345678Z");

    @TempDir
    private Path folder;

    private FakeNeuronHost.Builder builder() {
        return FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.30")
                .clock(clock);
    }

    private static String read(FakeTree tree, String file) throws IOException {
        return new String(tree.read(file), UTF_8);
    }

    @Test
    void recordsCarryTimeSinceBoot() throws IOException {
        try (FakeNeuronHost host = builder().start()) {
            // when
            clock.advance(Duration.ofSeconds(5));
            host.fault(Fault.kernelLog("neuron:ncdev: nd0 is in an invalid state"));

            // then
            assertThat(read(host.tree(), KMSG))
                    .isEqualTo("6,0,60345678,-;Neuron Driver Started with Version:2.30.2.0-" + "0".repeat(40) + "\n"
                            + "3,1,65345678,-;neuron:ncdev: nd0 is in an invalid state\n");
            assertThat(read(host.tree(), "proc/stat")).isEqualTo("btime 1795169412\n");
        }
    }

    @Test
    void escapesUnprintableCharacters() {
        try (FakeNeuronHost host = builder().start()) {
            // when
            host.fault(Fault.kernelLog("a\nb\\c\u001b[31mé"));

            // then
            assertThat(host.kernelLog()).last().asString().endsWith(";a\\x0ab\\x5cc\\x1b[31m\\xc3\\xa9");
        }
    }

    @Test
    void keepsTheLastThousandRecords() {
        try (FakeNeuronHost host = builder().start()) {
            // when
            for (int i = 0; i < 1_500; i++) {
                host.fault(Fault.kernelLog("line " + i)).close();
            }

            // then
            assertThat(host.kernelLog()).hasSize(1000).last().asString().startsWith("3,1500,");
        }
    }

    @Test
    void isClosedToOrdinaryUsers() {
        try (FakeNeuronHost host = builder().reader(FakeReader.ORDINARY_USER).start()) {
            assertThatThrownBy(() -> host.tree().read(KMSG)).isInstanceOf(AccessDeniedException.class);
        }
    }

    /** Verifies the log in every view. A mount has only the files below sys. */
    @ParameterizedTest
    @EnumSource(FakeView.class)
    void isPublishedAsAFileInEveryView(FakeView view) throws IOException {
        try (FakeNeuronHost host = builder().folder(folder).view(view).start()) {
            Path kmsg = host.directory().resolve(KMSG);

            // when
            host.fault(Fault.kernelLog("something"));
            host.awaitPublished();

            // then
            assertThat(Files.readAllLines(kmsg)).isEqualTo(host.kernelLog()).hasSize(2);
        }
    }

    @Test
    void recordsDriverReload() {
        try (FakeNeuronHost host = builder().start()) {
            // when
            host.reloadDriver();

            // then
            assertThat(host.kernelLog()).hasSize(2).allMatch(record -> record.contains("Neuron Driver Started"));
        }
    }

    @Test
    void kernelLogFaultOnACoreIsRefused() {
        try (FakeNeuronHost host = builder().start()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> host.device(0).core(0).fault(Fault.kernelLog("x")))
                    .withMessageContaining("is a fault of the host, not of neuron0/neuron_core0");
        }
    }

    @Test
    void recordsSramErrorOfACore() throws IOException {
        try (FakeNeuronHost host = builder().start()) {
            FakeDevice device = host.device(0);

            // when
            device.core(1).fault(Fault.of(ExecutionFault.SRAM));

            // then
            assertThat(host.kernelLog())
                    .last()
                    .asString()
                    .endsWith(
                            ";2026-11-20T10:11:12.345678Z NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR instance-id=i-0123456789abcdef0"
                                    + " hostname=ip-10-0-0-1 nd-id=0 nc-id=1 serial-num="
                                    + device.serialNumber()
                                    + " action=TERMINATE_INSTANCE");
            assertThat(HostFixture.read(host, "neuron0/stats/hardware/sram_ecc_uncorrected"))
                    .isEqualTo("1\n");
            assertThat(HostFixture.counter(host, "neuron0/neuron_core1/stats/status/hw_nc_ue_error"))
                    .isEqualTo("1/1");
        }
    }

    @Test
    void doesNotRecordRepairableHbmError() throws IOException {
        try (FakeNeuronHost host = builder().instance("trn2.3xlarge").start()) {
            // when
            host.device(0).core(0).fault(Fault.of(ExecutionFault.REPAIRABLE_HBM));

            // then
            assertThat(host.kernelLog()).hasSize(1);
            assertThat(HostFixture.read(host, "neuron0/stats/hardware/mem_ecc_repairable_uncorrected"))
                    .isEqualTo("1\n");
        }
    }

    @Test
    void commandsAddRecords() {
        try (FakeNeuronHost host = builder().start();
                var session = host.openSession()) {
            // when
            List<String> answers = List.of(
                    session.answer("hardware-fault neuron0/neuron_core0 dma-abort"),
                    session.answer("kernel-log neuron:ncdev: Scrub failed for nd0 HBM 1"),
                    session.answer("hardware-fault neuron0/neuron_core0 fire"));

            // then
            assertThat(answers)
                    .startsWith("ok", "ok")
                    .last()
                    .asString()
                    .contains("no fault \"fire\"; there are: sram, hbm");
            assertThat(host.kernelLog()).hasSize(3);
            assertThat(host.kernelLog().get(1)).contains("NEURON_HW_ERR=DMA_ERROR ");
            assertThat(host.kernelLog().get(2)).endsWith(";neuron:ncdev: Scrub failed for nd0 HBM 1");
        }
    }
}
