package dev.neurontest.internal.plan;

import dev.neurontest.internal.evidence.TestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
        StringBuilder name = new StringBuilder();
        for (UniqueId.Segment segment : UniqueId.parse(test.id()).getSegments()) {
            if (!NOT_WITHIN_THE_CLASS.contains(segment.getType())) {
                name.append(part(segment.getValue()));
            }
        }
        return name.toString();
    }

    private static String part(String segment) {
        Matcher method = METHOD.matcher(segment);
        if (!method.matches()) {
            return segment.startsWith("#") ? "[" + segment.substring(1) + "]" : "[" + segment + "]";
        }
        List<String> types = new ArrayList<>();
        for (String type : method.group(2).split(",")) {
            types.add(type.strip().replaceFirst("^.*[.$]", ""));
        }
        return method.group(1) + "(" + String.join(", ", types) + ")";
    }
}
