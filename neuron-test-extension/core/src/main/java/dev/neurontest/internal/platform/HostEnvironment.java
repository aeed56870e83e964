package dev.neurontest.internal.platform;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Environment variables that point a child process to a host below a directory. They are those of the {@code env.sh} of a served fake, for
 * programs that start without a shell.
 */
final class HostEnvironment {

    private HostEnvironment() {}

    static Map<String, String> of(Path root) {
        Path absolute = root.toAbsolutePath();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("NEURON_FAKE_ROOT", absolute.toString());
        variables.put("PATH", before(absolute.resolve("opt/aws/neuron/bin"), "PATH"));
        variables.put("LD_LIBRARY_PATH", before(absolute.resolve("opt/aws/neuron/lib"), "LD_LIBRARY_PATH"));
        variables.put("PYTHONPATH", before(absolute.resolve("opt/aws/neuron/python"), "PYTHONPATH"));
        return variables;
    }

    private static String before(Path folder, String variable) {
        String inherited = System.getenv().getOrDefault(variable, "");
        return inherited.isEmpty() ? folder.toString() : folder + ":" + inherited;
    }
}
