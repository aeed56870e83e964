package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.RangeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * The shards of a run: the complete shards, and shards that do not belong together. A JVM without a last line has died. Of an attempt that
 * was restarted, only the last start counts.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportedShards {

    private static final Comparator<ShardAttempt> ORDER = Comparator.comparingInt(ShardAttempt::count)
            .thenComparingInt(ShardAttempt::shard)
            .thenComparingInt(ShardAttempt::restarts)
            .thenComparing(ShardAttempt::started);

    private final List<ShardAttempt> attempts;

    /** Next attempt after a restarted one, by the index of the JVMs of the restarted attempt. */
    private final Map<Integer, ShardAttempt> next = new HashMap<>();

    private ReportedShards(List<ShardAttempt> attempts) {
        this.attempts = attempts;
        for (int index = 1; index < attempts.size(); index++) {
            ShardAttempt first = attempts.get(index - 1);
            ShardAttempt second = attempts.get(index);
            boolean same = first.shard() == second.shard() && first.count() == second.count();
            boolean restarted = second.restarts() > first.restarts();
            boolean afterDeath = !first.finished() && !second.started().isBefore(first.ended());
            if (same && (restarted || afterDeath)) {
                first.jvms().forEach(jvm -> next.put(jvm, second));
            }
        }
    }

    /**
     * Groups JVMs by shard and attempt.
     *
     * @param jvms JVMs of a report
     * @return shards; without attempts when the suite was not divided into shards
     */
    public static ReportedShards of(List<ReportedJvm> jvms) {
        return new ReportedShards(IntStream.range(0, jvms.size())
                .filter(index -> !jvms.get(index).shards().isEmpty())
                .boxed()
                .collect(Collectors.groupingBy(index -> key(jvms.get(index)), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(indices -> attempt(indices, jvms))
                .sorted(ORDER)
                .toList());
    }

    private static List<Object> key(ReportedJvm jvm) {
        RunEvent.Sharded shard = jvm.shards().get(0);
        return List.of(shard.shard(), shard.count(), shard.restarts(), Optional.ofNullable(shard.job()), jvm.machine());
    }

    private static ShardAttempt attempt(List<Integer> indices, List<ReportedJvm> jvms) {
        List<ReportedJvm> members = indices.stream().map(jvms::get).toList();
        List<RunEvent.Sharded> lines =
                members.stream().flatMap(jvm -> jvm.shards().stream()).toList();
        RunEvent.Sharded first = lines.get(0);
        return new ShardAttempt(
                first.shard(),
                first.count(),
                first.restarts(),
                Optional.ofNullable(first.job()),
                members.get(0).machine(),
                members.stream().flatMap(jvm -> jvm.platform().stream()).findFirst(),
                indices,
                members.stream()
                        .map(ReportedJvm::started)
                        .min(Instant::compareTo)
                        .orElseThrow(),
                members.stream().map(ReportedJvm::ended).max(Instant::compareTo).orElseThrow(),
                members.stream().allMatch(ReportedJvm::finished),
                lines.stream().map(RunEvent.Sharded::timings).collect(Collectors.toSet()),
                lines.stream()
                        .map(RunEvent.Sharded::code)
                        .filter(code -> !code.isEmpty())
                        .collect(Collectors.toSet()),
                lines.stream().anyMatch(RunEvent.Sharded::timed));
    }

    /** Returns all attempts, by shard and in the order of their starts. */
    public List<ShardAttempt> attempts() {
        return attempts;
    }

    /**
     * Returns the attempt that counts instead of that of a JVM.
     *
     * @param jvm index of a JVM in the report
     * @return the next attempt; empty for the last one, and without shards
     */
    public Optional<ShardAttempt> startedAgain(int jvm) {
        return Optional.ofNullable(next.get(jvm));
    }

    /**
     * Returns the state of an attempt.
     *
     * @param attempt one of {@link #attempts()}
     * @return for example {@code complete}
     */
    public String state(ShardAttempt attempt) {
        String end = attempt.finished() ? "complete" : "did not end";
        return counts(attempt) ? end : end + ", started again";
    }

    /** Returns the attempts that count, that is, were not restarted. */
    public List<ShardAttempt> last() {
        return attempts.stream().filter(this::counts).toList();
    }

    private boolean counts(ShardAttempt attempt) {
        return !next.containsKey(attempt.jvms().get(0));
    }

    /**
     * Returns the only shard in the report, if the suite has others.
     *
     * @return name such as {@code 3/8}; empty for several shards, and for none
     */
    public Optional<String> onlyOne() {
        Set<String> names = attempts.stream()
                .filter(attempt -> attempt.count() > 1)
                .map(ShardAttempt::name)
                .collect(Collectors.toSet());
        return names.size() == 1 ? names.stream().findFirst() : Optional.empty();
    }

    /**
     * Returns the progress and the balance of the shards in one sentence.
     *
     * @return such as {@code 8 of 8 shards (shard 2 did not end), the longest took 3 min 0 s, the mean is 2 min 0 s}; empty without shards
     */
    public Optional<String> balance() {
        List<ShardAttempt> last = last();
        if (last.isEmpty()) {
            return Optional.empty();
        }
        Duration longest =
                last.stream().map(ShardAttempt::took).max(Duration::compareTo).orElseThrow();
        Duration mean = last.stream()
                .map(ShardAttempt::took)
                .reduce(Duration.ZERO, Duration::plus)
                .dividedBy(last.size());
        List<Integer> open = last.stream()
                .filter(attempt -> !attempt.finished())
                .map(ShardAttempt::shard)
                .distinct()
                .sorted()
                .toList();
        return Optional.of("%s of %s shards%s, the longest took %s, the mean is %s"
                .formatted(
                        last.stream().map(ShardAttempt::shard).distinct().count(),
                        count(),
                        open.isEmpty()
                                ? ""
                                : " (%s %s did not end)"
                                        .formatted(open.size() == 1 ? "shard" : "shards", RangeText.of(open)),
                        DurationText.of(longest),
                        DurationText.of(mean)));
    }

    /** Returns the number of shards that most attempts state. */
    private int count() {
        return attempts.stream()
                .collect(Collectors.groupingBy(ShardAttempt::count, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.<Integer, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(0);
    }

    /**
     * Returns the contradictions between shards. They mean that tests may have run nowhere, or with other code.
     *
     * @return one or two sentences each, with advice
     */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        differing(
                        "Shards of different counts are in one report: %s. Tests may be in none of them. Start all shards of a run with the same count, and remove files of other runs.",
                        attempt -> Set.of("of " + attempt.count()))
                .ifPresent(problems::add);
        differing(
                        "Shards were cut by different timings files: %s. Tests may be in none of them, or in two. Set the same neuron.test.shard.timings for all shards of a run.",
                        attempt -> attempt.timings().stream()
                                .map(hash -> hash.isEmpty() ? "no file" : "file " + hash)
                                .collect(Collectors.toSet()))
                .ifPresent(problems::add);
        otherCode().ifPresent(problems::add);
        problems.addAll(
                twice(
                        true,
                        "Shard %s ran twice at the same time, on %s and on %s: two jobs had the same number, and another shard may have no job. Set a different neuron.test.shard for each job."));
        return problems;
    }

    /**
     * Returns the shards that are missing in a report over all shards.
     *
     * @return a sentence; empty when none is missing
     */
    public Optional<String> missing() {
        Set<Integer> present = attempts.stream()
                .filter(attempt -> attempt.count() == count())
                .map(ShardAttempt::shard)
                .collect(Collectors.toSet());
        List<Integer> missing = IntStream.rangeClosed(1, count())
                .filter(shard -> !present.contains(shard))
                .boxed()
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s %s of %s %s missing: there is no run file of %s. Run each missing shard (such as neuron.test.shard=%s/%s), or add the folder that it wrote to; if its node does not share that folder, copy it from there."
                                .formatted(
                                        missing.size() == 1 ? "Shard" : "Shards",
                                        RangeText.of(missing),
                                        count(),
                                        missing.size() == 1 ? "is" : "are",
                                        missing.size() == 1 ? "it" : "them",
                                        missing.get(0),
                                        count()));
    }

    /**
     * Returns information that needs no action.
     *
     * @return one sentence each
     */
    public List<String> notices() {
        List<String> notices = new ArrayList<>();
        for (ShardAttempt attempt : attempts) {
            ShardAttempt after = next.get(attempt.jvms().get(0));
            if (after != null) {
                notices.add("Shard %s was started again on %s: its attempt on %s %s. Tests that both ran count once."
                        .formatted(
                                attempt.name(),
                                after.place(),
                                attempt.place(),
                                attempt.finished() ? "had ended" : "was killed"));
            }
        }
        notices.addAll(twice(false, "Shard %s ran on %s and later on %s, although the first had ended. Both count."));
        otherSuite().ifPresent(notices::add);
        return notices;
    }

    /** Returns sentences about two attempts at the same shard without a restart between them. */
    private Set<String> twice(boolean overlapping, String sentence) {
        Set<String> twice = new LinkedHashSet<>();
        Map<String, ShardAttempt> before = new HashMap<>();
        for (ShardAttempt attempt : last()) {
            ShardAttempt first = before.put(attempt.name(), attempt);
            if (first != null && overlap(first, attempt) == overlapping) {
                twice.add(sentence.formatted(first.name(), first.place(), attempt.place()));
            }
        }
        return twice;
    }

    private static boolean overlap(ShardAttempt first, ShardAttempt second) {
        return first.started().isBefore(second.ended()) && second.started().isBefore(first.ended())
                || first.started().equals(second.started());
    }

    /** Returns the problem if attempts differ in a property that must be equal. */
    private Optional<String> differing(String problem, Function<ShardAttempt, Set<String>> what) {
        long values = attempts.stream()
                .flatMap(each -> what.apply(each).stream())
                .distinct()
                .count();
        return values < 2 ? Optional.empty() : Optional.of(problem.formatted(by(what)));
    }

    /** Returns a problem if shards ran different code. A killed shard may have reached only some of its modules. */
    private Optional<String> otherCode() {
        Optional<Set<String>> most = attempts.stream()
                .filter(ShardAttempt::finished)
                .map(ShardAttempt::codes)
                .filter(codes -> !codes.isEmpty())
                .collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        return most.filter(codes -> attempts.stream()
                        .filter(attempt -> !attempt.codes().isEmpty())
                        .anyMatch(attempt -> attempt.finished()
                                ? !attempt.codes().equals(codes)
                                : !codes.containsAll(attempt.codes())))
                .map(codes ->
                        "Shards of different code are in one report: %s. Tests may be in none of them. Build once for all shards; where builds of one revision differ, set neuron.test.shard.code to the revision."
                                .formatted(by(attempt -> attempt.codes().isEmpty()
                                        ? Set.of()
                                        : Set.of("code " + String.join(" and ", attempt.codes())))));
    }

    private Optional<String> otherSuite() {
        Set<String> timings = new HashSet<>();
        attempts.forEach(attempt -> timings.addAll(attempt.timings()));
        timings.remove("");
        boolean hasCode = attempts.stream().anyMatch(attempt -> !attempt.codes().isEmpty());
        return timings.isEmpty() || !hasCode || attempts.stream().anyMatch(ShardAttempt::timed)
                ? Optional.empty()
                : Optional.of(
                        "The timings file %s contains no class of these tests: it belongs to another suite, and the shards were cut by names alone. Set neuron.test.shard.timings to a neuron-report.json of this suite."
                                .formatted(String.join(", ", timings)));
    }

    /** Returns the shards by property, such as {@code of 4 (shards 3, on n2), of 8 (shards 1-2, 4-8)}. */
    private String by(Function<ShardAttempt, Set<String>> what) {
        Map<String, Set<Integer>> shards = new TreeMap<>();
        attempts.forEach(attempt -> what.apply(attempt)
                .forEach(each ->
                        shards.computeIfAbsent(each, none -> new TreeSet<>()).add(attempt.shard())));
        return shards.entrySet().stream()
                .map(each -> "%s (%s %s)"
                        .formatted(
                                each.getKey(),
                                each.getValue().size() == 1 ? "shard" : "shards",
                                RangeText.of(each.getValue())))
                .collect(Collectors.joining(", "));
    }
}
