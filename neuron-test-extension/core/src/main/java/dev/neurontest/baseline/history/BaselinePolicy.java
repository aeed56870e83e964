package dev.neurontest.baseline.history;

import dev.neurontest.baseline.BaselineEntry;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.configuration.BaselineUpdate;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Who may write a baseline, when, and what a sample needs to become one.
 *
 * @param update which baselines a run may write
 * @param forbidden whether none may be written here, which is so in CI unless it is allowed
 * @param note why baselines change; empty when none was given
 * @param commit of the tested source; empty when it is not known
 * @param today when
 * @param session tells this run of the tests from any other
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record BaselinePolicy(
        BaselineUpdate update, boolean forbidden, String note, String commit, LocalDate today, String session) {

    /** How many runs a noisy metric needs: fewer are too easily at the edge of their own range. */
    static final int RUNS = 10;

    /** How many sessions in a row have to see an improvement before it is ready: one may have been lucky. */
    static final int SESSIONS = 3;

    /** GitHub Actions, GitLab CI, Jenkins. */
    private static final List<String> COMMIT_VARIABLES = List.of("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT");

    /**
     * The policy of a run.
     *
     * @param settings {@code neuron.test.baseline.*}
     * @param environment {@code CI}, and the commit as {@code GITHUB_SHA}, {@code CI_COMMIT_SHA} or {@code GIT_COMMIT} say it
     * @param today when
     * @param session tells this run of the tests from any other, such as the name of its run file
     * @return the policy
     */
    public static BaselinePolicy of(
            Settings settings, Map<String, String> environment, LocalDate today, String session) {
        String ci = environment.getOrDefault("CI", "").strip().toLowerCase(Locale.ROOT);
        boolean inCi = !ci.isEmpty() && !ci.equals("false") && !ci.equals("0");
        return new BaselinePolicy(
                settings.value(Setting.BASELINE_UPDATE),
                inCi && !settings.value(Setting.BASELINE_CI),
                settings.value(Setting.BASELINE_NOTE),
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

    /**
     * How many runs a baseline needs.
     *
     * @param metric of what
     * @return one for what does not vary
     */
    public static int runsNeeded(Metric metric) {
        return metric.noise() == Noise.NOISY ? RUNS : 1;
    }

    /**
     * Decides what becomes of what was measured.
     *
     * @param comparison with the baseline, or without one
     * @param neff the SHA-256 of the compiled model; empty when it is not known
     * @param former the baseline; empty when there is none of this stack
     * @param pending what was proposed before and not approved; empty when nothing was
     * @return what to do, and why
     */
    public BaselineDecision decide(
            Comparison comparison,
            Optional<String> neff,
            Optional<BaselineEntry> former,
            Optional<BaselineEntry> pending) {
        if (comparison.outcome() == ComparisonOutcome.CONTAMINATED) {
            return BaselineDecision.refuse(
                    "Its runs were disturbed (%s), which never becomes a baseline.".formatted(comparison.reason()));
        }
        if (comparison.sample().runs().isEmpty()) {
            return BaselineDecision.refuse("It has no runs that count.");
        }
        if (!comparison.sample().runs().stream().allMatch(run -> run >= 0 && Double.isFinite(run))) {
            return BaselineDecision.refuse("It has runs whose number is negative, infinite or none.");
        }
        BaselineChange change = change(comparison, neff, former, pending);
        if (change.kind() == BaselineChange.Kind.SAME) {
            return BaselineDecision.keep("It is the same number.");
        }
        boolean clear = former.isEmpty() || comparison.improved() || comparison.outcome() == ComparisonOutcome.WORSE;
        if (!clear && update != BaselineUpdate.ALL) {
            return BaselineDecision.keep(
                    switch (comparison.outcome()) {
                        case UNDECIDED -> "The runs do not show that it is wrong.";
                        case NO_BASELINE -> "Another process wrote it meanwhile.";
                        default -> "It is still right.";
                    });
        }
        if (!updates(change, comparison)) {
            return BaselineDecision.propose(
                    change, "neuron.test.baseline.update is %s.".formatted(BaselineJson.word(update)));
        }
        List<String> obstacles = obstacles(change, note);
        return obstacles.isEmpty()
                ? BaselineDecision.write(change)
                : BaselineDecision.propose(change, String.join(" ", obstacles));
    }

    private boolean updates(BaselineChange change, Comparison comparison) {
        return switch (update) {
            case NONE -> false;
            case MISSING -> change.former().isEmpty();
            case IMPROVED -> change.former().isEmpty() || comparison.improved();
            case ALL -> true;
        };
    }

    /** Why a change may not be written, one sentence each. */
    List<String> obstacles(BaselineChange change, String why) {
        List<String> obstacles = new ArrayList<>();
        if (forbidden) {
            obstacles.add(
                    "Baselines are not written in CI: approve it elsewhere, or set neuron.test.baseline.ci=true.");
        }
        Metric metric = change.proposed().metric();
        int runs = change.proposed().sample().runs().size();
        if (runs < runsNeeded(metric)) {
            obstacles.add("It has %s of %s runs: measure it again.".formatted(runs, runsNeeded(metric)));
        }
        boolean needsNote = change.kind() == BaselineChange.Kind.WORSE || change.kind() == BaselineChange.Kind.CHANGED;
        if (needsNote && why.isBlank() && change.proposed().note().isBlank()) {
            obstacles.add("It gets %s: say why with a note (neuron.test.baseline.note)."
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
                today,
                commit,
                note,
                List.of(BaselineChange.former(comparison.sample(), today, commit, session)));
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
        return BaselineChange.with(
                measured, sample, measured.note().isEmpty() ? earlier.note() : measured.note(), seen);
    }
}
