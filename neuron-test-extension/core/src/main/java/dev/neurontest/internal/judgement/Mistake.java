package dev.neurontest.internal.judgement;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A failure by a mistake in the test or its settings, and not by what the device did. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Mistake {

    /** Rule that a parameter without a resolver violates. */
    public static final String UNRESOLVED = "parameters of Neuron Test are in classes with @NeuronTest";

    /** Rule that an annotation in a place where nothing reads it violates. */
    public static final String UNCHECKED = "annotations of Neuron Test are on tests of JUnit Jupiter";

    private static final Set<String> RULES = Set.of(UNRESOLVED, UNCHECKED);

    /** Beginnings of the text of exceptions. JUnit also wraps failures of the device in a {@code ParameterResolutionException}. */
    private static final Pattern EXCEPTION = Pattern.compile("^(?:"
            + "org\\.junit\\.jupiter\\.api\\.extension\\.(?:ExtensionConfigurationException"
            + "|TemplateInvocationValidationException"
            + "|ParameterResolutionException(?=: (?:No ParameterResolver|Discovered multiple)))"
            + "|org\\.junit\\.jupiter\\.params\\.(?:converter\\.ArgumentConversionException|aggregator\\.ArgumentAccessException)"
            + "|org\\.junit\\.platform\\.commons\\.PreconditionViolationException"
            + "|dev\\.neurontest\\.internal\\.configuration\\.BadSettingException"
            + "|dev\\.neurontest\\.counter\\.CounterNameException"
            + "|dev\\.neurontest\\.runtime\\.NeffException(?=: .* does not exist)"
            + "|dev\\.neurontest\\.internal\\.lease\\.ImpossibleRequestException"
            + ")(?::\\s*|$)");

    private Mistake() {}

    /**
     * Checks whether a test failed by a mistake alone.
     *
     * @param reason text of the exception
     * @param violations violated expectations; one about the device is no mistake
     */
    public static boolean is(String reason, List<Violation> violations) {
        return violations.stream().map(Violation::rule).allMatch(RULES::contains)
                && (!violations.isEmpty() || EXCEPTION.matcher(reason).lookingAt());
    }

    /** Returns the text of a failure for the run file. JUnit wraps a mistake that it meets when it resolves a parameter. */
    public static String reason(Throwable failure) {
        @Nullable Throwable cause = failure.getCause();
        return cause != null
                        && failure.getClass().getName().endsWith(".ParameterResolutionException")
                        && EXCEPTION.matcher(cause.toString()).lookingAt()
                ? cause.toString()
                : failure.toString();
    }

    /** Returns a reason without the name of an exception that only says that it is a mistake. */
    public static String message(String reason) {
        return EXCEPTION.matcher(reason).replaceFirst("");
    }
}
