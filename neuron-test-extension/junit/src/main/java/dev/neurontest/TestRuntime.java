package dev.neurontest;

import dev.neurontest.configuration.LeakPolicy;
import dev.neurontest.configuration.RuntimeClosing;
import dev.neurontest.configuration.Setting;
import dev.neurontest.configuration.UndecidedPolicy;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.evidence.RunEvent;
import dev.neurontest.evidence.TestId;
import dev.neurontest.print.DebugStreams;
import dev.neurontest.recording.Judgement;
import dev.neurontest.recording.Violation;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.OpenResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.opentest4j.AssertionFailedError;

/** What one test, or a class for all its tests, has of the runtime in this JVM: its models, and what it leaves open. */
final class TestRuntime {

    private final Session session;
    private final TestId test;
    private final SessionRuntime.Open open;
    private final List<NeuronCore> cores;
    private final long mark;
    private final List<LoadedModel> models = new ArrayList<>();
    private List<OpenResource> left = List.of();
    private boolean released;

    TestRuntime(Session session, TestId test, TestCores cores) {
        this.session = session;
        this.test = test;
        this.open = session.runtime().use();
        this.cores = cores.all().stream()
                .filter(runtime().cores()::contains)
                .sorted()
                .toList();
        this.mark = runtime().mark();
    }

    NeuronRuntime runtime() {
        return open.runtime();
    }

    DebugStreams streams() {
        return open.streams();
    }

    /** Its cores that the runtime in this JVM has. */
    List<NeuronCore> cores() {
        return cores;
    }

    /** Loads what a parameter wants. */
    LoadedModel load(Neff wanted) {
        if (wanted.core() < 0 || wanted.core() >= cores.size()) {
            throw new ExtensionConfigurationException(
                    "@Neff(value = \"%s\", core = %d): %s has %d, and they are counted from 0."
                            .formatted(wanted.value(), wanted.core(), test.name(), cores.size()));
        }
        LoadedModel model = runtime().load(cores.get(wanted.core()), Path.of(wanted.value()));
        models.add(model);
        return model;
    }

    /** What the runtime returned of its cores that speaks against the hardware. */
    List<SessionRuntime.Trouble> troubles() {
        return session.runtime().troubles(cores);
    }

    /**
     * Unloads what parameters got, and finds what the test itself has left open.
     *
     * @throws RuntimeException when a model cannot be unloaded; the rest is done all the same
     */
    void unload() {
        try {
            closeAll(models, LoadedModel::close);
        } finally {
            left = runtime().leaksSince(mark).stream()
                    .filter(resource -> cores.contains(resource.core()))
                    .toList();
        }
    }

    /**
     * Closes what was left open.
     *
     * @throws RuntimeException when something cannot be closed; the rest is done all the same
     */
    void closeLeft() {
        closeAll(left, OpenResource::close);
    }

    /** One that fails must not keep the others open on a core that somebody else gets. */
    private static <R> void closeAll(List<R> resources, Consumer<R> close) {
        List<RuntimeException> failures = new ArrayList<>();
        for (R resource : resources) {
            try {
                close.accept(resource);
            } catch (RuntimeException failed) {
                failures.add(failed);
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** Says what becomes of the test for what it left open. */
    Optional<Verdict> judgeLeft() {
        if (left.isEmpty()) {
            return Optional.empty();
        }
        String all = left.stream().map(OpenResource::toString).collect(Collectors.joining("; "));
        if (session.settings().value(Setting.RUNTIME_LEAKS) == LeakPolicy.NOTICE) {
            session.runFile().append(new RunEvent.Noticed(test, "left open on the runtime: " + all));
            return Optional.empty();
        }
        Violation violation = new Violation(
                "a test closes what it opens on the runtime",
                test.name(),
                "nothing open at its end",
                all,
                "Open it with try-with-resources. With %s=notice it is only mentioned."
                        .formatted(Setting.RUNTIME_LEAKS));
        Judgement found = new Judgement(List.of(violation), List.of(), List.of());
        session.runFile().append(test, found);
        return Optional.of(new Verdict(
                found,
                UndecidedPolicy.FAIL,
                () -> new AssertionFailedError("%s left open on the runtime in this JVM:%s\n%s"
                        .formatted(
                                test.name(),
                                left.stream().map(each -> "\n  " + each).collect(Collectors.joining()),
                                violation.advice()))));
    }

    /** Says that it is over, so that the cores can be let go where counters only move then. */
    void release() {
        if (!released) {
            released = true;
            session.runtime().release(session.settings().value(Setting.RUNTIME_CLOSE) == RuntimeClosing.TEST);
        }
    }
}
