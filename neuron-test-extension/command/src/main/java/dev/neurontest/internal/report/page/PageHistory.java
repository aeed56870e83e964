package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.text.CountText;
import java.util.List;

/** The results of other tests on a core, before and after a test. They show whether the core may have caused a failure. */
record PageHistory(
        CoreStory.Core core,
        List<ReportedTest> earlier,
        List<ReportedTest> failures,
        List<ReportedTest> later,
        List<ReportedQuarantine> quarantines) {

    private static final int MOST_NAMED = 3;

    static PageHistory of(CoreStory.Core core, ReportedTest test, CoreStory story) {
        List<ReportedTest> earlier = story.before(core, test);
        return new PageHistory(
                core,
                earlier,
                earlier.stream().filter(ReportedTest::hasFailed).toList(),
                story.after(core, test),
                story.quarantines(core));
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
        return later.stream().filter(ReportedTest::hasFailed).count();
    }
}
