package dev.neurontest.fake.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fuzz.Fuzzing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fuzz tests of the lines of a client: each line gets one answer, and the host continues. */
class CommandFuzzTest {

    /** The beginning of the answer after a bug of the host. */
    private static final String UNFORESEEN = "the fake host failed";

    private static final int LONGEST_ANSWER = 64 << 10;

    private record Exchange(List<String> lines, List<String> answers, String after) {}

    private static Exchange heard(byte[] said) throws IOException {
        List<String> lines = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("inf2.xlarge").start()) {
            try (CommandSession session = host.openSession()) {
                CommandLines from = new CommandLines(new ByteArrayInputStream(said));
                for (String line = from.next(); line != null && !session.hasQuit(); line = from.next()) {
                    lines.add(line);
                    answers.add(session.answer(line));
                }
            }
            try (CommandSession other = host.openSession()) {
                return new Exchange(lines, answers, other.answer("init Q all"));
            }
        }
    }

    @Test
    void answersMutatedLinesWithoutUnexpectedException() {
        // then
        Fuzzing.of(CommandFuzzTest.class, "commands")
                .seeds("""
                        init P 0-1
                        alloc P neuron0/neuron_core0 tensors 4096
                        free P 1
                        execute P neuron0/neuron_core0 NRT_TIMEOUT 2
                        get sys/devices/virtual/neuron_device/neuron0/core_count
                        close P
                        """, """
                        init P any:1 lnc 1 pid 17
                        nrt open P
                        nrt alloc P 0 device 64
                        neff acc latency=1us print="acc int32 2x2 arange" output="y zeros" times=2
                        ecc neuron0 mem_ecc_corrected 1
                        kill P
                        """, """
                        fault sys/devices/virtual/neuron_device/neuron0/core_count garbage x after 1
                        reload-driver
                        reset-faults
                        power neuron0 12.5
                        node busy
                        refusals
                        profiler reset
                        help
                        remove neuron0
                        restore neuron0
                        quit
                        """)
                .words(
                        " P",
                        " neuron0",
                        "neuron0/neuron_core1",
                        "\nopen Q ",
                        "\nload P ",
                        "\nnrt ",
                        "\nneff ",
                        "\nprofiler ",
                        "\ntimeline play",
                        " hang",
                        " after 0",
                        " all",
                        "\nexecutions\n")
                .check(CommandFuzzTest::heard, (input, exchange) -> {
                    assertThat(exchange.answers())
                            .allMatch(answer ->
                                    answer.matches("(ok|error)( [^\n\r]*)?|ok [0-9]+ lines follow(\n  [^\n\r]*)+"))
                            .allMatch(answer -> answer.length() <= LONGEST_ANSWER)
                            .noneMatch(answer -> answer.matches("(?s).*" + UNFORESEEN + ".*"));
                    assertThat(exchange.lines())
                            .allMatch(line -> line.length() <= CommandLines.LONGEST_LINE
                                    || exchange.answers()
                                            .get(exchange.lines().indexOf(line))
                                            .startsWith("error the line is longer"));
                    assertThat(exchange.after()).matches("(?s)(ok pid|error) .*");
                });
    }
}
