package dev.neurontest.profile;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The statistic over several executions that is compared with a limit. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Statistic {

    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** The middle value; for an even number of values, the mean of the two middle ones. */
    public static final Statistic MEDIAN = new Statistic("median", BigDecimal.valueOf(50));

    /** The value that is worst for the limit. */
    public static final Statistic WORST = new Statistic("worst", HUNDRED);

    /** Every value on its own. The worst value decides, and the message lists all values that violate the limit. */
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
     * Parses a statistic.
     *
     * @param text {@code median}, {@code worst}, {@code each}, or a percentile such as {@code p90} or {@code p99.9}
     * @return the statistic
     * @throws IllegalArgumentException when the text is none of these
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
                    "\"%s\" is not a statistic. Write median, worst, each, or a percentile such as p90."
                            .formatted(text));
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
     * Returns the required number of executions. With fewer executions, a percentile equals the worst value.
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
     * Returns whether an upper limit of this statistic and a lower limit of another one always concern at least one common value, so the
     * lower limit must not be greater.
     */
    boolean overlaps(Statistic other) {
        return equals(MEDIAN) && other.equals(MEDIAN)
                || percent.add(other.percent).compareTo(HUNDRED) > 0;
    }

    /**
     * Computes one value from several. A percentile is one of the values, by nearest rank, counted from the better end. With an upper
     * limit, 90 % of the executions do not exceed {@code p90}. With a lower limit, 90 % of them reach it.
     *
     * @param values at least one value
     * @param smallerIsBetter true for an upper limit
     * @return the value to compare with the limit
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
     * Returns the name of the statistic.
     *
     * @return the name
     */
    @Override
    public String toString() {
        return name;
    }
}
