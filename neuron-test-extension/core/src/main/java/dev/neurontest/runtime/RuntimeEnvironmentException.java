package dev.neurontest.runtime;

import dev.neurontest.internal.runtime.library.TestJvmEnvironment;
import dev.neurontest.internal.text.VisibleText;
import java.util.List;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Thrown when variables from the start of this JVM are incompatible with the tests. The message contains each variable with its reason,
 * and a correct way to start the JVM.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RuntimeEnvironmentException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RuntimeEnvironmentException(List<String> reasons, TestJvmEnvironment advice) {
        super(VisibleText.of(reasons.stream()
                .map("\n  "::concat)
                .collect(Collectors.joining(
                        "",
                        "The Neuron runtime cannot be opened with the environment of this JVM:",
                        "\n" + advice.text()))));
    }
}
