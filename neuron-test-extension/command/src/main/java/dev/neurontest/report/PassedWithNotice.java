package dev.neurontest.report;

import dev.neurontest.text.CountText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** What tests noticed that passed all the same, such as NaN in a print that no demand is about: green, and worth a look. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class PassedWithNotice {

    private PassedWithNotice() {}

    /**
     * Each notice once, however many tests have it. Of other tests the notices stand with the tests.
     *
     * @param report of the run
     * @return such as {@code BertTest > t() and 2 more tests: counters did not settle within 2 s}, in the order of the report
     */
    public static List<String> of(RunReport report) {
        Map<String, List<String>> tests = new LinkedHashMap<>();
        report.tests().stream()
                .filter(test -> test.outcome() == TestOutcome.PASSED)
                .forEach(test -> test.notices().stream()
                        .distinct()
                        .forEach(notice -> tests.computeIfAbsent(notice, absent -> new ArrayList<>())
                                .add(test.id().name())));
        return tests.entrySet().stream()
                .map(each -> line(each.getKey(), each.getValue()))
                .toList();
    }

    private static String line(String notice, List<String> tests) {
        String others = tests.size() == 1 ? "" : " and " + CountText.of(tests.size() - 1L, "more test");
        return "%s%s: %s".formatted(tests.get(0), others, notice);
    }
}
