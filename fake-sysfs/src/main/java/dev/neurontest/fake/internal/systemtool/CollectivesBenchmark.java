package dev.neurontest.fake.internal.systemtool;

import dev.neurontest.fake.internal.control.CommandWords;
import dev.neurontest.fake.internal.driver.instance.NearNames;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The scripted results of {@code nccom-test}: an operation takes the latency, and in addition the time of its bytes at the bandwidth.
 *
 * @param latency duration of an operation without data
 * @param bandwidth GiB per second of large operations
 * @param algorithm the name to show as their algorithm
 * @param failingBytes the size at which the benchmark fails; 0 for none
 * @param checkFails true if the check of the results fails
 * @param exitCode exit code of a failure; that of the genuine tool is not known
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CollectivesBenchmark(
        Duration latency, double bandwidth, String algorithm, long failingBytes, boolean checkFails, int exitCode) {

    /** The results without a script. */
    public static final CollectivesBenchmark USUAL =
            new CollectivesBenchmark(Duration.ofNanos(6_000), 60, "mesh", 0, false, 1);

    private static final List<String> SETTINGS =
            List.of("latency", "bandwidth", "algorithm", "failing-bytes", "check", "exit");
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final int LARGEST_EXIT_CODE = 255;

    /**
     * Returns the same results with another value of a setting.
     *
     * @param setting {@code latency}, {@code bandwidth}, {@code algorithm}, {@code failing-bytes}, {@code check} or {@code exit}
     * @throws IllegalArgumentException if there is no such setting or value
     */
    public CollectivesBenchmark with(String setting, String value) {
        return switch (NearNames.named("setting of nccom-test", setting, SETTINGS)) {
            case "latency" ->
                new CollectivesBenchmark(duration(value), bandwidth, algorithm, failingBytes, checkFails, exitCode);
            case "bandwidth" ->
                new CollectivesBenchmark(latency, positive(value), algorithm, failingBytes, checkFails, exitCode);
            case "algorithm" ->
                new CollectivesBenchmark(latency, bandwidth, word(value), failingBytes, checkFails, exitCode);
            case "failing-bytes" ->
                new CollectivesBenchmark(
                        latency, bandwidth, algorithm, number(setting, value, Long.MAX_VALUE), checkFails, exitCode);
            case "check" ->
                new CollectivesBenchmark(latency, bandwidth, algorithm, failingBytes, fails(value), exitCode);
            default ->
                new CollectivesBenchmark(latency, bandwidth, algorithm, failingBytes, checkFails, (int)
                        number(setting, value, LARGEST_EXIT_CODE));
        };
    }

    private static Duration duration(String text) {
        Duration duration = CommandWords.duration(text);
        if (duration == null) {
            throw new IllegalArgumentException("latency " + text + " is not a duration such as 20us");
        }
        return duration;
    }

    private static double positive(String text) {
        double number = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : 0;
        if (number <= 0) {
            throw new IllegalArgumentException("bandwidth " + text + " is not a number of GiB per second above 0");
        }
        return number;
    }

    private static long number(String setting, String text, long largest) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= largest) {
                return number;
            }
        } catch (NumberFormatException notOne) {
            // Reported below, like a number out of range.
        }
        throw new IllegalArgumentException(setting + " " + text + " is not a number from 0 to " + largest);
    }

    private static String word(String text) {
        if (!text.matches("[!-~]{1,32}")) {
            throw new IllegalArgumentException("algorithm \"" + text + "\" is not a word of 1 to 32 characters");
        }
        return text;
    }

    private static boolean fails(String text) {
        return switch (text) {
            case "fails" -> true;
            case "passes" -> false;
            default -> throw new IllegalArgumentException("check " + text + " must be passes or fails");
        };
    }

    /** Returns the words that a host sends to the tool. */
    String words() {
        return latency.toNanos() + " " + bandwidth + " " + algorithm + " " + failingBytes + " " + checkFails + " "
                + exitCode;
    }

    /** Parses {@link #words()}. */
    static CollectivesBenchmark of(String words) {
        String[] word = words.split(" ");
        return new CollectivesBenchmark(
                Duration.ofNanos(Long.parseLong(word[0])),
                Double.parseDouble(word[1]),
                word[2],
                Long.parseLong(word[3]),
                Boolean.parseBoolean(word[4]),
                Integer.parseInt(word[5]));
    }

    /** Returns the average duration of an operation in microseconds. */
    double microseconds(long bytes) {
        return (latency.toNanos() + bytes / (bandwidth * (1L << 30)) * 1e9) / 1000;
    }
}
