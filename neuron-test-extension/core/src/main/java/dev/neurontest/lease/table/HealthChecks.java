package dev.neurontest.lease.table;

import dev.neurontest.lease.HealthCheck;
import dev.neurontest.lease.store.TableState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which cores in quarantine this JVM may look at, when, and what it found. All but the looking is done with the table's lock. */
final class HealthChecks {

    private static final Duration BETWEEN = Duration.ofSeconds(5);

    private final @Nullable HealthCheck check;
    private final HostCores cores;
    private final long self;
    private final Map<Long, Long> next = new HashMap<>();
    private final Map<Long, String> troubles = new ConcurrentHashMap<>();

    HealthChecks(@Nullable HealthCheck check, HostCores cores, long self) {
        this.check = check;
        this.cores = cores;
        this.self = self;
    }

    /** What was found, by the number of the quarantine. */
    Map<Long, String> troubles() {
        return troubles;
    }

    /** The quarantines that this JVM may look at now. */
    List<TableState.Barred> due(TableState state) {
        if (check == null) {
            return List.of();
        }
        long now = System.nanoTime();
        return state.barred().stream()
                .filter(entry -> cores.core(entry.core()).isPresent())
                .filter(entry -> next.getOrDefault(entry.number(), now) - now <= 0)
                .filter(entry -> state.checkable(entry, self))
                .toList();
    }

    /** The quarantines that are not worth waiting for: only a look at the core can end them, and that does not wait for others. */
    List<TableState.Barred> hopeless(TableState state) {
        return state.barred().stream()
                .filter(state::lasting)
                .filter(entry -> !(state.busy(entry) && heals()))
                .toList();
    }

    /** Whether a look can bring suspect hardware back. */
    boolean heals() {
        return check != null && check.heals();
    }

    /** Says to all who share the table that this JVM looks at them. */
    List<TableState.Barred> take(TableChange change, Predicate<TableState.Barred> which) {
        List<TableState.Barred> taken = due(change.state).stream().filter(which).toList();
        taken.forEach(entry -> change.state.check(entry.number(), self));
        return taken;
    }

    /** Looks at a core; it may take long. */
    Optional<String> trouble(TableState.Barred entry) {
        try {
            return check.trouble(cores.core(entry.core()).orElseThrow(), cores.quarantine(entry));
        } catch (RuntimeException | Error failed) {
            return Optional.of("the health check failed: " + failed);
        }
    }

    void found(TableState.Barred entry, Optional<String> trouble) {
        next.put(entry.number(), System.nanoTime() + BETWEEN.toNanos());
        trouble.ifPresent(text -> troubles.put(entry.number(), text));
    }

    /** Says to all who share the table what was found. */
    void write(TableChange change, TableState.Barred entry, Optional<String> trouble) {
        change.concernsAll = true;
        if (trouble.isPresent()) {
            change.state.check(entry.number(), 0);
        } else {
            change.state.recover(entry);
            change.cleared.put(
                    entry.number(),
                    entry.until().isSuspect()
                            ? "health and error counts are as before"
                            : "the health check finds the core well");
        }
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
