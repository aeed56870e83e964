package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.ReportedJvm;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The runs of the JVMs that were read. Several runs in one folder would otherwise be judged as one. */
final class Runs {

    private static final int SHOWN = 3;

    /** Runs in the order of their starts, the newest last. */
    private final List<Run> runs;

    private final List<JvmReading> ofAny;
    private final RunChoice choice;

    private record Run(String id, List<JvmReading> jvms) {

        Instant started() {
            return times(ReportedJvm::started).min(Comparator.naturalOrder()).orElseThrow();
        }

        Instant finished() {
            return times(ReportedJvm::ended).max(Comparator.naturalOrder()).orElseThrow();
        }

        private Stream<Instant> times(Function<ReportedJvm, Instant> time) {
            return jvms.stream().flatMap(each -> each.jvm().stream()).map(time);
        }

        /** Returns the names of all tests and templates, by module and id. */
        Map<String, String> tests() {
            Map<String, String> tests = new LinkedHashMap<>();
            for (JvmReading jvm : jvms) {
                jvm.plan().lost().forEach(test -> tests.put(key(jvm, test), test.name()));
                jvm.executions()
                        .forEach(
                                each -> tests.put(key(jvm, each.id()), each.id().name()));
            }
            return tests;
        }

        /** Returns the tests and templates that ended, by module and id. */
        Set<String> ended() {
            Set<String> ended = new HashSet<>();
            for (JvmReading jvm : jvms) {
                jvm.executions().stream()
                        .filter(each -> each.isFinished() || each.isReleased())
                        .forEach(each -> ended.add(key(jvm, each.id())));
                jvm.plan().templates().forEach(id -> ended.add(key(jvm, new TestId(id, id))));
            }
            return ended;
        }

        private static String key(JvmReading jvm, TestId test) {
            return jvm.jvm()
                            .flatMap(ReportedJvm::start)
                            .map(RunEvent.RunStarted::directory)
                            .orElse("")
                    + "\n" + test.id();
        }

        String inShort() {
            return "\"%s\" (%s)".formatted(id, CountText.of(tests().size(), "test"));
        }

        @Override
        public String toString() {
            Collection<String> tests = tests().values();
            return "\"%s\" (%s to %s, %s%s)"
                    .formatted(
                            id,
                            started().truncatedTo(ChronoUnit.SECONDS),
                            finished().truncatedTo(ChronoUnit.SECONDS),
                            CountText.of(tests.size(), "test"),
                            tests.stream()
                                    .findFirst()
                                    .map(first -> ", first " + first)
                                    .orElse(""));
        }
    }

    Runs(List<JvmReading> readings, RunChoice choice) {
        this.choice = choice;
        Map<String, List<JvmReading>> byId = new HashMap<>();
        ofAny = new ArrayList<>();
        List<JvmReading> shards = new ArrayList<>();
        for (JvmReading reading : readings) {
            if (reading.jvm().isPresent() && reading.unnamedShard().isPresent()) {
                shards.add(reading);
            } else if (reading.jvm().isPresent() && reading.run().isPresent()) {
                byId.computeIfAbsent(reading.run().get(), none -> new ArrayList<>())
                        .add(reading);
            } else {
                ofAny.add(reading);
            }
        }
        runs = Stream.concat(
                        successive(shards),
                        byId.entrySet().stream().map(each -> new Run(each.getKey(), each.getValue())))
                .sorted(Comparator.comparing(Run::started))
                .toList();
    }

    /**
     * Returns the runs of shards without an id. They are one run on several hosts, until a passed shard runs a test again. This begins
     * another run of the suite.
     */
    private static Stream<Run> successive(List<JvmReading> shards) {
        List<Run> runs = new ArrayList<>();
        Map<Integer, List<JvmReading>> passed = new HashMap<>();
        for (JvmReading reading : shards.stream()
                .sorted(Comparator.comparing(each -> each.jvm().orElseThrow().started()))
                .toList()) {
            int shard = reading.unnamedShard().orElseThrow();
            if (runs.isEmpty()
                    || passed.getOrDefault(shard, List.of()).stream()
                            .anyMatch(earlier -> isRunAgain(earlier, reading))) {
                runs.add(new Run("shards", new ArrayList<>()));
                passed.clear();
            }
            runs.get(runs.size() - 1).jvms().add(reading);
            if (reading.hasPassed()) {
                passed.computeIfAbsent(shard, none -> new ArrayList<>()).add(reading);
            }
        }
        return runs.stream();
    }

    private static boolean isRunAgain(JvmReading earlier, JvmReading later) {
        Set<String> tests = new HashSet<>(new Run("", List.of(earlier)).tests().keySet());
        tests.retainAll(new Run("", List.of(later)).tests().keySet());
        return !tests.isEmpty()
                && !earlier.run().equals(later.run())
                && !later.jvm()
                        .orElseThrow()
                        .started()
                        .isBefore(earlier.jvm().orElseThrow().ended());
    }

    /**
     * Chooses the JVMs of the report.
     *
     * @param notices receives the omitted runs
     * @param problems receives the reason why no run can be chosen
     */
    List<JvmReading> chosen(Collection<String> notices, Collection<String> problems) {
        List<Run> all = runs;
        if (runs.size() > 1 && choice != RunChoice.ALL) {
            List<Run> older = runs.subList(0, runs.size() - 1);
            Run newest = runs.get(runs.size() - 1);
            Map<String, String> missing = new LinkedHashMap<>();
            older.forEach(run -> missing.putAll(run.tests()));
            missing.keySet().removeAll(newest.ended());
            List<Run> overlapping = older.stream()
                    .filter(run -> run.finished().isAfter(newest.started()))
                    .toList();
            if (choice == RunChoice.NEWEST || missing.isEmpty() && overlapping.isEmpty()) {
                all = List.of(newest);
                notices.add("This is the newest of %s runs. Left out: %s."
                        .formatted(
                                runs.size(),
                                ListText.apart(older.stream().map(Run::inShort).toList(), SHOWN)));
            } else {
                String reason = missing.isEmpty()
                        ? "The newest of %s runs began before others had ended: %s."
                                .formatted(runs.size(), ListText.apart(overlapping, SHOWN))
                        : "The newest of %s runs did not finish %s of the others: %s."
                                .formatted(
                                        runs.size(),
                                        CountText.of(missing.size(), "test"),
                                        ListText.apart(missing.values(), SHOWN));
                problems.add(
                        reason
                                + " Choose with --run=newest or --run=all, clean the folder before a run, or set the same neuron.test.run for builds that belong together.");
                problems.add(
                        "Run files of %s runs are together: %s.".formatted(runs.size(), ListText.apart(runs, SHOWN)));
            }
        }
        List<JvmReading> readings = new ArrayList<>(ofAny);
        all.forEach(run -> readings.addAll(run.jvms()));
        return readings;
    }
}
