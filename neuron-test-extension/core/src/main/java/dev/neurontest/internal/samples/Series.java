package dev.neurontest.internal.samples;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Samples;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of one name in a result. Every value is checked here, whatever its format: a missing value is never a number. */
final class Series {

    /** Relative difference between a list and its own aggregate that rounded values explain. */
    private static final double ROUNDING = 0.05;

    private final String key;
    private final FileUnit fileUnit;
    private final Direction better;
    private final Samples.Clock clock;
    private final List<Double> values = new ArrayList<>();
    private final List<SampleDoubt> doubts = new ArrayList<>();
    private Optional<String> aggregate = Optional.empty();

    /** The value of the last digit of an aggregate. */
    private double lastDigit;

    private Series(String key, FileUnit fileUnit, Direction better, Samples.Clock clock) {
        this.key = key;
        this.fileUnit = fileUnit;
        this.better = better;
        this.clock = clock;
    }

    /** Creates a series of one value for each execution. */
    static Series raw(String key, List<?> numbers, FileUnit fileUnit, Direction better, Samples.Clock clock) {
        Series series = new Series(key, fileUnit, better, clock);
        List<String> problems = new ArrayList<>();
        for (int index = 0; index < numbers.size(); index++) {
            int place = index;
            series.add(numbers.get(index))
                    .ifPresent(problem -> problems.add("%s[%s] %s".formatted(key, place, problem)));
        }
        if (numbers.isEmpty()) {
            series.incomplete("%s is an empty list".formatted(key));
        }
        if (!problems.isEmpty()) {
            series.incomplete("%s of %s values are no measurements: %s"
                    .formatted(problems.size(), numbers.size(), ListText.some(problems, 2)));
        }
        return series;
    }

    /** Creates a series of one aggregate. */
    static Series aggregate(
            String key, @Nullable Object number, FileUnit fileUnit, Direction better, Samples.Clock clock) {
        Series series = new Series(key, fileUnit, better, clock).aggregated(key);
        series.lastDigit = number instanceof Double value ? fileUnit.toBase(ResultJson.lastDigit(value)) : 0;
        series.add(number).ifPresent(problem -> series.incomplete("%s %s".formatted(key, problem)));
        return series;
    }

    /** Creates a series without a value. */
    static Series absent(String key, FileUnit fileUnit, Direction better, Samples.Clock clock, String reason) {
        return new Series(key, fileUnit, better, clock).aggregated(key).incomplete(reason);
    }

    /** Marks the values as aggregates of several executions each. */
    Series aggregated(String name) {
        aggregate = Optional.of(name);
        return this;
    }

    private Optional<String> add(@Nullable Object number) {
        if (!(number instanceof Double value)) {
            return Optional.of(
                    number == null
                            ? "is absent"
                            : number instanceof String text
                                    ? "is the text \"%s\" instead of a number".formatted(ResultJson.shortened(text))
                                    : number == ResultJson.Null.NULL ? "is null" : "is not a number");
        }
        double inBase = fileUnit.toBase(value);
        if (!Double.isFinite(inBase)) {
            return Optional.of("is " + value);
        }
        if (inBase < 0) {
            return Optional.of("is %s, which is the mark of a missing value".formatted(ResultJson.shown(value)));
        }
        if (fileUnit.unit().isNoTime(inBase) || fileUnit.unit() == Unit.PER_SECOND && inBase == 0) {
            return Optional.of("is %s, which is not a measurement".formatted(ResultJson.shown(value)));
        }
        values.add(inBase);
        return Optional.empty();
    }

    Series doubt(SampleDoubt.Kind kind, String reason) {
        doubts.add(new SampleDoubt(kind, reason));
        return this;
    }

    Series incomplete(String reason) {
        return doubt(SampleDoubt.Kind.INCOMPLETE, reason);
    }

    /** Adds the doubts of the values that this series summarizes. Unless it is their deviation, it is between them. */
    Series summarizing(Series raw) {
        doubts.addAll(raw.doubts);
        if (doubts.isEmpty() && raw.aggregate.isEmpty() && better != Direction.NEITHER) {
            double least = Collections.min(raw.values);
            double most = Collections.max(raw.values);
            double value = values.get(0);
            if (value < (1 - ROUNDING) * least - lastDigit || value > (1 + ROUNDING) * most + lastDigit) {
                incomplete(
                        "%s is %s, but %s has values from %s to %s: one of them is of other executions or in another unit"
                                .formatted(key, quantity(value), raw.key, quantity(least), quantity(most)));
            }
        }
        return this;
    }

    private Quantity quantity(double value) {
        return new Quantity(value, fileUnit.unit());
    }

    /** Checks the number of values, unless the count is absent. */
    Series expecting(String name, @Nullable Object count) {
        if (count != null && doubts.isEmpty() && !count.equals((double) values.size())) {
            incomplete("%s has %s values, but %s is %s".formatted(key, values.size(), name, ResultJson.shown(count)));
        }
        return this;
    }

    /** Checks the number of executions that a value summarizes, unless it is absent. */
    Series ofExecutions(String name, @Nullable Object count) {
        if (count != null && ResultJson.count(count).orElse(0.0) == 0) {
            incomplete("%s is %s, expected the number of executions".formatted(name, ResultJson.shown(count)));
        }
        return this;
    }

    /**
     * Checks the values against their own aggregate in the file, unless it is absent. If they differ by more than rounding, one of them is
     * of other executions or in another unit.
     */
    Series comparedWith(String name, @Nullable Object number, FileUnit unit) {
        if (doubts.isEmpty() && number != null) {
            double median = SampleMedian.of(
                    values.stream().mapToDouble(Double::doubleValue).toArray());
            double mean =
                    values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
            double found = name.startsWith("median") ? median : mean;
            double other = number instanceof Double value && value > 0 ? value : Double.NaN;
            double most = ROUNDING * found + unit.toBase(ResultJson.lastDigit(other));
            if (!(Math.abs(found - unit.toBase(other)) <= most)) {
                incomplete("%s gives %s, but %s is %s: one of them is of other executions or in another unit"
                        .formatted(
                                key,
                                quantity(found),
                                name,
                                Double.isFinite(other) ? quantity(unit.toBase(other)) : ResultJson.shown(number)));
            }
        }
        return this;
    }

    /** Creates samples from the series and the facts of its file. A reported failure explains missing values. */
    Samples samples(
            String name,
            SortedMap<String, String> conditions,
            List<SampleDoubt> ofFile,
            String source,
            String program) {
        boolean failed = ofFile.stream().anyMatch(doubt -> doubt.kind() == SampleDoubt.Kind.FAILED);
        return new Samples(
                name,
                values,
                fileUnit.unit(),
                better,
                clock,
                aggregate,
                conditions,
                Stream.concat(ofFile.stream(), failed ? Stream.of() : doubts.stream())
                        .distinct()
                        .toList(),
                source,
                program);
    }
}
