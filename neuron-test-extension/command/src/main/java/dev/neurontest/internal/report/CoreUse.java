package dev.neurontest.internal.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * Usage of a core in a run.
 *
 * @param host host of the core
 * @param device for example {@code neuron1}
 * @param core name, such as {@code neuron1/neuron_core2}
 * @param tests number of tests on it; a class that leases cores for its tests counts only when it failed
 * @param failed number of these with an attempt on it that failed or was lost
 * @param used time in which tests had the core, from lease to end; overlapping times count once
 * @param quarantines quarantines of the core
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record CoreUse(
        String host,
        String device,
        String core,
        long tests,
        long failed,
        Duration used,
        List<ReportedQuarantine> quarantines) {

    /** Creates an instance with its own copy. */
    public CoreUse {
        quarantines = List.copyOf(quarantines);
    }

    /**
     * Returns the usage of the cores in a run.
     *
     * @return cores that a test used or that were in quarantine, by host, device and core; neuron2 before neuron10
     */
    public static List<CoreUse> of(RunReport report) {
        Map<ReportedCore, Uses> uses = new TreeMap<>(ReportedCore.BY_NUMBER);
        for (ReportedTest test : report.tests()) {
            String host = report.jvms().get(test.jvm()).host();
            Map<String, List<ReportedTest>> attempts = new LinkedHashMap<>();
            test.executions()
                    .forEach(each -> each.cores()
                            .forEach(core -> attempts.computeIfAbsent(core, none -> new ArrayList<>())
                                    .add(each)));
            attempts.forEach(
                    (core, onCore) -> uses(uses, ReportedCore.of(host, core)).add(onCore));
        }
        report.quarantines()
                .forEach(each -> uses(uses, new ReportedCore(each.host(), each.core()))
                        .quarantines
                        .add(each));
        return uses.entrySet().stream()
                .map(each -> each.getValue().of(each.getKey()))
                .toList();
    }

    private static Uses uses(Map<ReportedCore, Uses> uses, ReportedCore core) {
        return uses.computeIfAbsent(core, absent -> new Uses());
    }

    private static final class Uses {

        private final List<ReportedTest> intervals = new ArrayList<>();
        private final List<ReportedQuarantine> quarantines = new ArrayList<>();
        private long tests;
        private long failed;

        void add(List<ReportedTest> attempts) {
            intervals.addAll(attempts);
            boolean hasFailed = attempts.stream().anyMatch(ReportedTest::hasFailed);
            tests += attempts.get(0).isTest() || hasFailed ? 1 : 0;
            failed += hasFailed ? 1 : 0;
        }

        CoreUse of(ReportedCore core) {
            return new CoreUse(core.host(), core.device(), core.name(), tests, failed, used(), quarantines);
        }

        private Duration used() {
            intervals.sort(Comparator.comparing(ReportedTest::leased));
            Duration used = Duration.ZERO;
            Instant end = Instant.MIN;
            for (ReportedTest each : intervals) {
                Instant from = each.leased().isAfter(end) ? each.leased() : end;
                if (each.ended().isAfter(from)) {
                    used = used.plus(Duration.between(from, each.ended()));
                    end = each.ended();
                }
            }
            return used;
        }
    }
}
