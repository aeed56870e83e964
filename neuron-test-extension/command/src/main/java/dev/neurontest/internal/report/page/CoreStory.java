package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.CoreUse;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tests on each core of each host, in the order of their starts. */
final class CoreStory {

    private final RunReport report;
    private final List<CoreUse> uses;
    private final Map<Core, List<ReportedTest>> tests = new HashMap<>();
    private final Map<Core, Integer> numbers = new HashMap<>();

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

    /** A core of a host. */
    record Core(String host, String name) {

        Device device() {
            return new Device(host, CoreUse.deviceOf(name));
        }

        /** Returns the short name: {@code core 5 (neuron1)} for {@code core 5 (neuron1/neuron_core2, neuron1/neuron_core3)}. */
        String shortName() {
            int physical = name.indexOf(" (");
            return physical < 0 ? name : name.substring(0, physical) + " (" + CoreUse.deviceOf(name) + ")";
        }

        /** Returns the cores as named by counters; a logical core may have several. */
        List<Core> places() {
            return Stream.of(name.replaceFirst("^[^(]*\\((.*)\\)$", "$1").split(", "))
                    .map(place -> new Core(host, place))
                    .toList();
        }
    }

    /** A device of a host. */
    record Device(String host, String name) {}

    RunReport report() {
        return report;
    }

    /** Returns all cores, by host, device and core. */
    List<CoreUse> uses() {
        return uses;
    }

    static Core core(CoreUse use) {
        return new Core(use.host(), use.core());
    }

    /** Returns the number of a core among all cores. */
    int number(Core core) {
        return numbers.get(core);
    }

    List<Core> cores(ReportedTest test) {
        String host = host(test);
        return test.cores().stream().map(core -> new Core(host, core)).toList();
    }

    String host(ReportedTest test) {
        return report.jvms().get(test.jvm()).host();
    }

    List<ReportedTest> before(Core core, ReportedTest test) {
        return on(core).stream()
                .filter(each -> each != test && each.started().isBefore(test.started()))
                .toList();
    }

    List<ReportedTest> after(Core core, ReportedTest test) {
        return on(core).stream()
                .filter(each -> each != test && each.started().isAfter(test.started()))
                .toList();
    }

    private List<ReportedTest> on(Core core) {
        return tests.getOrDefault(core, List.of());
    }

    List<ReportedQuarantine> quarantines(Core core) {
        return uses.get(number(core)).quarantines();
    }
}
