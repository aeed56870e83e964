package dev.neurontest;

import dev.neurontest.baseline.AbComparison;
import dev.neurontest.baseline.BaselineException;
import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.BaselineStore;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonFailure;
import dev.neurontest.baseline.ComparisonJson;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.ComparisonRule;
import dev.neurontest.baseline.ComparisonText;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.baseline.MeasuredRun;
import dev.neurontest.baseline.PercentileLimit;
import dev.neurontest.baseline.RunComparison;
import dev.neurontest.baseline.Stack;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.UndecidedPolicy;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.json.JsonObject;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.neff.NeffException;
import dev.neurontest.neff.NeffHeader;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileRules;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.JudgementText;
import dev.neurontest.recording.Undecided;
import dev.neurontest.recording.Violation;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import org.opentest4j.AssertionFailedError;

/** What one test is compared with: the baselines of its metrics, and what it compares itself. */
final class TestComparisons implements Comparisons.Book {

    private final Session session;
    private final TestId test;
    private final ComparisonPlan plan;
    private final BooleanSupplier usesRuntime;
    private final Map<ComparisonPlan.Demand, RunComparison> ofProfiles = new LinkedHashMap<>();
    private final List<Comparison> made = new ArrayList<>();
    private Optional<String> neff = Optional.empty();
    private final List<Verdict> undecidable = new ArrayList<>();
    private final List<Verdict> limits = new ArrayList<>();
    private int seen;
    private String throttleClass = "";
    private boolean failing;

    /**
     * Nothing is compared yet.
     *
     * @param usesRuntime whether it has anything to do with the runtime in this JVM, which another test may have opened
     */
    TestComparisons(Session session, TestId test, ComparisonPlan plan, BooleanSupplier usesRuntime) {
        this.session = session;
        this.test = test;
        this.plan = plan;
        this.usesRuntime = usesRuntime;
    }

    /** For the test's own comparisons. */
    Comparisons own() {
        return new Comparisons(this);
    }

    /** Takes each profile as a run. */
    void add(Profile profile) {
        if (seen++ == 0) {
            throttleClass = profile.throttleClass();
            plan.ofProfiles().forEach(demand -> begin(demand, profile));
        }
        for (Map.Entry<ComparisonPlan.Demand, RunComparison> each : ofProfiles.entrySet()) {
            OptionalDouble value = profile.number(each.getKey().metric().name());
            Optional<String> rejection = rejection(profile, each.getKey().metric());
            // A profile in doubt may lack the metric, and counts for nothing all the same.
            each.getValue()
                    .add(new MeasuredRun(
                            value.orElse(0),
                            Math.max(1, profile.executions().size()),
                            value.isPresent()
                                    ? rejection
                                    : rejection.or(() -> Optional.of("the tool did not write it"))));
        }
        failing = profile.executions().isEmpty();
    }

    private void begin(ComparisonPlan.Demand demand, Profile profile) {
        Metric metric = demand.metric();
        if (profile.number(metric.name()).isEmpty()
                && rejection(profile, metric).isEmpty()) {
            undecidable.add(undecided(
                    demand.words(),
                    metric.name(),
                    "%s did not write it for %s. Absent is not zero.".formatted(profile.tool(), profile.title()),
                    UndecidedPolicy.FAIL));
            return;
        }
        try {
            RunComparison comparison = begin(metric, demand.margin(), stackOf(profile, metric));
            neff = neff(profile);
            neff.ifPresent(comparison::ofNeff);
            ofProfiles.put(demand, comparison);
        } catch (BaselineException | IllegalArgumentException broken) {
            undecidable.add(undecided(
                    demand.words(), metric.name(), String.valueOf(broken.getMessage()), UndecidedPolicy.FAIL));
        }
    }

    /** Why a profile is no run; a throttled one says so first, for which runs are told apart by. */
    private Optional<String> rejection(Profile profile, Metric metric) {
        boolean carriesStartUp = metric.noise() == Noise.NOISY
                && !profile.executions().isEmpty()
                && profile.executions().stream()
                        .allMatch(execution -> execution.doubts().stream()
                                .anyMatch(doubt -> doubt.kind() == Doubt.Kind.FIRST_EXECUTION));
        if (carriesStartUp) {
            return Optional.of("it was the first execution, which carries start-up");
        }
        return ProfileRules.DEFAULT.judge(profile).undecided().stream()
                .findFirst()
                .map(Undecided::reason)
                .or(() -> otherThrottling(profile, metric));
    }

    /**
     * Times are compared within one class of throttling, that of the first run, which the baseline is looked for with. A run over an edge
     * of that class counts too.
     */
    private Optional<String> otherThrottling(Profile profile, Metric metric) {
        String its = profile.throttleClass();
        if (metric.noise() == Noise.NOISY && its.equals(throttleClass) && !ProfileRules.areThrottledAlike(its, its)) {
            return Optional.of("throttled for a share of the time that cannot be read");
        }
        return metric.noise() != Noise.NOISY || ProfileRules.areThrottledAlike(its, throttleClass)
                ? Optional.empty()
                : Optional.of("throttled in another way than the first run: %s instead of %s"
                        .formatted(its.isEmpty() ? "not" : its, throttleClass.isEmpty() ? "not" : throttleClass));
    }

    /** Whether another profile would help. */
    boolean wantsProfile() {
        return !failing
                && ofProfiles.values().stream().anyMatch(each -> each.wantsMore() || each.wantsMoreForABaseline());
    }

    /** Compares what the driver counted for each inference. */
    void add(CounterDiff diff) {
        for (ComparisonPlan.Demand demand : plan.ofCounters()) {
            try {
                BigInteger inferences = diff.counter("inference_count").delta();
                BigInteger counted =
                        diff.counter(demand.counter().orElseThrow()).delta();
                if (inferences.signum() <= 0) {
                    undecidable.add(undecided(
                            demand.words(),
                            demand.metric().name(),
                            "The test made no inference that the driver counted, so there is nothing for each of them.",
                            session.settings().value(Setting.BASELINE_UNDECIDED)));
                    continue;
                }
                RunComparison comparison = begin(demand.metric(), demand.margin(), stack("counters"));
                comparison.add(new MeasuredRun(
                        counted.doubleValue() / inferences.doubleValue(), inferences.intValue(), Optional.empty()));
                made(comparison.result());
            } catch (BaselineException | IllegalArgumentException wrong) {
                undecidable.add(undecided(
                        demand.words(),
                        demand.metric().name(),
                        String.valueOf(wrong.getMessage()),
                        UndecidedPolicy.FAIL));
            }
        }
    }

    @Override
    public RunComparison begin(Metric metric, Optional<Fraction> margin) {
        return begin(metric, margin, stack("host"));
    }

    @Override
    public AbComparison beginAb(Metric metric, Optional<Fraction> margin) {
        return AbComparison.of(metric, rule(margin), key(metric), stack("host"));
    }

    private RunComparison begin(Metric metric, Optional<Fraction> margin, Stack stack) {
        BaselineStore store = session.baselines().store();
        BaselineKey key = key(metric);
        return RunComparison.of(
                        metric,
                        rule(margin),
                        store.find(key, stack),
                        key,
                        stack,
                        store.pointer(key, stack),
                        store.nearest(key, stack),
                        session.baselines().approval(key))
                .on(LocalDate.now());
    }

    private ComparisonRule rule(Optional<Fraction> margin) {
        ComparisonRule rule =
                ComparisonRule.standard().withLooks(session.settings().value(Setting.BASELINE_RUNS));
        return margin.map(rule::withMargin).orElse(rule);
    }

    private BaselineKey key(Metric metric) {
        return new BaselineKey(plan.testClass(), BaselineName.of(test), metric.name());
    }

    private Stack stackOf(Profile profile, Metric metric) {
        Map<String, String> parts = new LinkedHashMap<>(stack("profile").parts());
        profile.text("runtime_version").ifPresent(version -> parts.put("runtime", Stack.majorMinor(version)));
        profile.text("compiler_version").ifPresent(version -> parts.put("compiler", Stack.majorMinor(version)));
        int space = profile.tool().indexOf(' ');
        parts.put(
                "profiler",
                space < 0
                        ? profile.tool()
                        : profile.tool().substring(0, space) + " "
                                + Stack.majorMinor(profile.tool().substring(space + 1)));
        parts.put("capture", profile.capture().toString().toLowerCase(Locale.ROOT));
        if (metric.noise() == Noise.NOISY && !throttleClass.isEmpty()) {
            parts.put("throttle", throttleClass);
        }
        return Stack.of(parts);
    }

    private Stack stack(String capture) {
        RunEvent.PlatformChosen platform = session.host().event();
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("platform", platform.kind());
        parts.put("instance", String.valueOf(platform.instanceType()));
        parts.put("lnc", String.valueOf(platform.lnc()));
        if (platform.driverVersion() != null) {
            parts.put("driver", Stack.majorMinor(platform.driverVersion()));
        }
        session.runtime()
                .version()
                .filter(version -> usesRuntime.getAsBoolean())
                .ifPresent(version -> parts.put("runtime", Stack.majorMinor(version)));
        parts.put("capture", capture);
        return Stack.of(parts);
    }

    private static Optional<String> neff(Profile profile) {
        return profile.executions().stream().findFirst().flatMap(execution -> {
            try {
                return Optional.of(NeffHeader.read(execution.neff()).hash());
            } catch (NeffException unreadable) {
                return Optional.empty();
            }
        });
    }

    @Override
    public void made(Comparison comparison) {
        made.add(comparison);
    }

    @Override
    public void limited(PercentileLimit.Seen seen) {
        String rule = seen.limit().toString();
        String actual = "%d of %d executions took longer".formatted(seen.over(), seen.executions());
        switch (seen.answer()) {
            case KEPT -> session.runFile().append(new RunEvent.Noticed(test, seen.toString()));
            case BROKEN ->
                limits.add(judged(
                        new Judgement(
                                List.of(
                                        new Violation(
                                                rule,
                                                "latency of executions",
                                                "at most %s of them"
                                                        .formatted(new Fraction(
                                                                1 - seen.limit().percentile())),
                                                actual,
                                                "More executions do not change that. If the limit is right, look where the slow ones spend their time.")),
                                List.of(),
                                List.of()),
                        UndecidedPolicy.FAIL,
                        seen.toString()));
            case UNDECIDED ->
                limits.add(judged(
                        left(rule, "latency of executions", seen.toString()),
                        session.settings().value(Setting.UNDECIDED),
                        seen.toString()));
        }
    }

    private Verdict judged(Judgement found, UndecidedPolicy policy, String message) {
        session.runFile().append(test, found);
        JudgementText words = new JudgementText(found);
        return new Verdict(
                found,
                policy,
                () -> new AssertionFailedError(message + "\n" + words.explained(), words.expected(), words.actual()));
    }

    /**
     * What all of them came to.
     *
     * @param passed whether the body did; else there may be nothing to compare, and what there is becomes no baseline
     * @param disturbances why its cores are suspect, so that no number from them is believed
     */
    List<Verdict> judge(boolean passed, List<String> disturbances) {
        ofProfiles.values().forEach(comparison -> made(comparison.result()));
        ofProfiles.clear();
        if (!disturbances.isEmpty()) {
            made.replaceAll(comparison -> comparison.disturbed(disturbances));
        }
        List<Verdict> verdicts = new ArrayList<>(undecidable);
        verdicts.addAll(limits);
        if (passed && seen == 0 && !plan.ofProfiles().isEmpty()) {
            ComparisonPlan.Demand first = plan.ofProfiles().get(0);
            verdicts.add(undecided(
                    first.words(),
                    first.metric().name(),
                    "Nothing was profiled, so there is nothing to compare.",
                    session.settings().value(Setting.BASELINE_UNDECIDED)));
        }
        for (Comparison comparison : made) {
            session.runFile().append(new RunEvent.Compared(test, new JsonObject(ComparisonJson.write(comparison))));
            // What was compared with itself by turns has no baseline file.
            Optional<String> kept = !passed || comparison.file().isEmpty()
                    ? Optional.empty()
                    : session.baselines().keep(comparison, neff);
            kept.ifPresent(notice -> session.runFile().append(new RunEvent.Noticed(test, notice)));
            verdicts.add(verdict(comparison));
        }
        return verdicts;
    }

    /** What is to be compared of profiles, in the user's words. */
    List<String> demandsOnProfiles() {
        return plan.ofProfiles().stream().map(ComparisonPlan.Demand::words).toList();
    }

    /** All comparisons, for evidence. */
    List<JudgedComparison> recordings() {
        return made.stream().map(JudgedComparison::new).toList();
    }

    private Verdict verdict(Comparison comparison) {
        Judgement found = judgement(comparison);
        session.runFile().append(test, found);
        return new Verdict(
                found, policy(comparison.outcome()), () -> new ComparisonFailure(List.of(comparison)).toError());
    }

    private UndecidedPolicy policy(ComparisonOutcome outcome) {
        return session.settings()
                .value(
                        switch (outcome) {
                            case NO_BASELINE -> Setting.BASELINE_MISSING;
                            case CONTAMINATED -> Setting.BASELINE_CONTAMINATED;
                            default -> Setting.BASELINE_UNDECIDED;
                        });
    }

    private Judgement judgement(Comparison comparison) {
        String rule = comparison.rule();
        String subject = comparison.key().metric();
        ComparisonFailure words = new ComparisonFailure(List.of(comparison));
        String headline = new ComparisonText(comparison).headline();
        return switch (comparison.outcome()) {
            case NOT_WORSE ->
                new Judgement(List.of(), List.of(), comparison.improved() ? List.of(headline) : List.of());
            case WORSE ->
                new Judgement(
                        List.of(new Violation(
                                rule,
                                subject,
                                words.expected(),
                                words.actual(),
                                "To accept it: " + comparison.update())),
                        List.of(),
                        List.of());
            case NO_BASELINE ->
                policy(comparison.outcome()) == UndecidedPolicy.PASS
                        ? new Judgement(List.of(), List.of(), List.of(headline))
                        : left(rule, subject, headline);
            case UNDECIDED, CONTAMINATED ->
                left(
                        rule,
                        subject,
                        headline
                                + (comparison.decides().isEmpty() ? "" : "; would decide it: " + comparison.decides()));
        };
    }

    private static Judgement left(String rule, String subject, String reason) {
        return new Judgement(List.of(), List.of(new Undecided(rule, subject, reason)), List.of());
    }

    private Verdict undecided(String rule, String subject, String reason, UndecidedPolicy policy) {
        Judgement found = left(rule, subject, reason);
        session.runFile().append(test, found);
        return new Verdict(
                found,
                policy,
                () -> new AssertionFailedError("%s of %s is undecided. %s".formatted(rule, test.name(), reason)));
    }
}
