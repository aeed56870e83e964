package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The health checks of this JVM: the cores in quarantine that it may check, the times of the checks, and their results. All
 * methods except the check itself need the lock of this JVM.
 */
final class HealthChecks {

    private static final Duration BETWEEN = Duration.ofSeconds(5);

    private final @Nullable HealthCheck check;
    private final HostCores cores;
    private final LeaseStore store;
    private final Map<Long, Long> next = new HashMap<>();
    private final Map<Long, String> troubles = new ConcurrentHashMap<>();

    HealthChecks(@Nullable HealthCheck check, HostCores cores, LeaseStore store) {
        this.check = check;
        this.cores = cores;
        this.store = store;
    }

    /** Returns the problems found, by the number of the quarantine. */
    Map<Long, String> troubles() {
        return troubles;
    }

    /** Returns the quarantines that this JVM may check now. */
    List<LeaseState.QuarantineEntry> due(LeaseState state) {
        if (check == null) {
            return List.of();
        }
        long now = System.nanoTime();
        List<LeaseState.QuarantineEntry> due = new ArrayList<>();
        for (LeaseState.QuarantineEntry entry : state.barred()) {
            if (cores.core(entry.core()).isPresent()
                    && next.getOrDefault(entry.number(), now) - now <= 0
                    && isLasting(state, entry)
                    && !state.isBusy(entry)
                    && (entry.until() != Quarantine.Until.IDLE || isOfThisJvmOrNone(entry))) {
                due.add(entry);
            }
        }
        return due;
    }

    /** Checks whether only a health check can end a quarantine: no test holds the core, and no process must end. */
    private static boolean isLasting(LeaseState state, LeaseState.QuarantineEntry entry) {
        return entry.until() != Quarantine.Until.PROCESSES_END && !state.isHeld(entry);
    }

    /** Checks whether no other JVM might still use a core. Only the JVM itself can detect its activity on a core. */
    private boolean isOfThisJvmOrNone(LeaseState.QuarantineEntry entry) {
        return entry.jvm().equals(store.self()) || !store.isAlive(entry.jvm());
    }

    /** Returns the quarantines that are not worth waiting for. Only a health check can end them, and none is possible. */
    List<LeaseState.QuarantineEntry> hopeless(LeaseState state) {
        return lasting(state).stream()
                .filter(entry -> !(state.isBusy(entry) && heals()))
                .toList();
    }

    /** Returns the quarantines that only a health check can end and that are not currently in a health check. */
    List<LeaseState.QuarantineEntry> lasting(LeaseState state) {
        return state.barred().stream()
                .filter(entry -> isLasting(state, entry))
                .filter(entry -> !isExamined(entry))
                .toList();
    }

    private boolean isExamined(LeaseState.QuarantineEntry entry) {
        return store.cores().isLocked(CoreSlots.slots(List.of(entry.core())));
    }

    /** Checks whether a health check can restore suspect hardware. */
    boolean heals() {
        return check != null && check.heals();
    }

    /**
     * Locks the slots that must not be leased during a health check: those of the core, or of its whole device if the check may
     * reset it.
     *
     * @param kept slots already locked by this JVM
     * @return the slots locked in addition; empty if another process has locked one of them
     */
    Optional<List<Integer>> lock(LeaseState.QuarantineEntry entry, List<Integer> kept) {
        List<Integer> needed = CoreSlots.slots(List.of(entry.core())).stream()
                .flatMap(slot ->
                        entry.until() == Quarantine.Until.RESET ? CoreSlots.device(slot).stream() : Stream.of(slot))
                .distinct()
                .filter(slot -> !kept.contains(slot))
                .toList();
        if (store.cores().lock(needed).isPresent()) {
            return Optional.empty();
        }
        LeaseState state = store.state();
        if (state.barred().stream().noneMatch(each -> each.number() == entry.number())
                || state.isHeld(entry)
                || state.isBusy(entry)) {
            store.cores().unlock(needed);
            return Optional.empty();
        }
        return Optional.of(needed);
    }

    /** Checks a core. This may take long. */
    Optional<String> trouble(LeaseState.QuarantineEntry entry) {
        try {
            return check.trouble(cores.core(entry.core()).orElseThrow(), cores.quarantine(entry));
        } catch (RuntimeException | Error failed) {
            return Optional.of("the health check failed: " + failed);
        }
    }

    /** Stores the result of a health check. */
    void found(LeaseState.QuarantineEntry entry, Optional<String> trouble) {
        next.put(entry.number(), System.nanoTime() + BETWEEN.toNanos());
        trouble.ifPresent(text -> troubles.put(entry.number(), text));
    }

    void forget(long quarantine) {
        troubles.remove(quarantine);
        next.remove(quarantine);
    }

    /** Allows the next health check at once, regardless of the last one. */
    void hurry() {
        next.clear();
    }
}
