package dev.neurontest.fake.profiler.capture;

import java.io.PrintStream;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.Map;

/** Lines as the runtime library logs them. */
final class RuntimeLog {

    private static final int FUNCTION_COLUMNS = 48;

    private final PrintStream err;
    private final long pid = ProcessHandle.current().pid();

    RuntimeLog(PrintStream err) {
        this.err = err;
    }

    void error(String function, String text) {
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        StringBuilder line = new StringBuilder();
        line.append(now.getYear()).append('-');
        line.append(now.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH))
                .append('-');
        two(line, now.getDayOfMonth()).append(' ');
        two(line, now.getHour()).append(':');
        two(line, now.getMinute()).append(':');
        two(line, now.getSecond()).append('.');
        line.append(Integer.toString(1_000_000 + now.getNano() / 1000), 1, 7).append(' ');
        line.append(pid).append(':').append(pid).append(" ERROR   NRT:").append(function);
        line.append(" ".repeat(Math.max(1, FUNCTION_COLUMNS - 4 - function.length())))
                .append(text);
        err.println(line);
    }

    private static StringBuilder two(StringBuilder line, int number) {
        return line.append(number < 10 ? "0" : "").append(number);
    }

    /** The state of the runtime as it is dumped when a model cannot be loaded, with everything in the environment. */
    void dump(Map<String, String> environment) {
        error("nrt_infodump", "Neuron runtime state follows");
        for (Map.Entry<String, String> each : environment.entrySet()) {
            error("nrt_infodump", each.getKey() + '=' + each.getValue());
        }
        error("nrt_infodump", "-----8<-----");
    }
}
