package dev.neurontest.internal.lifecycle;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.Suspicion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A comparison of the statuses of several attempts of one test. The same status on a second device is caused by the kernel, and the cores
 * are then no longer suspect.
 */
final class StatusComparison {

    private final List<Failed> earlier = new ArrayList<>();
    private boolean decided;

    /** The status of one attempt. */
    private record Failed(TestCores cores, Suspicion suspicion) {

        Set<NeuronDevice> devices() {
            return suspicion.cores().stream().map(NeuronCore::device).collect(Collectors.toSet());
        }

        boolean isSameElsewhere(Failed other) {
            return suspicion.status().equals(other.suspicion.status()) && isElsewhere(other);
        }

        boolean isElsewhere(Failed other) {
            return Collections.disjoint(devices(), other.devices());
        }

        String place() {
            return suspicion.cores().stream()
                    .map(core -> core.device().name())
                    .distinct()
                    .collect(Collectors.joining(", "));
        }

        void acquit(String cause) {
            cores.acquit(suspicion.cores(), suspicion.reason(), cause);
        }
    }

    /** Returns whether it is known that the kernel caused the status. */
    boolean isDecided() {
        return decided;
    }

    /**
     * Compares an attempt with earlier attempts.
     *
     * @param cores the cores of the attempt
     * @param suspicions the suspicions against these cores
     * @param notTried why there will be no attempt on another device; empty if there may be one
     * @return an explanation for the user; empty if there is nothing to explain
     */
    Optional<String> add(TestCores cores, List<Suspicion> suspicions, Optional<String> notTried) {
        List<Failed> now =
                suspicions.stream().map(each -> new Failed(cores, each)).toList();
        Optional<String> blame = now.stream()
                .flatMap(each -> earlier.stream()
                        .filter(before -> before.isSameElsewhere(each))
                        .map(before -> blame(before, each, now)))
                .reduce((first, second) -> first);
        boolean tried = now.stream().anyMatch(each -> earlier.stream().anyMatch(each::isElsewhere));
        earlier.addAll(now);
        return tried
                ? blame
                : now.stream()
                        .findFirst()
                        .flatMap(each -> notTried.map(why ->
                                "The kernel or the core may be to blame for %s: the test could not be tried on another device, because %s."
                                        .formatted(each.suspicion().status().orElseThrow(), why)));
    }

    private String blame(Failed before, Failed last, List<Failed> now) {
        decided = true;
        String got =
                "%s on %s and on %s".formatted(last.suspicion().status().orElseThrow(), before.place(), last.place());
        List<Failed> acquitted = new ArrayList<>(earlier);
        acquitted.addAll(now);
        acquitted.removeIf(
                each -> !each.suspicion().status().equals(last.suspicion().status()));
        acquitted.forEach(each -> each.acquit("the kernel is to blame: it got " + got));
        boolean needReset = acquitted.stream().anyMatch(each -> each.suspicion().until() == Until.RESET);
        return "The kernel is to blame, not the hardware: it got %s.%s"
                .formatted(got, needReset ? " The cores stay in quarantine until their devices are reset." : "");
    }
}
