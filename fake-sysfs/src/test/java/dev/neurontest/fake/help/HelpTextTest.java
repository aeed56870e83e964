package dev.neurontest.fake.help;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpTextTest {

    @Test
    void hasWhatCanBeWrittenBesideWhatItDoes() {
        assertThat(new HelpText()
                        .add("close P", "Ends a process.")
                        .add("get FILE", "Reads a file.")
                        .add("quit", ""))
                .hasToString("""
                          close P   Ends a process.
                          get FILE  Reads a file.
                          quit
                        """.indent(0));
    }

    @Test
    void keepsToAHundredCharacters() {
        // when
        String text = new HelpText()
                .add("close P", "Ends a process ".repeat(9))
                .add("neff NAME " + "[output=\"NAME FILL\"] ".repeat(8) + "end", "Scripts models. ".repeat(9))
                .toString();

        // then
        assertThat(text.lines()).hasSizeGreaterThan(5).allMatch(line -> line.length() <= 100);
        assertThat(text).startsWith("  close P  Ends a process").contains("\n           Ends a process");
        assertThat(text).contains("\n  neff NAME [output", "\n      [output", "\n           Scripts models.");
    }

    @Test
    void ofAnAnswerBeginsWithTheNumberOfItsLines() {
        assertThat(new HelpText().add("close P", "Ends it.").add("quit", "").answer())
                .isEqualTo("2 lines follow\n  close P  Ends it.\n  quit");
    }
}
