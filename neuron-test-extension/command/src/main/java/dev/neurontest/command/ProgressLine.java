package dev.neurontest.command;

import dev.neurontest.command.TestResults.Result;
import dev.neurontest.command.TestResults.Status;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** How far the tests are, on one line that is written over and over; for terminals. */
final class ProgressLine {

    private static final int BAR = 30;

    private final @Nullable PrintStream terminal;
    private long all;
    private long done;
    private long failed;
    private int width;

    /** Writes to a terminal, or nothing where there is none. */
    ProgressLine(@Nullable PrintStream terminal) {
        this.terminal = terminal;
    }

    synchronized void begin(long tests) {
        all = tests;
        show(line());
    }

    /** More tests may come than were known before: those that a test makes while it runs. */
    synchronized void ended(Result result) {
        done += result.test() ? 1 : 0;
        failed += result.status() == Status.FAILED ? 1 : 0;
        all = Math.max(all, done);
        show(line());
    }

    synchronized void end() {
        show("");
    }

    private String line() {
        int filled = all == 0 ? BAR : (int) (BAR * done / all);
        return "[%s%s] %d of %d tests%s"
                .formatted(
                        "#".repeat(filled),
                        ".".repeat(BAR - filled),
                        done,
                        all,
                        failed == 0 ? "" : ", " + failed + " failed");
    }

    /** The carriage return comes last, so that what others print begins at the margin. */
    private void show(String line) {
        if (terminal != null) {
            terminal.print(line + " ".repeat(Math.max(0, width - line.length())) + "\r");
            terminal.flush();
            width = line.length();
        }
    }
}
