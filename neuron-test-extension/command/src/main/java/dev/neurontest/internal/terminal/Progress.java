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
 * How far a command is: on a terminal one line that is written over and over, and that makes way for all else; elsewhere a line now
 * and then. What is done soon shows nothing.
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
     * Begins to say how far a command is.
     *
     * @param terminal where standard output goes
     * @param sequences those that reach it
     * @param out gets the line on a terminal
     * @param err gets lines elsewhere: standard output may be what a program reads
     * @param words how far it is, asked again and again; nothing is said while they are empty
     * @return to be closed before other lines are printed past it
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
        progress.clock.scheduleWithFixedDelay(progress::say, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
        return progress;
    }

    private synchronized void say() {
        String said = VisibleText.line(words.get());
        if (stopped) {
            return;
        }
        if (said.isEmpty()) {
            erase();
        } else if (!terminal.rewrites()) {
            err.println(said);
            err.flush();
        } else if (!withinLine) {
            rewrite(fitting(said, terminal.lineWidth() - 1));
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
     * Prints something else, before which the line goes. It comes again below, once the other line has ended.
     *
     * @param writer one of those that were given
     * @param text of any length
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

    /** A line that is too long would go on in the next one, which stays. */
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
