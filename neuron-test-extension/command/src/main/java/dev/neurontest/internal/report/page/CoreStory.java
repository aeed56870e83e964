package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.CoreUse;
import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tests on each core of each host, in the order of their starts. */
final class CoreStory {

    private final RunReport report;
    private final List<CoreUse> uses;
    private final Map<ReportedCore, List<ReportedTest>> tests = new HashMap<>();
    private final Map<ReportedCore, Integer> numbers = new HashMap<>();

    CoreStory(RunReport report) {
        this.report = report;
        this.uses = CoreUse.of(report);
        for (int i = 0; i < uses.size(); i++) {
            numbers.put(core(uses.get(i)), i);
        }
        report.executions()
                .forEach(test -> cores(test)
                        .forEach(core -> tests.computeIfAbsent(core, none -> new ArrayList<>())
                                .add(test)));
        tests.values().forEach(each -> each.sort(Comparator.comparing(ReportedTest::started)));
    }

    RunReport report() {
        return report;
    }

    /** Returns all cores, by host, device and core. */
    List<CoreUse> uses() {
        return uses;
    }

    static ReportedCore core(CoreUse use) {
        return new ReportedCore(use.host(), use.core());
    }

    /** Returns the number of a core among all cores. */
    int number(ReportedCore core) {
        return numbers.get(core);
    }

    List<ReportedCore> cores(ReportedTest test) {
        String host = host(test);
        return test.cores().stream().map(core -> ReportedCore.of(host, core)).toList();
    }

    String host(ReportedTest test) {
        return report.jvms().get(test.jvm()).host();
    }

    List<ReportedTest> before(ReportedCore core, ReportedTest test) {
        return on(core).stream()
                .filter(each -> each != test && each.started().isBefore(test.started()))
                .toList();
    }

    List<ReportedTest> after(ReportedCore core, ReportedTest test) {
        return on(core).stream()
                .filter(each -> each != test && each.started().isAfter(test.started()))
                .toList();
    }

    private List<ReportedTest> on(ReportedCore core) {
        return tests.getOrDefault(core, List.of());
    }

    List<ReportedQuarantine> quarantines(ReportedCore core) {
        return uses.get(number(core)).quarantines();
    }
}
