package dev.neurontest.internal.evidence;

import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The summary of a run for people, collected from its events. Its size does not grow with the run. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunSummary {

    private static final int SHOWN = 3;
    private static final int KEPT = 1000;

    /** The prefix of the text of an exception. */
    private static final String EXCEPTION = "^[\\w.$]+Exception: ";

    /** The prefix of notices of undecided tests. */
    private static final String PASSED_BUT = "passed, but ";

    /** The prefix of notices about foreign activity. Tests that share a device with another build cause many of these. */
    private static final String FOREIGN = "Foreign activity on ";

    /** The kinds of lines, in their order. */
    private enum Kind {
        UNDECIDED,
        ABORTED,
        SKIPPED,
        FLAKY,
        QUARANTINED,
        SUSPECT,
        CAME_BACK,
        DIED,
        RETRIED,
        VIOLATED,
        NOT_APPLICABLE,
        NOTICE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** The events with the same text: their number, and the first test. */
    private record Line(long count, String first) {

        private Line and(Line next) {
            return new Line(count + next.count, first);
        }

        private @Nullable Line without() {
            return count == 1 ? null : new Line(count - 1, first);
        }

        private String test() {
            return first.isEmpty() ? "" : " (" + first + (count == 1 ? "" : " and " + (count - 1) + " more") + ")";
        }
    }

    /** The order of devices by number. */
    private static final class DeviceOrder implements Comparator<String> {

        @Override
        public int compare(String first, String second) {
            int byLength = Integer.compare(first.length(), second.length());
            return byLength == 0 ? first.compareTo(second) : byLength;
        }
    }

    /** The use of a device: the number of tests, and the total time that its cores were leased. */
    private record Use(long tests, Duration leased) {

        private Use and(Use next) {
            return new Use(tests + next.tests, leased.plus(next.leased));
        }
    }

    /**
     * The last attempt of a test that a later one may replace.
     *
     * @param plan the number of the plan in which it ended
     */
    private record Attempt(
            int plan,
            Outcome outcome,
            List<String> cores,
            @Nullable String reason) {}

    /** The outcomes of tests; the last attempt is that of the test. */
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);

    /** The failed classes, with the number of the plan in which they failed. */
    private final Map<String, Integer> failedClasses = new LinkedHashMap<>();

    /** The running attempts, by id. */
    private final Map<String, TestId> wholeTests = new HashMap<>();

    private final Map<String, Attempt> replaceable = new HashMap<>();
    private int plan;
    private final Map<Kind, Map<String, Line>> lines = new EnumMap<>(Kind.class);

    /** The devices, ordered by number: neuron2 is before neuron10. */
    private final Map<String, Use> devices = new TreeMap<>(new DeviceOrder());

    private long foreign;
    private Duration waited = Duration.ZERO;
    private Duration longestWait = Duration.ZERO;
    private String longestWaiter = "";
    private RunEvent.@Nullable PlatformChosen platform;
    private @Nullable String notReplayed;

    /** Creates the summary of a run without events. */
    public RunSummary() {}

    /** Adds an event. Events must be added in their order. */
    public synchronized void add(RunEvent event) {
        if (event instanceof RunEvent.PlatformChosen chosen) {
            platform = platform == null ? chosen : platform;
        } else if (event instanceof RunEvent.Leased leased) {
            waited(leased.test(), leased.waited());
        } else if (event instanceof RunEvent.Released released) {
            // Cores of the runtime in this JVM are counted when tests release them.
            if (!released.test().equals(TestId.RUNTIME)) {
                use(released.cores(), new Use(0, released.held()));
            }
        } else if (event instanceof RunEvent.PlanFinished) {
            plan++;
        } else if (event instanceof RunEvent.TestFinished finished) {
            finished(finished);
        } else if (!isOmitted(event)) {
            addRare(event);
        }
    }

    /** Checks whether the summary omits an event that most runs have. */
    private static boolean isOmitted(RunEvent event) {
        return event instanceof RunEvent.Planned
                || event instanceof RunEvent.HostErrors
                || event instanceof RunEvent.Requested
                || event instanceof RunEvent.PhaseStarted
                || event instanceof RunEvent.Recorded
                || event instanceof RunEvent.RunFinished;
    }

    /** Adds an event that most runs do not have. It is checked last, because a check loads its type. */
    private void addRare(RunEvent event) {
        if (event instanceof RunEvent.WaitedInVain inVain) {
            waited(inVain.test(), inVain.waited());
        } else if (event instanceof RunEvent.Quarantined quarantine) {
            Kind kind = quarantine.suspect() ? Kind.SUSPECT : Kind.QUARANTINED;
            quarantine.cores().forEach(core -> count(kind, core + ": " + quarantine.reason(), null));
        } else if (event instanceof RunEvent.QuarantineEnded ended) {
            String quarantine = ended.core() + ": " + ended.reason();
            if (of(Kind.QUARANTINED).remove(quarantine) != null
                    || of(Kind.SUSPECT).remove(quarantine) != null) {
                count(Kind.CAME_BACK, quarantine + "; " + ended.how(), null);
            }
        } else if (event instanceof RunEvent.HolderDied holder) {
            String phase = holder.phase() == null
                    ? ""
                    : " in its " + holder.phase().name().toLowerCase(Locale.ROOT);
            String cores = String.join(", ", holder.cores());
            count(Kind.DIED, "JVM %s with %s on %s%s".formatted(holder.pid(), holder.test(), cores, phase), null);
        } else if (event instanceof RunEvent.Retried retry) {
            retry.cores().forEach(core -> count(Kind.RETRIED, core + ", on another core", retry.test()));
        } else if (event instanceof RunEvent.Violated violated) {
            count(Kind.VIOLATED, violated.violation().rule(), violated.test());
        } else if (event instanceof RunEvent.NotApplied notApplied) {
            count(Kind.NOT_APPLICABLE, notApplied.notApplicable().rule(), notApplied.test());
        } else if (event instanceof RunEvent.Noticed noticed) {
            if (noticed.notice().startsWith(FOREIGN)) {
                foreign++;
            } else {
                count(Kind.NOTICE, noticed.notice(), noticed.test());
            }
        } else if (event instanceof RunEvent.Replayed replayed && !replayed.ran()) {
            notReplayed = replayed.missing();
        } else if (event instanceof RunEvent.AttemptStarted attempt) {
            wholeTests.put(attempt.test().id(), attempt.whole());
        } else if (event instanceof RunEvent.PlanGivenUp) {
            plan++;
        }
    }

    private void finished(RunEvent.TestFinished end) {
        if (!failedClasses.isEmpty()) {
            failedClasses
                    .entrySet()
                    .removeIf(failed ->
                            failed.getValue() < plan && (end.test().id() + "/").startsWith(failed.getKey() + "/"));
        }
        if (end.test().isContainer()) {
            if (end.outcome() == Outcome.FAILED && failedClasses.size() < KEPT) {
                failedClasses.put(end.test().id(), plan);
            }
            return;
        }
        @Nullable TestId whole = wholeTests.remove(end.test().id());
        TestId test = whole == null ? end.test() : whole;
        @Nullable Attempt before = replaceable.remove(test.id());
        if (before != null
                && before.outcome() == Outcome.FAILED
                && before.plan() < plan
                && (end.outcome() == Outcome.ABORTED || end.outcome() == Outcome.SKIPPED)) {
            // A retry that did not run replaces no failure.
            replaceable.put(test.id(), before);
            return;
        }
        if (before != null && (whole != null || before.plan() < plan)) {
            outcomes.put(before.outcome(), count(before.outcome()) - 1);
            if (before.outcome() == Outcome.ABORTED && before.reason() != null) {
                of(Kind.ABORTED).computeIfPresent(firstLine(before.reason()), (text, line) -> line.without());
            }
            if (before.outcome() != Outcome.PASSED && end.outcome() == Outcome.PASSED) {
                count(Kind.FLAKY, "passed after a failed attempt", test);
            }
        }
        outcomes.put(end.outcome(), count(end.outcome()) + 1);
        use(
                before == null
                        ? end.cores()
                        : end.cores().stream()
                                .filter(core -> !devices(before.cores()).contains(device(core)))
                                .toList(),
                new Use(1, Duration.ZERO));
        if (end.reason() != null) {
            explain(test, end.outcome(), end.reason());
        }
        if ((whole != null || end.outcome() == Outcome.FAILED) && replaceable.size() < KEPT) {
            replaceable.put(test.id(), new Attempt(plan, end.outcome(), end.cores(), end.reason()));
        }
    }

    /**
     * Counts the reason of an outcome. JUnit reports the reasons of failures. The reason of a skip is the same for many tests.
     * The reason of an abort has details of its test after the first line.
     */
    private void explain(TestId test, Outcome outcome, String reason) {
        switch (outcome) {
            case SKIPPED -> count(Kind.SKIPPED, reason, null);
            case ABORTED -> count(Kind.ABORTED, firstLine(reason), test);
            case UNDECIDED -> count(Kind.UNDECIDED, firstLine(reason), test);
            default -> {}
        }
    }

    private static String firstLine(String reason) {
        return reason.replaceFirst(EXCEPTION, "").lines().findFirst().orElse("");
    }

    private Map<String, Line> of(Kind kind) {
        @Nullable Map<String, Line> ofKind = lines.get(kind);
        if (ofKind == null) {
            ofKind = new LinkedHashMap<>();
            lines.put(kind, ofKind);
        }
        return ofKind;
    }

    private void count(Kind kind, String text, @Nullable TestId test) {
        Map<String, Line> all = of(kind);
        boolean isKept = all.size() < KEPT || all.containsKey(text);
        all.merge(
                isKept ? text : "others beyond the first " + KEPT,
                new Line(1, isKept && test != null ? test.name() : ""),
                Line::and);
    }

    /** Counts a test once for a device. */
    private void use(Collection<String> cores, Use use) {
        for (String device : devices(cores)) {
            @Nullable Use before = devices.get(device);
            devices.put(device, before == null ? use : before.and(use));
        }
    }

    private static Set<String> devices(Collection<String> cores) {
        Set<String> devicesOfCores = new HashSet<>();
        for (String core : cores) {
            devicesOfCores.add(device(core));
        }
        return devicesOfCores;
    }

    /** Returns {@code neuron1} of {@code core 5 (neuron1/neuron_core2, neuron1/neuron_core3)}. */
    private static String device(String core) {
        return core.substring(core.indexOf('(') + 1).split("/", 2)[0];
    }

    private void waited(TestId test, Duration time) {
        waited = waited.plus(time);
        if (time.compareTo(longestWait) > 0) {
            longestWait = time;
            longestWaiter = test.name();
        }
    }

    /** Checks whether no test used Neuron. */
    public synchronized boolean isEmpty() {
        return outcomes.isEmpty() && failedClasses.isEmpty();
    }

    /**
     * Returns the summary for people.
     *
     * @param runFile the path of the run file
     * @return at most about 40 lines, each with a line end; empty if no test used Neuron
     */
    public synchronized String toText(String runFile) {
        if (isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        line(text, "Neuron Test: " + ends());
        line(text, "  " + platform());
        if (notReplayed != null) {
            line(text, "  the replay is undecided: " + notReplayed);
        }
        some(text, "devices", deviceLines());
        if (waited.toMillis() > 0) {
            line(
                    text,
                    "  waited for cores: %s in all, at most %s (%s)"
                            .formatted(DurationText.of(waited), DurationText.of(longestWait), longestWaiter));
        }
        if (lines.containsKey(Kind.NOTICE)) {
            of(Kind.NOTICE)
                    .keySet()
                    .removeIf(notice -> notice.startsWith(PASSED_BUT)
                            && of(Kind.UNDECIDED).containsKey(firstLine(notice.substring(PASSED_BUT.length()))));
        }
        for (Map.Entry<Kind, Map<String, Line>> each : lines.entrySet()) {
            some(text, "of " + each.getKey(), lines(each.getKey(), each.getValue()));
        }
        if (foreign > 0) {
            line(
                    text,
                    "  notice: other processes used the devices of tests: %s, see the run file"
                            .formatted(CountText.of(foreign, "time")));
        }
        line(text, "  run file: " + runFile);
        return text.toString();
    }

    /** Returns the numbers of tests and failed classes, such as {@code 3 tests: 2 passed, 1 failed}. */
    private String ends() {
        long tests = 0;
        StringJoiner ends = new StringJoiner(", ");
        for (Map.Entry<Outcome, Long> each : outcomes.entrySet()) {
            tests += each.getValue();
            if (each.getValue() > 0) {
                ends.add(each.getValue() + " " + each.getKey().name().toLowerCase(Locale.ROOT));
            }
        }
        if (!failedClasses.isEmpty()) {
            ends.add(CountText.of(failedClasses.size(), "failed class"));
        }
        return CountText.of(tests, "test") + ": " + ends;
    }

    private List<String> deviceLines() {
        List<String> text = new ArrayList<>();
        for (Map.Entry<String, Use> each : devices.entrySet()) {
            Use use = each.getValue();
            text.add(each.getKey() + ": " + CountText.of(use.tests(), "test") + " in " + DurationText.of(use.leased()));
        }
        return text;
    }

    /** Returns the lines of a kind, the most frequent first. */
    private static List<String> lines(Kind kind, Map<String, Line> all) {
        return all.entrySet().stream()
                .sorted(Comparator.comparingLong(each -> -each.getValue().count()))
                .map(each -> "%s %s: %s%s"
                        .formatted(
                                each.getValue().count(),
                                kind,
                                each.getKey(),
                                each.getValue().test()))
                .toList();
    }

    synchronized RunEvent toEvent() {
        return new RunEvent.RunFinished(
                count(Outcome.PASSED),
                count(Outcome.FAILED),
                count(Outcome.UNDECIDED),
                count(Outcome.ABORTED),
                count(Outcome.SKIPPED));
    }

    private long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    private String platform() {
        return platform == null ? "no Neuron host" : platform.words();
    }

    /** Appends a limited number of lines of a kind. */
    private static void some(StringBuilder text, String what, List<String> all) {
        int shown = all.size() <= SHOWN ? all.size() : SHOWN - 1;
        for (String each : all.subList(0, shown)) {
            line(text, "  " + each);
        }
        if (shown < all.size()) {
            line(text, "  and %s more %s, see the run file".formatted(all.size() - shown, what));
        }
    }

    private static void line(StringBuilder text, String line) {
        text.append(line.replace('\n', ' ')).append('\n');
    }
}
