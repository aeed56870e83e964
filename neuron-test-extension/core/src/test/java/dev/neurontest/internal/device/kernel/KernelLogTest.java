package dev.neurontest.internal.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.runtime.RuntimeCause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelLogTest {

    private static final String SERIAL = "0123456789abcdef";
    private static final String SRAM =
            "NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR instance-id=i-0123456789abcdef0 hostname=ip-10-0-0-1 nd-id=7 nc-id=1"
                    + " serial-num=" + SERIAL + " action=TERMINATE_INSTANCE";
    private static final long BOOTED = 1_795_000_000;

    @TempDir
    private Path root;

    private NeuronHost host;

    @BeforeEach
    void host() throws IOException {
        HostFixture fixture = new HostFixture(root).devices(HostFixture.Kind.INF2, 0, 1);
        fixture.sysfs("neuron1/info/serial_number", SERIAL + "\n");
        write("proc/stat", "cpu  1 2 3\nbtime " + BOOTED + "\nprocesses 5\n");
        host = fixture.host();
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private static List<KernelLine> parsed(String... texts) {
        List<KernelLine> lines = new ArrayList<>();
        for (String text : texts) {
            KernelLine.of(Duration.ofMillis(65_345), Instant.ofEpochSecond(BOOTED), text)
                    .ifPresent(lines::add);
        }
        return lines;
    }

    @Nested
    class Lines {

        @Test
        void haveDeviceCoreSerialNumberAndAction() {
            assertThat(parsed(SRAM)).singleElement().satisfies(line -> {
                assertThat(line.report().cause()).contains(RuntimeCause.SRAM);
                assertThat(line.error()).hasValue("SRAM_UNCORRECTABLE_ERROR");
                assertThat(line.report().device()).hasValue(7);
                assertThat(line.report().core()).hasValue(1);
                assertThat(line.serialNumber()).hasValue(SERIAL);
                assertThat(line.report().action()).hasValue("TERMINATE_INSTANCE");
                assertThat(line.time())
                        .isEqualTo(Instant.ofEpochSecond(BOOTED + 65).plusMillis(345));
                assertThat(line).hasToString("[65.345000] " + SRAM);
            });
        }

        @ParameterizedTest
        @CsvSource({
            "SRAM_UNCORRECTABLE_ERROR, SRAM",
            "NC_UNCORRECTABLE_ERROR, SRAM",
            "HBM_UNCORRECTABLE_ERROR, HBM",
            "DMA_ERROR, DMA_ABORT",
            "FIRE, OTHER_HARDWARE"
        })
        void haveACause(String error, RuntimeCause cause) {
            assertThat(parsed("2026-11-20T10:11:12Z NEURON_HW_ERR=" + error))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.report().cause()).contains(cause);
                        assertThat(line.error()).hasValue(error);
                        assertThat(line.report().device()).isEmpty();
                        assertThat(line.serialNumber()).isEmpty();
                    });
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                neuron:ndma_memcpy: DMA completion timeout on nd00 for udma3 q5 desc count 64  | 0
                neuron:ncdev_open: nd12 is in an invalid state                                  | 12
                neuron:nmetric: Scrub failed for nd3 HBM 1                                      | 3
                neuron:nr_wait: nd0: reset request 7 was initiated, but failed to complete      | 0
                """)
        void ofDriverNameIllDevice(String text, int device) {
            assertThat(parsed(text)).singleElement().satisfies(line -> {
                assertThat(line.error()).isEmpty();
                assertThat(line.report().device()).hasValue(device);
            });
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "neuron:npid_detach: neuron:npid_detach: pid=4242, slot=0",
                    "efa 0000:a0:1a.0 rdmap160s26: Failed to process command DEREG_MR (opcode 8) comp_status 7 err -22",
                    "Neuron Driver Started with Version:2.9.4.0-0123456789abcdef0123456789abcdef01234567",
                    "another: nd0 is in an invalid state",
                    "Command line: root=/dev/nvme0n1"
                })
        void ofOtherSourcesAreIgnored(String text) {
            assertThat(parsed(text)).isEmpty();
        }

        @Test
        void ignoreNonNumericFields() {
            assertThat(parsed("NEURON_HW_ERR=DMA_ERROR nd-id=-1 nc-id=99999999999 serial-num=../x xnd-id=3"))
                    .singleElement()
                    .satisfies(line -> {
                        assertThat(line.report().device()).isEqualTo(OptionalInt.empty());
                        assertThat(line.report().core()).isEqualTo(OptionalInt.empty());
                        assertThat(line.serialNumber()).isEmpty();
                    });
        }

        @Test
        void areShownEscapedAndCut() {
            assertThat(parsed("NEURON_HW_ERR=X \u001b[31m" + "y".repeat(1000))
                            .get(0)
                            .shown())
                    .startsWith("NEURON_HW_ERR=X \\u001b[31myyy")
                    .endsWith("yyy...")
                    .hasSize(603);
        }

        /** Verifies the lines of public reports and guides. */
        @Test
        void matchErrorLinesOfPublicReports() throws IOException {
            String all = new String(
                    Objects.requireNonNull(KernelLogTest.class.getResourceAsStream(
                                    "/dev/neurontest/internal/status/error-lines.txt"))
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
            List<String[]> dmesg = all.lines()
                    .filter(line -> line.startsWith("dmesg | "))
                    .map(line -> line.split(" \\| ", 3))
                    .toList();

            assertThat(dmesg)
                    .hasSize(4)
                    .allSatisfy(line -> assertThat(parsed(line[2]))
                            .as(line[2])
                            .hasSize(line[1].equals("none") ? 0 : 1)
                            .allSatisfy(found -> {
                                assertThat(found.report().cause()).contains(RuntimeCause.SRAM);
                                assertThat(found.report().device())
                                        .isEqualTo(
                                                line[1].contains("device 0") ? OptionalInt.of(0) : OptionalInt.empty());
                                assertThat(found.serialNumber().isPresent()).isEqualTo(line[1].contains("serial"));
                            }));
        }
    }

    @Nested
    class KmsgSource {

        @Test
        void yieldsRecordsAboutDevices() throws IOException {
            // given
            write(
                    "dev/kmsg",
                    "6,0,1000000,-;Linux version 6\n3,1,2000000,-,caller=T12;" + SRAM + "\n SUBSYSTEM=x\n DEVICE=y\n"
                            + "garbage\n3,2,3000000,-;NEURON_HW_ERR=DMA_ERROR\\x0a\n");

            // when
            KernelLog log = KernelLog.of(host);

            // then
            assertThat(log.read())
                    .extracting(KernelLine::toString)
                    .containsExactly("[2.000000] " + SRAM, "[3.000000] NEURON_HW_ERR=DMA_ERROR\\x0a");
            assertThat(log.unreadable()).isEmpty();
        }

        @Test
        void isReportedMissingAndNotReadAgain() throws IOException {
            // given
            KernelLog log = KernelLog.of(host);

            // when
            List<KernelLine> lines = log.read();
            write("dev/kmsg", "3,1,2000000,-;" + SRAM + "\n");

            // then: the log is read once
            assertThat(lines).isEmpty();
            assertThat(log.unreadable()).hasValue(root.resolve("dev/kmsg") + " does not exist");
            assertThat(log.read()).isEmpty();
        }

        @Test
        void isUnreadableWithoutBootTime() throws IOException {
            // given
            write("dev/kmsg", "3,1,2000000,-;" + SRAM + "\n");
            write("proc/stat", "cpu 1\n");
            KernelLog log = KernelLog.of(host);

            // then
            assertThat(log.read()).isEmpty();
            assertThat(log.unreadable())
                    .hasValueSatisfying(why -> assertThat(why).contains("btime"));
        }

        @Test
        void isReadByAnInterruptedThread() throws IOException {
            // given
            write("dev/kmsg", "3,1,2000000,-;" + SRAM + "\n");
            KernelLog log = KernelLog.of(host);
            Thread.currentThread().interrupt();

            // then
            assertThat(log.read()).hasSize(1);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Nested
    class Devices {

        @Test
        void areFoundByTheirSerialNumberAlone() {
            // given
            KernelLog log = KernelLog.of(host);
            String unknown = SRAM.replace(SERIAL, "fedcba9876543210");
            List<KernelLine> lines = parsed(
                    SRAM,
                    SRAM.replace(SERIAL, SERIAL.toUpperCase(Locale.ROOT)),
                    unknown,
                    "NEURON_HW_ERR=SRAM_UNCORRECTABLE_ERROR affecting neuron devices");

            // then: the number in the line is the process ID of its writer
            assertThat(lines)
                    .extracting(line -> log.device(line).map(NeuronDevice::name))
                    .containsExactly(
                            Optional.of("neuron1"), Optional.of("neuron1"), Optional.empty(), Optional.empty());
        }
    }

    @Nested
    class SinceMark {

        private final List<String> texts = new ArrayList<>();

        /** Returns a log with lines from a second after the boot, regardless of the current time. */
        private KernelLog log() {
            return KernelLog.of(host, sink -> texts.forEach(text -> sink.message(Duration.ofSeconds(1), text)));
        }

        @Test
        void returnsOnlyLinesAddedLater() {
            // given
            texts.add(SRAM);
            KernelLog log = log();
            int mark = log.mark();

            // when
            texts.add(SRAM.replace("SRAM", "HBM"));
            log.read();

            // then
            assertThat(log.since(mark))
                    .extracting(line -> line.report().cause().orElseThrow())
                    .containsExactly(RuntimeCause.HBM);
            assertThat(log.since(log.mark())).isEmpty();
        }
    }

    @Nested
    class DmesgProgram {

        private KernelLog log(String script) throws IOException {
            return log(script, Duration.ofSeconds(30));
        }

        private KernelLog log(String script, Duration atMost) throws IOException {
            Path program = Files.writeString(root.resolve("dmesg-here"), "#!/bin/sh\n" + script);
            assertThat(program.toFile().setExecutable(true)).isTrue();
            return KernelLog.of(host, new Dmesg(List.of(program.toString(), "-r"), atMost));
        }

        @Test
        void outputOfUtilLinuxAndBusyBoxIsRead() throws IOException {
            // when
            KernelLog log = log("""
                    test "$1" = -r || exit 9
                    cat <<'END'
                    <5>[    0.000000] Linux version 6
                    <3>[   65.345678] %s
                    <3>[12225.112525][ T4242] 2026-11-20T10:11:12Z NEURON_HW_ERR=DMA_ERROR
                    NEURON_HW_ERR=NO_RECORD_OF_ITS_OWN
                    <3>[12226.000001] neuron:ncdev_open: nd0 is in an invalid state
                    END
                    """.formatted(SRAM));

            // then
            assertThat(log.read())
                    .extracting(KernelLine::toString)
                    .containsExactly(
                            "[65.345678] " + SRAM,
                            "[12225.112525] 2026-11-20T10:11:12Z NEURON_HW_ERR=DMA_ERROR",
                            "[12226.000001] neuron:ncdev_open: nd0 is in an invalid state");
        }

        @Test
        void isRunOnceWhenNotPermitted() throws IOException {
            // given
            KernelLog log = log("""
                    echo asked >> "$(dirname "$0")/calls"
                    echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2
                    exit 1
                    """);

            // when
            assertThat(log.read()).isEmpty();
            assertThat(log.read()).isEmpty();

            // then
            assertThat(log.unreadable()).hasValue("dmesg: read kernel buffer failed: Operation not permitted");
            assertThat(root.resolve("calls")).hasContent("asked");
        }

        @Test
        void isStoppedAfterTimeout() throws IOException {
            // given
            KernelLog log = log("exec sleep 600", Duration.ofSeconds(1));

            // then
            assertThat(log.read()).isEmpty();
            assertThat(log.unreadable())
                    .hasValueSatisfying(why -> assertThat(why).endsWith("did not end within 1 s"));
        }

        @Test
        void isReportedWhenNotInstalled() {
            // given
            KernelLog log = KernelLog.of(host, new Dmesg(List.of("no-such-dmesg", "-r"), Duration.ofSeconds(30)));

            // then
            assertThat(log.read()).isEmpty();
            assertThat(log.unreadable())
                    .hasValueSatisfying(why -> assertThat(why).contains("no-such-dmesg"));
        }
    }
}
