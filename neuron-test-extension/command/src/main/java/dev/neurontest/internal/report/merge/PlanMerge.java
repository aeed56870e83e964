package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Comparison of the plans of a JVM with its executions. */
final class PlanMerge {

    private static final int SHOWN = 3;

    private final RunMerge.Part part;
    private final boolean running;
    private final List<TestId> lost;

    /**
     * Creates a comparison and finds the lost planned tests.
     *
     * @param part a JVM
     * @param running true if the JVM may still run its tests
     * @param begun executions that began and did not end; a template that contains one of these is not counted again
     */
    PlanMerge(RunMerge.Part part, boolean running, List<TestExecution> begun) {
        this.part = part;
        this.running = running;
        this.lost = part.reading().plan().lost().stream()
                .filter(test -> begun.stream().noneMatch(inside -> inside.isIn(test)))
                .toList();
    }

    /** Returns the tests that did not begin and never will. */
    List<ReportedTest> lost() {
        return running ? List.of() : lost.stream().map(this::reported).toList();
    }

    private ReportedTest reported(TestId test) {
        String reason = part.reading().plan().isGivenUp()
                ? "JUnit gave up%s, before the test had run".formatted(during())
                : "%s was killed before the test had run".formatted(part.name());
        return new TestExecution(
                        part.jvm().file(),
                        test,
                        part.jvm().ended(),
                        part.reading().plan().number())
                .report(part.index(), TestOutcome.LOST, Optional.of(reason), List.of());
    }

    /** Returns a problem if JUnit did not execute its plan to the end. */
    Optional<String> givenUp() {
        return part.reading().plan().isGivenUp()
                ? Optional.of("JUnit gave up%s, for example after an OutOfMemoryError: %s (%s, %s)"
                        .formatted(
                                during(),
                                lost.isEmpty() ? "no planned Neuron test is lost, but a later plan may be" : lostText(),
                                part.name(),
                                part.jvm().file()))
                : Optional.empty();
    }

    private String during() {
        Collection<String> tests = part.reading().plan().running();
        return tests.isEmpty() ? "" : " during " + ListText.apart(tests, SHOWN);
    }

    /** Returns the sentence about planned tests of a killed JVM. */
    String killed() {
        if (!part.reading().plan().isKnown()) {
            return "Tests that it had not begun are in no report.";
        }
        return lost.isEmpty() ? "All its planned tests had begun." : lostText() + ".";
    }

    private String lostText() {
        return "%s %s lost: %s"
                .formatted(CountText.of(lost.size(), "planned test"), lost.size() == 1 ? "is" : "are", names(lost));
    }

    /** Returns a problem if JUnit's execution was cancelled before all planned tests. */
    Optional<String> leftOut() {
        List<TestId> tests = part.reading().plan().leftOut();
        return tests.isEmpty()
                ? Optional.empty()
                : Optional.of("%s not run, because JUnit's execution was cancelled, for example by fail-fast: %s (%s)"
                        .formatted(
                                CountText.of(tests.size(), "planned test") + (tests.size() == 1 ? " was" : " were"),
                                names(tests),
                                part.jvm().file()));
    }

    private static String names(List<TestId> tests) {
        return ListText.apart(tests.stream().map(TestId::name).toList(), SHOWN);
    }
}
