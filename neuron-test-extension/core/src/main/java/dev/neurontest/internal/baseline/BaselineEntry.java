package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.statistics.SampleMedian;
import dev.neurontest.metric.Metric;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A baseline: the result of a test's metric on one stack.
 *
 * @param neff the SHA-256 of the compiled model, for information; another NEFF is still compared
 * @param commit the commit of the tested source; empty when it is unknown
 * @param note the reason for the change; empty when none was given
 * @param history the earlier values, newest first, in limited number
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselineEntry(
        BaselineKey key,
        Metric metric,
        Stack stack,
        Sample sample,
        Optional<String> neff,
        LocalDate recorded,
        String commit,
        String note,
        List<Former> history) {

    /**
     * An earlier value of a baseline.
     *
     * @param median the median of its runs
     * @param commit the commit of the tested source; empty when it is unknown
     * @param note the reason for the change; empty when none was given
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Former(double median, LocalDate recorded, String commit, String note) {}

    /** Creates an entry with its own copy of the history. */
    public BaselineEntry {
        history = List.copyOf(history);
    }

    /** Returns the current baseline and its earlier values, newest first. */
    List<Comparison.Accepted> accepted() {
        return Stream.concat(
                        Stream.of(new Comparison.Accepted(SampleMedian.of(sample.toArray()), recorded, note)),
                        history.stream()
                                .map(former ->
                                        new Comparison.Accepted(former.median(), former.recorded(), former.note())))
                .toList();
    }
}
