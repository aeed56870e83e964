package dev.neurontest.internal.output;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import dev.neurontest.internal.text.VisibleText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The expectations of a test about its outputs, with the goldens as they were before the test began. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class OutputExpectations {

    private static final String ELSEWHERE =
            "Execute the model with a LoadedModel, or capture it. Outputs of other programs are not read.";

    private final List<OutputExpectation> expectations;
    private final Map<OutputExpectation, Golden> goldens = new LinkedHashMap<>();

    private OutputExpectations(List<OutputExpectation> expectations) {
        this.expectations = List.copyOf(expectations);
    }

    /**
     * Reads the goldens of a test.
     *
     * @throws IllegalArgumentException when a golden is missing, unreadable, or matches wrong outputs
     */
    public static OutputExpectations read(List<OutputExpectation> expectations) {
        OutputExpectations read = new OutputExpectations(expectations);
        for (OutputExpectation each : expectations) {
            if (each.golden().isPresent()) {
                read.goldens.put(each, golden(each, each.golden().get()));
            }
        }
        return read;
    }

    private static Golden golden(OutputExpectation expectation, Path file) {
        try {
            return Golden.read(file, expectation.dtype(), expectation.allowed());
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(expectation.words() + ": " + refused.getMessage(), refused);
        }
    }

    boolean isEmpty() {
        return expectations.isEmpty();
    }

    /** Returns the expectation for an output. */
    Optional<OutputExpectation> of(String output) {
        return named(output).or(() -> named(OutputExpectation.EACH));
    }

    private Optional<OutputExpectation> named(String output) {
        return expectations.stream()
                .filter(each -> each.output().equals(output))
                .findFirst();
    }

    Optional<Golden> golden(OutputExpectation expectation) {
        return Optional.ofNullable(goldens.get(expectation));
    }

    /** Judges the outputs of a test. */
    public Judgement judge(CollectedOutputs outputs) {
        List<Judgement> judgements = new ArrayList<>();
        judgements.add(ofAbortedBody(outputs));
        for (OutputExpectation each : expectations) {
            judgements.add(unseen(each, outputs));
        }
        return Judgement.of(judgements);
    }

    /** Judges only the outputs that exist. A body that was aborted was free to execute nothing. */
    public Judgement ofAbortedBody(CollectedOutputs outputs) {
        List<Judgement> judgements = new ArrayList<>();
        for (OutputSeries series : outputs.series()) {
            judgements.add(series.judgement());
        }
        for (Map.Entry<OutputExpectation, Golden> golden : goldens.entrySet()) {
            Optional<String> change = golden.getValue().change();
            if (change.isPresent()) {
                judgements.add(changed(golden.getKey(), golden.getValue(), change.get()));
            }
        }
        return Judgement.of(judgements);
    }

    private static Judgement changed(OutputExpectation expectation, Golden golden, String change) {
        return Judgement.of(new Violation(
                expectation.words(),
                "golden " + golden.file(),
                "a file from before the test",
                change,
                "A golden that the test writes is its own output. Create it from a reference outside the test."));
    }

    /** Returns why outputs were not examined, for each place where a model was executed. */
    private Judgement unseen(OutputExpectation expectation, CollectedOutputs outputs) {
        if (outputs.executed().isEmpty()) {
            return undecided(
                    expectation, "No model was executed in the JVM of the test or by the profiler. " + ELSEWHERE);
        }
        List<String> names = outputs.executed().stream()
                .flatMap(each -> each.outputs().stream())
                .distinct()
                .toList();
        boolean isEach = expectation.output().equals(OutputExpectation.EACH);
        if (names.isEmpty()) {
            boolean isJudged = outputs.series().stream()
                    .anyMatch(series -> series.expectation().equals(Optional.of(expectation)));
            return isJudged ? Judgement.NOTHING : undecided(expectation, "The executed models have no outputs.");
        }
        if (!isEach && !names.contains(expectation.output())) {
            return Judgement.of(new Violation(
                    expectation.words(),
                    expectation.subject(),
                    "an output of an executed model",
                    "none: %s has %s"
                            .formatted(
                                    outputs.executed().get(0).model(),
                                    ListText.of(names, name -> "\"%s\"".formatted(VisibleText.line(name)))),
                    "Correct the name in the annotation, or execute the model that has this output."));
        }
        return Judgement.of(outputs.executed().stream()
                .flatMap(model -> model.outputs().stream()
                        .filter(name -> of(name).equals(Optional.of(expectation)))
                        .filter(name -> outputs.series().stream().noneMatch(series -> series.isOf(model, name)))
                        .map(name -> undecided(expectation, whyNotExamined(model))))
                .toList());
    }

    private static String whyNotExamined(ExecutedModel model) {
        return model.completed() > 0
                ? "The output of %s was not read after its last execution%s."
                        .formatted(
                                model.place(),
                                model.lastFailure().isEmpty() ? "" : ", which ended with " + model.lastFailure())
                : "No execution of %s completed, so there is no output. The last of %s ended with %s."
                        .formatted(model.place(), CountText.of(model.executions(), "execution"), model.lastFailure());
    }

    private static Judgement undecided(OutputExpectation expectation, String reason) {
        return Judgement.of(new Undecided(expectation.words(), expectation.subject(), reason));
    }

    /** Returns the expectations. */
    public List<OutputExpectation> all() {
        return expectations;
    }
}
