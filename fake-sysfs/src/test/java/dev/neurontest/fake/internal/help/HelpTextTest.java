package dev.neurontest.fake.internal.help;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpTextTest {

    @Test
    void wrapsLinesAtAHundredCharacters() {
        assertThat(new HelpText().add("close P", "Ends a process. ".repeat(7).strip()))
                .hasToString("  close P\n      " + "Ends a process. ".repeat(5)
                        + "Ends a\n      process. Ends a process.\n");
    }

    @Test
    void beginsAnAnswerWithTheNumberOfItsLines() {
        assertThat(new HelpText().add("close P", "Ends it.").answer())
                .isEqualTo("2 lines follow\n  close P\n      Ends it.");
    }
}
