package dev.neurontest.internal.runtime.library;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apiguardian.api.API;

/** Instructions for setting or removing environment variables of the test JVM in a build. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestJvmEnvironment {

    private final Map<String, String> set = new TreeMap<>();
    private final Set<String> removed = new LinkedHashSet<>();

    public TestJvmEnvironment set(String name, String value) {
        set.put(name, value);
        return this;
    }

    public TestJvmEnvironment remove(String name) {
        removed.add(name);
        return this;
    }

    public String text() {
        if (set.isEmpty() && removed.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("Maven (Surefire), in <configuration>:\n");
        if (!set.isEmpty()) {
            text.append("    <environmentVariables>\n");
            set.forEach((name, value) -> text.append("      <%1$s>%2$s</%1$s>\n".formatted(name, value)));
            text.append("    </environmentVariables>\n");
        }
        if (!removed.isEmpty()) {
            text.append("    <excludedEnvironmentVariables>\n");
            removed.forEach(name -> text.append(
                    "      <excludedEnvironmentVariable>%s</excludedEnvironmentVariable>\n".formatted(name)));
            text.append("    </excludedEnvironmentVariables>\n");
        }
        text.append("Gradle:\n    tasks.test {\n");
        set.forEach((name, value) -> text.append("        environment(\"%s\", \"%s\")\n".formatted(name, value)));
        removed.forEach(name -> text.append("        environment.remove(\"%s\")\n".formatted(name)));
        return text.append("    }").toString();
    }
}
