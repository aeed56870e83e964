package dev.neurontest.profile;

import dev.neurontest.metric.Noise;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether a profile is valid. */
final class Doubts {

    private Doubts() {}

    /** Whether start-up spoils a metric: times, and what is computed with them. Of one that is not known it may be so. */
    static boolean carriesTime(String metric) {
        return ProfileMetrics.find(metric)
                .map(known -> known.metric().isTime() || known.metric().noise() == Noise.NOISY)
                .orElse(true);
    }

    /** Everything because of which nothing can be decided; a first execution spoils only what carries time. */
    static List<Doubt> of(Profile profile) {
        return profile.allDoubts().stream()
                .filter(doubt -> doubt.kind() != Doubt.Kind.FIRST_EXECUTION)
                .toList();
    }

    /**
     * Why nothing can be decided; empty when it can.
     *
     * @param carriesTime whether start-up would be in what is judged
     */
    static String reasons(Profile profile, boolean carriesTime) {
        return Stream.concat(of(profile).stream(), carriesTime ? startUp(profile) : Stream.empty())
                .map(Doubt::reason)
                .distinct()
                .collect(Collectors.joining(" "));
    }

    /** Start-up where there is no other execution to judge. */
    private static Stream<Doubt> startUp(Profile profile) {
        return Stream.concat(
                        profile.doubts().stream(),
                        Part.of(profile.executions()).stream()
                                .filter(part -> part.without(Doubt.Kind.FIRST_EXECUTION)
                                        .executions()
                                        .isEmpty())
                                .flatMap(part -> part.executions().stream())
                                .flatMap(execution -> execution.doubts().stream()))
                .filter(doubt -> doubt.kind() == Doubt.Kind.FIRST_EXECUTION);
    }
}
