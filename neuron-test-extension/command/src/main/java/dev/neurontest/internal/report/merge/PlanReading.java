package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The planned tests of a JVM that did not begin, that is, without their own event after the plan. */
final class PlanReading {

    private final Map<String, TestId> waiting = new LinkedHashMap<>();
    private final List<TestId> lost = new ArrayList<>();
    private final List<TestId> leftOut = new ArrayList<>();
    private final Set<String> templates = new HashSet<>();
    private final Set<String> running = new LinkedHashSet<>();
    private boolean known;
    private boolean givenUp;
    private int number;

    /**
     * Handles an event of a plan.
     *
     * @return false for any other event
     */
    boolean take(RunEvent event) {
        if (event instanceof RunEvent.Planned planned) {
            known = true;
            waiting.put(planned.test().id(), planned.test());
        } else if (event instanceof RunEvent.TemplateFinished template) {
            begun(template.test());
            templates.add(template.test().id());
        } else if (event instanceof RunEvent.PlanFinished) {
            moveTo(leftOut);
            number++;
        } else if (event instanceof RunEvent.PlanGivenUp up) {
            givenUp = true;
            running.addAll(up.running());
            moveTo(lost);
            number++;
        } else {
            return false;
        }
        return true;
    }

    private void moveTo(Collection<TestId> tests) {
        tests.addAll(waiting.values());
        waiting.clear();
    }

    /** Removes a test that has its own event. */
    void begun(TestId test) {
        waiting.remove(test.id());
    }

    /** Checks whether the JVM wrote a plan; tests that run without JUnit's launcher have none. */
    boolean isKnown() {
        return known;
    }

    /** Returns the number of the current plan: that of the plans before it that ended. */
    int number() {
        return number;
    }

    /** Checks whether JUnit's launcher threw an exception during the execution of a plan. */
    boolean isGivenUp() {
        return givenUp;
    }

    /** Returns names of the tests that ran when JUnit gave up. */
    Collection<String> running() {
        return running;
    }

    /** Returns tests of plans that did not end. */
    List<TestId> lost() {
        List<TestId> all = new ArrayList<>(lost);
        all.addAll(waiting.values());
        return all;
    }

    /** Returns tests that JUnit skipped in a plan that it finished. */
    List<TestId> leftOut() {
        return leftOut;
    }

    /** Returns ids of the templates that have run all invocations. */
    Set<String> templates() {
        return templates;
    }
}
