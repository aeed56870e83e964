package dev.neurontest.internal.report;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Tests that did not pass for the same cause: the same rules on the same counters, or the same message. Cores do not distinguish
 * causes. Values distinguish them only between tests, not between invocations of one test.
 *
 * @param tests at least one test, in the order of the run
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record FailureGroup(List<ReportedTest> tests) {

    private static final String PLACE = "neuron\\d+(?:/neuron_core\\d+)?";

    /** Places in a row. The pattern is possessive, because a recursive call for each of some thousand cores would be too deep. */
    private static final Pattern PLACES =
            Pattern.compile("(?:core \\d+ \\()?%s(?:,? (?:and )?+%s)*+\\)?".formatted(PLACE, PLACE));

    /** Numbers with their units. A number inside a word, such as in {@code p50}, is a part of a name. */
    private static final Pattern QUANTITY = Pattern.compile(
            "(?<![A-Za-z_0-9])[+-]?\\d[\\d.,_]*(?:[eE][+-]?\\d+)?(?: ?(?:ns|us|µs|ms|s|min|h|bytes?|B|[KMGT]i?B|%)(?![A-Za-z]))?");

    /** Values that assertions quote. */
    private static final Pattern QUOTED = Pattern.compile("<[^<>]*>|\"[^\"]*\"");

    private static final Pattern HEAD = Pattern.compile("^((?:[\\w$]++\\.)++[\\w$]+:)?\\s*(.*)");

    private static final int LONGEST = 2_000;

    /**
     * A cause.
     *
     * @param outcome outcome of the tests
     * @param mistake true for a mistake in the test
     * @param text text of the cause with all values
     * @param form the text without values
     */
    private record Cause(TestOutcome outcome, boolean mistake, String text, String form) {

        static Cause of(ReportedTest test) {
            List<String> rules = Stream.concat(
                            test.violations().stream().map(Cause::rule),
                            test.undecided().stream().map(Cause::rule))
                    .map(rule -> PLACES.matcher(rule).replaceAll("…"))
                    .distinct()
                    .sorted()
                    .toList();
            String message = PLACES.matcher(test.reason().orElse("")).replaceAll("…");
            String beginning = message.substring(0, Math.min(message.length(), LONGEST));
            if (rules.isEmpty()) {
                return new Cause(test.outcome(), test.isMistake(), message, masked(beginning));
            }
            // A message may begin with the failure of the body, which has another cause than the rules.
            String judged = String.join("\n", rules);
            String head = "\n" + head(beginning);
            return new Cause(
                    test.outcome(),
                    test.isMistake(),
                    judged + head,
                    QUANTITY.matcher(judged).replaceAll("#") + head);
        }

        private static String rule(Violation violation) {
            return violation.rule() + "\n" + violation.subject();
        }

        private static String rule(Undecided undecided) {
            return undecided.rule() + "\n" + undecided.reason();
        }

        private static String head(String message) {
            return HEAD.matcher(message)
                    .results()
                    .map(found -> (found.group(1) == null ? "" : found.group(1)) + masked(found.group(2)))
                    .findFirst()
                    .orElse("");
        }

        private static String masked(String text) {
            return QUANTITY.matcher(QUOTED.matcher(text).replaceAll("#")).replaceAll("#");
        }

        Cause inAnyTest() {
            return new Cause(outcome, mistake, text, "");
        }

        Cause in(String test) {
            return new Cause(outcome, mistake, test, form);
        }
    }

    /** Creates an instance with a copy of the list. */
    public FailureGroup {
        tests = List.copyOf(tests);
    }

    /**
     * Groups tests by their causes.
     *
     * @param tests tests that did not pass
     * @return groups in the order of their first tests; mistakes in tests are at the end
     */
    public static List<FailureGroup> of(Collection<ReportedTest> tests) {
        List<Cause> causes = tests.stream().map(Cause::of).toList();
        Map<Cause, String> testOf = new HashMap<>();
        Map<Cause, Boolean> common = new HashMap<>();
        int index = 0;
        for (ReportedTest test : tests) {
            Cause any = causes.get(index++).inAnyTest();
            String name = test.id().test();
            common.merge(any, !testOf.computeIfAbsent(any, absent -> name).equals(name), Boolean::logicalOr);
        }
        Map<Cause, List<ReportedTest>> groups = new LinkedHashMap<>();
        index = 0;
        for (ReportedTest test : tests) {
            Cause cause = causes.get(index++);
            Cause any = cause.inAnyTest();
            groups.computeIfAbsent(
                            common.getOrDefault(any, false)
                                    ? any
                                    : cause.in(test.id().test()),
                            absent -> new ArrayList<>())
                    .add(test);
        }
        return groups.values().stream()
                .map(FailureGroup::new)
                .sorted(Comparator.comparing(FailureGroup::isMistake))
                .toList();
    }

    /** Returns the groups of a run: of its failed, lost and undecided tests. */
    public static List<FailureGroup> of(RunReport report) {
        return of(report.tests().stream()
                .filter(test -> test.outcome().compareTo(TestOutcome.UNDECIDED) <= 0)
                .toList());
    }

    /** Returns the number of tests in groups. */
    public static int tests(Collection<FailureGroup> groups) {
        return groups.stream().mapToInt(group -> group.tests.size()).sum();
    }

    /** Returns the test that is shown in full. */
    public ReportedTest first() {
        return tests.get(0);
    }

    /** Returns the tests after the first one. */
    public List<ReportedTest> others() {
        return tests.subList(1, tests.size());
    }

    /** Checks whether the tests failed by a mistake in them. */
    public boolean isMistake() {
        return first().isMistake();
    }
}
