package dev.neurontest.internal.baseline.history;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.configuration.BaselineUpdate;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The requirements for a new baseline, and the permission of a test run to write missing ones.
 *
 * @param writesMissing true if a run writes missing baselines; always false when {@code CI} is set
 * @param commit the commit of the tested source; empty when it is unknown
 * @param today supplier of the date of new baselines, in the time zone of the JVM
 * @param session identifier of this test run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselinePolicy(boolean writesMissing, String commit, Supplier<LocalDate> today, String session) {

    /** Number of runs for a noisy metric. Fewer runs could easily be at the edge of their own range. */
    static final int RUNS = 10;

    /** Number of consecutive sessions that must show an improvement before it is ready. A single session may be a chance result. */
    static final int SESSIONS = 3;

    /** Variables with the commit in GitHub Actions, GitLab CI and Jenkins. */
    private static final List<String> COMMIT_VARIABLES = List.of("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT");

    /**
     * Creates the policy of a run.
     *
     * @param settings settings with {@code neuron.test.baseline.update}
     * @param environment environment variables: {@code CI}, and the commit in {@code GITHUB_SHA}, {@code CI_COMMIT_SHA} or
     *     {@code GIT_COMMIT}
     * @param today supplier of the date of new baselines
     * @param session identifier of this test run
     */
    public static BaselinePolicy of(
            Settings settings, Map<String, String> environment, Supplier<LocalDate> today, String session) {
        return new BaselinePolicy(
                settings.value(Setting.BASELINE_UPDATE) == BaselineUpdate.MISSING && !Settings.isCi(environment),
                commit(environment),
                today,
                session);
    }

    private static String commit(Map<String, String> environment) {
        for (String variable : COMMIT_VARIABLES) {
            String commit = environment.getOrDefault(variable, "").strip();
            if (!commit.isEmpty()) {
                return commit;
            }
        }
        return "";
    }

    private static int runsNeeded(Metric metric) {
        return metric.noise() == Noise.NOISY ? RUNS : 1;
    }

    /** Checks whether a comparison has a result that can become a baseline. */
    static boolean counts(Comparison comparison) {
        List<Double> runs = comparison.sample().runs();
        return comparison.outcome() != ComparisonOutcome.CONTAMINATED
                && comparison.outcome() != ComparisonOutcome.UNDECIDED
                && !runs.isEmpty()
                && runs.stream().allMatch(run -> run >= 0 && Double.isFinite(run));
    }

    /**
     * Returns the change that a comparison proposes.
     *
     * @param comparison a comparison that {@linkplain #counts counts}
     * @param neff the SHA-256 of the compiled model; empty when it is unknown
     * @param former the baseline; empty when this stack has none
     * @param pending the previous proposal; empty when there was none
     * @return empty when the baseline is still right
     */
    Optional<BaselineChange> proposal(
            Comparison comparison,
            Optional<String> neff,
            Optional<BaselineEntry> former,
            Optional<BaselineEntry> pending) {
        boolean wrong = former.isEmpty() || comparison.improved() || comparison.outcome() == ComparisonOutcome.WORSE;
        return Optional.of(change(comparison, neff, former, pending))
                .filter(change -> wrong && change.kind() != BaselineChange.Kind.SAME);
    }

    /** Returns the reasons why a change must not be written, one sentence each. */
    static List<String> obstacles(BaselineChange change, String note) {
        List<String> obstacles = new ArrayList<>();
        Metric metric = change.proposed().metric();
        int runs = change.proposed().sample().runs().size();
        if (runs < runsNeeded(metric)) {
            obstacles.add("It has %s of %s runs: measure it again.".formatted(runs, runsNeeded(metric)));
        }
        boolean needsNote = change.kind() == BaselineChange.Kind.WORSE || change.kind() == BaselineChange.Kind.CHANGED;
        if (needsNote && note.isBlank()) {
            obstacles.add("It gets %s: add the reason with --note."
                    .formatted(change.kind() == BaselineChange.Kind.WORSE ? "worse" : "another number"));
        }
        return obstacles;
    }

    private BaselineChange change(
            Comparison comparison,
            Optional<String> neff,
            Optional<BaselineEntry> former,
            Optional<BaselineEntry> pending) {
        BaselineEntry measured = new BaselineEntry(
                comparison.key(),
                comparison.metric(),
                comparison.stack(),
                comparison.sample(),
                neff,
                today.get(),
                commit,
                "",
                List.of(BaselineChange.former(comparison.sample(), today.get(), commit, session)));
        BaselineChange fresh = new BaselineChange(former, measured);
        return pending.filter(earlier -> agrees(new BaselineChange(former, earlier), fresh))
                .map(earlier -> new BaselineChange(former, merged(earlier, measured)))
                .orElse(fresh);
    }

    /**
     * Checks whether two changes belong together. An improvement may occur in several commits. Any other change belongs to the commit that
     * showed it.
     */
    private static boolean agrees(BaselineChange earlier, BaselineChange fresh) {
        BaselineEntry before = earlier.proposed();
        BaselineEntry after = fresh.proposed();
        return earlier.kind() == fresh.kind()
                && before.metric().equals(after.metric())
                && before.neff().equals(after.neff())
                && before.sample().iterationsPerRun() == after.sample().iterationsPerRun()
                && (fresh.kind() == BaselineChange.Kind.BETTER
                        || (before.commit().equals(after.commit())
                                && !after.commit().isEmpty()));
    }

    /**
     * Merges a new measurement with the previous proposal. If the new runs are sufficient, they replace the earlier ones; otherwise they
     * are added.
     */
    private static BaselineEntry merged(BaselineEntry earlier, BaselineEntry measured) {
        List<Double> runs = measured.sample().runs();
        boolean enough = runs.size() >= runsNeeded(measured.metric());
        Sample sample = enough
                ? measured.sample()
                : new Sample(
                        Stream.concat(earlier.sample().runs().stream(), runs.stream())
                                .toList(),
                        measured.sample().iterationsPerRun());
        List<BaselineEntry.Former> history = Stream.concat(measured.history().stream(), earlier.history().stream())
                .limit(BaselineChange.HISTORY)
                .toList();
        return BaselineChange.with(measured, sample, "", history);
    }
}
