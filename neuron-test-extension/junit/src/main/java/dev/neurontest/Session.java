package dev.neurontest;

import static org.junit.platform.commons.support.AnnotationSupport.findAnnotation;

import dev.neurontest.archive.HostPicture;
import dev.neurontest.configuration.MissingToolPolicy;
import dev.neurontest.configuration.PlatformChoice;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.Settings;
import dev.neurontest.device.DatastoreCounters;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.evidence.Evidence;
import dev.neurontest.evidence.Outcome;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.RunFile;
import dev.neurontest.evidence.TestId;
import dev.neurontest.platform.PlatformUnavailableException;
import dev.neurontest.print.LastPrints;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.capture.ToolNotFoundException;
import dev.neurontest.recording.Judgement;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * Everything that the tests of one JVM share: the host and who has which of its cores, the settings, the run file. It lives
 * as long as JUnit's launcher session, since under Surefire's forks there is one test plan for each class. Nothing is
 * opened before a test asks for Neuron.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
final class Session implements AutoCloseable {

    /** Where it lies in the store of the launcher session, for the listener too. */
    static final String KEY = Session.class.getName();

    private static final int PROFILES_KEPT = 1000;

    private final Settings settings;
    private final RunFile runFile;
    private final Optional<AllureSink> allure = AllureSink.find();
    private final Evidence evidence;
    private final Map<String, TestLife> lives = new ConcurrentHashMap<>();
    private final Map<String, Profile> profiles = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Profile> eldest) {
            return size() > PROFILES_KEPT;
        }
    };
    private final Map<TestPlan.Source, TestPlan> plans = new ConcurrentHashMap<>();
    private final SessionCores cores = new SessionCores(this);
    private final SessionRuntime runtime = new SessionRuntime(this);
    private final SessionPicture picture = new SessionPicture(this);
    private final LastPrints lastPrints;
    private final SessionBaselines baselines;
    private @Nullable TestHost host;
    private Optional<SessionReplay> replay = Optional.empty();
    private @Nullable RuntimeException noHost;

    private Session(Settings settings) {
        Setting.all().forEach(settings::get);
        this.settings = settings;
        this.baselines = new SessionBaselines(settings);
        this.runFile = new RunFile(settings.value(Setting.OUTPUT), System.err::println);
        this.lastPrints = new LastPrints(
                () -> runFile.beside(LastPrints.SUFFIX),
                problem -> runFile.append(new RunEvent.Noticed(null, problem)));
        this.evidence = new Evidence(
                settings.value(Setting.EVIDENCE)::keeps,
                runFile,
                allure.stream().toList());
        if (settings.value(Setting.ATTACHMENT_LINES)) {
            evidence.tell(file -> System.out.println("[[ATTACHMENT|%s]]".formatted(file.toAbsolutePath())));
        }
    }

    @SuppressWarnings("deprecation") // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    static Session of(ExtensionContext context) {
        Store store = context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(KEY));
        @Nullable Session known = store.get(KEY, Session.class);
        if (known != null) {
            return known;
        }
        // The store keeps what made a value; the context of a test would keep all tests of its plan with it.
        Settings settings = Settings.of(context::getConfigurationParameter);
        return store.getOrComputeIfAbsent(KEY, key -> new Session(settings), Session.class);
    }

    Settings settings() {
        return settings;
    }

    RunFile runFile() {
        return runFile;
    }

    Evidence evidence() {
        return evidence;
    }

    /** Allure, which takes more than attachments; empty where it is not on the class path. */
    Optional<AllureSink> allure() {
        return allure;
    }

    /** The cores that its tests share. */
    SessionCores cores() {
        return cores;
    }

    /** What tests are held against. */
    SessionBaselines baselines() {
        return baselines;
    }

    /** The last prints of running tests, for when this JVM is killed. */
    LastPrints lastPrints() {
        return lastPrints;
    }

    /** The runtime in this JVM, opened when the first test wants it. */
    SessionRuntime runtime() {
        return runtime;
    }

    /**
     * The host that the tests run on, opened when the first one asks.
     *
     * @throws PlatformUnavailableException when there is none; every test is told the same
     */
    synchronized TestHost host() {
        if (noHost != null) {
            throw noHost;
        }
        if (host == null) {
            try {
                host = TestHost.open(settings, runFile);
            } catch (RuntimeException none) {
                noHost = none;
                throw none;
            }
            runFile.append(host.event());
            host.platform().notices().forEach(notice -> runFile.append(new RunEvent.Noticed(null, notice)));
            new HostErrors(host, runFile).told("start");
            settings.warnings().forEach(warning -> runFile.append(new RunEvent.Noticed(null, warning)));
            NeuronHost neuron = host.platform().host();
            replay = SessionReplay.of(host.platform());
            replay.ifPresent(recording ->
                    recording.notices().forEach(notice -> runFile.append(new RunEvent.Noticed(null, notice))));
            neuron.notices().forEach(notice -> runFile.append(new RunEvent.Noticed(null, notice)));
            if (neuron.datastoreCounters() == DatastoreCounters.DEFERRED) {
                runFile.append(new RunEvent.Noticed(
                        null,
                        ("Execution and status counters of this host (%s) move only when the process that used a core lets"
                                        + " go of its device: end it, or close its runtime, before the test is over. Only root"
                                        + " sees whether a process of somebody else still has one.")
                                .formatted(neuron.datastoreCountersReason())));
            }
        }
        return host;
    }

    /** The whole host, with which the recording of a test begins; empty when none is wanted. */
    Optional<HostPicture> picture() {
        return picture.get();
    }

    /** What a recorded host does around its test; empty where nothing is replayed. */
    synchronized Optional<SessionReplay> replay() {
        host();
        return replay;
    }

    /**
     * To be called when all tests of a class are over.
     *
     * @throws AssertionError when the recorded test is one of them and did not run; as with everything else that is undecided, the
     *     settings may say that this aborts the class, or nothing
     */
    void over(TestId testClass) {
        List<Verdict> verdicts = replayed()
                .flatMap(recording -> recording.over(testClass))
                .map(missing -> SessionReplay.verdict(
                        this, missing.subject(), new Judgement(List.of(), List.of(missing), List.of())))
                .stream()
                .toList();
        Verdict.enforce(verdicts);
    }

    /** Without opening a host: where no test asked for one, nothing was replayed. */
    private synchronized Optional<SessionReplay> replayed() {
        return replay;
    }

    /** What a test or class asks for, found out once. */
    TestPlan plan(TestPlan.Source source) {
        return plans.computeIfAbsent(source, TestPlan.Source::read);
    }

    /**
     * Why a test or class is to be skipped. Where hardware is a must, or the host is named, a host that cannot serve it is
     * none: it fails with the same reason when it begins.
     */
    Optional<String> reasonToSkip(TestPlan plan) {
        boolean skips =
                settings.value(Setting.PLATFORM) instanceof PlatformChoice.Hardware hardware && !hardware.required();
        try {
            if (plan.needsFake() && host().platform().fake().isEmpty()) {
                return Optional.of(
                        "it scripts a FakeNeuronHost, and the platform is " + settings.get(Setting.PLATFORM));
            }
            if (plan.profiles().needsTool() && settings.value(Setting.PROFILER_MISSING) == MissingToolPolicy.SKIP) {
                host().tool().get();
            }
            return skips
                    ? host().unservable(plan.slots()).or(() -> host().unservable(plan.ofSession()))
                    : Optional.empty();
        } catch (PlatformUnavailableException none) {
            return skips ? Optional.ofNullable(none.getMessage()) : Optional.empty();
        } catch (ToolNotFoundException none) {
            return Optional.ofNullable(none.getMessage());
        }
    }

    /** The runs of a test or class that runs for each core or each device: of the runtime in this JVM, when it uses that. */
    Stream<Assigned> runs(AnnotatedElement element, boolean usesRuntime) {
        if (!usesRuntime) {
            return host().runs(element, host().platform().host().cores());
        }
        SessionRuntime.Cores its = runtime.claim(List.of());
        try {
            return host().runs(element, its.lease().lease().cores());
        } finally {
            runtime.unclaim();
        }
    }

    /** How many more attempts a test has. */
    int attempts(Method testMethod) {
        int times = findAnnotation(testMethod, RetryOnAnotherCore.class)
                .orElseThrow()
                .times();
        if (times < 1) {
            throw new ExtensionConfigurationException(
                    "@RetryOnAnotherCore of %s allows %d more attempts; it must be at least 1"
                            .formatted(testMethod, times));
        }
        return settings.value(Setting.RETRY) ? times : 0;
    }

    void finishedWithoutCores(TestId test, Outcome outcome, @Nullable String reason) {
        runFile.append(new RunEvent.TestFinished(test, outcome, List.of(), reason));
    }

    /** Keeps what a test was profiled as last, for tests that are held against it. */
    void profiled(String method, Profile profile) {
        synchronized (profiles) {
            profiles.put(method, profile);
        }
    }

    Optional<Profile> lastProfile(String method) {
        synchronized (profiles) {
            return Optional.ofNullable(profiles.get(method));
        }
    }

    /** Keeps the life of a test until JUnit tells how it ended, which is after its store was closed. */
    void keepLife(String id, TestLife life) {
        lives.put(id, life);
    }

    Optional<TestLife> takeLife(String id) {
        return Optional.ofNullable(lives.remove(id));
    }

    /** Ends the run and gives what is to be printed about it; empty when no test asked for Neuron or nobody wants it. */
    Optional<String> finish() {
        runtime.close();
        cores.close();
        lastPrints.close();
        tellErrors();
        String summary = runFile.finish();
        return Optional.of(summary).filter(text -> !text.isEmpty() && settings.value(Setting.SUMMARY));
    }

    private synchronized void tellErrors() {
        if (host != null) {
            new HostErrors(host, runFile).told("end");
            replay.ifPresent(recorded -> recorded.tell(runFile));
            allure.ifPresent(sink -> sink.environment(host.event().labels()));
        }
    }

    @Override
    public synchronized void close() {
        runtime.close();
        cores.close();
        lastPrints.close();
        if (host != null) {
            host.close();
        }
        runFile.close();
    }
}
