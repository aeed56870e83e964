package dev.neurontest.internal.report.merge;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.RunReport;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names of tests without the types of injected parameters. Types remain where they distinguish overloads. A name that the test gives
 * itself is not changed.
 */
final class ShownNames {

    /** A method in a unique id: its kind, its name, and its types. */
    private static final Pattern METHOD =
            Pattern.compile("/\\[(method|test-template|test-factory):([^(\\]]+)\\(([^)\\]]*)\\)]");

    /** Types that are injected into a template next to its arguments: those of this library, and {@code TestInfo} or similar. */
    private static final Pattern INJECTED = Pattern.compile("dev\\.neurontest\\.|org\\.junit\\.jupiter\\.api\\.");

    private static final String INSIDE = " > ";

    /** The signatures with the same short name, by class and short name. */
    private final Map<String, Set<String>> signatures = new HashMap<>();

    private ShownNames() {}

    /** Returns the report with short names. */
    static RunReport in(RunReport report) {
        ShownNames names = new ShownNames();
        report.executions().forEach(test -> names.add(test.id()));
        Map<String, String> shown = new HashMap<>();
        report.executions()
                .forEach(test ->
                        shown.put(test.id().name(), names.shown(test.id()).name()));
        return new RunReport(
                report.jvms(),
                report.tests().stream().map(test -> test.named(names::shown)).toList(),
                report.quarantines().stream()
                        .map(each -> each.ofTest(shown.getOrDefault(each.test(), each.test())))
                        .toList(),
                report.hostErrors(),
                report.notices(),
                report.problems());
    }

    private void add(TestId test) {
        Matcher method = METHOD.matcher(test.id());
        if (method.find()) {
            signatures
                    .computeIfAbsent(key(test, method), absent -> new HashSet<>())
                    .add(method.group());
        }
    }

    private static String key(TestId test, Matcher method) {
        return test.id().substring(0, method.start() + 1) + shortened(method);
    }

    /** Returns the method with the types of its arguments. Only a template has arguments, so all types of other methods are injected. */
    private static String shortened(MatchResult method) {
        return method.group(1).equals("test-template")
                ? call(
                        method,
                        types(method).stream()
                                .filter(type -> !INJECTED.matcher(type).lookingAt())
                                .toList())
                : call(method, List.of());
    }

    private static List<String> types(MatchResult method) {
        return Arrays.asList(method.group(3).split(", "));
    }

    private static String call(MatchResult method, List<String> types) {
        return types.stream()
                .map(type -> type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1))
                .collect(Collectors.joining(", ", method.group(2) + "(", ")"));
    }

    private TestId shown(TestId test) {
        Matcher method = METHOD.matcher(test.id());
        if (!method.find()) {
            return test;
        }
        String shortened = shortened(method);
        String byJUnit = call(method, types(method));
        boolean isNeeded = signatures.getOrDefault(key(test, method), Set.of()).size() > 1;
        return isNeeded
                ? test
                : new TestId(
                        test.id(),
                        Arrays.stream(test.name().split(INSIDE))
                                .map(part -> part.equals(byJUnit) ? shortened : part)
                                .collect(Collectors.joining(INSIDE)));
    }
}
