package dev.neurontest.internal.baseline;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparison.Ratio;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.statistics.Disturbance;
import dev.neurontest.internal.baseline.statistics.RatioInterval;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The comparison of runs with a baseline while they are made. It requests further runs and finally gives the result. An instance is used by
 * one thread.
 *
 * <p>Runs that do not count are repeated, at most as often as the last look has runs. If the runs drift or fall into two groups, no look
 * decides. If this is still the case at the last look, the comparison is contaminated. Without a baseline, it requests the number of runs
 * for a new one: ten for noisy metrics, one for fixed metrics.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class RunComparison {

    /** Number of runs in the baseline of a noisy metric. It limits the influence of chance. */
    static final int RUNS_OF_A_BASELINE = 10;

    /** The option that accepts an improvement although only one session has shown it. */
    private static final String EARLY = " --early";

    private static final int OLD_DAYS = 180;

    /** Number of reasons in the message of an incomplete run. */
    private static final int MOST_REASONS = 5;

    /** Factor by which the baseline must be slower than today for a note. Such a baseline would hide a regression. */
    private static final double HEADROOM = 1.1;

    private final Metric metric;
    private final ComparisonRule rule;
    private final Fraction margin;
    private final Optional<BaselineEntry> baseline;
    private final BaselineKey key;
    private final Stack stack;
    private final String file;
    private final Optional<Stack> nearest;
    private final String update;

    private final List<Double> runs = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private final List<Integer> looks = new ArrayList<>();
    private int iterationsPerRun = Integer.MAX_VALUE;
    private boolean complete;
    private int furtherRuns;
    private ComparisonFinding finding;
    private Optional<String> neff = Optional.empty();
    private Optional<LocalDate> today = Optional.empty();

    /**
     * Creates a comparison before its first run.
     *
     * @param baseline the baseline with the same key and stack; empty when there is none
     * @param file the path of the baseline file
     * @param nearest the most similar stack with the same metric, if there is no baseline of this stack
     * @param update the command that accepts the measured values
     * @throws IllegalArgumentException when the baseline has another unit, the opposite direction, or no runs
     */
    public RunComparison(
            Metric metric,
            ComparisonRule rule,
            Optional<BaselineEntry> baseline,
            BaselineKey key,
            Stack stack,
            String file,
            Optional<Stack> nearest,
            String update) {
        baseline.ifPresent(entry -> check(entry, metric, key));
        this.metric = metric;
        this.rule = rule;
        this.margin = rule.marginOf(metric);
        this.baseline = baseline;
        this.key = key;
        this.stack = stack;
        this.file = file;
        this.nearest = nearest;
        this.update = update;
        this.finding = baseline.isPresent() ? ComparisonFinding.open("too-few-runs") : withoutBaseline();
    }

    private static void check(BaselineEntry entry, Metric metric, BaselineKey key) {
        if (entry.metric().unit() != metric.unit()) {
            throw new IllegalArgumentException("the baseline of %s is in %s, and the measured value in %s"
                    .formatted(
                            key, entry.metric().unit().symbol(), metric.unit().symbol()));
        }
        Set<Direction> directions = EnumSet.of(entry.metric().better(), metric.better());
        if (directions.equals(EnumSet.of(Direction.LOWER, Direction.HIGHER))) {
            throw new IllegalArgumentException(
                    "the baseline of %s gets better when it is %s, and the measured value when it is %s. Correct the direction, or use another name"
                            .formatted(
                                    key,
                                    entry.metric().better().name().toLowerCase(Locale.ROOT),
                                    metric.better().name().toLowerCase(Locale.ROOT)));
        }
        if (entry.sample().runs().isEmpty()) {
            throw new IllegalArgumentException("the baseline of %s has no runs".formatted(key));
        }
    }

    /**
     * Sets the compiled model of the runs, to detect a difference from that of the baseline.
     *
     * @param sha256 the SHA-256 of the NEFF
     */
    public RunComparison ofNeff(String sha256) {
        neff = Optional.of(sha256);
        return this;
    }

    /**
     * Sets the current date, to detect an old baseline.
     *
     * @param date today; without it, the age of a baseline is not checked
     */
    public RunComparison on(LocalDate date) {
        today = Optional.of(date);
        return this;
    }

    /** Returns whether another run is needed. Returns false when the comparison is complete, decided or not. */
    public boolean wantsMore() {
        return !complete;
    }

    /**
     * Returns whether another run is needed to make the measured runs a new baseline. This applies only to a worse or a better outcome,
     * because the user may accept it. The outcome itself does not change any more.
     *
     * @return false when the outcome is open or different, and when there are enough runs
     */
    public boolean wantsMoreForABaseline() {
        return complete
                && metric.noise() == Noise.NOISY
                && (finding.outcome() == ComparisonOutcome.WORSE || finding.improved())
                && runs.size() < RUNS_OF_A_BASELINE
                && furtherRuns < RUNS_OF_A_BASELINE;
    }

    /**
     * Adds a run. A run that was not requested does not count.
     *
     * @throws IllegalArgumentException when its value is negative, infinite or NaN
     */
    public void add(MeasuredRun run) {
        if (!(run.value() >= 0) || Double.isInfinite(run.value())) {
            throw new IllegalArgumentException(
                    "a run of %s gave %s, which is not a measurement".formatted(key, run.value()));
        }
        if (complete) {
            addForABaseline(run);
            return;
        }
        if (run.rejection().isPresent()) {
            reject(run.rejection().get());
            return;
        }
        if (hasLostItsTime(run)) {
            rejected.add("it took no time at all, unlike the baseline");
            complete(ComparisonFinding.of(ComparisonOutcome.CONTAMINATED, Comparison.NO_TIME));
            return;
        }
        runs.add(run.value());
        iterationsPerRun = Math.min(iterationsPerRun, run.iterations());
        decide();
    }

    /**
     * Ends the comparison because a run has no complete result. A worse outcome remains; it only gets no further runs.
     *
     * @param doubts the reasons, at least one
     */
    public void endIncomplete(List<SampleDoubt> doubts) {
        rejected.add(ListText.apart(doubts.stream().map(SampleDoubt::reason).toList(), MOST_REASONS));
        furtherRuns = RUNS_OF_A_BASELINE;
        if (finding.outcome() != ComparisonOutcome.WORSE) {
            boolean failed = doubts.stream().anyMatch(doubt -> doubt.kind() == SampleDoubt.Kind.FAILED);
            complete(ComparisonFinding.of(
                    ComparisonOutcome.UNDECIDED, failed ? Comparison.FAILED_RUN : Comparison.INCOMPLETE_RUN));
        }
    }

    private void addForABaseline(MeasuredRun run) {
        if (wantsMoreForABaseline()) {
            furtherRuns++;
            if (run.rejection().isEmpty() && !hasLostItsTime(run)) {
                runs.add(run.value());
                iterationsPerRun = Math.min(iterationsPerRun, run.iterations());
            }
        }
    }

    /** Returns whether a run took no measurable time although the baseline did. A part of a model that never runs takes no time in both. */
    private boolean hasLostItsTime(MeasuredRun run) {
        return metric.unit().isNoTime(run.value())
                && baseline.filter(entry -> entry.sample().runs().stream()
                                .anyMatch(before -> !metric.unit().isNoTime(before)))
                        .isPresent();
    }

    private void reject(String reason) {
        rejected.add(reason);
        if (rejected.size() >= rule.most()) {
            boolean throttled = rejected.stream()
                    .allMatch(each -> each.toLowerCase(Locale.ROOT).startsWith("throttled"));
            complete(ComparisonFinding.of(ComparisonOutcome.CONTAMINATED, throttled ? "throttled" : "disturbed"));
        }
    }

    private void decide() {
        if (metric.noise() != Noise.NOISY) {
            looks.add(runs.size());
            complete(baseline.map(entry ->
                            new FixedRule(metric, margin).compare(entry.sample().toArray(), values()))
                    .orElseGet(this::withoutBaseline));
        } else if (baseline.isPresent()) {
            decideByNoise(baseline.get());
        } else {
            decideByProposal();
        }
    }

    private void decideByNoise(BaselineEntry entry) {
        if (!rule.looks().contains(runs.size())) {
            return;
        }
        looks.add(runs.size());
        boolean last = runs.size() == rule.most();
        Optional<String> disturbance = Disturbance.in(values(), margin, last);
        finding = disturbance
                .map(reason -> last
                        ? ComparisonFinding.of(ComparisonOutcome.CONTAMINATED, reason)
                        : ComparisonFinding.open(reason))
                .orElseGet(() -> new MarginRule(metric, margin, rule.alphaAt(runs.size()))
                        .compare(entry.sample().toArray(), values()));
        complete = last || !finding.isOpen();
    }

    private void decideByProposal() {
        int most = Math.max(RUNS_OF_A_BASELINE, rule.most());
        if (runs.size() != RUNS_OF_A_BASELINE && runs.size() != most) {
            return;
        }
        looks.add(runs.size());
        boolean last = runs.size() == most;
        Optional<String> disturbance = Disturbance.in(values(), margin, last);
        if (disturbance.isEmpty()) {
            complete = true;
        } else if (last) {
            complete(ComparisonFinding.of(ComparisonOutcome.CONTAMINATED, disturbance.get()));
        }
    }

    private void complete(ComparisonFinding last) {
        finding = last;
        complete = true;
    }

    private ComparisonFinding withoutBaseline() {
        return ComparisonFinding.of(ComparisonOutcome.NO_BASELINE, nearest.isPresent() ? "other-stack" : "no-baseline");
    }

    private double[] values() {
        return sample().toArray();
    }

    private Sample sample() {
        return new Sample(runs, runs.isEmpty() ? 0 : iterationsPerRun);
    }

    /** Returns the outcome so far. Without a baseline, it is {@link ComparisonOutcome#NO_BASELINE} from the start. */
    ComparisonOutcome outcome() {
        return finding.outcome();
    }

    /** Returns the comparison so far. */
    public Comparison result() {
        Optional<Ratio> ratio = runs.isEmpty()
                ? Optional.empty()
                : baseline.flatMap(entry ->
                        RatioInterval.of(entry.sample().toArray(), values()).map(Ratio::of));
        return new Comparison(
                key,
                metric,
                stack,
                finding.outcome(),
                finding.reason(),
                margin,
                baseline.map(BaselineEntry::sample),
                sample(),
                ratio,
                finding.improved(),
                looks,
                rejected,
                decides(),
                file,
                baseline.isPresent() ? Optional.empty() : nearest,
                finding.improved() ? update + EARLY : update,
                notes(ratio),
                baseline.map(BaselineEntry::accepted).orElse(List.of()));
    }

    private String decides() {
        NextStep next = new NextStep(metric, margin, rule.alphaAt(rule.most()));
        return switch (finding.outcome()) {
            case WORSE, NOT_WORSE -> "";
            case NO_BASELINE -> "a baseline of this stack";
            case UNDECIDED ->
                Set.of(Comparison.FAILED_RUN, Comparison.INCOMPLETE_RUN).contains(finding.reason())
                        ? "a complete result of each run, without failures"
                        : complete && baseline.isPresent()
                                ? next.ofRuns(baseline.get().sample().toArray(), values())
                                : NextStep.more(missing(), "run");
            case CONTAMINATED ->
                switch (finding.reason()) {
                    case Disturbance.DRIFT -> NextStep.ofDrift(values());
                    case Comparison.NO_TIME ->
                        "runs that take time: 0 %s is neither a measurement nor an improvement"
                                .formatted(metric.unit().symbol());
                    case Disturbance.TWO_GROUPS -> next.ofTwoGroups(values());
                    default -> NextStep.withoutDisturbance(rejected);
                };
        };
    }

    private int missing() {
        return metric.noise() == Noise.NOISY
                ? rule.looks().stream()
                                .filter(look -> look > runs.size())
                                .findFirst()
                                .orElse(rule.most())
                        - runs.size()
                : 1;
    }

    private List<String> notes(Optional<Ratio> ratio) {
        List<String> notes = new ArrayList<>();
        baseline.ifPresent(entry -> {
            today.map(date -> ChronoUnit.DAYS.between(entry.recorded(), date))
                    .filter(days -> days > OLD_DAYS)
                    .ifPresent(
                            days -> notes.add("The baseline is %s days old, of %s.".formatted(days, entry.recorded())));
            ratio.flatMap(this::headroom).ifPresent(notes::add);
            entry.neff()
                    .filter(old -> neff.isPresent() && !neff.get().equals(old))
                    .ifPresent(old -> notes.add("The NEFF has changed: %s, and %s in the baseline."
                            .formatted(shortened(neff.get()), shortened(old))));
        });
        return notes;
    }

    private Optional<String> headroom(Ratio ratio) {
        if (!finding.improved() || ratio.value() == 0) {
            return Optional.empty();
        }
        double factor = metric.better() == Direction.HIGHER ? ratio.value() : 1 / ratio.value();
        return factor < HEADROOM
                ? Optional.empty()
                : Optional.of("The baseline is %s worse than today: a change back by as much would pass."
                        .formatted(NextStep.percent(factor - 1)));
    }

    private static String shortened(String sha256) {
        return sha256.length() <= 12 ? sha256 : sha256.substring(0, 12);
    }
}
