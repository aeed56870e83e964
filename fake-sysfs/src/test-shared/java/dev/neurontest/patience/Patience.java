package dev.neurontest.patience;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.NullMarked;

/**
 * How long tests wait for what will happen. It is long, since only what fails takes it, and everything grows with the system
 * property {@code test.patience}: {@code mvn -Dtest.patience=3} on a machine that is slow or busy.
 */
@NullMarked
public final class Patience {

    private static final String PROPERTY = "test.patience";
    private static final int LARGEST = 1000;

    /** By then it has surely happened: 60 s, unless the property says more. */
    public static final Duration LIMIT = Duration.ofSeconds(60).multipliedBy(factor(System.getProperty(PROPERTY, "1")));

    private Patience() {}

    /**
     * Waits for a condition up to the {@linkplain #LIMIT limit}, in place of Awaitility's own 10 s.
     *
     * @return what to wait for is said on it
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
