package dev.neurontest.baseline;

import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Quantity;
import java.math.BigDecimal;
import java.util.Arrays;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apiguardian.api.API;

/**
 * A limit of all but the slowest executions, such as "p99 at most 17 ms", and whether executions show it. How many of them may lie over the limit follows from
 * the binomial distribution: to show a p99 with 95 % confidence it takes 299 executions with none over, 473 with one, and 628 with two.
 *
 * @param percentile the part of the executions that keeps the limit, such as 0.99
 * @param limit what they keep
 * @param confidence how sure the answer is, such as 0.95
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record PercentileLimit(double percentile, Quantity limit, double confidence) {

    private static final BinomialTest BINOMIAL = BinomialTest.withDefaults();

    /** More executions would take too long. */
    private static final int MOST_EXECUTIONS = 1 << 24;

    /** What executions show of a limit. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Answer {
        /** It is kept. */
        KEPT,
        /** It is not kept. */
        BROKEN,
        /** Neither is shown. */
        UNDECIDED
    }

    /**
     * What was seen of a limit.
     *
     * @param limit what was asked
     * @param answer what the executions show
     * @param executions how many there were
     * @param over how many of them lay over the limit
     * @param missing how many more, with none over, would show that it is kept; 0 when it is decided
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Seen(PercentileLimit limit, Answer answer, int executions, int over, int missing) {

        /**
         * The answer for people.
         *
         * @return such as {@code p99 at most 17 ms is undecided: 1 of 300 executions took more; 173 more with none over would show it}
         */
        @Override
        public String toString() {
            String state = switch (answer) {
                case KEPT -> "is kept";
                case BROKEN -> "is not kept";
                case UNDECIDED -> "is undecided";
            };
            String advice = missing == 0 ? "" : "; %s more with none over would show it".formatted(missing);
            return "%s %s: %s of %s executions took more%s".formatted(limit, state, over, executions, advice);
        }
    }

    /**
     * Checks the limit.
     *
     * @param percentile the part of the executions that keeps the limit
     * @param limit what they keep
     * @param confidence how sure the answer is
     * @throws IllegalArgumentException when the percentile is not between 0 and 1, or the confidence not between 0.5 and 1
     */
    public PercentileLimit {
        if (!(percentile > 0 && percentile < 1)) {
            throw new IllegalArgumentException("a percentile lies between 0 and 1, such as 0.99: " + percentile);
        }
        if (!(confidence > 0.5 && confidence < 1)) {
            throw new IllegalArgumentException("a confidence lies between 0.5 and 1, such as 0.95: " + confidence);
        }
    }

    /**
     * A limit that is shown with 95 % confidence.
     *
     * @param percentile the part of the executions that keeps the limit, such as 0.99
     * @param limit what they keep
     * @return the limit
     * @throws IllegalArgumentException when the percentile is not between 0 and 1
     */
    public static PercentileLimit of(double percentile, Quantity limit) {
        return new PercentileLimit(percentile, limit, 0.95);
    }

    /**
     * Asks executions.
     *
     * @param values one for each, in the unit of the limit
     * @return what they show
     * @throws IllegalArgumentException when a value is negative, or a time of 0: neither is a measurement
     */
    public Seen ask(double... values) {
        for (int execution = 0; execution < values.length; execution++) {
            if (values[execution] < 0 || limit.unit().isNoTime(values[execution])) {
                throw new IllegalArgumentException("Execution %s of %s took %s %s, which is no measurement"
                        .formatted(
                                execution + 1,
                                values.length,
                                values[execution],
                                limit.unit().symbol()));
            }
        }
        return ask(values.length, (int)
                Arrays.stream(values).filter(value -> !(value <= limit.value())).count());
    }

    /**
     * Asks executions that are counted already.
     *
     * @param executions how many there were
     * @param over how many of them lay over the limit
     * @return what they show
     * @throws IllegalArgumentException when more lay over the limit than there were, or a number is negative
     */
    public Seen ask(int executions, int over) {
        if (over < 0 || over > executions) {
            throw new IllegalArgumentException(
                    "%s of %s executions cannot lie over a limit".formatted(over, executions));
        }
        if (isShown(executions, over, AlternativeHypothesis.LESS_THAN)) {
            return new Seen(this, Answer.KEPT, executions, over, 0);
        }
        if (isShown(executions, over, AlternativeHypothesis.GREATER_THAN)) {
            return new Seen(this, Answer.BROKEN, executions, over, 0);
        }
        return new Seen(this, Answer.UNDECIDED, executions, over, executionsToShow(over) - executions);
    }

    private boolean isShown(int executions, int over, AlternativeHypothesis claim) {
        return executions > 0
                && BINOMIAL.with(claim).test(executions, over, allowed()).getPValue() <= 1 - confidence;
    }

    /** Without the error of the subtraction. */
    private double allowed() {
        return BigDecimal.ONE.subtract(BigDecimal.valueOf(percentile)).doubleValue();
    }

    /**
     * How many executions show the limit if so many lie over it.
     *
     * @param over how many lie over the limit
     * @return the least number of executions, at most 16,777,216
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
     * The limit for people.
     *
     * @return such as {@code p99 at most 17 ms (95 % confidence)}
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
