package dev.neurontest.baseline;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apiguardian.api.API;

/**
 * A limit that all but the slowest executions must keep, such as "p99 at most 17 ms", and its statistical test. The binomial distribution
 * determines how many executions may exceed the limit. A p99 with 95 % confidence needs 299 executions with none over, 473 with one, and
 * 628 with two.
 *
 * @param percentile the fraction of executions that must keep the limit, such as 0.99
 * @param limit the limit
 * @param confidence the confidence of the answer, such as 0.95
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PercentileLimit(double percentile, Quantity limit, double confidence) {

    private static final BinomialTest BINOMIAL = BinomialTest.withDefaults();

    /** Maximum number of executions. More would take too long. */
    private static final int MOST_EXECUTIONS = 1 << 24;

    /** The results of a test of executions against a limit. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Answer {
        /** A limit that is kept. */
        KEPT,
        /** A limit that is violated. */
        BROKEN,
        /** A limit without proof of either. */
        UNDECIDED
    }

    /**
     * The result of a test against a limit.
     *
     * @param limit the tested limit
     * @param answer the answer
     * @param executions number of executions
     * @param over number of executions above the limit
     * @param missing number of further executions, with none over, that would prove that the limit is kept; 0 when it is decided
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Result(PercentileLimit limit, Answer answer, int executions, int over, int missing) {

        /**
         * Returns the result in readable form.
         *
         * @return a text such as
         *     {@code p99 at most 17 ms is undecided: 1 of 300 executions took more; 173 more within the limit would show it}
         */
        @Override
        public String toString() {
            String state = switch (answer) {
                case KEPT -> "is kept";
                case BROKEN -> "is not kept";
                case UNDECIDED -> "is undecided";
            };
            String advice = missing == 0 ? "" : "; %s more within the limit would show it".formatted(missing);
            return "%s %s: %s of %s executions took more%s".formatted(limit, state, over, executions, advice);
        }
    }

    /**
     * Creates a limit.
     *
     * @param percentile the fraction of executions that must keep the limit
     * @param limit the limit
     * @param confidence the confidence of the answer
     * @throws IllegalArgumentException when the percentile is not between 0 and 1, or the confidence is not between 0.5 and 1
     */
    public PercentileLimit {
        if (!(percentile > 0 && percentile < 1)) {
            throw new IllegalArgumentException("a percentile must be between 0 and 1, such as 0.99: " + percentile);
        }
        if (!(confidence > 0.5 && confidence < 1)) {
            throw new IllegalArgumentException("a confidence must be between 0.5 and 1, such as 0.95: " + confidence);
        }
    }

    /**
     * Creates a limit with 95 % confidence.
     *
     * @param percentile the fraction of executions that must keep the limit, such as 0.99
     * @param limit the limit
     * @return the limit
     * @throws IllegalArgumentException when the percentile is not between 0 and 1
     */
    public static PercentileLimit of(double percentile, Quantity limit) {
        return new PercentileLimit(percentile, limit, 0.95);
    }

    /**
     * Checks measured executions against the limit.
     *
     * @param values one value for each execution, in the unit of the limit
     * @return the result
     * @throws IllegalArgumentException when a value is negative or a time of 0, because neither is a measurement
     */
    public Result check(double... values) {
        for (int execution = 0; execution < values.length; execution++) {
            if (values[execution] < 0 || limit.unit().isNoTime(values[execution])) {
                throw new IllegalArgumentException("Execution %s of %s took %s %s, which is not a measurement"
                        .formatted(
                                execution + 1,
                                values.length,
                                values[execution],
                                limit.unit().symbol()));
            }
        }
        return check(values.length, (int)
                Arrays.stream(values).filter(value -> !(value <= limit.value())).count());
    }

    /**
     * Checks counted executions against the limit.
     *
     * @param executions number of executions
     * @param over number of executions above the limit
     * @return the result
     * @throws IllegalArgumentException when {@code over} is negative or greater than {@code executions}
     */
    public Result check(int executions, int over) {
        if (over < 0 || over > executions) {
            throw new IllegalArgumentException("%s of %s executions cannot exceed a limit".formatted(over, executions));
        }
        if (isShown(executions, over, AlternativeHypothesis.LESS_THAN)) {
            return new Result(this, Answer.KEPT, executions, over, 0);
        }
        if (isShown(executions, over, AlternativeHypothesis.GREATER_THAN)) {
            return new Result(this, Answer.BROKEN, executions, over, 0);
        }
        return new Result(this, Answer.UNDECIDED, executions, over, executionsToShow(over) - executions);
    }

    private boolean isShown(int executions, int over, AlternativeHypothesis claim) {
        return executions > 0
                && BINOMIAL.with(claim).test(executions, over, allowed()).getPValue() <= 1 - confidence;
    }

    /** Returns the allowed fraction above the limit, without the rounding error of a binary subtraction. */
    private double allowed() {
        return BigDecimal.ONE.subtract(BigDecimal.valueOf(percentile)).doubleValue();
    }

    /**
     * Returns the number of executions that proves the limit if a given number exceeds it.
     *
     * @param over number of executions above the limit
     * @return the smallest number of executions, at most 16,777,216
     */
    public int executionsToShow(int over) {
        int tooFew = over;
        int enough = Math.max(1, over);
        while (enough < MOST_EXECUTIONS && !isShown(enough, over, AlternativeHypothesis.LESS_THAN)) {
            tooFew = enough;
            enough = Math.min(MOST_EXECUTIONS, 2 * enough);
        }
        while (enough - tooFew > 1) {
            int middle = tooFew + (enough - tooFew) / 2;
            if (isShown(middle, over, AlternativeHypothesis.LESS_THAN)) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return enough;
    }

    /**
     * Returns the limit in readable form.
     *
     * @return a text such as {@code p99 at most 17 ms (95 % confidence)}
     */
    @Override
    public String toString() {
        return "p%s at most %s (%s confidence)"
                .formatted(
                        BigDecimal.valueOf(percentile)
                                .movePointRight(2)
                                .stripTrailingZeros()
                                .toPlainString(),
                        limit,
                        new Fraction(confidence));
    }
}
