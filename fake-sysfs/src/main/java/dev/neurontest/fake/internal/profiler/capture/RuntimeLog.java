package dev.neurontest.fake.internal.profiler.capture;

import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Log lines in the format of the runtime library. */
final class RuntimeLog {

    private static final int FUNCTION_COLUMNS = 48;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MMM-dd HH:mm:ss.SSSSSS", Locale.ENGLISH);

    private final PrintStream err;
    private final long pid = ProcessHandle.current().pid();

    RuntimeLog(PrintStream err) {
        this.err = err;
    }

    void error(String function, String text) {
        err.println(TIME.format(LocalDateTime.now(ZoneOffset.UTC)) + ' ' + pid + ':' + pid + " ERROR   NRT:" + function
                + " ".repeat(Math.max(1, FUNCTION_COLUMNS - 4 - function.length())) + text);
    }
}
