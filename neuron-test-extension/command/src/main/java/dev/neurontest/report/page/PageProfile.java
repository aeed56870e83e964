package dev.neurontest.report.page;

import dev.neurontest.metric.Quantity;
import dev.neurontest.metric.Unit;
import dev.neurontest.page.Scale;
import dev.neurontest.profile.Distribution;
import dev.neurontest.report.show.Limits;
import dev.neurontest.report.show.Part;
import dev.neurontest.text.CountText;
import java.util.List;
import java.util.Optional;

/** What a profile of a test says. */
record PageProfile(RecordedProfile profile) {

    /** A label, a bar and a value. */
    record Bar(String label, String kind, double bar, String value) {}

    Optional<Bar> bars() {
        return profile.throttled()
                .map(part -> new Bar("Throttled", "undecided", new Scale(0, 1).at(part.value()), part.toString()));
    }

    Optional<String> times() {
        List<Double> sorted = profile.times().stream().sorted().toList();
        return sorted.isEmpty()
                ? Optional.empty()
                : Optional.of("%s: %s to %s, by %s"
                        .formatted(
                                CountText.of(sorted.size(), "execution"),
                                seconds(sorted.get(0)),
                                seconds(sorted.get(sorted.size() - 1)),
                                profile.tool()));
    }

    static Quantity seconds(double value) {
        return new Quantity(Math.max(0, value), Unit.SECONDS);
    }

    /** Of several executions that differ, or that have a limit. */
    Optional<Distribution> latencies() {
        return profile.latencies();
    }

    Part doubts() {
        return Part.of("In doubt", profile.doubts(), Limits.PAGE);
    }
}
