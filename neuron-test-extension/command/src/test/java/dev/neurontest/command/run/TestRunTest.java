package dev.neurontest.command.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.terminal.Sequences;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestRunTest {

    private final String message = new Sequences("k3y").message();
    private final List<String> told = new ArrayList<>();
    private final List<String> printed = new ArrayList<>();

    private void take(String line) {
        TestRun.take(line, message, told::add, printed::add);
    }

    @Test
    void printsWhatTestsPrint() {
        // when
        take("a line\n");
        take("\u001b:no message\n");

        // then
        assertThat(printed).containsExactly("a line\n", "\u001b:no message\n");
        assertThat(told).isEmpty();
    }

    @Test
    void doesNotPrintHowFarTheyAre() {
        // when
        take(message + "1 of 3 tests\n");

        // then
        assertThat(told).containsExactly("1 of 3 tests");
        assertThat(printed).isEmpty();
    }

    @Test
    void keepsHalfALineTogether() {
        // when a test has printed half a line when the message comes
        take("loading ... " + message + "1 of 3 tests\n");
        take("done\n");

        // then
        assertThat(String.join("", printed)).isEqualTo("loading ... done\n");
        assertThat(told).containsExactly("1 of 3 tests");
    }
}
