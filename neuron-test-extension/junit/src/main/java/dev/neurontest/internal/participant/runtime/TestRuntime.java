package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.RuntimeClosing;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.ReportSuspicions;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.UserCode;
import dev.neurontest.internal.plan.ModelParameter;
import dev.neurontest.internal.print.stream.DebugStreams;
import dev.neurontest.internal.runtime.watch.OpenResource;
import dev.neurontest.internal.thread.Failures;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.RuntimeLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The use of the runtime in this JVM by one test, or by a class for all its tests: its models, and the resources that it leaves open. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestRuntime implements Participant {

    private static final String UNAVAILABLE = "The runtime in this JVM cannot be used here. Take it in a test method, a"
            + " constructor, @BeforeEach, @AfterEach, @BeforeAll or @AfterAll.";

    private final SessionRuntime session;
    private final Settings settings;
    private final TestJournal lines;
    private final TestCores leased;
    private final Suspicions suspicions;
    private final UserCode userCode;
    private final List<LoadedModel> models = new ArrayList<>();
    private @Nullable OpenRuntime open;
    private List<NeuronCore> cores = List.of();
    private List<NeuronCore> ofModels = List.of();
    private long mark;
    private List<OpenResource> openResources = List.of();

    /**
     * Creates a participant without opening the runtime.
     *
     * @param settings the settings for closing the runtime
     * @param userCode the methods that may still use models at the end
     */
    public TestRuntime(
            SessionRuntime session,
            Settings settings,
            TestJournal lines,
            TestCores cores,
            Suspicions suspicions,
            UserCode userCode) {
        this.session = session;
        this.settings = settings;
        this.lines = lines;
        this.leased = cores;
        this.suspicions = suspicions;
        this.userCode = userCode;
    }

    /** Returns the parameter type of the in-process runtime. */
    public static ParameterType<TestRuntime> runtimeParameter() {
        return new ParameterType<>(
                NeuronRuntime.class,
                TestRuntime.class,
                UNAVAILABLE,
                (runtime, parameter) -> Optional.of(runtime.runtime()));
    }

    /** Returns the parameter type of a model that the in-process runtime has loaded. */
    public static ParameterType<TestRuntime> modelParameter() {
        return new ParameterType<>(
                LoadedModel.class,
                TestRuntime.class,
                UNAVAILABLE,
                (runtime, parameter) -> Optional.of(runtime.load(ModelParameter.of(parameter))));
    }

    /** Opens the runtime, which changes counters. */
    @Override
    public void prepare() {
        open = session.use();
        cores = ofRuntime(leased.all());
        ofModels = ofRuntime(leased.ofPrograms());
        if (ofModels.isEmpty()) {
            ofModels = cores;
        }
        mark = runtime().mark();
    }

    private List<NeuronCore> ofRuntime(List<NeuronCore> some) {
        return some.stream().filter(runtime().cores()::contains).sorted().toList();
    }

    private OpenRuntime open() {
        if (open == null) {
            throw new IllegalStateException("The runtime in this JVM is not open for %s.".formatted(lines.name()));
        }
        return open;
    }

    /** Returns the runtime in this JVM. */
    public NeuronRuntime runtime() {
        return open().runtime();
    }

    /** Returns the debug streams of the runtime. */
    public DebugStreams streams() {
        return open().streams();
    }

    /** Returns the cores of the test that belong to the runtime in this JVM. */
    public List<NeuronCore> cores() {
        return cores;
    }

    private LoadedModel load(ModelParameter parameter) {
        parameter.requireCoreBelow(ofModels.size(), lines.name());
        LoadedModel model = runtime().load(ofModels.get(parameter.core()), Path.of(parameter.neff()));
        models.add(model);
        return model;
    }

    /** Releases the models and the runtime, except if a call does not return. Such a call still uses the resources that the test opened. */
    @Override
    public void settle() {
        if (open == null) {
            return;
        }
        if (userCode.stillRunning().isPresent()) {
            lines.notice("Its models stay loaded, because a thread of it still runs and may use them.");
            return;
        }
        for (NeuronCore core : cores) {
            new ReportSuspicions(List.of(core))
                    .after(RuntimeLine::text, session.failures(core))
                    .forEach(suspicions::add);
        }
        suspicions.unlessEnded("a model could not be unloaded", this::unload);
        suspicions.unlessEnded(
                "the runtime in this JVM could not be closed",
                () -> session.release(settings.value(Setting.RUNTIME_CLOSE) == RuntimeClosing.TEST));
    }

    /** Unloads the models of parameters, and finds resources that the test itself left open. */
    private void unload() {
        try {
            Failures.throwFirst(Failures.of(models, LoadedModel::close));
        } finally {
            openResources = runtime().leaksSince(mark).stream()
                    .filter(resource -> cores.contains(resource.core()))
                    .toList();
        }
    }

    /** Returns the resources that the test itself left open; available after it has settled. */
    List<OpenResource> left() {
        return openResources;
    }
}
