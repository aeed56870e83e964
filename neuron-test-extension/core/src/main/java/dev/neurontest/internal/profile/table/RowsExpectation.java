package dev.neurontest.internal.profile.table;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.profile.TableColumn;
import dev.neurontest.profile.TableRows;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Expectation for the result of a query: a single number within limits, or a number of rows. A missing number does not satisfy a limit.
 *
 * @param max the upper limit
 * @param min the lower limit
 * @param rows the expected number of rows, where no number is limited
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record RowsExpectation(Optional<Bound> max, Optional<Bound> min, OptionalLong rows) {

    /**
     * One end of a range.
     *
     * @param text the text of the user
     * @param inUnitOfColumn true for a bare number in the unit of the column, whatever unit that is
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Bound(String text, boolean inUnitOfColumn) {

        private BigDecimal in(TableColumn column) {
            if (inUnitOfColumn) {
                return new BigDecimal(text);
            }
            if (column.unit().isPresent()) {
                return BigDecimal.valueOf(
                        Quantity.parse(text, column.unit().get()).value());
            }
            Quantity limit = Quantity.parse(text);
            if (limit.unit() != Unit.COUNT) {
                throw new IllegalArgumentException(
                        "\"%s\" has a unit, but the unit of the column %s is not known. Use a name that ends in the unit, such as \"select … as wait_ns\" or \"as read_bytes\"."
                                .formatted(text, column.name()));
            }
            return BigDecimal.valueOf(limit.value());
        }
    }

    /** The states of a judged result. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum State {
        /** The result satisfies the expectation. */
        KEPT,
        /** The result violates the expectation. */
        BROKEN,
        /** The result contains no number to judge. */
        OPEN
    }

    /**
     * The result of a judgement.
     *
     * @param actual description of the result
     * @param excess distance beyond the limit, relative to the limit; used to compare executions
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Outcome(State state, String actual, double excess) {}

    /**
     * Creates an expectation of a number within limits, or of no rows when both limits are empty.
     *
     * @param max the upper limit with its unit; empty for none
     * @param min the lower limit with its unit; empty for none
     * @throws IllegalArgumentException when a limit cannot be parsed, for any column
     */
    public static RowsExpectation within(String max, String min) {
        List<Quantity> limits = Stream.of(max, min)
                .filter(text -> !text.isBlank())
                .map(Quantity::parse)
                .toList();
        if (limits.size() == 2 && isBelow(max, min)) {
            throw new IllegalArgumentException("min \"%s\" is greater than max \"%s\".".formatted(min, max));
        }
        return limits.isEmpty() ? rows(0) : new RowsExpectation(bound(max), bound(min), OptionalLong.empty());
    }

    private static Optional<Bound> bound(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(new Bound(text, false));
    }

    /**
     * Creates an expectation of an exact number, in the unit of the column.
     *
     * @param value for example nanoseconds for a column {@code duration_ns}
     */
    public static RowsExpectation equalTo(long value) {
        Optional<Bound> bound = Optional.of(new Bound(Long.toString(value), true));
        return new RowsExpectation(bound, bound, OptionalLong.empty());
    }

    /** Creates an expectation of a number of rows. */
    public static RowsExpectation rows(long count) {
        return new RowsExpectation(Optional.empty(), Optional.empty(), OptionalLong.of(count));
    }

    /**
     * Returns the expectation in words.
     *
     * @return for example {@code at most 1.5 ms} or {@code no rows}
     */
    public String words() {
        if (rows.isPresent()) {
            return rows.getAsLong() == 0 ? "no rows" : CountText.of(rows.getAsLong(), "row");
        }
        if (max.equals(min)) {
            return max.map(Bound::text).orElse("");
        }
        return Stream.of(max.map(bound -> "at most " + bound.text()), min.map(bound -> "at least " + bound.text()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" and "));
    }

    /** Returns whether no result of a query can meet both this expectation and another one. */
    public boolean excludes(RowsExpectation other) {
        return rows.isPresent() != other.rows.isPresent() || isBelow(other) || other.isBelow(this);
    }

    private boolean isBelow(RowsExpectation other) {
        return max.isPresent()
                && other.min.isPresent()
                && isBelow(max.get().text(), other.min.get().text());
    }

    private static boolean isBelow(String some, String other) {
        Quantity first = Quantity.parse(some);
        Quantity second = Quantity.parse(other);
        return first.unit() == second.unit() && first.value() < second.value();
    }

    /**
     * Compares the result of a query with the limits.
     *
     * @throws IllegalArgumentException when the limit and the column do not match; the message shows the correct form
     */
    public Outcome judge(TableRows result) {
        if (rows.isPresent()) {
            long count = result.rows().size();
            boolean kept = count == rows.getAsLong() && !result.more();
            return new Outcome(
                    kept ? State.KEPT : State.BROKEN,
                    (result.more() ? "more than " : "") + (count == 0 ? "no rows" : CountText.of(count, "row")),
                    count);
        }
        if (result.columns().size() != 1) {
            throw new IllegalArgumentException(
                    "A limit is compared with one number, but the query has %s columns (%s). Select one."
                            .formatted(
                                    result.columns().size(),
                                    result.columns().stream()
                                            .map(TableColumn::name)
                                            .collect(Collectors.joining(", "))));
        }
        TableColumn column = result.columns().get(0);
        List<BigDecimal> upper = max.map(bound -> bound.in(column)).stream().toList();
        List<BigDecimal> lower = min.map(bound -> bound.in(column)).stream().toList();
        if (result.rows().size() != 1 || result.more()) {
            return open(
                    result.rows().isEmpty()
                            ? "no row, and a missing value is not 0: a query for a limit must return one row with one number"
                            : "%s, but a limit is compared with one: sum them up, or use their max"
                                    .formatted(
                                            result.more()
                                                    ? String.format(Locale.ROOT, "more than %,d rows", TableRows.MOST)
                                                    : CountText.of(result.rows().size(), "row")));
        }
        Object value = result.rows().get(0).get(0);
        BigDecimal number = number(value);
        if (number == null) {
            return open(
                    value == null
                            ? "NULL, which is not 0: no row had a value. If a missing value means 0, use coalesce(…, 0)"
                            : "\"%s\", which is not a number".formatted(VisibleText.line(value.toString())));
        }
        double excess = Stream.concat(
                        upper.stream().map(limit -> excess(number.subtract(limit), limit)),
                        lower.stream().map(limit -> excess(limit.subtract(number), limit)))
                .max(Double::compare)
                .orElseThrow();
        return new Outcome(
                excess > 0 ? State.BROKEN : State.KEPT,
                shown(
                        number,
                        column,
                        Stream.concat(upper.stream(), lower.stream()).toList()),
                excess);
    }

    private static Outcome open(String actual) {
        return new Outcome(State.OPEN, actual, 0);
    }

    /** Returns the distance beyond the limit, relative to the limit. Its sign is exact; its size only serves to compare executions. */
    private static double excess(BigDecimal beyond, BigDecimal limit) {
        double share =
                limit.signum() == 0 ? beyond.doubleValue() : beyond.doubleValue() / Math.abs(limit.doubleValue());
        return beyond.signum() <= 0 ? Math.min(share, 0) : Math.max(share, Double.MIN_VALUE);
    }

    private static @Nullable BigDecimal number(@Nullable Object value) {
        if (value instanceof BigDecimal decimal) {
            return decimal;
        }
        if (value instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return Double.isFinite(number) ? BigDecimal.valueOf(number) : null;
        }
        return value instanceof Number number ? BigDecimal.valueOf(number.longValue()) : null;
    }

    /** Returns the number as text, in more digits where the rounded text would equal a limit that the number does not equal. */
    private static String shown(BigDecimal number, TableColumn column, List<BigDecimal> limits) {
        String rounded = TableRows.shown(number, column);
        boolean looksLikeALimit = limits.stream()
                .anyMatch(limit -> limit.compareTo(number) != 0
                        && TableRows.shown(limit, column).equals(rounded));
        return looksLikeALimit && column.unit().isPresent() && number.signum() >= 0
                ? new Quantity(number.doubleValue(), column.unit().get()).exactly()
                : rounded;
    }

    /** Returns the same text as {@link #words()}. */
    @Override
    public String toString() {
        return words();
    }
}
