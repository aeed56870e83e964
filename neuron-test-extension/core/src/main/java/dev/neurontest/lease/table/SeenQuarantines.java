package dev.neurontest.lease.table;

import dev.neurontest.lease.Quarantine;
import java.util.Map;
import java.util.TreeMap;

/** The quarantines that the observer was told of, by whomever they were begun and ended. */
final class SeenQuarantines {

    private final HostCores cores;
    private final HealthChecks checks;
    private final LeaseNews news;
    private final Map<Long, Quarantine> seen = new TreeMap<>();

    SeenQuarantines(HostCores cores, HealthChecks checks, LeaseNews news) {
        this.cores = cores;
        this.checks = checks;
        this.news = news;
    }

    /** Reports those that are new on the table, or no more there. */
    void notice(TableChange change) {
        Map<Long, Quarantine> now = new TreeMap<>();
        change.state.barred().forEach(entry -> now.put(entry.number(), cores.quarantine(entry)));
        if (now.keySet().equals(seen.keySet())) {
            return;
        }
        change.effects.add(() -> {
            now.forEach((number, quarantine) -> {
                if (!seen.containsKey(number)) {
                    news.report(told -> told.quarantined(quarantine));
                }
            });
            seen.forEach((number, quarantine) -> {
                if (!now.containsKey(number)) {
                    String how = change.cleared.getOrDefault(number, "another JVM that shares the table ended it");
                    news.report(told -> told.cleared(quarantine, how));
                    checks.forget(number);
                }
            });
            seen.clear();
            seen.putAll(now);
        });
    }
}
