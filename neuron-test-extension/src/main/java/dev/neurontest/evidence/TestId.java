package dev.neurontest.evidence;

import org.apiguardian.api.API;

/**
 * A test, or the container that a lease belongs to.
 *
 * @param id JUnit's unique id
 * @param name its display names for a person, such as {@code InferenceTest > oneCore()}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestId(String id, String name) {

    /** No test: the lease of the runtime in this JVM, which lends its cores to tests. */
    public static final TestId RUNTIME = new TestId("runtime", "the runtime in this JVM");

    /** What stands between the display names of a container and of what is in it. */
    private static final String INSIDE = " > ";

    /**
     * Whether it is a test, or a container of it.
     *
     * @param other the name of a test
     * @return whether what is leased for this is leased for the other, too
     */
    public boolean isOrHolds(String other) {
        return new TestId(id, other).isOf(name);
    }

    /** Whether it has this name, or is in what has it. */
    boolean isOf(String holder) {
        return name.equals(holder) || name.startsWith(holder + INSIDE);
    }
}
