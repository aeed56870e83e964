package dev.neurontest.internal.lifecycle;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The tests that JUnit Pioneer also judges, by their body only, with a hint for their failures. */
final class PioneerHint {

    private static final String RETRYING = "org.junitpioneer.jupiter.RetryingTest";

    private static final Map<String, String> SENTENCES = Map.of(
            "org.junitpioneer.jupiter.ExpectedToFail",
            "@ExpectedToFail covers only the body of the test, but this failure was found after it. To expect the failure, assert"
                    + " it in the body, and allow an error counter with @AllowCounter.",
            RETRYING,
            "@RetryingTest covers only the body of the test, but this failure was found after it. To retry it, assert it"
                    + " in the body, and allow an error counter with @AllowCounter; @RetryOnAnotherCore retries when a"
                    + " core is suspect.");

    private PioneerHint() {}

    /** Returns the hint for failures found after the body; empty if there is no such extension. */
    static String of(ExtensionContext context) {
        Set<String> present = annotations(context);
        List<String> sentences = new ArrayList<>();
        for (Map.Entry<String, String> entry : SENTENCES.entrySet()) {
            if (present.contains(entry.getKey())) {
                sentences.add(entry.getValue());
            }
        }
        return String.join(" ", sentences);
    }

    /** Returns whether a test is an attempt of {@code @RetryingTest}. */
    static boolean isAttempt(ExtensionContext context) {
        return annotations(context).contains(RETRYING);
    }

    private static Set<String> annotations(ExtensionContext context) {
        Set<String> present = new HashSet<>();
        if (context.getTestMethod().isPresent()) {
            collect(context.getTestMethod().get(), present);
        }
        return present;
    }

    /** Collects annotations by name, because the other library might be absent. */
    private static void collect(AnnotatedElement element, Set<String> present) {
        for (Annotation annotation : element.getAnnotations()) {
            if (present.add(annotation.annotationType().getName())) {
                collect(annotation.annotationType(), present);
            }
        }
    }
}
