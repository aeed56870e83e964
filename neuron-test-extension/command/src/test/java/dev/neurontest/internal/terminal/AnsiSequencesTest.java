package dev.neurontest.internal.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the sequences that {@link VisibleWriter} passes on, and of the replacements of all others. */
class AnsiSequencesTest {

    private final AnsiSequences sequences = new AnsiSequences("k3y");
    private final StringWriter terminal = new StringWriter();
    private final PrintWriter out = VisibleWriter.on(terminal, sequences);

    @Test
    void sequencesOfColouredWordAreSent() {
        // given
        TerminalStyle look = new TerminalStyle(80, Optional.of(sequences));

        // when
        out.print("a " + look.show(Style.FAILED, "FAILED") + " test");

        // then
        assertThat(terminal).hasToString("a \u001b[31mFAILED\u001b[0m test");
    }

    @Test
    void sequencesOfRewrittenLineAreSent() {
        // when
        out.print(sequences.of("\r") + "1 of 3" + sequences.of("[K"));

        // then
        assertThat(terminal).hasToString("\r1 of 3\u001b[K");
    }

    /**
     * Verifies that the key is not enough for a sequence to pass. The key is in the command line of the test JVM, and a
     * log may contain it.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[31mred",
                "\u001bk3z[31m\u0007red",
                "\u001bk3y[31mred",
                "\u001bk3y[2J\u0007",
                "\u001bk3y]0;title\u0007",
                "\u001bk3y\n\u0007",
                "k3y[31m\u0007red",
                "\u009b31mred",
                "\r50 %"
            })
    void otherSequencesAreEscaped(String text) {
        // when
        out.print(text);

        // then
        assertThat(terminal.toString())
                .doesNotContain("\u001b", "\u009b", "\r", "\u0007")
                .contains("\\u");
    }

    @Test
    void randomKeysDiffer() {
        assertThat(AnsiSequences.random()).isNotEqualTo(AnsiSequences.random());
    }

    @Test
    void plainLookHasNoSequences() {
        assertThat(TerminalStyle.PLAIN.show(Style.FAILED, "FAILED")).isEqualTo("FAILED");
    }
}
