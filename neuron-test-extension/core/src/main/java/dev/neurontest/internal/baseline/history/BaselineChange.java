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
 * A baseline beside the one that it would replace.
 *
 * @param former what is in the store; empty when there is none of the metric on this stack
 * @param proposed what was measured; its history are the medians of the sessions that saw the same, the newest first
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselineChange(Optional<BaselineEntry> former, BaselineEntry proposed) {

    /** How many former values a baseline keeps. */
    static final int HISTORY = 10;

    private static final MathContext ALL_BUT_LAST_DIGIT = new MathContext(15);

    /** What accepting it would do. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** There was none. */
        NEW,
        /** It gets tighter. */
        BETTER,
        /** It gets looser, so that the user has to say why. */
        WORSE,
        /** It becomes another number, of which none is better, so that the user has to say why. */
        CHANGED,
        /** It stays the same number. */
        SAME
    }

    /**
     * What accepting it would do, by the medians.
     *
     * @return never better or worse for a metric that has no such direction
     */
    public Kind kind() {
        if (former.isEmpty()) {
            return Kind.NEW;
        }
        int rises = Double.compare(median(proposed), median(former.get()));
        Direction better = proposed.metric().better();
        if (rises == 0) {
            return Kind.SAME;
        }
        return switch (better) {
            case LOWER -> rises < 0 ? Kind.BETTER : Kind.WORSE;
            case HIGHER -> rises > 0 ? Kind.BETTER : Kind.WORSE;
            case DEPENDS, NEITHER -> Kind.CHANGED;
        };
    }

    /**
     * How many sessions saw it, one after the other.
     *
     * @return at least one, unless the proposal was written by hand
     */
    public int sessions() {
        return (int) proposed.history().stream()
                .map(BaselineEntry.Former::note)
                .distinct()
                .count();
    }

    /**
     * Returns the baseline that it becomes.
     *
     * @param note why; empty when none was given
     * @return with what was there before as the newest of its history
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

    /** Without the last digit, in which the mean of two numbers is not what a person would write. */
    static BaselineEntry.Former former(Sample sample, LocalDate recorded, String commit, String note) {
        BigDecimal median = new BigDecimal(median(sample)).round(ALL_BUT_LAST_DIGIT);
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
