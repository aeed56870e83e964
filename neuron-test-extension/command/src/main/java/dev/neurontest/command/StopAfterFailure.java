package dev.neurontest.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.ConfigurationParameters;

/** Skips what comes after a failure, where {@code neuron-test run --fail-fast} asked for it; JUnit finds it by itself. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class StopAfterFailure implements ExecutionCondition {

    private static final String DETECTION = "junit.jupiter.extensions.autodetection.enabled";
    private static final String DETECTED = "junit.jupiter.extensions.autodetection.include";

    private static volatile @Nullable String failure;

    /** JUnit makes it. */
    public StopAfterFailure() {}

    /** From now on everything is skipped. */
    static void after(String failed) {
        failure = failed;
    }

    /** What makes JUnit find this extension, and none that the user did not want. */
    static Map<String, String> parameters(ConfigurationParameters given) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String mine = StopAfterFailure.class.getName();
        boolean wanted = given.getBoolean(DETECTION).orElse(false);
        Optional<String> others = wanted ? Optional.of(given.get(DETECTED).orElse("*")) : Optional.empty();
        parameters.put(DETECTION, "true");
        parameters.put(DETECTED, others.map(patterns -> patterns + "," + mine).orElse(mine));
        return parameters;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String first = failure;
        return first == null
                ? ConditionEvaluationResult.enabled("nothing failed so far")
                : ConditionEvaluationResult.disabled(
                        "%s failed before, and --fail-fast was asked for".formatted(first));
    }
}
