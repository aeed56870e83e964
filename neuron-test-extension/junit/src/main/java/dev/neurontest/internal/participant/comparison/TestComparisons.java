package dev.neurontest.internal.participant.comparison;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.baseline.PercentileLimit;
import dev.neurontest.baseline.SampleDoubt;
import dev.neurontest.baseline.Samples;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.internal.baseline.AbComparison;
import dev.neurontest.internal.baseline.ComparisonStore;
import dev.neurontest.internal.baseline.ComparisonText;
import dev.neurontest.internal.baseline.MeasuredRun;
import dev.neurontest.internal.baseline.RunComparison;
import dev.neurontest.internal.baseline.history.BaselineException;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.configuration.UndecidedPolicy;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.JudgementText;
import dev.neurontest.internal.judgement.NotApplicable;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.participant.ComparedProfiles;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.plan.BaselineName;
import dev.neurontest.internal.plan.ComparisonPlan;
import dev.neurontest.internal.profile.explain.Explanation;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.profile.Profile;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A participant that compares metrics of one test with baselines, and offers comparisons to the test itself. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestComparisons implements Participant, ComparisonStore, ComparedProfiles {

    /** The expectation that an incomplete run violates. A gate does not treat it as noise of a comparison. */
    private static final String COMPLETE_RUNS = "every compared run has a complete result";

    private static final int MOST_REASONS = 5;
    private static final String LIMITED = "latency of executions";

    private final Settings settings;
    private final SessionBaselines baselines;
    private final TestJournal lines;
    private final ComparisonPlan plan;
    private @Nullable NewComparisons newComparisons;
    private final Stacks stacks;
    private final boolean isTest;
    private final DeviceUse use;
    private @Nullable ProfileRuns profileRuns;
    private @Nullable ComparedEvents comparedEvents;
    private final List<Comparison> made = new ArrayList<>();
    private final Map<BaselineKey, Explanation> explanations = new HashMap<>();
    private final List<Supplier<Verdict>> undecidable = new ArrayList<>();
    private final List<Supplier<Verdict>> failedRuns = new ArrayList<>();
    private final List<Supplier<Verdict>> limits = new ArrayList<>();
    private final List<String> limitRules = new ArrayList<>();

    /**
     * Creates a participant without comparing anything.
     *
     * @param settings the settings for the required certainty
     * @param baselines the baselines of the session
     * @param plan the requested comparisons
     * @param stacks the stacks of its measurements
     * @param isTest false for a class
     * @param use the use of the device by the test
     */
    public TestComparisons(
            Settings settings,
            SessionBaselines baselines,
            TestJournal lines,
            ComparisonPlan plan,
            Stacks stacks,
            boolean isTest,
            DeviceUse use) {
        this.use = use;
        this.isTest = isTest;
        this.settings = settings;
        this.baselines = baselines;
        this.lines = lines;
        this.plan = plan;
        this.stacks = stacks;
    }

    private NewComparisons begin() {
        if (newComparisons == null) {
            newComparisons = new NewComparisons(
                    baselines, settings.value(Setting.BASELINE_RUNS), plan.testClass(), BaselineName.of(lines.test()));
        }
        return newComparisons;
    }

    private ProfileRuns ofProfiles() {
        if (profileRuns == null) {
            profileRuns = new ProfileRuns(
                    plan.ofProfiles(),
                    begin(),
                    stacks,
                    (expectation, reason) ->
                            undecidable.add(() -> undecided(expectation, reason, UndecidedHandling.NONE)));
        }
        return profileRuns;
    }

    private ComparedEvents events() {
        if (comparedEvents == null) {
            comparedEvents = new ComparedEvents();
        }
        return comparedEvents;
    }

    private Optional<Comparisons> own() {
        return isTest ? Optional.of(new Comparisons(this)) : Optional.empty();
    }

    @Override
    public void add(Profile profile) {
        ofProfiles().add(profile);
        events().add(profile);
    }

    @Override
    public boolean wantsProfile() {
        return ofProfiles().wantsMore();
    }

    /** Compares the driver counts per inference. */
    public void add(CounterDiff diff) {
        for (ComparisonPlan.Expectation expectation : plan.ofCounters()) {
            try {
                BigInteger inferences = diff.counter("inference_count").delta();
                BigInteger counted =
                        diff.counter(expectation.counter().orElseThrow()).delta();
                if (inferences.signum() <= 0) {
                    undecidable.add(() -> undecided(
                            expectation,
                            "The driver counted no inference of the test, so there is no value per inference.",
                            UndecidedHandling.of(settings, UndecidedKind.NOISY)));
                    continue;
                }
                RunComparison comparison =
                        begin().runs(expectation.metric(), expectation.margin(), stacks.of("counters"));
                comparison.add(new MeasuredRun(
                        counted.doubleValue() / inferences.doubleValue(), inferences.intValue(), Optional.empty()));
                made(comparison.result());
            } catch (BaselineException | IllegalArgumentException wrong) {
                undecidable.add(
                        () -> undecided(expectation, String.valueOf(wrong.getMessage()), UndecidedHandling.NONE));
            }
        }
    }

    /** Returns the parameter type for comparisons of a test with its baseline. */
    public static ParameterType<TestComparisons> parameter() {
        return new ParameterType<>(
                Comparisons.class,
                TestComparisons.class,
                "Comparisons are available in a test method and in methods that run for each test, not for all tests of a class: a"
                        + " baseline belongs to one test.",
                (comparisons, parameter) -> comparisons.own());
    }

    @Override
    public RunComparison begin(Metric metric, Optional<Fraction> margin, Map<String, String> conditions) {
        return begin().runs(metric, margin, stacks.of(conditions));
    }

    @Override
    public AbComparison beginAb(Metric metric, Optional<Fraction> margin) {
        return begin().ab(metric, margin, stacks.of("host"));
    }

    @Override
    public void made(Comparison comparison) {
        made.add(comparison);
    }

    @Override
    public void limited(PercentileLimit.Result result) {
        String rule = result.limit().toString();
        limitRules.add(rule);
        String actual = "%s of %s executions took longer".formatted(result.over(), result.executions());
        switch (result.answer()) {
            case KEPT ->
                limits.add(() -> judged(
                        new Judgement(List.of(), List.of(), List.of(result.toString())),
                        UndecidedHandling.NONE,
                        result.toString()));
            case BROKEN ->
                limits.add(() -> judged(
                        new Judgement(
                                List.of(
                                        new Violation(
                                                rule,
                                                LIMITED,
                                                "at most %s of them"
                                                        .formatted(new Fraction(1
                                                                - result.limit().percentile())),
                                                actual,
                                                "More executions do not change this result. If the limit is right, find out where the slow executions spend their time.")),
                                List.of(),
                                List.of()),
                        UndecidedHandling.NONE,
                        result.toString()));
            case UNDECIDED ->
                limits.add(() -> judged(
                        undecided(rule, LIMITED, result.toString()),
                        UndecidedHandling.of(settings, UndecidedKind.COUNTERS),
                        result.toString()));
        }
    }

    @Override
    public void incomplete(String rule, Samples samples, List<SampleDoubt> doubts) {
        String reasons = ListText.apart(doubts.stream().map(SampleDoubt::reason).toList(), MOST_REASONS);
        String message = "%s of %s was not evaluated: %s".formatted(rule, samples.name(), reasons);
        if (doubts.stream().anyMatch(doubt -> doubt.kind() == SampleDoubt.Kind.FAILED)) {
            failedRuns.add(() -> judged(failedRun(rule, samples.name(), reasons), UndecidedHandling.NONE, message));
        } else {
            limitRules.add(rule);
            limits.add(() -> judged(
                    undecided(rule, samples.name(), reasons),
                    UndecidedHandling.of(settings, UndecidedKind.COUNTERS),
                    message));
        }
    }

    private static Judgement failedRun(String rule, String subject, String reasons) {
        return Judgement.of(new Violation(
                rule,
                subject,
                "a complete result without failures",
                reasons,
                "Numbers of a run with failures prove nothing. Find the cause in the output of the program."));
    }

    private Verdict judged(Judgement judgement, UndecidedHandling leniency, String message) {
        JudgementText words = new JudgementText(judgement);
        return lines.verdict(
                judgement,
                leniency,
                () -> Failure.error(message + "\n" + words.explained(), words.expected(), words.actual()));
    }

    /**
     * Judges all comparisons. If the body did not pass, there may be nothing to compare, and no measurement becomes a baseline. Numbers
     * from suspect cores are not trusted.
     */
    @Override
    public List<Verdict> judgeExpectations(TestResult findings) {
        if (isUnused()) {
            return List.of();
        }
        if (use.isOnlySimulated()) {
            return simulated();
        }
        List<Comparison> profiled = ofProfiles().results();
        Set<BaselineKey> times = profiled.stream()
                .filter(comparison -> comparison.metric().isTime())
                .map(Comparison::key)
                .collect(Collectors.toSet());
        profiled.forEach(this::made);
        if (!findings.suspicions().isEmpty()) {
            made.replaceAll(comparison -> comparison.disturbed(findings.suspicions()));
        }
        List<Verdict> verdicts = new ArrayList<>();
        Stream.of(undecidable, failedRuns, limits)
                .flatMap(List::stream)
                .map(Supplier::get)
                .forEach(verdicts::add);
        if (findings.passed() && !ofProfiles().any() && !plan.ofProfiles().isEmpty()) {
            verdicts.add(undecided(
                    plan.ofProfiles().get(0),
                    "Nothing was profiled, so there is nothing to compare.",
                    UndecidedHandling.of(settings, UndecidedKind.NOISY)));
        }
        for (Comparison comparison : made) {
            lines.append(new RunEvent.Compared(lines.test(), JsonObject.of(comparison)));
            boolean isTime = times.contains(comparison.key());
            // Explained before a new baseline replaces the one that was compared.
            ComparedEvents.Why why = isTime && comparison.outcome() == ComparisonOutcome.WORSE
                    ? events().why(baselines.events(comparison))
                    : ComparedEvents.Why.NOTHING;
            why.explanation().ifPresent(explanation -> explanations.put(comparison.key(), explanation));
            // A comparison of two versions in turns has no baseline file.
            if (findings.passed() && !comparison.file().isEmpty()) {
                baselines
                        .keep(comparison, ofProfiles().neff(), isTime ? events()::kept : Optional::empty)
                        .ifPresent(lines::notice);
            }
            UndecidedHandling leniency = leniency(comparison);
            List<String> further = comparison.improved() && leniency.policy() == UndecidedPolicy.FAIL
                    ? List.of("A better value fails the test because %s.".formatted(leniency.source()))
                    : why.lines();
            verdicts.add(lines.verdict(
                    judgement(comparison, why.explanation()),
                    leniency,
                    () -> new ComparisonText(comparison).toError(further)));
        }
        return verdicts;
    }

    private boolean isUnused() {
        return plan.expectations().isEmpty()
                && profileRuns == null
                && made.isEmpty()
                && undecidable.isEmpty()
                && failedRuns.isEmpty()
                && limits.isEmpty()
                && limitRules.isEmpty();
    }

    /**
     * Returns the verdicts on a test without a measurement of the device. The simulator has no times, so nothing becomes a baseline. A run
     * that failed is a failure nevertheless.
     */
    private List<Verdict> simulated() {
        List<NotApplicable> all = Stream.of(
                        plan.expectations().stream()
                                .map(each -> DeviceUse.notApplicable(
                                        each.words(), each.metric().name())),
                        made.stream()
                                .filter(each -> !each.hasFailedRun())
                                .map(each -> DeviceUse.notApplicable(
                                        each.rule(), each.key().metric())),
                        limitRules.stream().map(rule -> DeviceUse.notApplicable(rule, LIMITED)))
                .flatMap(each -> each)
                .toList();
        List<Verdict> verdicts = new ArrayList<>();
        failedRuns.forEach(each -> verdicts.add(each.get()));
        made.removeIf(comparison -> !comparison.hasFailedRun());
        made.forEach(comparison -> verdicts.add(lines.verdict(
                judgement(comparison, Optional.empty()),
                leniency(comparison),
                () -> new ComparisonText(comparison).toError(List.of()))));
        if (!all.isEmpty()) {
            verdicts.add(judged(Judgement.notApplicable(all), UndecidedHandling.NONE, "not applicable"));
        }
        return verdicts;
    }

    @Override
    public List<JudgedComparison> evidence(TestResult findings) {
        List<JudgedComparison> judged = new ArrayList<>();
        for (Comparison comparison : made) {
            judged.add(new JudgedComparison(comparison, Optional.ofNullable(explanations.get(comparison.key()))));
        }
        return judged;
    }

    private UndecidedHandling leniency(Comparison comparison) {
        if (comparison.tookNoTime()) {
            return UndecidedHandling.NONE;
        }
        if (comparison.hasIncompleteRun()) {
            return UndecidedHandling.of(settings, UndecidedKind.COUNTERS);
        }
        return UndecidedHandling.of(
                settings,
                switch (comparison.outcome()) {
                    case NOT_WORSE -> UndecidedKind.IMPROVEMENT;
                    case NO_BASELINE -> UndecidedKind.NO_BASELINE;
                    case CONTAMINATED -> UndecidedKind.CONTAMINATED;
                    default -> UndecidedKind.NOISY;
                });
    }

    private Judgement judgement(Comparison comparison, Optional<Explanation> why) {
        String rule = comparison.rule();
        String subject = comparison.key().metric();
        ComparisonText words = new ComparisonText(comparison);
        String headline = words.headline();
        return switch (comparison.outcome()) {
            case NOT_WORSE -> {
                if (!comparison.improved()) {
                    yield Judgement.NOTHING;
                }
                yield isNoticed(comparison)
                        ? noticed(headline)
                        : undecided(rule, subject, headline + "; " + words.improvement());
            }
            case WORSE ->
                Judgement.of(new Violation(
                        rule,
                        subject,
                        words.expected(),
                        words.actual(),
                        why.map(explanation -> explanation.headline() + "\n").orElse("")
                                + (comparison.update().isEmpty()
                                        ? "See what differs between the two versions."
                                        : "To accept it: " + comparison.update())));
            case NO_BASELINE -> isNoticed(comparison) ? noticed(headline) : undecided(rule, subject, headline);
            case UNDECIDED, CONTAMINATED ->
                comparison.hasFailedRun()
                        ? failedRun(COMPLETE_RUNS, subject, String.join("; ", comparison.rejected()))
                        : comparison.hasIncompleteRun()
                                ? undecided(
                                        COMPLETE_RUNS,
                                        subject,
                                        headline + "; " + String.join("; ", comparison.rejected()))
                                : undecided(
                                        rule,
                                        subject,
                                        headline
                                                + (comparison.decides().isEmpty()
                                                        ? ""
                                                        : "; to decide it: " + comparison.decides()));
        };
    }

    /** Returns whether a comparison is only worth a notice. Two versions in turns have no baseline to accept a better value in. */
    private boolean isNoticed(Comparison comparison) {
        return comparison.file().isEmpty() || leniency(comparison).policy() == UndecidedPolicy.PASS;
    }

    private static Judgement noticed(String notice) {
        return new Judgement(List.of(), List.of(), List.of(notice));
    }

    private static Judgement undecided(String rule, String subject, String reason) {
        return Judgement.of(new Undecided(rule, subject, reason));
    }

    private Verdict undecided(ComparisonPlan.Expectation expectation, String reason, UndecidedHandling leniency) {
        return lines.undecided(
                new Undecided(expectation.words(), expectation.metric().name(), reason),
                leniency,
                "%s of %s is undecided. %s".formatted(expectation.words(), lines.name(), reason));
    }
}
