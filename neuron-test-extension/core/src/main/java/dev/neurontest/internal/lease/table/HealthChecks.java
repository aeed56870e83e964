package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.CoreSlots;
import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.LeaseStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which cores in quarantine this JVM may look at, when, and what it found. All but the looking is done with the lock of this JVM. */
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

    /** What was found, by the number of the quarantine. */
    Map<Long, String> troubles() {
        return troubles;
    }

    /** The quarantines that this JVM may look at now. */
    List<LeaseState.QuarantineEntry> due(LeaseState state) {
        if (check == null) {
            return List.of();
        }
        long now = System.nanoTime();
        return state.barred().stream()
                .filter(entry -> cores.core(entry.core()).isPresent())
                .filter(entry -> next.getOrDefault(entry.number(), now) - now <= 0)
                .filter(entry -> isLasting(state, entry) && !state.isBusy(entry))
                .filter(entry -> entry.until() != Quarantine.Until.IDLE || isOfThisJvmOrNone(entry))
                .toList();
    }

    /** Returns whether only a look can end a quarantine: no test holds the core, and no process is waited for. */
    private static boolean isLasting(LeaseState state, LeaseState.QuarantineEntry entry) {
        return entry.until() != Quarantine.Until.PROCESSES_END && !state.isHeld(entry);
    }

    /** Returns whether no other JVM may still drive a core: what a JVM does on a core, it alone knows. */
    private boolean isOfThisJvmOrNone(LeaseState.QuarantineEntry entry) {
        return entry.jvm().equals(store.self()) || !store.lives(entry.jvm());
    }

    /** The quarantines that are not worth waiting for: only a health check can end them, and none runs. */
    List<LeaseState.QuarantineEntry> hopeless(LeaseState state) {
        return lasting(state).stream()
                .filter(entry -> !(state.isBusy(entry) && heals()))
                .toList();
    }

    /** The quarantines that only a health check can end and that are in no health check now. */
    List<LeaseState.QuarantineEntry> lasting(LeaseState state) {
        return state.barred().stream()
                .filter(entry -> isLasting(state, entry))
                .filter(entry -> !isExamined(entry))
                .toList();
    }

    private boolean isExamined(LeaseState.QuarantineEntry entry) {
        return store.cores().isLocked(CoreSlots.slots(List.of(entry.core())));
    }

    /** Whether a look can bring suspect hardware back. */
    boolean heals() {
        return check != null && check.heals();
    }

    /**
     * Locks what must not be leased while a core is looked at: the core, and its whole device where that may be reset.
     *
     * @param kept slots that this JVM has locked already
     * @return those that were locked in addition; empty when another process has one of them
     */
    Optional<List<Integer>> lock(LeaseState.QuarantineEntry entry, List<Integer> kept) {
        List<Integer> wanted = CoreSlots.slots(List.of(entry.core())).stream()
                .flatMap(slot ->
                        entry.until() == Quarantine.Until.RESET ? CoreSlots.device(slot).stream() : Stream.of(slot))
                .distinct()
                .filter(slot -> !kept.contains(slot))
                .toList();
        if (store.cores().lock(wanted).isPresent()) {
            return Optional.empty();
        }
        LeaseState state = store.state();
        if (state.barred().stream().noneMatch(each -> each.number() == entry.number())
                || state.isHeld(entry)
                || state.isBusy(entry)) {
            store.cores().unlock(wanted);
            return Optional.empty();
        }
        return Optional.of(wanted);
    }

    /** Looks at a core; it may take long. */
    Optional<String> trouble(LeaseState.QuarantineEntry entry) {
        try {
            return check.trouble(cores.core(entry.core()).orElseThrow(), cores.quarantine(entry));
        } catch (RuntimeException | Error failed) {
            return Optional.of("the health check failed: " + failed);
        }
    }

    /** Notes what was found. */
    void found(LeaseState.QuarantineEntry entry, Optional<String> trouble) {
        next.put(entry.number(), System.nanoTime() + BETWEEN.toNanos());
        trouble.ifPresent(text -> troubles.put(entry.number(), text));
    }

    void forget(long quarantine) {
        troubles.remove(quarantine);
        next.remove(quarantine);
    }

    /** Allows looking again at once, whenever it was done last. */
    void hurry() {
        next.clear();
    }
}
