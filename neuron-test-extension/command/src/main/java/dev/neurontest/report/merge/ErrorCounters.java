package dev.neurontest.report.merge;

import dev.neurontest.json.JsonObject;
import dev.neurontest.report.HostError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

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
            Map<String, Long> numbers = CounterNumbers.of(reading.counters());
            unread.addAll(CounterNumbers.unread(reading.counters()));
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
            readOnce(name, "ended, and not when it began", last, before.keySet());
        }
        unread.removeAll(before.keySet());
        unread.removeAll(last);
        if (!unread.isEmpty()) {
            problems.add(
                    "%s error counters of %s could be read neither when the run began nor when it ended, such as %s: whether they moved is not known."
                            .formatted(unread.size(), name, unread.iterator().next()));
        }
        return moved(host, name, before, after);
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

    private List<HostError> moved(
            List<RunMerge.Part> host, String name, Map<String, Long> before, Map<String, Long> after) {
        Set<String> moved = new TreeSet<>();
        after.forEach((counter, end) -> {
            Long start = before.get(counter);
            if (start != null && end > start) {
                moved.add(counter);
            } else if (start != null && end < start) {
                // Since it was cleared it began at zero.
                before.put(counter, 0L);
                if (end > 0) {
                    moved.add(counter);
                }
                notices.add(
                        "%s of %s fell from %s to %s: it was cleared meanwhile, and what it had counted is not known."
                                .formatted(counter, name, start, end));
            }
        });
        if (moved.isEmpty()) {
            return List.of();
        }
        Map<String, SeenRanges> seen = seen(host, moved);
        return moved.stream()
                .map(counter -> new HostError(
                        name,
                        counter,
                        before.get(counter),
                        after.get(counter),
                        seen.get(counter).within(before.get(counter), after.get(counter))))
                .toList();
    }

    /** Tests at the same time see the same movement of a device's counter: what counts is where it was, not how often it was seen. */
    private static Map<String, SeenRanges> seen(List<RunMerge.Part> host, Set<String> counters) {
        Map<String, SeenRanges> seen = new TreeMap<>();
        counters.forEach(counter -> seen.put(counter, new SeenRanges()));
        for (RunMerge.Part part : host) {
            for (Execution execution : part.reading().executions()) {
                for (JsonObject recording : execution.counters()) {
                    CounterNumbers.changes(recording, (counter, from, to) -> {
                        SeenRanges ranges = seen.get(counter);
                        if (ranges != null) {
                            ranges.add(from, to);
                        }
                    });
                }
            }
        }
        return seen;
    }
}
