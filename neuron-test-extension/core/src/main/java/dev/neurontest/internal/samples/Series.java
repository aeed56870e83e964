package dev.neurontest.internal.samples;

import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Samples;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The values of one name in a result. Every value is checked here, whatever its format: a missing value is never a number. */
final class Series {

    /** Factor by which a list and its own aggregate may differ. Rounding explains less, and another unit much more. */
    private static final double SAME_UNIT = 2;

    private final String key;
    private final FileUnit fileUnit;
    private final Direction better;
    private final Samples.Clock clock;
    private final List<Double> values = new ArrayList<>();
    private final List<SampleDoubt> doubts = new ArrayList<>();
    private Optional<String> aggregate = Optional.empty();

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
        String plain = ResultJson.text(value).orElseThrow();
        if (inBase < 0) {
            return Optional.of("is %s, which is the mark of a missing value".formatted(plain));
        }
        if (fileUnit.unit().isNoTime(inBase) || fileUnit.unit() == Unit.PER_SECOND && inBase == 0) {
            return Optional.of("is %s, which is not a measurement".formatted(plain));
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

    /** Checks the number of values. */
    Series expecting(String name, @Nullable Object count) {
        if (count instanceof Double number && number != values.size() && doubts.isEmpty()) {
            incomplete("%s has %s values, but %s is %s"
                    .formatted(key, values.size(), name, ResultJson.text(count).orElseThrow()));
        }
        return this;
    }

    /** Checks the values against their own aggregate in the file. If they differ widely, one of them has another unit. */
    Series comparedWith(String name, @Nullable Object number, FileUnit unit) {
        if (doubts.isEmpty() && number instanceof Double other && other > 0) {
            double median = SampleMedian.of(
                    values.stream().mapToDouble(Double::doubleValue).toArray());
            double mean =
                    values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
            double found = name.startsWith("median") ? median : mean;
            double ratio = found / unit.toBase(other);
            if (!(ratio < SAME_UNIT && ratio > 1 / SAME_UNIT)) {
                incomplete("%s gives %s, but %s is %s: their units differ from those of the format"
                        .formatted(
                                key,
                                new Quantity(found, fileUnit.unit()),
                                name,
                                new Quantity(unit.toBase(other), fileUnit.unit())));
            }
        }
        return this;
    }

    /** Creates samples from the series and the facts of its file. A reported failure explains missing values. */
    Samples samples(String name, SortedMap<String, String> conditions, List<SampleDoubt> ofFile, String source) {
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
                        .toList(),
                source);
    }
}
