package dev.neurontest.internal.terminal;

import dev.neurontest.internal.text.VisibleText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * The progress of a command. On a terminal it is one line that is rewritten, and removed before other output. Elsewhere it is a line from
 * time to time. Short work shows no progress.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Progress implements AutoCloseable {

    private static final Duration REWRITTEN = Duration.ofMillis(250);
    private static final Duration REPEATED = Duration.ofSeconds(30);

    private final Terminal terminal;
    private final AnsiSequences sequences;
    private final PrintWriter out;
    private final PrintWriter err;
    private final Supplier<String> words;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "neuron-test-progress");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread atExit = new Thread(this::stop, "neuron-test-progress-end");
    private String shown = "";
    private boolean withinLine;
    private boolean stopped;

    private Progress(
            Terminal terminal, AnsiSequences sequences, PrintWriter out, PrintWriter err, Supplier<String> words) {
        this.terminal = terminal;
        this.sequences = sequences;
        this.out = out;
        this.err = err;
        this.words = words;
    }

    /**
     * Starts to print the progress of a command.
     *
     * @param terminal the terminal of standard output
     * @param sequences the escape sequences that are allowed on the terminal
     * @param out receives the line on a terminal
     * @param err receives the lines elsewhere, because a program may read standard output
     * @param words the current progress, called repeatedly; nothing is printed while it returns an empty text
     * @return the progress; close it before other lines are printed without it
     */
    public static Progress start(
            Terminal terminal, AnsiSequences sequences, PrintWriter out, PrintWriter err, Supplier<String> words) {
        return start(terminal, sequences, out, err, words, terminal.rewrites() ? REWRITTEN : REPEATED);
    }

    static Progress start(
            Terminal terminal,
            AnsiSequences sequences,
            PrintWriter out,
            PrintWriter err,
            Supplier<String> words,
            Duration every) {
        Progress progress = new Progress(terminal, sequences, out, err, words);
        Runtime.getRuntime().addShutdownHook(progress.atExit);
        progress.clock.scheduleWithFixedDelay(
                progress::printLine, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
        return progress;
    }

    private synchronized void printLine() {
        String line = VisibleText.line(words.get());
        if (stopped) {
            return;
        }
        if (line.isEmpty()) {
            erase();
        } else if (!terminal.rewrites()) {
            err.println(line);
            err.flush();
        } else if (!withinLine) {
            rewrite(fitting(line, terminal.lineWidth() - 1));
        }
    }

    private void rewrite(String line) {
        if (!line.equals(shown)) {
            out.print(sequences.of("\r") + line + sequences.of("[K"));
            out.flush();
            shown = line;
        }
    }

    /**
     * Prints other output. Removes the progress line before it, and shows it again below when the other line has ended.
     *
     * @param writer one of the two writers of this progress
     * @param text text of any length
     */
    public synchronized void print(PrintWriter writer, String text) {
        erase();
        writer.print(text);
        writer.flush();
        withinLine = !text.endsWith("\n");
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException ending) {
            // The hook does, or did, the same.
        }
    }

    private synchronized void stop() {
        stopped = true;
        clock.shutdownNow();
        erase();
    }

    private void erase() {
        if (!shown.isEmpty()) {
            out.print(sequences.of("\r") + sequences.of("[K"));
            out.flush();
            shown = "";
        }
    }

    /** Cuts a line that is too long. It would continue in the next line, which could not be rewritten. */
    private static String fitting(String line, int columns) {
        int taken = 0;
        for (int at = 0; at < line.length(); at += Character.charCount(line.codePointAt(at))) {
            // From here on characters may be two columns wide.
            taken += line.codePointAt(at) < 0x1100 ? 1 : 2;
            if (taken > columns) {
                return line.substring(0, at);
            }
        }
        return line;
    }
}
