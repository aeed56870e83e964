package dev.neurontest.report.merge;

import dev.neurontest.counter.CounterChange;
import dev.neurontest.counter.Movement;
import dev.neurontest.counter.tree.Counter;
import dev.neurontest.counter.tree.CounterField;
import dev.neurontest.counter.tree.CounterKind;
import dev.neurontest.counter.tree.CounterPlace;
import dev.neurontest.counter.tree.CounterScope;
import dev.neurontest.json.JsonObject;
import dev.neurontest.report.HostError;
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

/** What error counters of hosts did from the first reading of any JVM on a host to the last one. */
final class ErrorCounters {

    private final List<RunMerge.Part> parts;
    private final Predicate<RunMerge.Part> startedAgain;
    private final Collection<String> notices;
    private final Collection<String> problems;

    /**
     * Knows nothing yet.
     *
     * @param startedAgain whether another JVM did the same, so that what is not known of this one is no gap
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
        List<JvmReading.ErrorReading> readings = host.stream()
                .flatMap(part -> part.reading().errorReadings().stream())
                .sorted(Comparator.comparing(JvmReading.ErrorReading::time))
                .toList();
        Map<String, Long> before = new TreeMap<>();
        Map<String, Long> after = new TreeMap<>();
        boolean atStart = false;
        boolean atEnd = false;
        Set<String> last = Set.of();
        Set<String> unread = new TreeSet<>();
        for (JvmReading.ErrorReading reading : readings) {
            atStart |= !reading.atEnd();
            atEnd |= reading.atEnd();
            Map<String, Long> numbers = CounterNumbers.of(reading.errors().counters());
            unread.addAll(CounterNumbers.unread(reading.errors().counters()));
            if (reading.atEnd()) {
                after.putAll(numbers);
                last = numbers.keySet();
            } else {
                numbers.forEach(before::putIfAbsent);
            }
        }
        if (!readings.isEmpty() && !atEnd) {
            (host.stream().allMatch(startedAgain) ? notices : problems)
                    .add(
                            "The error counters of %s were read when the run began, and never when it ended: JVMs were killed."
                                            .formatted(name)
                                    + " Errors in between are not known.");
        } else if (atEnd && !atStart) {
            problems.add(
                    "The error counters of %s were read when the run ended, and never when it began. Errors in between are not known."
                            .formatted(name));
        } else if (atEnd && before.isEmpty() && last.isEmpty()) {
            problems.add(
                    "No error counter of %s could be read, neither when the run began nor when it ended. Errors between tests are not known."
                            .formatted(name));
        } else {
            readOnce(name, "began, and not when it ended", before.keySet(), last);
            // What was not there when the run began and has counted since is an error like any other.
            last.stream()
                    .filter(counter -> !unread.contains(counter) && after.get(counter) != 0)
                    .forEach(counter -> before.putIfAbsent(counter, 0L));
            readOnce(name, "ended, and not when it began", last, before.keySet());
        }
        unread.removeAll(before.keySet());
        unread.removeAll(last);
        if (!unread.isEmpty()) {
            problems.add(
                    "%s error counters of %s could be read neither when the run began nor when it ended, such as %s: whether they moved is not known."
                            .formatted(unread.size(), name, unread.iterator().next()));
        }
        appeared(name, readings);
        List<CounterChange> changes = changes(before, after);
        Restart restart = restart(name, host, readings, changes);
        List<HostError> errors = new ArrayList<>();
        changes.forEach(change -> error(name, change, restart.concerns(change)).ifPresent(errors::add));
        unhealthy(name, readings).forEach(errors::add);
        unreadableHealth(name, readings);
        Map<String, SeenRanges> answered = answered(host, errors);
        return Stream.concat(
                        errors.stream().map(error -> error.explained(within(answered.get(error.key()), error))),
                        logged(name, readings))
                .toList();
    }

    /** Tests after the end of the register's range saw it where it began again. */
    private static long within(SeenRanges answered, HostError error) {
        return answered.within(error.before(), error.before() + error.delta())
                + (error.after() < error.before() ? answered.within(0, error.after()) : 0);
    }

    /** The counters of a device that vanished cannot be read any more, which is no sign of health. */
    private void readOnce(String name, String when, Set<String> there, Set<String> elsewhere) {
        List<String> once = there.stream()
                .filter(counter -> !elsewhere.contains(counter))
                .sorted()
                .toList();
        if (!once.isEmpty()) {
            problems.add(
                    "%s error counters of %s could be read when the run %s, such as %s: what they counted is not known."
                            .formatted(once.size(), name, when, once.get(0)));
        }
    }

    /** Errors of a device that was not there when the run began may have been counted before this JVM could read them. */
    private void appeared(String name, List<JvmReading.ErrorReading> readings) {
        if (readings.isEmpty()) {
            return;
        }
        Set<String> first =
                CounterNumbers.texts(readings.get(0).errors().identities()).keySet();
        Set<String> all = new TreeSet<>();
        readings.forEach(reading ->
                all.addAll(CounterNumbers.texts(reading.errors().identities()).keySet()));
        all.removeAll(first);
        if (!first.isEmpty() && !all.isEmpty()) {
            problems.add("%s of %s appeared during the run: whether errors were counted on it is not known."
                    .formatted(String.join(", ", all), name));
        }
    }

    /** The same decisions as on the counters of a test. */
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

    /** The counters that began anew: all of a host whose driver was loaded anew, or those of some of its devices. */
    private record Restart(boolean wholeHost, Set<Integer> devices) {

        boolean concerns(CounterChange change) {
            return wholeHost
                    || devices.contains(change.counters().get(0).place().device());
        }
    }

    private Restart restart(
            String name,
            List<RunMerge.Part> host,
            List<JvmReading.ErrorReading> readings,
            List<CounterChange> changes) {
        Set<String> replaced = replaced(readings);
        Set<Integer> devices = new TreeSet<>();
        replaced.forEach(path -> CounterPlace.parse(path.substring(path.lastIndexOf('/') + 1))
                .ifPresent(place -> devices.add(place.device())));
        if (!replaced.isEmpty() && devices.size() == replaced.size() && !replaced.containsAll(devicesOf(readings))) {
            problems.add(
                    "Counters of %s began anew during the run: %s was made anew. What they had counted before is not known."
                            .formatted(name, String.join(", ", replaced)));
            return new Restart(false, devices);
        }
        Optional<String> evidence = replaced.stream()
                .findFirst()
                .map(path -> path + " was made anew")
                .or(() -> seenByATest(host))
                .or(() -> fellTogether(changes));
        evidence.ifPresent(found -> problems.add(
                "The driver of %s was loaded anew during the run: %s. What its error counters had counted before is not known."
                        .formatted(name, found)));
        return new Restart(evidence.isPresent(), Set.of());
    }

    /** Where the directories of all devices are others, the driver was loaded anew. */
    private static Set<String> devicesOf(List<JvmReading.ErrorReading> readings) {
        return CounterNumbers.texts(readings.get(0).errors().identities()).keySet().stream()
                .filter(path -> CounterPlace.parse(path.substring(path.lastIndexOf('/') + 1))
                        .isPresent())
                .collect(Collectors.toSet());
    }

    /** The directories that are others than before. */
    private static Set<String> replaced(List<JvmReading.ErrorReading> readings) {
        Map<String, String> first = new TreeMap<>();
        Set<String> replaced = new TreeSet<>();
        for (JvmReading.ErrorReading reading : readings) {
            CounterNumbers.texts(reading.errors().identities()).forEach((path, identity) -> {
                String known = first.putIfAbsent(path, identity);
                if (known != null && !known.equals(identity)) {
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
                        .flatMap(recording -> Stream.ofNullable(
                                        CounterNumbers.texts(recording).get("restarted"))
                                .map(evidence ->
                                        "during %s, %s".formatted(execution.id().name(), evidence))))
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
                .map(fallen -> "%s and %s fell together"
                        .formatted(fallen.get(0).subject(), fallen.get(1).subject()));
    }

    private Optional<HostError> error(String host, CounterChange change, boolean restarted) {
        long before = change.before().longValue();
        long after = change.after().longValue();
        // Registers of the hardware outlive the driver.
        boolean again = change.movement() == Movement.DECREASED || restarted && change.kind() != CounterKind.ECC;
        if (again && !restarted) {
            problems.add(
                    "%s of %s went from %s to %s: it was cleared during the run, and what it had counted is not known."
                            .formatted(
                                    change.subject(),
                                    host,
                                    Long.toUnsignedString(before),
                                    Long.toUnsignedString(after)));
        }
        long delta = again ? after : change.delta().longValue();
        return delta == 0
                ? Optional.empty()
                : Optional.of(new HostError(host, change.subject(), again ? 0 : before, after, delta, 0));
    }

    /** Components that are broken at the end, and were perhaps when the run began. */
    private static List<HostError> unhealthy(String host, List<JvmReading.ErrorReading> readings) {
        Map<String, String> last = new TreeMap<>();
        readings.forEach(
                reading -> last.putAll(CounterNumbers.texts(reading.errors().unhealthy())));
        return last.entrySet().stream()
                .filter(device ->
                        !device.getValue().isEmpty() && !device.getValue().startsWith(CounterScope.UNREADABLE))
                .map(device -> new HostError(
                        host,
                        "%s %s (%s)".formatted(device.getKey(), CounterNumbers.UNHEALTHY, device.getValue()),
                        0,
                        1,
                        1,
                        0))
                .toList();
    }

    /** Returns the lines of the kernel log since the first reading. All JVMs of a host read the same lines. */
    private static Stream<HostError> logged(String host, List<JvmReading.ErrorReading> readings) {
        if (readings.isEmpty()) {
            return Stream.empty();
        }
        Set<String> before =
                CounterNumbers.texts(readings.get(0).errors().kernelLog()).keySet();
        Map<String, String> texts = new TreeMap<>();
        Set<String> attributed = new TreeSet<>();
        readings.forEach(reading -> CounterNumbers.texts(reading.errors().kernelLog())
                .forEach((line, text) -> {
                    if (text.isEmpty()) {
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
                        1,
                        attributed.contains(line.getKey()) ? 1 : 0));
    }

    private void unreadableHealth(String host, List<JvmReading.ErrorReading> readings) {
        readings.stream()
                .flatMap(reading -> CounterNumbers.texts(reading.errors().unhealthy()).entrySet().stream())
                .filter(device -> device.getValue().startsWith(CounterScope.UNREADABLE))
                .findFirst()
                .ifPresent(device -> problems.add("Whether %s of %s became unhealthy is not known; its report is %s."
                        .formatted(device.getKey(), host, device.getValue())));
    }

    /** Tests at the same time see the same movement of a device's counter: what counts is where it was, not how often it was seen. */
    private static Map<String, SeenRanges> answered(List<RunMerge.Part> host, List<HostError> errors) {
        Map<String, SeenRanges> answered = new TreeMap<>();
        errors.forEach(error -> answered.put(error.key(), new SeenRanges()));
        if (errors.isEmpty()) {
            return answered;
        }
        for (RunMerge.Part part : host) {
            for (Execution execution : part.reading().executions()) {
                for (JsonObject recording : execution.counters()) {
                    CounterNumbers.answered(recording, (counter, from, to) -> {
                        SeenRanges ranges = answered.get(counter);
                        if (ranges != null) {
                            ranges.add(from, to);
                        }
                    });
                }
            }
        }
        return answered;
    }
}
