package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import java.util.List;

/** The tests on a core before and after a test, and their failures that the core may have caused. */
record PageHistory(
        ReportedCore core,
        List<ReportedTest> earlier,
        List<ReportedTest> failures,
        List<ReportedTest> later,
        List<ReportedQuarantine> quarantines) {

    private static final int MOST_NAMED = 3;

    static PageHistory of(ReportedCore core, ReportedTest test, CoreStory story) {
        List<ReportedTest> earlier = story.before(core, test);
        List<ReportedQuarantine> quarantines = story.quarantines(core);
        return new PageHistory(
                core,
                earlier,
                earlier.stream()
                        .filter(each -> canComeFromCore(each, quarantines))
                        .toList(),
                story.after(core, test),
                quarantines);
    }

    /** Returns whether a test failed in a way that a core can cause. A failed assertion without a trace of the hardware is not one. */
    private static boolean canComeFromCore(ReportedTest test, List<ReportedQuarantine> quarantines) {
        return test.outcome() == TestOutcome.LOST
                || test.outcome() == TestOutcome.FAILED
                        && (test.retries() > 0
                                || !PageTimeline.MovedError.of(test).isEmpty()
                                || quarantines.stream()
                                        .anyMatch(each ->
                                                each.test().equals(test.id().name())));
    }

    /** Returns whether the core had failures or quarantines. */
    boolean isRemarkable() {
        return !failures.isEmpty() || failedAfter() > 0 || !quarantines.isEmpty();
    }

    String before() {
        return count(earlier);
    }

    String after() {
        return count(later);
    }

    private static String count(List<ReportedTest> tests) {
        return tests.isEmpty() ? "" : CountText.of(tests.size(), "test");
    }

    int failedBefore() {
        return failures.size();
    }

    List<ReportedTest> lastFailures() {
        return failures.subList(isOlder() ? failedBefore() - MOST_NAMED : 0, failedBefore());
    }

    /** Checks whether there are failures before the listed ones. */
    boolean isOlder() {
        return failedBefore() > MOST_NAMED;
    }

    long failedAfter() {
        return later.stream().filter(each -> canComeFromCore(each, quarantines)).count();
    }
}
