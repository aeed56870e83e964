package dev.neurontest.internal.participant.output;

import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.configuration.UndecidedKind;
import dev.neurontest.internal.judgement.Expectation;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.output.CollectedOutputs;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputExpectations;
import dev.neurontest.internal.output.OutputFailure;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.UserCode;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.participant.runtime.TestRuntime;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A participant that examines and judges the outputs of the models that a test executes. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestOutputs implements Participant {

    private final Settings settings;
    private final TestJournal lines;
    private final OutputExpectations rules;
    private final Optional<TestRuntime> runtime;
    private final UserCode userCode;
    private final OutputCollector collector;
    private @Nullable Runnable end;
    private CollectedOutputs outputs = CollectedOutputs.NONE;
    private boolean begun;

    /**
     * Creates a participant that collects nothing yet.
     *
     * @param runtime the runtime in this JVM, if the test or its class uses it
     * @param userCode the methods of the test; executions of parallel tests on the same core come from other threads
     */
    public TestOutputs(
            Settings settings,
            TestJournal lines,
            OutputExpectations rules,
            Optional<TestRuntime> runtime,
            UserCode userCode) {
        this.settings = settings;
        this.lines = lines;
        this.rules = rules;
        this.runtime = runtime;
        this.userCode = userCode;
        this.collector = new OutputCollector(rules);
    }

    /** Returns the collector, which the captures of the test fill too. */
    public OutputCollector collector() {
        return collector;
    }

    @Override
    public void start() {
        begun = true;
        if (runtime.isPresent()) {
            TestRuntime used = runtime.get();
            end = used.runtime().collect(used.cores(), collector, userCode::hasRunOn);
        }
    }

    /** Ends the collection in this JVM. Outputs of later executions belong to no test, except those of its captures. */
    @Override
    public void settle() {
        if (end != null) {
            end.run();
        }
        outputs = collector.collected();
        if (!outputs.isEmpty()) {
            writeKept();
        }
    }

    /** Adds the outputs of captures, which are made after the test has settled. */
    @Override
    public void conclude(TestResult findings) {
        CollectedOutputs settled = outputs;
        outputs = collector.collected();
        if (outputs.isEmpty() || !outputs.equals(settled)) {
            writeKept();
        }
    }

    private void writeKept() {
        for (OutputMeasurement kept : kept()) {
            lines.append(kept);
        }
    }

    @Override
    public List<Verdict> judge(TestResult findings) {
        if (!begun || outputs.isEmpty() && rules.all().isEmpty()) {
            return List.of();
        }
        Expectation<CollectedOutputs> expectation = Expectation.of(rules::judge, rules::ofAbortedBody);
        Judgement judgement = findings.judge(expectation, outputs);
        OutputFailure failure = new OutputFailure(outputs, judgement);
        return List.of(
                lines.verdict(judgement, UndecidedHandling.of(settings, UndecidedKind.OUTPUTS), failure::toError));
    }

    @Override
    public List<OutputMeasurement> evidence(TestResult findings) {
        return kept();
    }

    private List<OutputMeasurement> kept() {
        return outputs.isEmpty() && rules.all().isEmpty() ? List.of() : List.of(new OutputMeasurement(outputs));
    }
}
