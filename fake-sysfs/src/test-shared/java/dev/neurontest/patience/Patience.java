package dev.neurontest.patience;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.NullMarked;

/**
 * The time limit of tests for expected events. It is long, because only failing tests use all of it. The system
 * property {@code test.patience} multiplies it: {@code mvn -Dtest.patience=3} on a machine that is slow or busy.
 */
@NullMarked
public final class Patience {

    private static final String PROPERTY = "test.patience";
    private static final int LARGEST = 1000;

    /** The limit: 60 s times the factor in the property. */
    public static final Duration LIMIT = Duration.ofSeconds(60).multipliedBy(factor(System.getProperty(PROPERTY, "1")));

    private Patience() {}

    /**
     * Waits for a condition up to the {@linkplain #LIMIT limit}, instead of Awaitility's default of 10 s.
     *
     * @return the factory that takes the condition
     */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(LIMIT);
    }

    static int factor(String text) {
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > LARGEST) {
            throw new IllegalArgumentException("The system property " + PROPERTY + " is \"" + text
                    + "\", expected a whole number from 1 to " + LARGEST
                    + ", by which all limits of tests are multiplied.");
        }
        return Integer.parseInt(text);
    }
}
