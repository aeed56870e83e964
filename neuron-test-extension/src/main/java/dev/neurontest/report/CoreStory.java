package dev.neurontest.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which tests ran on which core of which host, in the order in which they started. */
final class CoreStory {

    private static final Pattern DEVICE = Pattern.compile("neuron[0-9]+(?=/)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final int DIGITS = 6;

    private final RunReport report;
    private final Map<Core, List<ReportedTest>> tests = new HashMap<>();

    CoreStory(RunReport report) {
        this.report = report;
        for (ReportedTest test : report.tests()) {
            for (Core core : cores(test)) {
                tests.computeIfAbsent(core, none -> new ArrayList<>()).add(test);
            }
        }
        tests.values().forEach(each -> each.sort(Comparator.comparing(ReportedTest::started)));
    }

    /** A core of a host. */
    record Core(String host, String name) {

        /** The devices that it is part of: one, unless somebody wrote something else. */
        List<Device> devices() {
            Set<Device> devices = new LinkedHashSet<>();
            Matcher matcher = DEVICE.matcher(name);
            while (matcher.find()) {
                devices.add(new Device(host, matcher.group()));
            }
            return List.copyOf(devices);
        }
    }

    /** A device of a host. */
    record Device(String host, String name) {}

    /** For an order in which 2 is before 10. */
    static String byNumber(String host, String name) {
        return host
                + "\n"
                + NUMBER.matcher(name)
                        .replaceAll(number ->
                                "0".repeat(Math.max(0, DIGITS - number.group().length())) + number.group());
    }

    /** In order of hosts, devices and cores. */
    List<Core> all() {
        return tests.keySet().stream()
                .sorted(Comparator.comparing(core -> byNumber(core.host(), core.name())))
                .toList();
    }

    List<Core> cores(ReportedTest test) {
        String host = host(test);
        return test.cores().stream().map(core -> new Core(host, core)).toList();
    }

    /** The host as messages call it; empty when the JVM never knew one. */
    String host(ReportedTest test) {
        return report.jvms().size() <= test.jvm()
                ? ""
                : report.jvms()
                        .get(test.jvm())
                        .platform()
                        .map(host -> host.host())
                        .orElse("");
    }

    List<ReportedTest> on(Core core) {
        return tests.getOrDefault(core, List.of());
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

    List<ReportedQuarantine> quarantines(Core core) {
        return report.quarantines().stream()
                .filter(each -> each.host().equals(core.host()) && each.core().equals(core.name()))
                .toList();
    }

    static boolean isBad(ReportedTest test) {
        return test.outcome() == TestOutcome.FAILED || test.outcome() == TestOutcome.LOST;
    }

    static Instant end(ReportedTest test) {
        return test.started().plus(test.took().isNegative() ? Duration.ZERO : test.took());
    }
}
