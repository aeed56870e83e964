package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.print.stream.UnreadPrints;
import dev.neurontest.internal.report.CoreList;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.report.ReportedShards;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.ShardAttempt;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Merge of the run files of JVMs. It finds killed JVMs, the tests that were lost with them, and the changes on their hosts. */
final class RunMerge {

    private static final Duration ONE_RUN = Duration.ofDays(1);
    private static final Set<String> OF_ONE_JVM = Set.of("fake", "replay");

    private static final Set<TestOutcome> REPEATABLE =
            Set.of(TestOutcome.LOST, TestOutcome.PASSED, TestOutcome.SKIPPED);

    /** Names that lease cores but are not tests. */
    private static final Set<String> NO_TESTS = Set.of(TestId.RUNTIME.name(), TestId.SESSION.name());

    private final Predicate<ReportedJvm> liveness;
    private final List<Part> parts;
    private final AttemptMerge executions = new AttemptMerge();
    private final List<ReportedTest> tests = new ArrayList<>();
    private final Set<String> notices;
    private final List<String> problems;
    private final ReportedShards shards;

    /** A JVM with its parsed run file. */
    record Part(int index, ReportedJvm jvm, JvmReading reading) {

        /** Returns the key of the host. JVMs on a machine share its real devices; a fake host or a recording belongs to one JVM. */
        String host() {
            String host = jvm.platform().map(RunEvent.PlatformChosen::host).orElse("");
            boolean own = jvm.platform()
                    .filter(each -> OF_ONE_JVM.contains(each.kind()))
                    .isPresent();
            return jvm.machine().orElse("") + ' ' + host + (own ? " " + jvm.file() : "");
        }

        /** Returns the key of the JVMs that share a host of a cluster which is not real. */
        String host(String name) {
            return OF_ONE_JVM.contains(jvm.kind(name)) ? jvm.file().toString() : host();
        }

        long pid() {
            return jvm.start().map(RunEvent.RunStarted::pid).orElse(-1L);
        }

        /** Returns the name in messages. In containers on several nodes, all JVMs may have the same process id. */
        String name() {
            return jvm.start()
                    .map(start -> "JVM " + start.pid()
                            + jvm.shards().stream()
                                    .findFirst()
                                    .map(shard -> " of shard %s/%s on %s"
                                            .formatted(
                                                    shard.shard(),
                                                    shard.count(),
                                                    jvm.machine().orElse("a machine without a name")))
                                    .orElse(""))
                    .orElse("The JVM of " + jvm.file());
        }
    }

    RunMerge(List<JvmReading> readings, Predicate<ReportedJvm> liveness, Set<String> notices, List<String> problems) {
        this.liveness = liveness;
        this.notices = notices;
        this.problems = problems;
        List<JvmReading> inOrder = readings.stream()
                .filter(reading -> reading.jvm().isPresent())
                .sorted(Comparator.comparing(
                        reading -> reading.jvm().orElseThrow().started()))
                .toList();
        parts = new ArrayList<>();
        inOrder.forEach(
                reading -> parts.add(new Part(parts.size(), reading.jvm().orElseThrow(), reading)));
        shards = ReportedShards.of(parts.stream().map(Part::jvm).toList());
        readings.stream()
                .filter(reading -> reading.jvm().isEmpty())
                .forEach(reading -> problems.addAll(reading.problems()));
        // If a later attempt contains the same data, the incomplete last line of a killed JVM is no gap.
        parts.forEach(part -> (shards.startedAgain(part.index()).isPresent() ? notices : problems)
                .addAll(part.reading().problems()));
    }

    /**
     * Creates the report.
     *
     * @param whole true if the files are all of a run; a shard without a run file is then missing
     */
    RunReport report(boolean whole) {
        parts.forEach(part -> part.reading()
                .events(RunEvent.Noticed.class)
                .map(RunEvent.Noticed::notice)
                .forEach(notices::add));
        parts.forEach(this::tests);
        parts.forEach(this::deathsOfOthers);
        tests.addAll(executions.tests());
        removeRepeated();
        ranTwice();
        farApart();
        notReplayed();
        contradictions();
        notices.addAll(shards.notices());
        problems.addAll(shards.problems());
        if (whole) {
            shards.missing().ifPresent(problems::add);
        }
        List<HostError> errors = new ErrorCounters(
                        parts, part -> shards.startedAgain(part.index()).isPresent(), notices, problems)
                .moved();
        tests.sort(Comparator.comparing(ReportedTest::outcome).thenComparing(ReportedTest::started));
        return new RunReport(
                parts.stream().map(Part::jvm).toList(),
                tests,
                QuarantineMerge.of(parts),
                errors,
                List.copyOf(notices),
                problems);
    }

    private void tests(Part part) {
        List<TestExecution> open = part.reading().executions().stream()
                .filter(execution -> !execution.isFinished() && !execution.isReleased())
                .toList();
        boolean finished = part.jvm().finished();
        boolean running = !finished && deathOf(part).isEmpty() && liveness.test(part.jvm());
        for (TestExecution execution : part.reading().executions()) {
            ReportedTest reported = execution.report(part.index());
            boolean ended = execution.isFinished() || !reported.isTest() && (finished || execution.isReleased());
            if (ended) {
                executions.add(execution, reported);
            } else if (open.stream().noneMatch(execution::isAround)) {
                executions.add(execution, lost(part, execution, running));
            }
        }
        PlanMerge plan = new PlanMerge(part, running, open);
        plan.lost().forEach(executions::add);
        if (shards.startedAgain(part.index()).isEmpty()) {
            plan.givenUp().ifPresent(problems::add);
            plan.leftOut().ifPresent(problems::add);
            if (!finished
                    && (part.reading().plan().isKnown()
                            || !part.reading().executions().isEmpty())) {
                problems.add(
                        running
                                ? "%s: %s is still running. Merge again when it has ended."
                                        .formatted(part.jvm().file(), part.name())
                                : "%s has no last line: %s was killed. %s"
                                        .formatted(part.jvm().file(), part.name(), plan.killed()));
            }
        }
    }

    /** Removes results that a later attempt of a restarted shard repeats. Failures of the first attempt remain. */
    private void removeRepeated() {
        Map<ShardAttempt, Set<String>> repeated = new HashMap<>();
        tests.forEach(test -> laterAttempts(test).forEach(after -> repeated.put(after, new HashSet<>())));
        Map<Integer, ShardAttempt> of = new HashMap<>();
        repeated.keySet().forEach(attempt -> attempt.jvms().forEach(jvm -> of.put(jvm, attempt)));
        for (ReportedTest test : tests) {
            ShardAttempt later = of.get(test.jvm());
            if (later != null) {
                repeated.get(later).add(test.id().id());
            }
        }
        of.forEach((jvm, attempt) ->
                repeated.get(attempt).addAll(parts.get(jvm).reading().plan().templates()));
        tests.removeIf(test -> REPEATABLE.contains(test.outcome())
                && !test.hasFailedAttempt()
                && laterAttempts(test)
                        .anyMatch(
                                after -> repeated.get(after).contains(test.id().id())));
    }

    /**
     * Reports tests that ran twice in a shard. Two jobs of one machine with the same shard are indistinguishable from JVMs of one job,
     * except by their tests.
     */
    private void ranTwice() {
        Map<Integer, String> names = new HashMap<>();
        shards.attempts().forEach(attempt -> attempt.jvms().forEach(jvm -> names.put(jvm, attempt.name())));
        Map<String, ReportedTest> first = new HashMap<>();
        Optional<String> example = Optional.empty();
        int twice = 0;
        for (ReportedTest test : tests) {
            ReportedTest other = test.isTest() && test.hasBegun() && names.containsKey(test.jvm())
                    ? first.putIfAbsent(test.id().id(), test)
                    : null;
            if (other != null
                    && other.jvm() != test.jvm()
                    && names.get(other.jvm()).equals(names.get(test.jvm()))) {
                twice++;
                example = example.or(() -> Optional.of("%s ran twice in shard %s (%s and %s)"
                        .formatted(
                                test.id().name(),
                                names.get(test.jvm()),
                                parts.get(other.jvm()).jvm().file(),
                                parts.get(test.jvm()).jvm().file())));
            }
        }
        if (example.isPresent()) {
            notices.add(
                    "%s ran in more than one JVM, and each time counts: %s. A shard was run again, or two jobs had the same number."
                            .formatted(CountText.of(twice, "test"), example.get()));
        }
    }

    private Stream<ShardAttempt> laterAttempts(ReportedTest test) {
        return Stream.iterate(
                        shards.startedAgain(test.jvm()),
                        Optional::isPresent,
                        after -> shards.startedAgain(after.get().jvms().get(0)))
                .flatMap(Optional::stream);
    }

    private ReportedTest lost(Part part, TestExecution execution, boolean running) {
        String reason;
        if (part.reading().plan().isGivenUp()) {
            reason = "JUnit gave up while the test was " + where(execution.phase());
        } else if (part.jvm().finished()) {
            reason = "its run file does not contain its end; it was " + where(execution.phase());
        } else if (running) {
            reason = "%s is still running, and the test is %s".formatted(part.name(), where(execution.phase()));
        } else {
            reason = "%s was killed while the test was %s%s"
                    .formatted(
                            part.name(),
                            where(execution.phase()),
                            deathOf(part).map(RunMerge::survivors).orElse(""));
        }
        Path folder = RunFile.folder(part.jvm().file(), execution.id());
        (running ? Optional.<UnreadPrints>empty() : UnreadPrints.in(folder)).ifPresent(left -> {
            try (left) {
                execution.printed(left.prints());
            }
        });
        return execution.report(part.index(), TestOutcome.LOST, Optional.of(reason), coresAround(part, execution));
    }

    /** Returns the cores of a test and of the classes around it. If the class leased cores, the test has no cores of its own. */
    private static List<String> coresAround(Part part, TestExecution execution) {
        return part.reading().executions().stream()
                .filter(each -> each == execution || each.isAround(execution) && !each.isReleased())
                .flatMap(each -> each.leased().stream())
                .distinct()
                .toList();
    }

    private static String where(Optional<Phase> phase) {
        return phase.map(last -> "in its " + word(last)).orElse("not begun");
    }

    private static String word(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    private static String survivors(RunEvent.HolderDied death) {
        return death.survivors().isEmpty()
                ? ""
                : "; these processes that it had started were still alive: " + String.join(", ", death.survivors());
    }

    /** Returns the event of another JVM on the same machine about the death of a JVM without a last line. */
    private Optional<RunEvent.HolderDied> deathOf(Part part) {
        return parts.stream()
                .filter(other -> other != part
                        && onSameMachine(other, part)
                        && !part.jvm().finished())
                .flatMap(other -> other.reading().events(RunEvent.HolderDied.class))
                .filter(death -> death.pid() == part.pid())
                .findFirst();
    }

    private static boolean onSameMachine(Part part, Part other) {
        return part.jvm().machine().equals(other.jvm().machine());
    }

    /**
     * Reports deaths of JVMs. All JVMs that share the lease table detect a death, also that of a JVM of another run. The other run has its
     * own report.
     */
    private void deathsOfOthers(Part reporter) {
        for (RunEvent.HolderDied death :
                reporter.reading().events(RunEvent.HolderDied.class).toList()) {
            Optional<Part> dead = parts.stream()
                    .filter(part -> part.pid() == death.pid()
                            && onSameMachine(part, reporter)
                            && !part.jvm().finished())
                    .findFirst();
            if (dead.isEmpty()) {
                notices.add("JVM %s died with %s on %s%s%s. It is not part of this report: its run file was not given."
                        .formatted(
                                death.pid(),
                                death.test(),
                                CoreList.of(death.cores()),
                                death.phase() == null ? "" : " in its " + word(death.phase()),
                                survivors(death)));
            } else if (!NO_TESTS.contains(death.test())
                    && executions
                            .results()
                            .noneMatch(test -> test.jvm() == dead.get().index()
                                    && test.id().isOf(death.test()))) {
                addReportedByOthers(dead.get(), death, reporter);
            }
        }
    }

    /**
     * Adds a lost test from the event of another JVM. The run file of the dead JVM lacks its last lines, and its own data are already
     * counted.
     */
    private void addReportedByOthers(Part dead, RunEvent.HolderDied death, Part reporter) {
        TestExecution execution = new TestExecution(
                dead.jvm().file(),
                new TestId(death.test(), death.test()),
                dead.jvm().ended(),
                dead.reading().plan().number());
        Optional.ofNullable(death.phase()).ifPresent(execution::begin);
        String reason = "%s was killed, as %s reported%s".formatted(dead.name(), reporter.name(), survivors(death));
        executions.add(execution, execution.report(dead.index(), TestOutcome.LOST, Optional.of(reason), death.cores()));
    }

    /**
     * Reports recordings that no JVM replayed with their test. Every JVM of a run uses the recording for its host, but only one of them
     * runs its test.
     */
    private void notReplayed() {
        List<RunEvent.Replayed> replayed = parts.stream()
                .flatMap(part -> part.reading().events(RunEvent.Replayed.class))
                .toList();
        replayed.stream()
                .filter(each -> replayed.stream()
                        .noneMatch(other -> other.ran() && other.test().isSameAs(each.test())))
                .map(each -> each.missing() + " Run that test, or check whether it was renamed.")
                .distinct()
                .forEach(problems::add);
    }

    /** Reports tests with a violation that did not fail. An aborted test that was repeated on another core is an exception. */
    private void contradictions() {
        tests.stream()
                .filter(test -> !test.violations().isEmpty()
                        && test.outcome() != TestOutcome.FAILED
                        && test.outcome() != TestOutcome.LOST
                        && !(test.outcome() == TestOutcome.ABORTED && test.retries() > 0))
                .map(test -> "%s: %s is recorded as %s, although it violated %s. Treat it as failed."
                        .formatted(
                                parts.get(test.jvm()).jvm().file(),
                                test.id().name(),
                                test.outcome(),
                                test.violations().get(0).rule()))
                .forEach(problems::add);
    }

    private void farApart() {
        Instant end = Instant.MIN;
        Part before = null;
        for (Part part : parts) {
            if (before != null && Duration.between(end, part.jvm().started()).compareTo(ONE_RUN) > 0) {
                problems.add(
                        ("%s on %s ended %s before %s on %s began (%s and %s): clocks differ, or files of an older run"
                                        + " are among them. Their order is unreliable.")
                                .formatted(
                                        before.name(),
                                        machine(before),
                                        DurationText.of(
                                                Duration.between(end, part.jvm().started())),
                                        part.name(),
                                        machine(part),
                                        before.jvm().file(),
                                        part.jvm().file()));
                return;
            }
            if (part.jvm().ended().isAfter(end)) {
                end = part.jvm().ended();
                before = part;
            }
        }
    }

    private static String machine(Part part) {
        return part.jvm().machine().orElse("an unknown machine");
    }
}
