package dev.neurontest.baseline;

import dev.neurontest.internal.baseline.MeasuredRun;
import dev.neurontest.internal.baseline.RunComparison;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The comparison of one name in the results of another harness. Its runs must be different ones with equal conditions. */
final class SampledComparison {

    private static final String UNKNOWN = "unknown";

    private final Samples first;
    private final RunComparison comparison;
    private final Set<String> programs = new HashSet<>();

    /** Creates a comparison; the first run is not added yet. */
    SampledComparison(Samples first, RunComparison comparison) {
        this.first = first;
        this.comparison = comparison;
    }

    boolean wantsMore() {
        return comparison.wantsMore() || comparison.wantsMoreForABaseline();
    }

    Comparison result() {
        return comparison.result();
    }

    /**
     * Adds the result of a run. A decided comparison ignores it, because only others have requested the run.
     *
     * @throws SamplesException when the result is that of an earlier run
     */
    void add(List<Samples> result) {
        if (wantsMore()) {
            add(result.stream()
                    .filter(samples -> samples.name().equals(first.name()))
                    .findFirst()
                    .orElseThrow());
        }
    }

    private void add(Samples samples) {
        if (!programs.add(samples.program())) {
            throw new SamplesException(
                    samples.source(),
                    "two runs of the comparison have results of this program. Start the program in the body of the run, because the executions of one program count once.");
        }
        List<SampleDoubt> doubts = otherConditions(samples)
                .map(reason -> List.of(new SampleDoubt(SampleDoubt.Kind.INCOMPLETE, reason)))
                .orElse(samples.doubts());
        if (doubts.isEmpty()) {
            comparison.add(new MeasuredRun(
                    samples.median(),
                    samples.aggregate().isPresent() ? 1 : samples.values().size(),
                    Optional.empty()));
        } else {
            comparison.endIncomplete(doubts);
        }
    }

    /** Returns the differences to the first run. A result in doubt may lack its conditions; it is not compared anyway. */
    private Optional<String> otherConditions(Samples samples) {
        Map<String, String> before = parts(first);
        Map<String, String> now = parts(samples);
        if (!samples.doubts().isEmpty() || now.equals(before)) {
            return Optional.empty();
        }
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(now.keySet());
        return Optional.of("run %s has other conditions than the first: %s"
                .formatted(
                        programs.size(),
                        names.stream()
                                .filter(name -> !Objects.equals(before.get(name), now.get(name)))
                                .map(name -> "%s %s instead of %s"
                                        .formatted(
                                                name,
                                                now.getOrDefault(name, UNKNOWN),
                                                before.getOrDefault(name, UNKNOWN)))
                                .collect(Collectors.joining(", "))));
    }

    private static Map<String, String> parts(Samples samples) {
        Map<String, String> parts = new TreeMap<>(samples.stackParts());
        parts.put("name", samples.name());
        parts.put("unit", samples.unit().symbol());
        parts.put("better", samples.better().name().toLowerCase(Locale.ROOT));
        return parts;
    }
}
