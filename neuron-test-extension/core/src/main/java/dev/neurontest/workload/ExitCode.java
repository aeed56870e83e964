package dev.neurontest.workload;

import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The exit code of a process. Linux reports to a parent either an exit code or the signal that ended the child. Java combines both into
 * one number, as shells do: a signal becomes 128 plus its number. A program can also exit with a code above 128 without a signal.
 *
 * @param value 0 to 255
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ExitCode(int value) {

    private static final int SIGNALLED = 128;

    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(5, "SIGTRAP"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL"),
            Map.entry(10, "SIGUSR1"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(12, "SIGUSR2"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"),
            Map.entry(24, "SIGXCPU"),
            Map.entry(25, "SIGXFSZ"),
            Map.entry(31, "SIGSYS"));

    /**
     * Returns whether the process ended on its own and reported success.
     *
     * @return true for 0
     */
    public boolean isZero() {
        return value == 0;
    }

    /**
     * Returns the signal that the number represents.
     *
     * @return such as {@code SIGKILL} for 137; empty when it represents no signal that ends a process
     */
    public Optional<String> signal() {
        return Optional.ofNullable(SIGNALS.get(value - SIGNALLED));
    }

    /**
     * Returns the number and its meaning.
     *
     * @return such as {@code exit code 3} or {@code exit code 137 (128 + 9: SIGKILL)}
     */
    @Override
    public String toString() {
        return "exit code " + value
                + signal().map(signal -> " (128 + %s: %s)".formatted(value - SIGNALLED, signal))
                        .orElse("");
    }
}
