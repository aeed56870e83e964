package dev.neurontest.internal.plan;

import dev.neurontest.internal.evidence.TestId;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.junit.platform.engine.UniqueId;

/** The name of a test in a baseline file. It is the same in every run, and short enough for a code review. */
@API(status = API.Status.INTERNAL)
public final class BaselineName {

    private static final Set<String> NOT_WITHIN_THE_CLASS =
            Set.of("engine", "suite", "class", "nested-class", "class-template", "nested-class-template");

    private static final Pattern METHOD = Pattern.compile("([^(]+)\\((.*)\\)");

    private BaselineName() {}

    /** Returns the name of a test, such as {@code inference(int)[1]}. */
    public static String of(TestId test) {
        return UniqueId.parse(test.id()).getSegments().stream()
                .filter(segment -> !NOT_WITHIN_THE_CLASS.contains(segment.getType()))
                .map(segment -> part(segment.getValue()))
                .collect(Collectors.joining());
    }

    private static String part(String segment) {
        Matcher method = METHOD.matcher(segment);
        if (!method.matches()) {
            return segment.startsWith("#") ? "[" + segment.substring(1) + "]" : "[" + segment + "]";
        }
        return method.group(1)
                + Arrays.stream(method.group(2).split(","))
                        .map(type -> type.strip().replaceFirst("^.*[.$]", ""))
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
