package dev.neurontest.internal.baseline.history;

import dev.neurontest.baseline.Sample;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.metric.Direction;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A proposed baseline and the current one that it would replace.
 *
 * @param former the stored baseline; empty when this stack has none of the metric
 * @param proposed the measured baseline; its history contains the medians of the sessions with the same change, newest first
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselineChange(Optional<BaselineEntry> former, BaselineEntry proposed) {

    /** Maximum number of earlier values in a baseline. */
    static final int HISTORY = 10;

    private static final MathContext DIGITS_OF_MEDIAN = new MathContext(15);

    /** The effects of accepting a change. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** A first baseline. */
        NEW,
        /** A stricter baseline. */
        BETTER,
        /** A looser baseline. The user must state the reason. */
        WORSE,
        /** A different number for a metric without a better direction. The user must state the reason. */
        CHANGED,
        /** An unchanged number. */
        SAME
    }

    /**
     * Compares the medians and returns the effect of accepting the change.
     *
     * @return never better or worse for a metric without a better direction
     */
    public Kind kind() {
        if (former.isEmpty()) {
            return Kind.NEW;
        }
        int comparison = Double.compare(median(proposed), median(former.get()));
        Direction better = proposed.metric().better();
        if (comparison == 0) {
            return Kind.SAME;
        }
        return switch (better) {
            case LOWER -> comparison < 0 ? Kind.BETTER : Kind.WORSE;
            case HIGHER -> comparison > 0 ? Kind.BETTER : Kind.WORSE;
            case DEPENDS, NEITHER -> Kind.CHANGED;
        };
    }

    /**
     * Returns the number of consecutive sessions with this change. The notes in the history of a proposal are the ids of its sessions.
     *
     * @return 1 to 10; 0 for a proposal without a history, written by hand
     */
    public int sessions() {
        return (int) proposed.history().stream()
                .map(BaselineEntry.Former::note)
                .distinct()
                .count();
    }

    /**
     * Returns the new baseline. The current one becomes the newest entry of its history.
     *
     * @param note the reason; empty when none was given
     */
    BaselineEntry accepted(String note) {
        List<BaselineEntry.Former> history = former.stream()
                .flatMap(old -> Stream.concat(
                        Stream.of(former(old.sample(), old.recorded(), old.commit(), old.note())),
                        old.history().stream()))
                .limit(HISTORY)
                .toList();
        return with(proposed, proposed.sample(), note, history);
    }

    /**
     * Creates an earlier value, with its median rounded to 15 significant digits. Further digits may be a rounding error of the mean of two
     * runs.
     */
    static BaselineEntry.Former former(Sample sample, LocalDate recorded, String commit, String note) {
        BigDecimal median = new BigDecimal(median(sample)).round(DIGITS_OF_MEDIAN);
        return new BaselineEntry.Former(median.doubleValue(), recorded, commit, note);
    }

    static double median(BaselineEntry entry) {
        return median(entry.sample());
    }

    static double median(Sample sample) {
        return SampleMedian.of(sample.toArray());
    }

    static BaselineEntry with(BaselineEntry entry, Sample sample, String note, List<BaselineEntry.Former> history) {
        return new BaselineEntry(
                entry.key(),
                entry.metric(),
                entry.stack(),
                sample,
                entry.neff(),
                entry.recorded(),
                entry.commit(),
                note,
                history);
    }
}
