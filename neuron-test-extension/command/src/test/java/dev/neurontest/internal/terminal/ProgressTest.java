package dev.neurontest.internal.terminal;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {

    private static final Duration OFTEN = Duration.ofMillis(2);
    private static final String ERASE = "\r\u001b[K";

    private final AnsiSequences sequences = new AnsiSequences("k3y");
    private final StringWriter terminal = new StringWriter();
    private final StringWriter errors = new StringWriter();
    private final PrintWriter out = VisibleWriter.on(terminal, sequences);
    private final PrintWriter err = VisibleWriter.on(errors, sequences);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile String words = "1 of 3 tests";

    @AutoClose
    private Progress progress;

    private void start(Terminal on) {
        progress = Progress.start(
                on,
                sequences,
                out,
                err,
                () -> {
                    asked.incrementAndGet();
                    return words;
                },
                OFTEN);
    }

    private static Terminal terminal(int columns) {
        return new Terminal(Map.of("TERM", "xterm", "COLUMNS", String.valueOf(columns)), true);
    }

    private void awaitAnotherLook() {
        int before = asked.get();
        await().until(() -> asked.get() > before + 1);
    }

    @Test
    void rewritesLineOnlyWhenItChanges() {
        // given
        start(terminal(80));
        await().until(() -> terminal.toString().contains("1 of 3 tests"));
        awaitAnotherLook();

        // when
        words = "2 of 3 tests";
        await().until(() -> terminal.toString().contains("2 of 3 tests"));
        progress.close();

        // then
        assertThat(terminal).hasToString("\r1 of 3 tests\u001b[K\r2 of 3 tests\u001b[K" + ERASE);
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void isErasedForOtherLinesAndShownAgain() {
        // given
        start(terminal(80));
        await().until(() -> terminal.toString().contains("1 of 3 tests"));

        // when
        progress.print(out, "a log line\n");

        // then
        await().untilAsserted(() -> assertThat(terminal)
                .hasToString("\r1 of 3 tests\u001b[K" + ERASE + "a log line\n\r1 of 3 tests\u001b[K"));
    }

    @Test
    void doesNotOverwriteUnfinishedLine() {
        // given
        start(terminal(80));
        await().until(() -> terminal.toString().contains("1 of 3 tests"));

        // when
        progress.print(out, "loading ... ");
        awaitAnotherLook();
        progress.print(out, "done\n");

        // then
        assertThat(terminal.toString()).contains(ERASE + "loading ... done\n");
    }

    @Test
    void isShorterThanTerminalWidth() {
        // given
        words = "1 of 3 tests, running 日本語日本語";

        // when
        start(terminal(27));

        // then: 22 columns and two characters of two columns each
        await().until(() -> terminal.toString().contains("\r1 of 3 tests, running 日本\u001b[K"));
    }

    @Test
    void escapesControlCharacters() {
        // given
        words = "running a\u001b[2J\u009b31m\r\nb";

        // when
        start(terminal(80));

        // then
        await().until(() -> terminal.toString().contains("\rrunning a\\u001b[2J\\u009b31m\\u000d\\u000ab\u001b[K"));
    }

    @Test
    void isErasedWhenTextIsEmpty() {
        // given
        start(terminal(80));
        await().until(() -> terminal.toString().contains("1 of 3 tests"));

        // when
        words = "";

        // then
        await().until(() -> terminal.toString().endsWith(ERASE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM=dumb", "CI=true", "no terminal"})
    void printsPlainLinesToStderrWithoutTerminal(String why) {
        // given
        Terminal plain = why.contains("=")
                ? new Terminal(Map.of(why.split("=")[0], why.split("=")[1]), true)
                : new Terminal(Map.of(), false);

        // when
        start(plain);
        progress.print(out, "half a line");
        await().until(() -> errors.toString().startsWith("1 of 3 tests%n1 of 3 tests%n".formatted()));
        progress.print(out, ", and all of it\n");

        // then
        assertThat(terminal).hasToString("half a line, and all of it\n");
        assertThat(errors.toString()).doesNotContain("\r", "\u001b");
    }

    @Test
    void printsNothingForShortTask() {
        // when
        progress = Progress.start(Terminal.NONE, sequences, out, err, () -> words);
        progress.close();

        // then
        assertThat(errors.toString()).isEmpty();
    }
}
