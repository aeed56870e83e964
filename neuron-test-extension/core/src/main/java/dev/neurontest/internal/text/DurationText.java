package dev.neurontest.internal.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Durations in the format of people. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DurationText {

    /** Description of the accepted formats, for messages. */
    public static final String EXPECTED = "a duration such as 500 ms, 30 s, 10 min, 1 h or PT10S, at most 365 days";

    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)\\s*(us|ms|s|min|h)");
    private static final Map<String, Duration> UNITS = Map.of(
            "us", Duration.ofNanos(1_000),
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "min", Duration.ofMinutes(1),
            "h", Duration.ofHours(1));
    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofDays(365).toNanos());
    private static final Duration MOST_NANOS = Duration.ofNanos(Long.MAX_VALUE);

    private DurationText() {}

    /**
     * Returns a duration, roughly.
     *
     * @param time a duration that is not negative
     * @return for example {@code 250 ms}, {@code 1.2 s}, {@code 2 min 3 s}, {@code 1 h 0 min} or {@code 2 d 3 h}
     */
    public static String of(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            return time.toMillis() + " ms";
        }
        if (time.compareTo(Duration.ofMinutes(1)) < 0) {
            return "%s.%s s".formatted(time.toSeconds(), time.toMillisPart() / 100);
        }
        if (time.toHours() == 0) {
            return "%s min %s s".formatted(time.toMinutes(), time.toSecondsPart());
        }
        return time.toDays() == 0
                ? "%s h %s min".formatted(time.toHours(), time.toMinutesPart())
                : "%s d %s h".formatted(time.toDays(), time.toHoursPart());
    }

    /**
     * Returns a measured time with three digits.
     *
     * @param time any duration, including negative ones
     * @return for example {@code 950 ns}, {@code 1.5 µs}, {@code 16.4 ms} or {@code 5.02 s}
     */
    public static String exact(Duration time) {
        double nanos = time.getSeconds() * 1e9 + time.getNano();
        double size = Math.abs(nanos);
        if (size == 0) {
            return "0 s";
        }
        if (size < 1e3) {
            return digits(nanos) + " ns";
        }
        if (size < 1e6) {
            return digits(nanos / 1e3) + " µs";
        }
        return size < 1e9 ? digits(nanos / 1e6) + " ms" : digits(nanos / 1e9) + " s";
    }

    private static String digits(double value) {
        double size = Math.abs(value);
        String text = String.format(Locale.ROOT, size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%.0f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /**
     * Returns a configured limit. Only fractions of a millisecond are cut off.
     *
     * @param time a duration that is not negative
     * @return for example {@code 300 ms}, {@code 90 s} or {@code 10 min}
     */
    public static String limit(Duration time) {
        if (time.toMillis() % 1000 != 0) {
            return time.toMillis() + " ms";
        }
        return time.toSeconds() % 60 == 0 && time.toSeconds() > 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }

    /**
     * Returns a duration in nanoseconds, for programs.
     *
     * @return the nearest number of 64 bits, which is at most 292 years
     */
    public static long nanos(Duration time) {
        if (time.abs().compareTo(MOST_NANOS) <= 0) {
            return time.toNanos();
        }
        return time.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /**
     * Parses a duration: {@code 30 s}, {@code 500ms}, {@code 1.5 min}, {@code PT10S}, {@code 0}.
     *
     * @param text a text in a format of {@link #EXPECTED}
     * @return a duration that is not negative
     * @throws IllegalArgumentException with the problem
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        BigDecimal nanos = nanos(text);
        if (nanos.signum() < 0) {
            throw new IllegalArgumentException("it is negative");
        }
        if (nanos.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("it is too long");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    private static BigDecimal nanos(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (amount.matches()) {
            return new BigDecimal(amount.group(1))
                    .multiply(BigDecimal.valueOf(UNITS.get(amount.group(2)).toNanos()));
        }
        try {
            Duration iso = Duration.parse(text);
            return new BigDecimal(BigInteger.valueOf(iso.getSeconds())
                    .multiply(BigInteger.valueOf(1_000_000_000))
                    .add(BigInteger.valueOf(iso.getNano())));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    text.matches("[0-9.]+") ? "the unit is missing" : "it is not a duration", e);
        }
    }
}
