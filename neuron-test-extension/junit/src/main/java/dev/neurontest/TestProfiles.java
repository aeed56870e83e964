package dev.neurontest;

import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.UndecidedPolicy;
import dev.neurontest.evidence.TestId;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileRules;
import dev.neurontest.profile.capture.CaptureException;
import dev.neurontest.profile.capture.InspectCapture;
import dev.neurontest.profile.capture.NeffCapture;
import dev.neurontest.profile.capture.Profiler;
import dev.neurontest.recording.Expectation;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.JudgementText;
import dev.neurontest.recording.Undecided;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.opentest4j.AssertionFailedError;

/** The profiles of one test: those that annotations ask for and those that the test makes itself, and what is found in them. */
final class TestProfiles {

    private final Session session;
    private final TestId test;
    private final ProfilePlan plan;
    private final Suspicions suspicions;
    private final Profiler profiler;
    private final Profiler runs;
    private final TestComparisons comparisons;
    private final List<JudgedProfile> recordings = new ArrayList<>();
    private @Nullable InspectCapture inspection;
    private boolean inspects;
    private @Nullable Profile replayed;
    private @Nullable String notReplayed;

    TestProfiles(
            Session session,
            TestId test,
            ProfilePlan plan,
            TestCores cores,
            Suspicions suspicions,
            TestComparisons comparisons) {
        this.session = session;
        this.test = test;
        this.plan = plan;
        this.suspicions = suspicions;
        this.comparisons = comparisons;
        Profiler.Context context = session.host().profiler(session, test, cores, suspicions);
        this.profiler = new Profiler(context);
        this.runs = new Profiler(context.with(new RunsOfABaseline(context.observer())));
        plan.workloads().ifPresent(wanted -> inspection = inspection(wanted));
    }

    private InspectCapture inspection(ProfileWorkloads wanted) {
        InspectCapture capture = profiler.inspect(
                        wanted.session() ? InspectCapture.Mode.SESSION : InspectCapture.Mode.MODEL)
                .warmup(wanted.warmup());
        return wanted.graph().isEmpty() ? capture : capture.graph(wanted.graph());
    }

    /** For the test's own captures. */
    Profiler profiler() {
        return profiler;
    }

    /** The profile that the test takes. */
    Profile replayed() {
        if (replayed == null) {
            throw new ExtensionConfigurationException(
                    "A Profile is there for a test method and what runs around each test, not for all tests of a class.");
        }
        return replayed;
    }

    /** What makes workloads trace themselves. */
    Map<String, String> environment() {
        if (inspection == null) {
            return Map.of();
        }
        inspects = true;
        return inspection.environment();
    }

    /** Captures what the test takes, before anything else happens. */
    void before() {
        if (plan.first()) {
            ProfileNeff wanted = plan.neff().orElseThrow();
            replayed = replay(wanted, profiler, wanted.captures());
        }
    }

    /**
     * Captures what is wanted of a body that has ended with its workloads.
     *
     * @param bodyPassed whether there is something to measure; on cores that are suspect nothing is, which is told by the judgement
     */
    void after(boolean bodyPassed) {
        if (inspection != null && inspects) {
            keepsWhatThereIs(inspection::collect);
        }
        if (bodyPassed && plan.neff().isPresent()) {
            ofNeff(plan.neff().get());
        }
        all().forEach(comparisons::add);
        while (bodyPassed && plan.neff().isPresent() && suspicions.reasons().isEmpty() && comparisons.wantsProfile()) {
            comparisons.add(run(plan.neff().get()));
        }
    }

    private void ofNeff(ProfileNeff wanted) {
        if (replayed != null) {
            return;
        }
        if (suspicions.reasons().isEmpty()) {
            keepsWhatThereIs(() -> replay(wanted, profiler, wanted.captures()));
        } else {
            notReplayed = "%s was not profiled, because its core is suspect: %s."
                    .formatted(wanted.value(), String.join("; ", suspicions.reasons()));
        }
    }

    private static void keepsWhatThereIs(Runnable capture) {
        try {
            capture.run();
        } catch (CaptureException doubtful) {
            // Its profile is among the others, and its doubts are judged.
        }
    }

    /** One more run for a comparison; of those only the numbers are kept. */
    private Profile run(ProfileNeff wanted) {
        try {
            return replay(wanted, runs, 1);
        } catch (CaptureException doubtful) {
            return runs.profiles().get(runs.profiles().size() - 1);
        }
    }

    private static Profile replay(ProfileNeff wanted, Profiler by, int captures) {
        NeffCapture capture = by.capture(Path.of(wanted.value()))
                .warmup(wanted.warmup())
                .measured(wanted.executions())
                .captures(captures)
                .ignoreExecErrors(wanted.ignoreExecErrors());
        for (String input : wanted.inputs()) {
            int equals = input.indexOf('=');
            capture.input(input.substring(0, equals), Path.of(input.substring(equals + 1)));
        }
        if (wanted.singleIo()) {
            capture.singleIo();
        }
        if (wanted.dgeNotifications()) {
            capture.dgeNotifications();
        }
        if (wanted.perfetto()) {
            capture.alsoPerfetto();
        }
        if (wanted.fullJson()) {
            capture.alsoFullJson();
        }
        return capture.run();
    }

    /** All profiles, in the order in which they were made. */
    List<Profile> all() {
        return profiler.profiles();
    }

    /** What the rules find in each. */
    List<Verdict> judge(boolean bodyPassed) {
        List<Verdict> verdicts = new ArrayList<>();
        for (Profile profile : all()) {
            JudgedProfile judged = JudgedProfile.of(profile, plan.rules());
            recordings.add(judged);
            session.runFile().append(test, judged.judgement());
            verdicts.add(new Verdict(
                    judged.judgement(),
                    policy(plan.rules(), profile),
                    () -> judged.failure().toError()));
            beside().forEach(demand -> verdicts.add(judged(profile, demand)));
            session.profiled(plan.method(), profile);
        }
        if (notReplayed != null) {
            verdicts.add(nothing(firstDemand("@ProfileNeff"), notReplayed));
        } else if (verdicts.isEmpty() && bodyPassed && wantsSomething()) {
            verdicts.add(nothing(
                    firstDemand("@ProfileWorkloads"),
                    "Nothing was profiled: no workload ran, or the test made no profile with its Profiler."));
        }
        return verdicts;
    }

    /** What is demanded beside limits of single metrics. */
    private List<Expectation<Profile>> beside() {
        return Stream.<Expectation<Profile>>concat(
                        plan.roofline().stream(),
                        plan.relatives().stream()
                                .map(each -> each.threshold().apply(() -> session.lastProfile(each.other()))))
                .toList();
    }

    private Verdict judged(Profile profile, Expectation<Profile> demand) {
        Judgement found = demand.judge(profile);
        session.runFile().append(test, found);
        JudgementText words = new JudgementText(found);
        return new Verdict(
                found,
                policy(demand, profile),
                () -> new AssertionFailedError(
                        "Profile of %s by %s: %s\n%s"
                                .formatted(profile.title(), profile.tool(), words.found(), words.explained()),
                        words.expected(),
                        words.actual()));
    }

    private boolean wantsSomething() {
        return inspection != null || !plan.demands().isEmpty();
    }

    private String firstDemand(String otherwise) {
        return plan.demands().stream().findFirst().orElse(otherwise);
    }

    private UndecidedPolicy policy(Expectation<Profile> demand, Profile profile) {
        return session.settings()
                .value(
                        ProfileRules.onlyThrottlingLeavesOpen(demand, profile)
                                ? Setting.PROFILE_THROTTLED
                                : Setting.PROFILE_UNDECIDED);
    }

    /** The profiles with what was found in them; complete when all were judged. */
    List<JudgedProfile> recordings() {
        return List.copyOf(recordings);
    }

    private Verdict nothing(String rule, String reason) {
        Undecided undecided = new Undecided(rule, test.name(), reason);
        Judgement found = new Judgement(List.of(), List.of(undecided), List.of());
        session.runFile().append(test, found);
        return new Verdict(
                found,
                session.settings().value(Setting.PROFILE_UNDECIDED),
                () -> new AssertionFailedError("Profile of %s: %s is undecided. %s"
                        .formatted(test.name(), undecided.rule(), undecided.reason())));
    }
}
