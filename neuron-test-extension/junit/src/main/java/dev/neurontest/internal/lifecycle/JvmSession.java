package dev.neurontest.internal.lifecycle;

import dev.neurontest.internal.cluster.HostEngineException;
import dev.neurontest.internal.configuration.BadSettingException;
import dev.neurontest.internal.configuration.ConfiguredValue;
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
import dev.neurontest.internal.lifecycle.host.HostServices;
import dev.neurontest.internal.participant.comparison.SessionBaselines;
import dev.neurontest.internal.plan.ClusterRequest;
import dev.neurontest.internal.plan.TestPlan;
import dev.neurontest.internal.platform.PlatformUnavailableException;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.profile.ToolNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;

/**
 * The session of all tests of one JVM. It exists as long as JUnit's launcher session, because with Surefire forks each class has its own
 * test plan. No host is opened before a test requests Neuron resources.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JvmSession implements AutoCloseable {

    /** Key of the session in the store of the launcher session; the listener uses it too. */
    static final String KEY = JvmSession.class.getName();

    private final Settings settings;
    private final RunFile runFile;
    private final Optional<AllureSink> allure = AllureSink.find();
    private final PlannedTests planned;
    private final Evidence evidence;
    private final SessionBaselines baselines;
    private final Map<String, TestLifecycle> lifecycles = new ConcurrentHashMap<>();
    private final Set<String> written = ConcurrentHashMap.newKeySet();
    private final Map<List<?>, TestPlan> plans = new ConcurrentHashMap<>();
    private final Set<RunEvent.Sharded> shards = ConcurrentHashMap.newKeySet();
    private @Nullable HostSession host;
    private @Nullable RuntimeException noHost;

    private JvmSession(Settings settings) {
        settings.parseGiven();
        this.settings = settings;
        this.runFile = new RunFile(settings.value(Setting.OUTPUT), note -> System.err.println(VisibleText.of(note)))
                .beginningWith(header(settings));
        this.baselines = new SessionBaselines(settings, runFile.name());
        this.planned = new PlannedTests(runFile);
        this.evidence = new Evidence(
                settings.value(Setting.EVIDENCE)::keeps,
                runFile,
                allure.isPresent() ? List.of(allure.get()) : List.of());
        for (String warning : settings.warnings()) {
            runFile.append(new RunEvent.Noticed(null, warning));
        }
        if (settings.value(Setting.ATTACHMENT_LINES)) {
            evidence.onFileWritten(
                    file -> System.out.println(VisibleText.line("[[ATTACHMENT|%s]]".formatted(file.toAbsolutePath()))));
        }
    }

    /** Returns the run and the given settings. They precede the host in the run file, because it might not open. */
    private static List<RunEvent> header(Settings settings) {
        List<RunEvent> header = new ArrayList<>();
        header.add(RunName.of(settings.value(Setting.RUN)));
        for (ConfiguredValue<?> given : settings.given()) {
            header.add(new RunEvent.Configured(given.setting().name(), given.text(), given.origin()));
        }
        return header;
    }

    /**
     * Returns the session, and creates it on the first call.
     *
     * @throws ExtensionConfigurationException if a second class loader loaded this library for the test; the message names the remedy
     */
    // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    @SuppressWarnings("deprecation")
    public static JvmSession of(ExtensionContext context) {
        Store store = store(context);
        @Nullable Object existing = store.get(KEY);
        if (existing instanceof JvmSession session) {
            return session;
        }
        if (existing != null) {
            throw SecondClassLoader.refuse(existing.getClass().getClassLoader());
        }
        // The store keeps the lambda that created a value. A captured test context would keep all tests of its plan in
        // memory.
        Settings settings = Settings.of(context::getConfigurationParameter, namesOfFile(context));
        return store.getOrComputeIfAbsent(KEY, key -> new JvmSession(settings), JvmSession.class);
    }

    /** Returns the session if there is one and it belongs to this class loader. */
    public static Optional<JvmSession> existing(ExtensionContext context) {
        try {
            return store(context).get(KEY) instanceof JvmSession session ? Optional.of(session) : Optional.empty();
        } catch (BadSettingException notMade) {
            return Optional.empty();
        }
    }

    /**
     * Returns the names in the first {@code junit-platform.properties} of the class path that have a value in JUnit. JUnit lists the names
     * of its configuration parameters to listeners only.
     */
    private static Set<String> namesOfFile(ExtensionContext context) {
        Properties file = new Properties();
        ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = ofThread == null ? ClassLoader.getSystemClassLoader() : ofThread;
        try (InputStream in = loader.getResourceAsStream("junit-platform.properties")) {
            if (in != null) {
                file.load(in);
            }
        } catch (IOException | IllegalArgumentException unreadable) {
            // JUnit itself has read the file, or has reported why it could not.
            return Set.of();
        }
        Set<String> names = new HashSet<>();
        for (String name : file.stringPropertyNames()) {
            if (!name.isBlank() && context.getConfigurationParameter(name).isPresent()) {
                names.add(name);
            }
        }
        return names;
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(KEY));
    }

    /** Returns the settings of JUnit's launcher, which lists the names of all its configuration parameters. */
    static Settings settings(ConfigurationParameters parameters) {
        return Settings.of(parameters::get, parameters.keySet());
    }

    /** Returns the session for a listener of JUnit's launcher. */
    @SuppressWarnings("deprecation") // computeIfAbsent, which JUnit 6 prefers, is not in JUnit 5
    static JvmSession of(
            NamespacedHierarchicalStore<org.junit.platform.engine.support.store.Namespace> store, Settings settings) {
        return store.getOrComputeIfAbsent(
                org.junit.platform.engine.support.store.Namespace.create(KEY),
                KEY,
                key -> new JvmSession(settings),
                JvmSession.class);
    }

    /** Returns the Neuron tests in the plan of JUnit's launcher. */
    PlannedTests planned() {
        return planned;
    }

    /** Returns the Allure sink, which accepts more than attachments; empty if Allure is not on the class path. */
    public Optional<AllureSink> allure() {
        return allure;
    }

    /**
     * Returns the host of the tests, and opens it on the first call.
     *
     * @throws PlatformUnavailableException if there is no host; every test receives the same exception
     */
    public synchronized HostSession host() {
        if (noHost != null) {
            throw noHost;
        }
        if (host == null) {
            HostServices opened;
            try {
                opened = HostServices.open(settings, runFile);
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
     * Checks after the last test of a class that the recorded test ran, if it belongs to that class.
     *
     * @throws AssertionError if the recorded test did not run; the settings for undecided results can turn this into an abortion, or ignore
     *     it
     */
    public void over(TestId testClass) {
        @Nullable HostSession open = opened().orElse(null);
        if (open != null && open.replay().isPresent()) {
            open.replay().get().over(testClass);
        }
    }

    /** Returns the host only if it is already open. If no test requested it, nothing was replayed. */
    public synchronized Optional<HostSession> opened() {
        return Optional.ofNullable(host);
    }

    /** Returns the plan of a test or class, which is read once. */
    public TestPlan plan(ExtensionContext context) {
        TestPlan.Source source = TestPlan.Source.of(context);
        List<?> key = source.key();
        @Nullable TestPlan plan = plans.get(key);
        if (plan == null) {
            plan = source.read();
            plans.put(key, plan);
        }
        return plan;
    }

    /**
     * Returns why a test or class is skipped; empty if it runs. If hardware is mandatory or the host is named, a host that cannot serve the
     * test is no reason to skip it. The test then fails with the same reason when it begins.
     */
    public Optional<String> reasonToSkip(ExtensionContext context) {
        if (invocation().isPresent()) {
            Optional<String> notSelected = InvocationFilter.reasonToSkip(this, context);
            if (notSelected.isPresent()) {
                return notSelected;
            }
        }
        TestPlan plan = plan(context);
        boolean skips =
                settings.value(Setting.PLATFORM) instanceof PlatformChoice.Hardware hardware && !hardware.required();
        try {
            Optional<String> absence = skips ? host().host().platform().absence() : Optional.empty();
            if (absence.isPresent() && plan.cluster().isEmpty()) {
                return TestPlan.Source.of(context).runsWithoutHost() ? Optional.empty() : absence;
            }
            if (plan.cluster().isPresent()) {
                Optional<String> tooFew = tooFewHosts(plan.cluster().get());
                if (tooFew.isPresent()) {
                    return tooFew;
                }
            }
            if (plan.needsFake() && host().host().platform().fake().isEmpty()) {
                return Optional.of(
                        "it scripts a FakeNeuronHost, but the platform is %s; to run it, set %s=fake:trn1.2xlarge"
                                .formatted(settings.get(Setting.PLATFORM), Setting.PLATFORM));
            }
            if (plan.profiles().needsTool() && settings.value(Setting.MISSING) == MissingToolPolicy.SKIP) {
                host().host().tool().get();
            }
            return skips ? unservable(plan) : Optional.empty();
        } catch (PlatformUnavailableException none) {
            return skips ? Optional.ofNullable(none.getMessage()) : Optional.empty();
        } catch (ToolNotFoundException none) {
            return Optional.of("%s is %s; with fail such a test fails. %s"
                    .formatted(Setting.MISSING, settings.get(Setting.MISSING), none.getMessage()));
        }
    }

    /** Returns why a test over several hosts is skipped. Hosts that cannot be listed fail the test when it begins. */
    private Optional<String> tooFewHosts(ClusterRequest request) {
        try {
            return host().hosts().reasonToSkip(request);
        } catch (HostEngineException unlisted) {
            return Optional.empty();
        }
    }

    private Optional<String> unservable(TestPlan plan) {
        HostServices open = host().host();
        Optional<String> reason = open.unservable(plan.slots());
        if (reason.isEmpty()) {
            reason = open.unservable(plan.ofSession());
        }
        return reason.isEmpty()
                ? reason
                : Optional.of(
                        "%s; %s is %s; with real such a test fails, and with fake:trn1.32xlarge it runs on a fake host"
                                .formatted(reason.get(), Setting.PLATFORM, settings.get(Setting.PLATFORM)));
    }

    /** Returns whether tests are retried if their cores caused the failure. */
    public boolean retries() {
        return settings.value(Setting.RETRY);
    }

    /** Returns the number of the selected invocation of a test with several; empty for all. */
    OptionalInt invocation() {
        return settings.value(Setting.INVOCATION);
    }

    /** Writes each distinct shard event once, and the notices with the first one. Each discovery of tests may cover more of the suite. */
    void sharded(RunEvent.Sharded shard, List<String> notices) {
        boolean first = shards.isEmpty();
        if (shards.add(shard)) {
            runFile.append(shard);
        }
        if (first) {
            for (String notice : notices) {
                runFile.append(new RunEvent.Noticed(null, notice));
            }
        }
    }

    /** Keeps the lifecycle of a test until JUnit reports its outcome, which happens after the store of the test was closed. */
    void addLifecycle(String id, TestLifecycle lifecycle) {
        lifecycles.put(id, lifecycle);
    }

    /** Returns the lifecycle of a test or class that JUnit has not yet reported as ended. */
    Optional<TestLifecycle> lifecycle(String id) {
        return Optional.ofNullable(lifecycles.get(id));
    }

    public Optional<TestLifecycle> removeLifecycle(String id) {
        return Optional.ofNullable(lifecycles.remove(id));
    }

    /** Returns whether the end of a test is in the run file. */
    boolean isWritten(TestId test) {
        return written.contains(test.id());
    }

    /** Drops the data kept for a test or class until JUnit reports its end. */
    void forget(TestId test) {
        lifecycles.remove(test.id());
        written.remove(test.id());
    }

    /** Writes the outcome of a test that has a lifecycle here, or that got no cores. */
    public void finished(TestId test, Outcome outcome, @Nullable String reason) {
        written.add(test.id());
        Optional<TestLifecycle> lifecycle = removeLifecycle(test.id());
        if (lifecycle.isPresent()) {
            lifecycle.get().finished(outcome, reason);
        } else {
            finishedWithoutCores(test, outcome, reason);
        }
    }

    void attemptStarted(TestId attempt, TestId whole) {
        runFile.append(new RunEvent.AttemptStarted(attempt, whole));
    }

    void finishedWithoutCores(TestId test, Outcome outcome, @Nullable String reason) {
        runFile.append(new RunEvent.TestFinished(test, outcome, List.of(), reason));
    }

    /** Finishes the run and returns the summary to print; empty if no test requested Neuron resources or the summary is disabled. */
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
