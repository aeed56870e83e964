package dev.neurontest.internal.report.page;

import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.text.CountText;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A top-level class in the table of all tests.
 *
 * @param all its tests, and the class itself if it did not pass
 * @param tests those that the table lists
 */
record PageClass(List<ReportedTest> all, List<PageTest> tests) {

    private static final Pattern CLASS = Pattern.compile("^.*?\\[class:[^]]*]");

    private static final String INSIDE = " > ";

    /** Returns a text that is the same for all tests of a top-level class. */
    static String key(ReportedTest test) {
        Matcher id = CLASS.matcher(test.id().id());
        return id.lookingAt() ? id.group() : name(test);
    }

    private static String name(ReportedTest test) {
        return test.id().name().split(INSIDE, 2)[0];
    }

    String name() {
        return tests.get(0).name().split(INSIDE, 2)[0];
    }

    /** Returns the number of tests by outcome, such as {@code 32 tests: 31 failed, 1 passed}. */
    String counts() {
        Map<TestOutcome, Long> outcomes = all.stream()
                .filter(ReportedTest::isTest)
                .collect(Collectors.groupingBy(ReportedTest::outcome, TreeMap::new, Collectors.counting()));
        long count = outcomes.values().stream().mapToLong(Long::longValue).sum();
        return count == 0
                ? ""
                : outcomes.entrySet().stream()
                        .map(each -> CountText.of(each.getValue()) + " " + each.getKey())
                        .collect(Collectors.joining(", ", CountText.of(count, "test") + ": ", ""));
    }
}
