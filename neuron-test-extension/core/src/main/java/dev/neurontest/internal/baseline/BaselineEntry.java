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
 * One baseline: what a metric of a test gave on one stack.
 *
 * @param key of what
 * @param metric its name, unit, direction and noise
 * @param stack where
 * @param sample the runs
 * @param neff the SHA-256 of the compiled model, for information: another NEFF is compared all the same
 * @param recorded when
 * @param commit of the tested source; empty when it was not said
 * @param note why it changed; empty when none was given
 * @param history what it was before, the newest first, of bounded length
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
     * What a baseline was before.
     *
     * @param median of its runs
     * @param recorded when
     * @param commit of the tested source; empty when it was not said
     * @param note why it had changed then; empty when none was given
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Former(double median, LocalDate recorded, String commit, String note) {}

    /**
     * Keeps its own copy.
     *
     * @param key of what
     * @param metric its name, unit, direction and noise
     * @param stack where
     * @param sample the runs
     * @param neff the SHA-256 of the compiled model
     * @param recorded when
     * @param commit of the tested source
     * @param note why it changed
     * @param history what it was before
     */
    public BaselineEntry {
        history = List.copyOf(history);
    }

    /**
     * This baseline and what it was before.
     *
     * @return the newest first
     */
    List<Comparison.Accepted> accepted() {
        return Stream.concat(
                        Stream.of(new Comparison.Accepted(SampleMedian.of(sample.toArray()), recorded, note)),
                        history.stream()
                                .map(former ->
                                        new Comparison.Accepted(former.median(), former.recorded(), former.note())))
                .toList();
    }
}
