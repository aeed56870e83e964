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
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The needs of a sample that becomes a baseline, and whether a run of tests may write those that are missing.
 *
 * @param writesMissing whether a run writes baselines where there are none, which no run does where {@code CI} is set
 * @param commit of the tested source; empty when it is not known
 * @param today gives the date of new baselines, which a JVM asks its time zone for
 * @param session identifies this run of the tests
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselinePolicy(boolean writesMissing, String commit, Supplier<LocalDate> today, String session) {

    /** The number of runs that a noisy metric needs: fewer are too easily at the edge of their own range. */
    static final int RUNS = 10;

    /** The number of sessions in a row that see an improvement before it is ready: one may have been lucky. */
    static final int SESSIONS = 3;

    /** GitHub Actions, GitLab CI, Jenkins. */
    private static final List<String> COMMIT_VARIABLES = List.of("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT");

    /**
     * Creates the policy of a run.
     *
     * @param settings {@code neuron.test.baseline.update}
     * @param environment {@code CI}, and the commit as {@code GITHUB_SHA}, {@code CI_COMMIT_SHA} or {@code GIT_COMMIT} say it
     * @param today gives the date of new baselines
     * @param session identifies this run of the tests
     * @return the policy
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
        return COMMIT_VARIABLES.stream()
                .map(environment::get)
                .filter(Objects::nonNull)
                .map(String::strip)
                .filter(commit -> !commit.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static int runsNeeded(Metric metric) {
        return metric.noise() == Noise.NOISY ? RUNS : 1;
    }

    /** Checks whether a comparison shows anything that a baseline could be made of. */
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
     * @param comparison one that {@linkplain #counts counts}
     * @param neff the SHA-256 of the compiled model; empty when it is not known
     * @param former the baseline; empty when there is none of this stack
     * @param pending the proposal before; empty when there was none
     * @return empty where the baseline is still right
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

    /** Returns why a change may not be written, one sentence each. */
    static List<String> obstacles(BaselineChange change, String note) {
        List<String> obstacles = new ArrayList<>();
        Metric metric = change.proposed().metric();
        int runs = change.proposed().sample().runs().size();
        if (runs < runsNeeded(metric)) {
            obstacles.add("It has %s of %s runs: measure it again.".formatted(runs, runsNeeded(metric)));
        }
        boolean needsNote = change.kind() == BaselineChange.Kind.WORSE || change.kind() == BaselineChange.Kind.CHANGED;
        if (needsNote && note.isBlank()) {
            obstacles.add("It gets %s: say why with --note."
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
                .map(earlier -> new BaselineChange(former, together(earlier, measured)))
                .orElse(fresh);
    }

    /** An improvement may be seen by several commits; anything else belongs to the source that showed it. */
    private static boolean agrees(BaselineChange earlier, BaselineChange fresh) {
        BaselineEntry one = earlier.proposed();
        BaselineEntry other = fresh.proposed();
        return earlier.kind() == fresh.kind()
                && one.metric().equals(other.metric())
                && one.neff().equals(other.neff())
                && one.sample().iterationsPerRun() == other.sample().iterationsPerRun()
                && (fresh.kind() == BaselineChange.Kind.BETTER
                        || (one.commit().equals(other.commit())
                                && !other.commit().isEmpty()));
    }

    /** What is enough by itself replaces what was proposed before; what is not adds to it. */
    private static BaselineEntry together(BaselineEntry earlier, BaselineEntry measured) {
        List<Double> runs = measured.sample().runs();
        boolean enough = runs.size() >= runsNeeded(measured.metric());
        Sample sample = enough
                ? measured.sample()
                : new Sample(
                        Stream.concat(earlier.sample().runs().stream(), runs.stream())
                                .toList(),
                        measured.sample().iterationsPerRun());
        List<BaselineEntry.Former> seen = Stream.concat(measured.history().stream(), earlier.history().stream())
                .limit(BaselineChange.HISTORY)
                .toList();
        return BaselineChange.with(measured, sample, "", seen);
    }
}
