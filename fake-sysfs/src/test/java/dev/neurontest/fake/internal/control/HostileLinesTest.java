package dev.neurontest.fake.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that any line of a client gets one line as an answer, and that the host continues. */
class HostileLinesTest {

    private static final String LARGEST = "9223372036854775807";

    /** The beginning of the answer after a bug of the host. */
    private static final String UNFORESEEN = "the fake host failed";

    private FakeNeuronHost host;
    private CommandSession session;

    @BeforeEach
    void start() {
        host = FakeNeuronHost.builder().instance("trn1.32xlarge").start();
        session = host.openSession();
        assertThat(session.answer("init P 0-1")).startsWith("ok ");
        assertThat(session.answer("nrt open P")).startsWith("ok ");
    }

    @AfterEach
    void stop() {
        session.close();
        host.close();
    }

    private void assertGoesOn() {
        assertThat(session.answer("executions")).isEqualTo("ok");
        assertThat(session.answer("get sys/devices/virtual/neuron_device/neuron0/core_count"))
                .isEqualTo("ok 2");
        try (CommandSession other = host.openSession()) {
            assertThat(other.answer("init P 4")).startsWith("ok ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acc float32 65536x65536 arange",
                "neff acc print=\"acc float32 65536x65536 arange\"",
                "neff acc print=\"acc float32 65536x65536x65536x65536 arange\"",
                "neff acc print=\"acc float32 999999999999999999 zeros\"",
                "neff acc print=\"acc float8e4m3fn_x4 536870912 zeros\"",
                "neff acc print=\"acc uint8 16777217 zeros\"",
                "neff acc print=\"acc uint8 0 zeros\"",
                "neff acc print=\"acc uint8 -4 zeros\"",
                "neff acc print=\"acc uint8 4x zeros\"",
                "neff acc print=\"acc uint8 4 arange@" + LARGEST + "=1\"",
                "neff acc print=\"acc uint8 4 hex:0\"",
                "neff acc print=\"acc int32 1 zeros times=999999999999999999 sequence\"",
                "neff acc print=\"acc int32 1 zeros times=2147483647 sequence\"",
                "neff acc print=\"acc int32 1 zeros times=0\"",
                "neff acc print=\"acc int8 1 zeros times=257 sequence\"",
                "neff acc output=\"\"",
                "neff acc times=0",
                "neff acc latency=9999999999s",
                "nrt alloc P " + LARGEST + " device 1",
                "nrt alloc P 2147483647 device 1",
                "nrt alloc P -1 device 1",
                "nrt alloc P 0 device -1",
                "nrt alloc P 0 device 9223372036854775808",
                "nrt load P 1073741824 1073741824 1 file",
                "nrt load P 0 2147483647 2147483647 ../../etc/passwd",
                "nrt latest P 2147483647",
                "nrt open P " + LARGEST + " 1",
                "nrt end P 1 1",
                "alloc P neuron0/neuron_core0 tensors -1",
                "alloc P neuron0/neuron_core0 tensors 9223372036854775808",
                "load P neuron0/neuron_core0 1e9",
                "execute P neuron0/neuron_core0 2147483648",
                "execute P neuron0/neuron_core99999999999",
                "init Q 0-99999",
                "init Q 0-99999999999",
                "init Q any:99999999999",
                "init Q any:-1",
                "init Q 8 lnc " + LARGEST,
                "init Q 8 pid 99999999999999999999",
                "node 99999 of " + LARGEST,
                "power neuron0 1e9",
                "power neuron0 NaN",
                "ecc neuron0 mem_ecc_corrected -1",
                "ecc neuron2147483648 mem_ecc_corrected 1",
                "fault sys/x slow 9999999999s",
                "fault sys/x empty after 9999999999",
                "get /",
                "get sys/../../../etc/passwd",
                "get \u0000",
                "get .",
                "profiler slowdown -1",
                "profiler records 9223372036854775808",
                "timeline seek x",
                "timeline play 0",
                "free P " + LARGEST,
                "",
                "   ",
                "\u0000\u0001\u001b[2J\ufffd",
            })
    void invalidLineIsAnsweredWithAnError(String line) {
        assertThat(session.answer(line))
                .startsWith("error ")
                .doesNotContain("\n")
                .doesNotContainPattern(UNFORESEEN);
        assertGoesOn();
    }

    /** Verifies that an answer has no control characters, which would reach a terminal. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2Jhelp",
                "init \u001b]0;x\u0007 8-9",
                "init Q \u009b31m",
                "open Q neuron8/neuron_core0 \u202egnp",
                "get sys/\u001b[31m",
                "get sys/devices/virtual/neuron_device/neuron1/core_count",
                "execute P neuron0/neuron_core0 \u007fX",
                "neff \u001bc latency=0",
                "profiler \u0008",
                "timeline \u001b[A",
                "kernel-log \u001b[5m",
                "executions",
                "refusals"
            })
    void answersHaveNoControlCharacters(String line) {
        // given
        session.answer("fault sys/devices/virtual/neuron_device/neuron1/core_count garbage \u001b[2J\u0085");
        session.answer("init \u001b[32mQ 0");

        // then
        assertThat(session.answer(line))
                .matches("(ok|error)( .*)?")
                .doesNotContainPattern("[\\p{Cntrl}\u007f-\u009f\u202e]");
    }

    /**
     * Verifies that repeated lines with the largest numbers are answered, because counters of a host wrap like those of
     * a driver.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "execute P neuron0/neuron_core0 NRT_TIMEOUT " + LARGEST,
                "alloc P neuron0/neuron_core0 tensors " + LARGEST,
                "alloc-host P neuron0/neuron_core0 tensors " + LARGEST,
                "nrt alloc P 0 device " + LARGEST,
                "ecc neuron0 mem_ecc_corrected " + LARGEST,
                "open Q neuron9/neuron_core0 pid " + LARGEST,
                "neff acc print=\"acc int32 1 zeros times=999999999999999999\"",
                "profiler records " + LARGEST,
                "fault sys/devices/virtual/neuron_device/neuron1/core_count garbage \u0000\ud83d"
            })
    void repeatedLineIsAlwaysAnswered(String line) {
        for (int time = 0; time < 4; time++) {
            assertThat(session.answer(line)).matches("(ok|error ).*").doesNotContainPattern(UNFORESEEN);
        }
        assertGoesOn();
    }

    @Test
    void thousandsOfArgumentsAreAnswered() {
        for (String command :
                new String[] {"open Q ", "nrt ", "neff ", "neff acc ", "profiler ", "init Q 8 ", "fault "}) {
            assertThat(session.answer(command + "x ".repeat(4_000))).startsWith("error ");
        }
        assertThat(session.answer("open Q " + "neuron8/neuron_core0 ".repeat(380)))
                .matches("(ok|error ).*");
        assertThat(session.answer("neff acc print=\"a int8 1" + "x1".repeat(4_000) + " zeros\""))
                .startsWith("error a shape has at most 8 dimensions");
        assertThat(session.answer("neff acc print=\"a int8 1 zeros" + "@0=1".repeat(2_000) + "\""))
                .isEqualTo("ok");
        assertThat(session.answer("neff acc reset")).isEqualTo("ok");
        assertGoesOn();
    }

    @Test
    void manyPrintsDoNotFillTheMemory() {
        // given: 16 MB each, which leaves room for four
        String print = " print=\"a uint8 16777216 zeros\"";

        // then
        assertThat(session.answer("neff acc" + print.repeat(5)))
                .startsWith("error all scripted prints together take at most");
        assertThat(session.answer("neff acc" + print)).isEqualTo("ok");
        for (int line = 2; line <= 4; line++) {
            assertThat(session.answer("neff other" + line + print)).isEqualTo("ok");
        }
        assertThat(session.answer("neff acc" + print)).startsWith("error all scripted prints together take at most");
        assertThat(session.answer("neff acc reset")).isEqualTo("ok");
        assertThat(session.answer("neff acc" + print)).isEqualTo("ok");
        assertGoesOn();
    }

    @Test
    void tooLongLineIsRefusedNotTruncated() throws IOException {
        // given: the same number of characters as a short line, in many bytes
        String wide = "open Q neuron8/neuron_core0 " + "é".repeat(5_000);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        said.writeBytes((wide + "\n").getBytes(StandardCharsets.UTF_8));
        said.writeBytes("x".repeat(3 << 20).getBytes(StandardCharsets.UTF_8));
        said.writeBytes("\nexecutions\n".getBytes(StandardCharsets.UTF_8));
        CommandLines lines = new CommandLines(new ByteArrayInputStream(said.toByteArray()));

        // then
        assertThat(session.answer(lines.next())).isEqualTo("error the line is longer than 8192 bytes");
        assertThat(session.answer(lines.next())).isEqualTo("error the line is longer than 8192 bytes");
        assertThat(session.answer(lines.next())).isEqualTo("ok");
        assertThat(lines.next()).isNull();
    }

    @Test
    void randomBytesAreAnsweredWithErrors() throws IOException {
        // given
        byte[] junk = new byte[1 << 18];
        new Random(19).nextBytes(junk);
        CommandLines lines = new CommandLines(new ByteArrayInputStream(junk));

        // then
        for (String line = lines.next(); line != null; line = lines.next()) {
            assertThat(session.answer(line)).startsWith("error ").doesNotContain("\n");
        }
        assertGoesOn();
    }
}
