package dev.neurontest.internal.participant.profile;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.configuration.UndecidedPolicy;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.JudgementText;
import dev.neurontest.internal.judgement.MeasuredTest;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.participant.ComparedProfiles;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.RefusedException;
import dev.neurontest.internal.participant.ReportSuspicions;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.plan.NeffReplay;
import dev.neurontest.internal.plan.ProfilePlan;
import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.internal.profile.table.DuckDb;
import dev.neurontest.internal.profile.table.QueryForm;
import dev.neurontest.internal.profile.threshold.SqlExpectation;
import dev.neurontest.internal.profile.threshold.ThresholdOutcome;
import dev.neurontest.internal.profile.tool.ToolSchema;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.profile.CaptureException;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import dev.neurontest.profile.Profiler;
import dev.neurontest.profile.ToolRun;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A participant that creates and judges the profiles of one test. Annotations request profiles, and the test can create others itself. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestProfiles implements Participant {

    private static final String WORKLOADS = "@ProfileWorkloads";

    private final Profiling profiling;
    private final LastProfiles lastProfiles;
    private final TestJournal lines;
    private final ProfilePlan plan;
    private final TestCores cores;
    private final Suspicions suspicions;
    private final OutputCollector outputs;
    private final DeviceUse use;
    private final ComparedProfiles compared;
    private final List<JudgedProfile> judgedProfiles = new ArrayList<>();
    private final Set<NeuronCore> used = new LinkedHashSet<>();
    private @Nullable Captures captures;
    private @Nullable Profile replayed;
    private @Nullable Undecided notJudged;

    /**
     * Creates a participant without profiling anything.
     *
     * @param lastProfiles the profiles of other tests; those of this test are added
     * @param plan the requested profiles and expectations
     * @param suspicions the suspicions against the cores; suspect cores are not profiled
     * @param outputs collects the outputs of captured executions
     * @param use the use of the device by the test
     * @param compared receives each profile, and decides whether another one would help
     */
    public TestProfiles(
            Profiling profiling,
            LastProfiles lastProfiles,
            TestJournal lines,
            ProfilePlan plan,
            TestCores cores,
            Suspicions suspicions,
            OutputCollector outputs,
            DeviceUse use,
            ComparedProfiles compared) {
        this.profiling = profiling;
        this.lastProfiles = lastProfiles;
        this.lines = lines;
        this.plan = plan;
        this.cores = cores;
        this.suspicions = suspicions;
        this.outputs = outputs;
        this.use = use;
        this.compared = compared;
    }

    /** Returns the captures, created on first use: a fake host then becomes a directory. */
    private Captures captures() {
        if (captures == null) {
            captures = new Captures(
                    profiling.of(lines, cores, suspicions, plan.exports(), outputs, used),
                    profile -> lines.append(new ProfileMeasurement(profile)),
                    plan.workloads());
        }
        return captures;
    }

    /** Returns the parameter type of a profiler for the cores of a test. */
    public static ParameterType<TestProfiles> profilerParameter() {
        return new ParameterType<>(Profiler.class, TestProfiles.class, "", (profiles, parameter) -> {
            profiles.use.ranOnDevice();
            return Optional.of(profiles.captures().profiler());
        });
    }

    /** Returns the parameter type of the profile of the NEFF that a test names. */
    public static ParameterType<TestProfiles> profileParameter() {
        return new ParameterType<>(
                Profile.class,
                TestProfiles.class,
                "A Profile is available in a test method and in methods that run for each test, not for all tests of a class.",
                (profiles, parameter) -> Optional.ofNullable(profiles.replayed));
    }

    /** Returns the variables with which the runtime of a workload traces itself. */
    @Override
    public Map<String, String> environment(Map<String, String> inherited) {
        return plan.workloads().isEmpty() ? Map.of() : captures().traceWorkloads();
    }

    @Override
    public List<ProgramFolder> folders() {
        return plan.workloads().isEmpty() ? List.of() : List.of(captures().folderOfPrograms());
    }

    /**
     * Captures the profile that the test takes as a parameter. The profile is judged and kept like every other profile, even if its capture
     * failed.
     */
    @Override
    public void prepare() {
        if (plan.neff().isPresent()) {
            use.ranOnDevice();
        }
        if (!cores.isEmpty()) {
            if (!plan.queries().isEmpty()) {
                requireReadable(plan.queries().stream()
                        .filter(SqlExpectation::isOfTheUser)
                        .toList());
            }
            requireReader();
        }
        if (plan.first() && !cores.isEmpty()) {
            try {
                replayed = captures().replay(plan.neff().orElseThrow());
            } catch (CaptureException doubtful) {
                throw new RefusedException(doubtful);
            }
        }
    }

    /** Verifies before anything is measured that the queries are SELECT statements, and that their tables and columns can be there. */
    private void requireReadable(List<SqlExpectation> queries) {
        List<String> mistakes = queries.stream()
                .flatMap(query ->
                        QueryForm.mistakeIn(query.sql()).stream().map(mistake -> query.words() + ": " + mistake))
                .toList();
        if (mistakes.isEmpty() && !queries.isEmpty()) {
            mistakes = profiling.schema().get().stream()
                    .flatMap(schema -> queries.stream().flatMap(query -> impossible(query, schema)))
                    .toList();
        }
        if (!mistakes.isEmpty()) {
            throw new RefusedException(new IllegalArgumentException(String.join("\n", mistakes)));
        }
    }

    private Stream<String> impossible(SqlExpectation query, ToolSchema schema) {
        return QueryForm.unknownNameIn(query.sql(), schema::contains).stream()
                .map(unknown -> "%s: %s writes no %s \"%s\".%s"
                        .formatted(
                                query.words(),
                                profiling.tool().get(),
                                unknown.kind(),
                                VisibleText.line(unknown.name()),
                                schema.nearest(unknown.name())
                                        .map(" Did you mean %s?"::formatted)
                                        .orElse(" Its option --show-profile-schema lists all.")));
    }

    /**
     * Checks before anything is measured whether the tables of an expectation can be read. A test that would fail for that does not run.
     */
    private void requireReader() {
        if (!plan.expectsTables()) {
            return;
        }
        DuckDb.whyUnusable().ifPresent(reason -> {
            lines.printLine(reason);
            if (leniency().policy() == UndecidedPolicy.FAIL) {
                notJudged = undecided(plan.expectationsOnTables().get(0), reason);
                throw new RefusedException(new IllegalStateException(reason));
            }
        });
    }

    /** Captures profiles after the body, unless it failed or its cores are suspect. */
    @Override
    public void conclude(TestResult findings) {
        if (cores.isEmpty() || captures == null && !plan.needsTool()) {
            return;
        }
        findings.enter(Phase.PROFILE);
        try {
            capture(findings.passed());
        } catch (RuntimeException failed) {
            findings.failed(failed);
        }
        all().forEach(profile -> suspect(profile.tool(), profile.runs()));
    }

    private void capture(boolean bodyPassed) {
        if (!use.isOnlySimulated()) {
            captures().collectTraces();
        }
        if (bodyPassed && plan.neff().isPresent()) {
            ofNeff(plan.neff().get());
        }
        all().forEach(compared::add);
        while (bodyPassed && plan.neff().isPresent() && suspicions.reasons().isEmpty() && compared.wantsProfile()) {
            compared.add(captures().run(plan.neff().get()));
        }
    }

    private void ofNeff(NeffReplay replay) {
        if (replayed != null) {
            return;
        }
        if (suspicions.reasons().isEmpty()) {
            Captures.runIgnoringDoubts(() -> captures().replay(replay));
        } else {
            notJudged = undecided(
                    firstExpectation("@ProfileNeff"),
                    "%s was not profiled, because its core is suspect: %s."
                            .formatted(replay.neff(), String.join("; ", suspicions.reasons())));
        }
    }

    /** Adds the suspicions that the runtime in the tool reported. */
    private void suspect(String tool, List<ToolRun> runs) {
        runs.stream()
                .filter(run -> !run.endedWithZero())
                .flatMap(run -> new ReportSuspicions(List.copyOf(used)).after(line -> tool, run.report()).stream())
                .forEach(suspicions::add);
    }

    /** Returns all profiles, in the order of their creation. */
    private List<Profile> all() {
        return captures == null ? List.of() : captures.profiler().profiles();
    }

    /** Judges each profile by the rules. */
    @Override
    public List<Verdict> judgeExpectations(TestResult findings) {
        if (cores.isEmpty()) {
            return List.of();
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (Profile profile : all()) {
            List<ThresholdOutcome> outcomes = plan.rules().outcomes(profile);
            ProfileFailure failure = new ProfileFailure(profile, outcomes);
            List<Verdict> ofProfile = new ArrayList<>();
            ofProfile.add(lines.verdict(
                    failure.judgement(),
                    leniency(plan.rules()::judge, profile, failure.judgement()),
                    failure::toError));
            otherExpectations().forEach(expectation -> ofProfile.add(judged(profile, expectation)));
            Judgement judgement =
                    Judgement.of(ofProfile.stream().map(Verdict::judgement).toList());
            judgedProfiles.add(new JudgedProfile(
                    new MeasuredTest(lines.name(), cores.names(), judgement, false), profile, outcomes));
            verdicts.addAll(ofProfile);
            lastProfiles.put(plan.method(), profile);
        }
        if (notJudged != null) {
            verdicts.add(nothing(notJudged));
        } else if (verdicts.isEmpty() && wantsSomething() && use.isOnlySimulated()) {
            List<String> rules = plan.expectations().isEmpty() ? List.of(WORKLOADS) : plan.expectations();
            verdicts.add(lines.verdict(
                    Judgement.notApplicable(rules.stream()
                            .map(rule -> DeviceUse.notApplicable(rule, lines.name()))
                            .toList()),
                    UndecidedHandling.NONE,
                    () -> Failure.error("")));
        } else if (verdicts.isEmpty() && findings.passed() && wantsSomething()) {
            verdicts.add(nothing(undecided(
                    firstExpectation(WORKLOADS),
                    "Nothing was profiled: no workload ran, or the test made no profile with its Profiler.")));
        }
        return verdicts;
    }

    /** Returns the expectations in addition to limits of single metrics. */
    private List<Expectation<Profile>> otherExpectations() {
        List<Expectation<Profile>> all = new ArrayList<>(plan.queries());
        plan.roofline().ifPresent(all::add);
        plan.relatives().forEach(each -> all.add(each.threshold().apply(() -> lastProfiles.of(each.other()))));
        return all;
    }

    private Verdict judged(Profile profile, Expectation<Profile> expectation) {
        Judgement judgement = expectation.judge(profile);
        JudgementText words = new JudgementText(judgement);
        return lines.verdict(
                judgement,
                leniency(expectation, profile, judgement),
                () -> Failure.error(
                        "%sProfile of %s by %s: %s\n%s"
                                .formatted(
                                        words.headline(),
                                        profile.title(),
                                        profile.tool(),
                                        words.found(),
                                        words.explained()),
                        words.expected(),
                        words.actual()));
    }

    private boolean wantsSomething() {
        return plan.workloads().isPresent() || plan.expectsSomething();
    }

    private String firstExpectation(String otherwise) {
        return plan.expectations().stream().findFirst().orElse(otherwise);
    }

    /** Returns the handling of undecided results. A decided expectation is not judged again. */
    private UndecidedHandling leniency(Expectation<Profile> expectation, Profile profile, Judgement judgement) {
        return UndecidedHandling.of(
                profiling.settings(),
                !judgement.undecided().isEmpty() && ProfileExpectations.onlyThrottlingLeavesOpen(expectation, profile)
                        ? UndecidedKind.THROTTLED
                        : UndecidedKind.PROFILE);
    }

    /** Returns the profiles with their findings. */
    @Override
    public List<Measurement> evidence(TestResult findings) {
        if (judgedProfiles.isEmpty() && all().isEmpty()) {
            return List.of();
        }
        return List.copyOf(
                judgedProfiles.isEmpty()
                        ? all().stream().map(this::unjudged).toList()
                        : judgedProfiles.stream()
                                .map(each -> each.ended(findings.passedWithFindings()))
                                .toList());
    }

    /** Returns the profile of an aborted body without findings. */
    private JudgedProfile unjudged(Profile profile) {
        return new JudgedProfile(
                new MeasuredTest(lines.name(), cores.names(), Judgement.NOTHING, false), profile, List.of());
    }

    private UndecidedHandling leniency() {
        return UndecidedHandling.of(profiling.settings(), UndecidedKind.PROFILE);
    }

    private Undecided undecided(String rule, String reason) {
        return new Undecided(rule, lines.name(), reason);
    }

    private Verdict nothing(Undecided undecided) {
        return lines.undecided(
                undecided,
                leniency(),
                "Profile of %s: %s is undecided. %s".formatted(lines.name(), undecided.rule(), undecided.reason()));
    }
}
