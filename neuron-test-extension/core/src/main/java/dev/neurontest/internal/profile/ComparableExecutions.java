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
 * The executions of one rank, and of one graph if a trace contains several. They may be compared with each other.
 *
 * @param name a name such as {@code rank 3} or {@code rank 3 on n1}; empty when there is no other part
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ComparableExecutions(String name, List<TracedExecution> executions) {

    /**
     * Divides executions by rank, and by graph if there are several.
     *
     * @return one part if the executions cannot be divided
     */
    public static List<ComparableExecutions> of(List<TracedExecution> executions) {
        boolean severalGraphs = holdsSeveralGraphs(executions);
        Map<String, List<TracedExecution>> byName = new LinkedHashMap<>();
        for (TracedExecution execution : executions) {
            String worker = execution.worker();
            String name = severalGraphs ? (worker + " " + execution.summary().key()).strip() : worker;
            byName.computeIfAbsent(name, key -> new ArrayList<>()).add(execution);
        }
        boolean single = byName.size() == 1;
        return byName.entrySet().stream()
                .map(part -> new ComparableExecutions(single ? "" : part.getKey(), part.getValue()))
                .toList();
    }

    private static boolean holdsSeveralGraphs(List<TracedExecution> executions) {
        Set<Path> seen = new HashSet<>();
        return !executions.stream().map(TracedExecution::ntff).allMatch(seen::add);
    }

    /** Returns the same part without executions that have the given kind of doubt, such as start-up. */
    public ComparableExecutions without(Doubt.Kind doubt) {
        return new ComparableExecutions(
                name,
                executions.stream()
                        .filter(execution -> execution.doubts().stream().noneMatch(each -> each.kind() == doubt))
                        .toList());
    }
}
