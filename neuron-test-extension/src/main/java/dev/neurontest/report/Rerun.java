package dev.neurontest.report;

import dev.neurontest.evidence.TestId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command that runs a test again. */
final class Rerun {

    private static final Pattern CLASS = Pattern.compile("\\[class(?:-template)?:([^\\]]+)\\]");
    private static final Pattern NESTED = Pattern.compile("\\[nested-class(?:-template)?:([^\\]]+)\\]");
    private static final Pattern METHOD = Pattern.compile("\\[(?:method|test-template|test-factory):([^(\\]]+)\\(");

    private Rerun() {}

    /** For Maven; empty where the id does not say which class it is. */
    static String command(TestId test) {
        Matcher type = CLASS.matcher(test.id());
        if (!type.find()) {
            return "";
        }
        StringBuilder name = new StringBuilder(type.group(1));
        Matcher nested = NESTED.matcher(test.id());
        while (nested.find()) {
            name.append('$').append(nested.group(1));
        }
        Matcher method = METHOD.matcher(test.id());
        if (method.find()) {
            name.append('#').append(method.group(1));
        }
        return "mvn test '-Dtest=%s'".formatted(name);
    }
}
