package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.lease.store.LeaseState;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The quarantines reported to the observer, including those begun and ended by other JVMs. */
final class SeenQuarantines {

    private final HostCores cores;
    private final HealthChecks checks;
    private final LeaseNews news;
    private final Map<Long, Quarantine> reported = new TreeMap<>();
    private final Map<Long, String> ended = new ConcurrentHashMap<>();

    SeenQuarantines(HostCores cores, HealthChecks checks, LeaseNews news) {
        this.cores = cores;
        this.checks = checks;
        this.news = news;
    }

    /** Stores how this JVM ended a quarantine. */
    void ended(long number, String how) {
        ended.put(number, how);
    }

    /** Reports new and ended quarantines of the table. Returns whether there are any. */
    boolean notice(LeaseState state) {
        Map<Long, Quarantine> current = new TreeMap<>();
        for (LeaseState.QuarantineEntry entry : state.barred()) {
            current.put(entry.number(), cores.quarantine(entry));
        }
        if (current.keySet().equals(reported.keySet())) {
            return false;
        }
        current.forEach((number, quarantine) -> {
            if (!reported.containsKey(number)) {
                news.report(observer -> observer.quarantined(quarantine));
            }
        });
        reported.forEach((number, quarantine) -> {
            if (!current.containsKey(number)) {
                String how =
                        Objects.requireNonNullElse(ended.remove(number), "another JVM that shares the table ended it");
                news.report(observer -> observer.cleared(quarantine, how));
                checks.forget(number);
            }
        });
        reported.clear();
        reported.putAll(current);
        return true;
    }
}
