package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.configuration.MissingToolPolicy;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.Evidence;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.RunName;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lifecycle.host.TestHost;
import dev.neurontest.internal.participant.comparison.SessionBaselines;
import dev.neurontest.internal.plan.TestPlan;
import dev.neurontest.internal.platform.PlatformUnavailableException;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.profile.ToolNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;

/**
 * The tests of one JVM. It lives as long as JUnit's launcher session, since under Surefire's forks there is one test plan for each class.
 * Nothing is opened before a test asks for Neuron.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JvmSession implements AutoCloseable {

    /** Where it lies in the store of the launcher session, for the listener too. */
    static final String KEY = JvmSession.class.getName();

    private final Settings settings;
    private final RunFile runFile;
    private final Optional<AllureSink> allure = AllureSink.find();
    private final PlannedTests planned;
    private final Evidence evidence;
    private final SessionBaselines baselines;
    private final Map<String, TestLifecycle> lives = new ConcurrentHashMap<>();
    private final Set<String> written = ConcurrentHashMap.newKeySet();
    private final Map<List<?>, TestPlan> plans = new ConcurrentHashMap<>();
    private final Set<RunEvent.Sharded> shards = ConcurrentHashMap.newKeySet();
    private @Nullable HostSession host;
    private @Nullable RuntimeException noHost;

    private JvmSession(Settings settings) {
        Setting.all().forEach(settings::get);
        this.settings = settings;
        this.runFile = new RunFile(settings.value(Setting.OUTPUT), note -> System.err.println(VisibleText.of(note)))
                .partOf(RunName.of(settings.value(Setting.RUN)));
        this.baselines = new SessionBaselines(settings, runFile.name());
        this.planned = new PlannedTests(runFile);
        this.evidence = new Evidence(
                settings.value(Setting.EVIDENCE)::keeps,
                runFile,
                allure.stream().toList());
        settings.warnings().forEach(warning -> runFile.append(new RunEvent.Noticed(null, warning)));
        if (settings.value(Setting.ATTACHMENT_LINES)) {
            evidence.tell(
                    file -> System.out.println(VisibleText.line("[[ATTACHMENT|%s]]".formatted(file.toAbsolutePath()))));
        }
    }

    @SuppressWarnings("deprecation")
    public // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    static JvmSession of(ExtensionContext context) {
        Store store = context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(KEY));
        @Nullable JvmSession known = store.get(KEY, JvmSession.class);
        if (known != null) {
            return known;
        }
        // The store keeps what made a value; the context of a test would keep all tests of its plan with it.
        Settings settings = Settings.of(context::getConfigurationParameter);
        return store.getOrComputeIfAbsent(KEY, key -> new JvmSession(settings), JvmSession.class);
    }

    /** Returns the settings of JUnit's launcher, which knows the names of all its configuration parameters. */
    static Settings settings(ConfigurationParameters parameters) {
        return Settings.of(parameters::get, parameters.keySet());
    }

    /** The same for what listens to JUnit's launcher. */
    @SuppressWarnings("deprecation") // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    static JvmSession of(
            NamespacedHierarchicalStore<org.junit.platform.engine.support.store.Namespace> store, Settings settings) {
        return store.getOrComputeIfAbsent(
                org.junit.platform.engine.support.store.Namespace.create(KEY),
                KEY,
                key -> new JvmSession(settings),
                JvmSession.class);
    }

    /** Returns the Neuron tests that JUnit's launcher is to execute. */
    PlannedTests planned() {
        return planned;
    }

    /** Allure, which takes more than attachments; empty where it is not on the class path. */
    public Optional<AllureSink> allure() {
        return allure;
    }

    /**
     * The host that the tests run on, opened when the first one asks.
     *
     * @throws PlatformUnavailableException when there is none; every test is told the same
     */
    public synchronized HostSession host() {
        if (noHost != null) {
            throw noHost;
        }
        if (host == null) {
            TestHost opened;
            try {
                opened = TestHost.open(settings, runFile);
            } catch (RuntimeException none) {
                noHost = none;
                throw none;
            }
            host = new HostSession(opened, settings, runFile, evidence, baselines);
            host.recordStart();
        }
        return host;
    }

    /**
     * To be called when all tests of a class are over.
     *
     * @throws AssertionError when the recorded test is one of them and did not run; as with everything else that is undecided, the
     *     settings may say that this aborts the class, or nothing
     */
    public void over(TestId testClass) {
        opened().flatMap(HostSession::replay).ifPresent(recording -> recording.over(testClass));
    }

    /** Without opening a host: where no test asked for one, nothing was replayed. */
    private synchronized Optional<HostSession> opened() {
        return Optional.ofNullable(host);
    }

    /** What a test or class asks for, found out once. */
    public TestPlan plan(ExtensionContext context) {
        TestPlan.Source source = TestPlan.Source.of(context);
        return plans.computeIfAbsent(source.key(), key -> source.read());
    }

    /**
     * Why a test or class is to be skipped. Where hardware is a must, or the host is named, a host that cannot serve it is
     * none: it fails with the same reason when it begins.
     */
    public Optional<String> reasonToSkip(TestPlan plan) {
        boolean skips =
                settings.value(Setting.PLATFORM) instanceof PlatformChoice.Hardware hardware && !hardware.required();
        try {
            if (plan.needsFake() && host().host().platform().fake().isEmpty()) {
                return Optional.of(
                        "it scripts a FakeNeuronHost, and the platform is %s; to run it: %s=fake:trn1.2xlarge"
                                .formatted(settings.get(Setting.PLATFORM), Setting.PLATFORM));
            }
            if (plan.profiles().needsTool() && settings.value(Setting.MISSING) == MissingToolPolicy.SKIP) {
                host().host().tool().get();
            }
            return skips ? unservable(plan) : Optional.empty();
        } catch (PlatformUnavailableException none) {
            return skips ? Optional.ofNullable(none.getMessage()) : Optional.empty();
        } catch (ToolNotFoundException none) {
            return Optional.of("%s is %s, with fail such a test fails. %s"
                    .formatted(Setting.MISSING, settings.get(Setting.MISSING), none.getMessage()));
        }
    }

    private Optional<String> unservable(TestPlan plan) {
        TestHost open = host().host();
        return open.unservable(plan.slots())
                .or(() -> open.unservable(plan.ofSession()))
                .map(reason ->
                        "%s; %s is %s, with real such a test fails, with fake:trn1.32xlarge it runs on a fake host"
                                .formatted(reason, Setting.PLATFORM, settings.get(Setting.PLATFORM)));
    }

    /** Whether tests are run again where their cores were to blame. */
    public boolean retries() {
        return settings.value(Setting.RETRY);
    }

    /** Which invocation runs of a test with several; empty for all. */
    OptionalInt invocation() {
        return settings.value(Setting.INVOCATION);
    }

    /** Says once which shard runs here. Each discovery of tests may see more of the suite. */
    void sharded(RunEvent.Sharded shard, List<String> notices) {
        boolean first = shards.isEmpty();
        if (shards.add(shard)) {
            runFile.append(shard);
        }
        if (first) {
            notices.forEach(notice -> runFile.append(new RunEvent.Noticed(null, notice)));
        }
    }

    /** Keeps the life of a test until JUnit tells how it ended, which is after its store was closed. */
    void keepLife(String id, TestLifecycle life) {
        lives.put(id, life);
    }

    /** Returns the life of a test or class that JUnit has not reported as ended. */
    Optional<TestLifecycle> life(String id) {
        return Optional.ofNullable(lives.get(id));
    }

    public Optional<TestLifecycle> takeLife(String id) {
        return Optional.ofNullable(lives.remove(id));
    }

    /** Returns whether the run file has its end. */
    boolean isWritten(TestId test) {
        return written.contains(test.id());
    }

    /** Drops what is kept of a test or class until JUnit reports its end. */
    void forget(TestId test) {
        lives.remove(test.id());
        written.remove(test.id());
    }

    /** Says how a test ended whose life was kept, or which got no cores. */
    public void finished(TestId test, Outcome outcome, @Nullable String reason) {
        written.add(test.id());
        takeLife(test.id())
                .ifPresentOrElse(
                        life -> life.finished(outcome, reason), () -> finishedWithoutCores(test, outcome, reason));
    }

    void finishedWithoutCores(TestId test, Outcome outcome, @Nullable String reason) {
        runFile.append(new RunEvent.TestFinished(test, outcome, List.of(), reason));
    }

    /** Ends the run and gives what is to be printed about it; empty when no test asked for Neuron or the summary is switched off. */
    Optional<String> finish() {
        opened().ifPresent(open -> {
            open.release();
            open.recordEnd();
            allure.ifPresent(sink -> sink.environment(open.host().event().labels()));
        });
        String summary = runFile.finish();
        return Optional.of(summary).filter(text -> !text.isEmpty() && settings.value(Setting.SUMMARY));
    }

    @Override
    public synchronized void close() {
        if (host != null) {
            host.close();
        }
        runFile.close();
    }
}
