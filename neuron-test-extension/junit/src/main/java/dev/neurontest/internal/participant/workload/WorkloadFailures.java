package dev.neurontest.internal.participant.workload;

import dev.neurontest.workload.WorkloadFailure;
import dev.neurontest.workload.WorkloadResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.opentest4j.MultipleFailuresError;

/** A finder for the workloads that a failure reports. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class WorkloadFailures {

    private WorkloadFailures() {}

    /** Returns the workloads named by a failure, its causes, its suppressed failures and the failures that it groups. */
    static List<WorkloadResult> in(Throwable failure) {
        return all(failure).stream()
                .filter(WorkloadFailure.class::isInstance)
                .map(workload -> ((WorkloadFailure) workload).result())
                .toList();
    }

    /** Returns a failure, its causes, its suppressed failures and the failures that it groups. */
    public static List<Throwable> all(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> all = new ArrayList<>();
        Deque<Throwable> open = new ArrayDeque<>(List.of(failure));
        while (!open.isEmpty()) {
            Throwable next = open.remove();
            if (!seen.add(next)) {
                continue;
            }
            all.add(next);
            if (next instanceof MultipleFailuresError group) {
                open.addAll(group.getFailures());
            }
            if (next.getCause() != null) {
                open.add(next.getCause());
            }
            open.addAll(Arrays.asList(next.getSuppressed()));
        }
        return all;
    }
}
