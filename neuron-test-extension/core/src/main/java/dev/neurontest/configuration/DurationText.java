package dev.neurontest.configuration;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Reads durations as people write them: {@code 30 s}, {@code 500ms}, {@code 1.5 min}, {@code PT10S}, {@code 0}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DurationText {

    /** What can be written, for messages. */
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

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @param text as in {@link #EXPECTED}
     * @return not negative
     * @throws IllegalArgumentException saying what is wrong with it
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
                    text.matches("[0-9.]+") ? "the unit is missing" : "it is no duration", e);
        }
    }
}
