package dev.neurontest.internal.profile;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.TracedExecution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Executions that may be compared with each other: those of one rank, and of one graph where a trace holds several.
 *
 * @param name such as {@code rank 3}; empty when there is no other part
 * @param executions in their order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparableExecutions(String name, List<TracedExecution> executions) {

    /**
     * Divides executions by rank, or by graph where there are several.
     *
     * @param executions of a profile
     * @return one part where nothing divides them
     */
    public static List<ComparableExecutions> of(List<TracedExecution> executions) {
        boolean severalGraphs = holdsSeveralGraphs(executions);
        Map<String, List<TracedExecution>> byName = new LinkedHashMap<>();
        for (TracedExecution execution : executions) {
            String rank =
                    execution.rank().isPresent() ? "rank " + execution.rank().getAsInt() : "";
            String name = severalGraphs ? (rank + " " + execution.summary().key()).strip() : rank;
            byName.computeIfAbsent(name, key -> new ArrayList<>()).add(execution);
        }
        boolean alone = byName.size() == 1;
        return byName.entrySet().stream()
                .map(part -> new ComparableExecutions(alone ? "" : part.getKey(), part.getValue()))
                .toList();
    }

    private static boolean holdsSeveralGraphs(List<TracedExecution> executions) {
        Set<Path> seen = new HashSet<>();
        return !executions.stream().map(TracedExecution::ntff).allMatch(seen::add);
    }

    /**
     * Without those that cannot tell a metric because start-up is in them.
     *
     * @param doubt which says so
     * @return the rest
     */
    public ComparableExecutions without(Doubt.Kind doubt) {
        return new ComparableExecutions(
                name,
                executions.stream()
                        .filter(execution -> execution.doubts().stream().noneMatch(each -> each.kind() == doubt))
                        .toList());
    }
}
