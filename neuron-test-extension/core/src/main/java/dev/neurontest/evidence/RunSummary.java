package dev.neurontest.evidence;

import dev.neurontest.text.CountText;
import dev.neurontest.text.DurationText;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** What a person wants to know at the end of a run, gathered from its events. Its size does not grow with the run. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunSummary {

    private static final int SHOWN = 3;
    private static final int KEPT = 1000;

    /** What a reader asks the reason of; that of a failure is told by JUnit. */
    private static final List<Outcome> EXPLAINED = List.of(Outcome.UNDECIDED, Outcome.ABORTED, Outcome.SKIPPED);

    /** What the text of an exception begins with. */
    private static final String EXCEPTION = "^[\\w.$]+Exception: ";

    /** What notices of undecided tests begin with. */
    private static final String PASSED_BUT = "passed, but ";

    /** Tests that share a device notice each other all the time. */
    private static final String FOREIGN = "Foreign activity on ";

    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Map<String, Use> devices = new HashMap<>();
    private final Map<String, Use> cores = new HashMap<>();
    private final Map<String, Long> violations = new HashMap<>();
    private final Map<Kept, String> quarantined = new LinkedHashMap<>();
    private final Map<Kept, String> cameBack = new LinkedHashMap<>();
    private final Set<String> died = new LinkedHashSet<>();
    private final Map<String, Long> retried = new HashMap<>();
    private final Map<String, String> notices = new LinkedHashMap<>();
    private long foreign;
    private Duration waited = Duration.ZERO;
    private Duration longestWait = Duration.ZERO;
    private @Nullable TestId longestWaiter;
    private RunEvent.@Nullable PlatformChosen platform;
    private final Map<Outcome, Map<String, Unpassed>> reasons = new EnumMap<>(Outcome.class);
    private @Nullable String notReplayed;

    /** A core that was kept from the tests for a reason. */
    private record Kept(String core, String reason) {

        @Override
        public String toString() {
            return core + ": " + reason;
        }
    }

    /** Knows nothing yet. */
    public RunSummary() {}

    /**
     * Takes an event into account.
     *
     * @param event in the order in which it happened
     */
    public synchronized void add(RunEvent event) {
        if (event instanceof RunEvent.PlatformChosen chosen) {
            platform = platform == null ? chosen : platform;
        } else if (event instanceof RunEvent.Leased leased) {
            waited(leased.test(), leased.waited());
        } else if (event instanceof RunEvent.WaitedInVain inVain) {
            waited(inVain.test(), inVain.waited());
        } else if (event instanceof RunEvent.Released released) {
            released(released);
        } else if (event instanceof RunEvent.Quarantined quarantine) {
            String state = quarantine.suspect() ? "suspect" : "quarantined";
            quarantine.cores().forEach(core -> quarantined.put(new Kept(core, quarantine.reason()), state));
        } else if (event instanceof RunEvent.QuarantineEnded ended) {
            Kept kept = new Kept(ended.core(), ended.reason());
            String state = quarantined.remove(kept);
            if (state != null) {
                cameBack.put(kept, "was %s: %s; %s".formatted(state, kept, ended.how()));
            }
        } else if (event instanceof RunEvent.HolderDied holder && died.size() < KEPT) {
            died.add("JVM %s died with %s on %s%s"
                    .formatted(holder.pid(), holder.test(), String.join(", ", holder.cores()), in(holder.phase())));
        } else if (event instanceof RunEvent.Retried retry) {
            retry.cores().forEach(core -> retried.merge(core, 1L, Long::sum));
        } else if (event instanceof RunEvent.Violated violated) {
            String rule = violated.violation().rule();
            boolean kept = violations.size() < KEPT || violations.containsKey(rule);
            violations.merge(kept ? rule : "rules beyond the first " + KEPT, 1L, Long::sum);
        } else if (event instanceof RunEvent.Noticed noticed && noticed.notice().startsWith(FOREIGN)) {
            foreign++;
        } else if (event instanceof RunEvent.Noticed noticed && notices.size() < KEPT) {
            notices.putIfAbsent(
                    noticed.notice(),
                    noticed.test() == null ? "" : " (" + noticed.test().name() + ")");
        } else if (event instanceof RunEvent.Replayed replayed && !replayed.ran()) {
            notReplayed = replayed.missing();
        } else if (event instanceof RunEvent.TestFinished finished) {
            outcomes.merge(finished.outcome(), 1L, Long::sum);
            finished.cores().forEach(core -> use(cores, core).tests++);
            devicesOf(finished.cores()).forEach(device -> use(devices, device).tests++);
            if (EXPLAINED.contains(finished.outcome()) && finished.reason() != null) {
                explain(finished.test(), finished.outcome(), finished.reason());
            }
        }
    }

    private void explain(TestId test, Outcome outcome, String told) {
        // A skip is the same for many tests and told to its end. What a test itself is aborted with goes on with
        // details of it.
        String reason = outcome == Outcome.SKIPPED ? told : firstLine(told.replaceFirst(EXCEPTION, ""));
        Map<String, Unpassed> known = reasons.computeIfAbsent(outcome, none -> new LinkedHashMap<>());
        if (known.size() < KEPT || known.containsKey(reason)) {
            known.computeIfAbsent(reason, first -> new Unpassed(test.name())).tests++;
        }
    }

    /** What the runtime in this JVM has is counted when tests give it back. */
    private void released(RunEvent.Released released) {
        if (!released.test().equals(TestId.RUNTIME)) {
            released.cores().forEach(core -> use(cores, core).leased(released.held()));
            devicesOf(released.cores()).forEach(device -> use(devices, device).leased(released.held()));
        }
    }

    private void waited(TestId test, Duration time) {
        waited = waited.plus(time);
        if (time.compareTo(longestWait) > 0) {
            longestWait = time;
            longestWaiter = test;
        }
    }

    /**
     * Whether there is nothing to tell.
     *
     * @return true when no test asked for Neuron
     */
    public synchronized boolean isEmpty() {
        return outcomes.isEmpty();
    }

    /**
     * The summary for a person.
     *
     * @param runFile where the run file is
     * @return at most some 35 lines, the last one ended too; empty when no test asked for Neuron
     */
    public synchronized String toText(String runFile) {
        if (isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        line(text, "Neuron Test: %s: %s".formatted(CountText.of(tests(), "test"), outcomes()));
        line(text, "  " + platform());
        EXPLAINED.forEach(outcome -> explained(text, outcome));
        if (notReplayed != null) {
            line(text, "  the replay is undecided: " + notReplayed);
        }
        some(text, sorted(devices).map(this::device).toList(), "devices");
        if (waited.toMillis() > 0 && longestWaiter != null) {
            line(
                    text,
                    "  waited for cores: %s in all, at most %s (%s)"
                            .formatted(DurationText.of(waited), DurationText.of(longestWait), longestWaiter.name()));
        }
        some(
                text,
                quarantined.entrySet().stream()
                        .map(each -> "%s: %s".formatted(each.getValue(), each.getKey()))
                        .toList(),
                "quarantined cores");
        some(text, List.copyOf(cameBack.values()), "cores that came back");
        some(text, List.copyOf(died), "JVMs that died");
        some(
                text,
                retried.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(each -> "flaky on %s: %s run again on another core"
                                .formatted(each.getKey(), CountText.of(each.getValue(), "test")))
                        .toList(),
                "flaky cores");
        some(text, byCount(violations), "violated rules");
        some(
                text,
                notices.entrySet().stream()
                        .filter(notice -> !isExplained(notice.getKey()))
                        .map(notice -> "notice: " + notice.getKey() + notice.getValue())
                        .toList(),
                notices.size() < KEPT ? "notices" : "notices (at least)");
        if (foreign > 0) {
            line(
                    text,
                    "  notice: others worked on the devices of tests: %s, see the run file"
                            .formatted(CountText.of(foreign, "time")));
        }
        line(text, "  run file: " + runFile);
        return text.toString();
    }

    synchronized RunEvent toEvent() {
        return new RunEvent.RunFinished(
                count(Outcome.PASSED),
                count(Outcome.FAILED),
                count(Outcome.UNDECIDED),
                count(Outcome.ABORTED),
                count(Outcome.SKIPPED));
    }

    private String platform() {
        return platform == null ? "no Neuron host" : platform.words();
    }

    private String outcomes() {
        return outcomes.entrySet().stream()
                .map(each -> each.getValue() + " " + word(each.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String word(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    private boolean isExplained(String notice) {
        return notice.startsWith(PASSED_BUT)
                && reasons.getOrDefault(Outcome.UNDECIDED, Map.of())
                        .containsKey(firstLine(notice.substring(PASSED_BUT.length())));
    }

    /** Why tests did neither pass nor fail: the most frequent reasons, and how many tests have another. */
    private void explained(StringBuilder text, Outcome outcome) {
        List<Map.Entry<String, Unpassed>> known = reasons.getOrDefault(outcome, Map.of()).entrySet().stream()
                .sorted(Map.Entry.comparingByValue(
                        Comparator.comparingLong(Unpassed::tests).reversed()))
                .limit(SHOWN)
                .toList();
        long told = 0;
        for (Map.Entry<String, Unpassed> each : known) {
            told += each.getValue().tests;
            line(
                    text,
                    "  %s %s: %s%s"
                            .formatted(
                                    each.getValue().tests,
                                    word(outcome),
                                    each.getKey(),
                                    outcome == Outcome.SKIPPED ? "" : " (" + each.getValue() + ")"));
        }
        if (!known.isEmpty() && told < count(outcome)) {
            line(text, "  %s %s for other reasons, see the run file".formatted(count(outcome) - told, word(outcome)));
        }
    }

    private String device(Map.Entry<String, Use> device) {
        List<String> parts = sorted(cores)
                .filter(core -> deviceOf(core.getKey()).equals(device.getKey()))
                .map(core -> withoutDevice(core.getKey()) + " " + core.getValue())
                .toList();
        String which = parts.size() <= 2 ? String.join("; ", parts) : parts.size() + " cores";
        return "%s: %s (%s)".formatted(device.getKey(), device.getValue(), which);
    }

    private static String in(@Nullable Phase phase) {
        return phase == null ? "" : " in its " + phase.name().toLowerCase(Locale.ROOT);
    }

    private static List<String> byCount(Map<String, Long> violations) {
        return violations.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(each -> "violated %s: %s".formatted(CountText.of(each.getValue(), "time"), each.getKey()))
                .toList();
    }

    /** A section never takes more lines than this shows. */
    private static void some(StringBuilder text, List<String> lines, String what) {
        int shown = lines.size() <= SHOWN ? lines.size() : SHOWN - 1;
        lines.subList(0, shown).forEach(each -> line(text, "  " + each));
        if (shown < lines.size()) {
            line(text, "  and %s more %s, see the run file".formatted(lines.size() - shown, what));
        }
    }

    private static void line(StringBuilder text, String line) {
        text.append(line.replace('\n', ' ')).append('\n');
    }

    private long tests() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    private long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    private static Use use(Map<String, Use> uses, String name) {
        return uses.computeIfAbsent(name, absent -> new Use());
    }

    private static Set<String> devicesOf(Collection<String> cores) {
        return cores.stream().map(RunSummary::deviceOf).collect(Collectors.toSet());
    }

    /** {@code neuron1} of {@code neuron1/neuron_core2}, and of {@code core 5 (neuron1/neuron_core2, neuron1/neuron_core3)}. */
    private static String deviceOf(String core) {
        return core.substring(core.indexOf('(') + 1).split("/", 2)[0];
    }

    private static String withoutDevice(String core) {
        int physical = core.indexOf(" (");
        return physical < 0 ? core.substring(core.indexOf('/') + 1) : core.substring(0, physical);
    }

    /** neuron2 comes before neuron10. */
    private static Stream<Map.Entry<String, Use>> sorted(Map<String, Use> uses) {
        return uses.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(
                        Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder())));
    }

    /** Tests that have the same reason. */
    private static final class Unpassed {

        private final String first;
        private long tests;

        Unpassed(String first) {
            this.first = first;
        }

        long tests() {
            return tests;
        }

        @Override
        public String toString() {
            return tests == 1 ? first : first + " and " + (tests - 1) + " more";
        }
    }

    private static final class Use {

        private long tests;
        private Duration leased = Duration.ZERO;

        void leased(Duration held) {
            leased = leased.plus(held);
        }

        @Override
        public String toString() {
            return CountText.of(tests, "test") + " in " + DurationText.of(leased);
        }
    }
}
