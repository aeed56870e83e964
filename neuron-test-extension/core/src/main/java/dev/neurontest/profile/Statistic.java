package dev.neurontest.profile;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What of several executions is held against a limit. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Statistic {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** The one in the middle; of an even number the mean of the two in the middle. */
    public static final Statistic MEDIAN = new Statistic("median", BigDecimal.valueOf(50));

    /** The one that is worst for the limit. */
    public static final Statistic WORST = new Statistic("worst", HUNDRED);

    /** Every one by itself: the verdict is that of the worst, and the message names all that broke the limit. */
    public static final Statistic EACH = new Statistic("each", HUNDRED);

    private static final List<Statistic> NAMED = List.of(MEDIAN, WORST, EACH);
    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,4})?)");

    private final String name;
    private final BigDecimal percent;

    private Statistic(String name, BigDecimal percent) {
        this.name = name;
        this.percent = percent;
    }

    /**
     * Reads a statistic.
     *
     * @param text {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90} or {@code p99.9}
     * @return the statistic
     * @throws IllegalArgumentException when it is none of these
     */
    public static Statistic parse(String text) {
        for (Statistic named : NAMED) {
            if (named.name.equals(text)) {
                return named;
            }
        }
        Matcher percentile = PERCENTILE.matcher(text);
        if (!percentile.matches() || new BigDecimal(percentile.group(1)).signum() == 0) {
            throw new IllegalArgumentException(
                    "\"%s\" is no statistic. Write median, worst, each, or a percentile such as p90.".formatted(text));
        }
        return new Statistic(text, new BigDecimal(percentile.group(1)));
    }

    private boolean isPercentile() {
        return !NAMED.contains(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Statistic that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /**
     * How many executions it takes. Of fewer, a percentile is nothing but their worst.
     *
     * @return 1 unless it is a percentile; 10 for {@code p90}, 100 for {@code p99}
     */
    public int needed() {
        return isPercentile()
                ? HUNDRED.divide(HUNDRED.subtract(percent), 0, RoundingMode.CEILING)
                        .intValueExact()
                : 1;
    }

    /**
     * Makes one value of several. A percentile is one of them, by its nearest rank, and is counted from the better end: with an
     * upper limit {@code p90} is what 90 % of the executions do not exceed, with a lower limit what 90 % of them reach.
     *
     * @param values at least one
     * @param smallerIsBetter true for an upper limit
     * @return what is held against the limit
     */
    public double of(double[] values, boolean smallerIsBetter) {
        double[] bestFirst = values.clone();
        Arrays.sort(bestFirst);
        if (!smallerIsBetter) {
            for (int left = 0, right = bestFirst.length - 1; left < right; left++, right--) {
                double better = bestFirst[right];
                bestFirst[right] = bestFirst[left];
                bestFirst[left] = better;
            }
        }
        int count = bestFirst.length;
        if (equals(MEDIAN)) {
            double below = bestFirst[(count - 1) / 2];
            double above = bestFirst[count / 2];
            return below == above ? below : below + (above - below) / 2;
        }
        int nearest = percent.multiply(BigDecimal.valueOf(count))
                .divide(HUNDRED, 0, RoundingMode.CEILING)
                .intValueExact();
        return bestFirst[nearest - 1];
    }

    /**
     * The statistic as it is written.
     *
     * @return its name
     */
    @Override
    public String toString() {
        return name;
    }
}
