package dev.neurontest.internal.report.show;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.internal.baseline.ComparisonText;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** A view of a metric and its baseline, shared by all formats. */
@API(status = API.Status.INTERNAL, since = "0.1")
public class ComparisonView {

    private final Comparison comparison;

    /** Creates the view of a comparison. */
    public ComparisonView(Comparison comparison) {
        this.comparison = comparison;
    }

    /** Returns the comparison. */
    public final Comparison comparison() {
        return comparison;
    }

    /** Returns the verdict, such as {@code worse}. */
    public final String outcome() {
        return comparison.outcome() == ComparisonOutcome.NOT_WORSE && comparison.improved()
                ? "improved"
                : ComparisonText.words(comparison.outcome());
    }

    /**
     * Returns the change in words.
     *
     * @return medians, change, number of runs, and the reason for the verdict
     */
    public final String change() {
        List<String> parts = new ArrayList<>();
        median(comparison.sample()).ifPresent(now -> parts.add(shown(now) + " now"));
        comparison.baseline().flatMap(ComparisonView::median).ifPresent(before -> parts.add(shown(before) + " before"));
        new ComparisonText(comparison).change().ifPresent(parts::add);
        parts.add(CountText.of(comparison.sample().runs().size(), "run"));
        if (!comparison.reason().isEmpty()) {
            parts.add(comparison.reason().replace('-', ' '));
        }
        return String.join(", ", parts);
    }

    /** Returns verdict and change in one sentence. */
    final String sentence() {
        return "%s: %s, %s%s%s"
                .formatted(
                        outcome(),
                        comparison.key(),
                        change(),
                        comparison.decides().isEmpty() ? "" : "; to decide it: " + comparison.decides(),
                        new ComparisonText(comparison)
                                .nearest()
                                .filter(any -> comparison.outcome() == ComparisonOutcome.NO_BASELINE)
                                .map(nearest -> "; nearest: " + nearest)
                                .orElse(""));
    }

    /**
     * Returns the median of a sample.
     *
     * @return empty without runs
     */
    public static Optional<Double> median(Sample sample) {
        return sample.runs().isEmpty() ? Optional.empty() : Optional.of(SampleMedian.of(sample.toArray()));
    }

    /** Returns a value with its unit, for people. */
    public final String shown(double value) {
        Unit unit = comparison.metric().unit();
        return value >= 0 && !Double.isInfinite(value) && unit != Unit.TEXT
                ? new Quantity(value, unit).toString()
                : Double.toString(value);
    }
}
