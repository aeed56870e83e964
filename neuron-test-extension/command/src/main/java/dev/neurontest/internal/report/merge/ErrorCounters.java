package dev.neurontest.internal.report.merge;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterField;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.counter.Movement;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.text.CountText;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Changes of the error counters of hosts, from the first reading of any JVM on a host to the last one. */
final class ErrorCounters {

    /** Change of a broken component and of a line of the kernel log, which count as one error each. */
    private static final String ONE = "+1";

    /**
     * Maximum difference. A counter of a dead device may have all bits set. Up to this limit, sums of counters remain exact, also in JSON.
     */
    private static final BigInteger MOST = BigInteger.ONE.shiftLeft(53);

    private final List<RunMerge.Part> parts;
    private final Predicate<RunMerge.Part> startedAgain;
    private final Collection<String> notices;
    private final Collection<String> problems;

    /**
     * Creates an instance without any results; {@code moved()} computes them.
     *
     * @param startedAgain checks whether another JVM did the same work; missing data of such a JVM are no gap
     */
    ErrorCounters(
            List<RunMerge.Part> parts,
            Predicate<RunMerge.Part> startedAgain,
            Collection<String> notices,
            Collection<String> problems) {
        this.parts = parts;
        this.startedAgain = startedAgain;
        this.notices = notices;
        this.problems = problems;
    }

    List<HostError> moved() {
        Map<String, List<RunMerge.Part>> hosts = new LinkedHashMap<>();
        parts.forEach(part ->
                hosts.computeIfAbsent(part.host(), host -> new ArrayList<>()).add(part));
        List<HostError> moved = new ArrayList<>();
        hosts.values().forEach(host -> moved.addAll(moved(host)));
        return moved;
    }

    private List<HostError> moved(List<RunMerge.Part> host) {
        String name = host.get(0).jvm().host();
        List<RunEvent.HostErrors> readings = host.stream()
                .flatMap(part -> part.reading().events().stream())
                .filter(line -> line.event() instanceof RunEvent.HostErrors)
                .sorted(Comparator.comparing(JvmReading.Timed::time))
                .map(line -> (RunEvent.HostErrors) line.event())
                .toList();
        Map<String, Long> before = new TreeMap<>();
        Map<String, Long> after = new TreeMap<>();
        boolean atStart = false;
        boolean atEnd = false;
        Set<String> last = Set.of();
        Set<String> unread = new TreeSet<>();
        for (RunEvent.HostErrors reading : readings) {
            Map<String, Long> read = read(reading);
            reading.counters().keySet().stream()
                    .filter(counter -> !read.containsKey(counter))
                    .forEach(unread::add);
            if (reading.moment() == RunEvent.Moment.END) {
                atEnd = true;
                after.putAll(read);
                last = read.keySet();
            } else {
                atStart = true;
                read.forEach(before::putIfAbsent);
            }
        }
        if (!readings.isEmpty() && !atEnd) {
            (host.stream().allMatch(startedAgain) ? notices : problems)
                    .add(
                            "The error counters of %s were read when the run began, but not when it ended: JVMs were killed."
                                            .formatted(name)
                                    + " Errors in between are unknown.");
        } else if (atEnd && !atStart) {
            problems.add(
                    "The error counters of %s were read when the run ended, but not when it began. Errors in between are unknown."
                            .formatted(name));
        } else if (atEnd && before.isEmpty() && last.isEmpty()) {
            problems.add(
                    "No error counter of %s could be read, neither when the run began nor when it ended. Errors between tests are unknown."
                            .formatted(name));
        } else {
            readOnce(name, "began, but not when it ended", before.keySet(), last);
            // A counter that was absent at the start of the run and has counted since is an error like any other.
            last.stream()
                    .filter(counter -> !unread.contains(counter) && after.get(counter) != 0)
                    .forEach(counter -> before.putIfAbsent(counter, 0L));
            readOnce(name, "ended, but not when it began", last, before.keySet());
        }
        unread.removeAll(before.keySet());
        unread.removeAll(last);
        if (!unread.isEmpty()) {
            problems.add(
                    "%s of %s could be read neither when the run began nor when it ended, such as %s: changes are unknown."
                            .formatted(
                                    CountText.of(unread.size(), "error counter"),
                                    name,
                                    unread.iterator().next()));
        }
        appeared(name, readings);
        Predicate<CounterChange> restarted = restarted(name, host, readings, changes(before, after));
        clearedBetween(name, readings, before, after, restarted);
        List<Moved> moved = new ArrayList<>();
        changes(before, after)
                .forEach(change -> moved(name, change, restarted.test(change)).ifPresent(moved::add));
        unhealthy(readings).forEach(moved::add);
        unreadableHealth(name, readings);
        Map<String, SeenRanges> answered = moved.isEmpty() ? Map.of() : answered(host);
        return Stream.concat(
                        moved.stream().map(each -> each.error(name, answered)),
                        logged(name, readings, kernelLines(host)))
                .toList();
    }

    private static Map<String, Long> read(RunEvent.HostErrors reading) {
        Map<String, Long> read = new TreeMap<>();
        reading.counters()
                .forEach((counter, count) -> count.ifPresent(number -> read.put(counter, number.longValue())));
        return read;
    }

    /**
     * Reports counters that were readable only at one end of the run. The counters of a vanished device are unreadable, which is no
     * evidence that it is healthy.
     */
    private void readOnce(String name, String when, Set<String> readable, Set<String> readableAtOtherEnd) {
        List<String> counters = readable.stream()
                .filter(counter -> !readableAtOtherEnd.contains(counter))
                .sorted()
                .toList();
        if (!counters.isEmpty()) {
            problems.add("%s of %s could be read when the run %s, such as %s: changes are unknown."
                    .formatted(CountText.of(counters.size(), "error counter"), name, when, counters.get(0)));
        }
    }

    /** Reports devices that appeared during the run. Errors of such a device may have been counted before a JVM could read them. */
    private void appeared(String name, List<RunEvent.HostErrors> readings) {
        if (readings.isEmpty()) {
            return;
        }
        Set<String> first = readings.get(0).identities().keySet();
        Set<String> all = new TreeSet<>();
        readings.forEach(reading -> all.addAll(reading.identities().keySet()));
        all.removeAll(first);
        if (!first.isEmpty() && !all.isEmpty()) {
            problems.add("%s of %s appeared during the run: errors before the first reading are unknown."
                    .formatted(String.join(", ", all), name));
        }
    }

    /**
     * Handles counters that were cleared. Such a counter decreased between two readings, although the whole run shows no decrease. Counting
     * begins at the lower value.
     */
    private void clearedBetween(
            String host,
            List<RunEvent.HostErrors> readings,
            Map<String, Long> before,
            Map<String, Long> after,
            Predicate<CounterChange> restarted) {
        Map<String, Long> latest = new TreeMap<>();
        readings.forEach(reading -> read(reading).forEach((counter, value) -> {
            Long previous = latest.put(counter, value);
            long end = after.getOrDefault(counter, 0L);
            // If the last value is below the first, the change over the whole run already shows the decrease.
            boolean hidden = end > value || end == value && before.getOrDefault(counter, end) <= end;
            if (previous != null && hidden) {
                changes(Map.of(counter, previous), Map.of(counter, value)).stream()
                        .filter(change -> change.movement() == Movement.DECREASED)
                        .forEach(change -> {
                            decreased(host, change, restarted.test(change));
                            before.put(counter, value);
                        });
            }
        }));
    }

    /** Adds a problem, unless a restart of the driver is already reported. */
    private void decreased(String host, CounterChange change, boolean restarted) {
        if (!restarted) {
            problems.add(CounterText.decreased("%s of %s".formatted(change.subject(), host), change));
        }
    }

    /** Returns the changes of counters, by the same rules as for the counters of a test. */
    private static List<CounterChange> changes(Map<String, Long> before, Map<String, Long> after) {
        List<CounterChange> changes = new ArrayList<>();
        after.forEach((counter, end) -> {
            Long start = before.get(counter);
            int space = counter.lastIndexOf(' ');
            if (start != null && !start.equals(end) && space > 0) {
                CounterPlace.parse(counter.substring(0, space))
                        .map(place -> new Counter(place, counter.substring(space + 1), CounterField.TOTAL))
                        .map(file -> CounterChange.of(file, counter, start, end))
                        .ifPresent(changes::add);
            }
        });
        return changes;
    }

    /** Finds the counters that were reset. These are all counters of a host after its driver was reloaded, or those of replaced devices. */
    private Predicate<CounterChange> restarted(
            String name, List<RunMerge.Part> host, List<RunEvent.HostErrors> readings, List<CounterChange> changes) {
        Set<String> replaced = replaced(readings);
        Set<Integer> devices = replaced.stream()
                .flatMap(path -> place(path).stream())
                .map(CounterPlace::device)
                .collect(Collectors.toSet());
        if (!replaced.isEmpty()
                && devices.size() == replaced.size()
                && readings.get(0).identities().keySet().stream()
                        .anyMatch(path -> place(path).isPresent() && !replaced.contains(path))) {
            problems.add(
                    "Counters of %s restarted during the run: %s %s created again. Their earlier counts are unknown."
                            .formatted(name, String.join(", ", replaced), replaced.size() == 1 ? "was" : "were"));
            return change -> devices.contains(change.counters().get(0).place().device());
        }
        Optional<String> evidence = replaced.stream()
                .findFirst()
                .map(path -> path + " was created again")
                .or(() -> seenByATest(host))
                .or(() -> fellTogether(changes));
        evidence.ifPresent(found -> problems.add(
                "The driver of %s was reloaded during the run: %s. The earlier counts of its error counters are unknown."
                        .formatted(name, found)));
        return change -> evidence.isPresent();
    }

    private static Optional<CounterPlace> place(String path) {
        return CounterPlace.parse(path.substring(path.lastIndexOf('/') + 1));
    }

    private static Set<String> replaced(List<RunEvent.HostErrors> readings) {
        Map<String, String> first = new TreeMap<>();
        Set<String> replaced = new TreeSet<>();
        for (RunEvent.HostErrors reading : readings) {
            reading.identities().forEach((path, identity) -> {
                String previous = first.putIfAbsent(path, identity);
                if (previous != null && !previous.equals(identity)) {
                    replaced.add(path);
                }
            });
        }
        return replaced;
    }

    private static Optional<String> seenByATest(List<RunMerge.Part> host) {
        return host.stream()
                .flatMap(part -> part.reading().executions().stream())
                .flatMap(execution -> execution.counters().stream()
                        .map(JsonObject::text)
                        .filter(text -> !text.equals("{}") && !text.contains("\"restarted\":\"\""))
                        .map(text -> ParsedCounters.of(new JsonObject(text)).restarted())
                        .map(evidence -> "during %s, %s"
                                .formatted(
                                        execution.id().name(),
                                        evidence.isEmpty() ? "its measurement does not rule that out" : evidence)))
                .findFirst();
    }

    private static Optional<String> fellTogether(List<CounterChange> changes) {
        return changes.stream()
                .filter(change -> change.movement() == Movement.DECREASED)
                .collect(Collectors.groupingBy(CounterChange::where, TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .filter(fallen -> fallen.size() > 1)
                .findFirst()
                .map(fallen -> "%s and %s decreased together"
                        .formatted(fallen.get(0).subject(), fallen.get(1).subject()));
    }

    /**
     * A counter that changed.
     *
     * @param key name in the measurements of tests
     * @param value state of a component in parentheses; empty for a number
     * @param start value from which the difference is counted
     */
    private record Moved(String key, String value, long before, long after, String change, long delta, long start) {

        HostError error(String host, Map<String, SeenRanges> answered) {
            SeenRanges seen = answered.getOrDefault(key, new SeenRanges());
            // Tests after a wrap of the register measured it from its new beginning.
            long explained = seen.within(start, start + delta) + (after < start ? seen.within(0, after) : 0);
            return new HostError(host, key + value, before, after, change, delta, explained);
        }
    }

    private Optional<Moved> moved(String host, CounterChange seen, boolean restarted) {
        Counter counter = seen.counters().get(0);
        // Registers of the hardware are not reset by the driver.
        CounterChange change = restarted && seen.kind() != CounterKind.ECC
                ? CounterChange.of(counter, seen.subject(), 0, seen.after().longValue())
                : seen;
        boolean decreased = change.movement() == Movement.DECREASED;
        if (decreased) {
            decreased(host, change, restarted);
        }
        long before = change.before().longValue();
        return change.delta().signum() == 0
                ? Optional.empty()
                : Optional.of(new Moved(
                        change.subject(),
                        "",
                        before,
                        change.after().longValue(),
                        CounterText.moved(change),
                        change.delta().min(MOST).longValue(),
                        decreased ? 0 : before));
    }

    /** Returns the components that are broken at the end. They may already have been broken at the start of the run. */
    private static Stream<Moved> unhealthy(List<RunEvent.HostErrors> readings) {
        Map<String, String> last = new TreeMap<>();
        readings.forEach(reading -> last.putAll(reading.unhealthy()));
        return last.entrySet().stream()
                .filter(device ->
                        !device.getValue().isEmpty() && !device.getValue().startsWith(CounterScope.UNREADABLE))
                .map(device -> new Moved(
                        CounterDiff.healthOf(device.getKey()), " (" + device.getValue() + ")", 0, 1, ONE, 1, 0));
    }

    /** Returns the lines of the kernel log that only replaced attempts failed because of, by their times. */
    private static Map<String, String> kernelLines(List<RunMerge.Part> host) {
        Map<String, String> lines = new TreeMap<>();
        for (boolean replaced : List.of(true, false)) {
            host.stream()
                    .flatMap(part -> part.reading().executions().stream())
                    .filter(execution -> execution.isReplaced() == replaced)
                    .flatMap(execution -> execution.violations().stream())
                    .filter(violation -> violation.rule().equals(KernelLog.RULE))
                    .map(violation -> violation.actual().split(" ", 2))
                    .forEach(line -> {
                        if (replaced) {
                            lines.put(line[0], line[line.length - 1]);
                        } else {
                            lines.remove(line[0]);
                        }
                    });
        }
        return lines;
    }

    /**
     * Returns the lines of the kernel log since the first reading. All JVMs of a host read the same lines.
     *
     * @param unexplained lines that failed an attempt of a test that did not fail in the end, by their times
     */
    private static Stream<HostError> logged(
            String host, List<RunEvent.HostErrors> readings, Map<String, String> unexplained) {
        if (readings.isEmpty()) {
            return Stream.empty();
        }
        Set<String> before = readings.get(0).kernelLog().keySet();
        Map<String, String> texts = new TreeMap<>();
        Set<String> attributed = new TreeSet<>();
        readings.forEach(reading -> reading.kernelLog().forEach((line, text) -> {
            String time = line.substring(line.lastIndexOf(' ') + 1);
            if (text.isEmpty() && unexplained.containsKey(time)) {
                texts.put(line, unexplained.get(time));
            } else if (text.isEmpty()) {
                attributed.add(line);
            } else {
                texts.put(line, text);
            }
        }));
        texts.keySet().removeAll(before);
        return texts.entrySet().stream()
                .map(line -> new HostError(
                        host,
                        "%s (%s)".formatted(line.getKey(), line.getValue()),
                        0,
                        1,
                        ONE,
                        1,
                        attributed.contains(line.getKey()) ? 1 : 0));
    }

    private void unreadableHealth(String host, List<RunEvent.HostErrors> readings) {
        readings.stream()
                .flatMap(reading -> reading.unhealthy().entrySet().stream())
                .filter(device -> device.getValue().startsWith(CounterScope.UNREADABLE))
                .findFirst()
                .ifPresent(device -> problems.add("Whether %s of %s became unhealthy is unknown; its report is %s."
                        .formatted(device.getKey(), host, device.getValue())));
    }

    /**
     * Returns the ranges of counter values that tests explain. An attempt that a later one replaced explains only what it allows, unless its
     * test failed in the end. Concurrent tests measure the same change of a device's counter, therefore
     * its range of values counts, not the number of measurements.
     */
    private static Map<String, SeenRanges> answered(List<RunMerge.Part> host) {
        Map<String, SeenRanges> answered = new TreeMap<>();
        host.stream()
                .flatMap(part -> part.reading().executions().stream())
                .forEach(execution -> execution.counters().stream()
                        .map(ParsedCounters::of)
                        .forEach(recorded -> {
                            recorded.answered(!execution.isReplaced())
                                    .forEach(change -> answered.computeIfAbsent(
                                                    change.subject(), none -> new SeenRanges())
                                            .add(
                                                    change.start(),
                                                    change.start()
                                                            + change.delta().longValue()));
                            recorded.answeredHealth(!execution.isReplaced())
                                    .forEach(device -> answered.computeIfAbsent(
                                                    CounterDiff.healthOf(device), none -> new SeenRanges())
                                            .add(0, 1));
                        }));
        return answered;
    }
}
