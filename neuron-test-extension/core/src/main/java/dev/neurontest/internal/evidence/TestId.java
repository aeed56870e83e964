package dev.neurontest.internal.evidence;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A test, or the container that a lease belongs to.
 *
 * @param id JUnit's unique id; empty if unknown
 * @param name its display names for people, such as {@code InferenceTest > oneCore()}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestId(String id, String name) {

    /** Pseudo test for the lease of the runtime in this JVM, which lends its cores to tests. */
    public static final TestId RUNTIME = new TestId("runtime", "the runtime in this JVM");

    /** Pseudo test for the leases of all tests of a session. */
    public static final TestId SESSION = new TestId("session", "all tests of a session");

    /** The separator between the display names of a container and of its tests. */
    private static final String INSIDE = " > ";

    /** The part of a unique id that counts the invocations of a template. */
    private static final String INVOCATION = "/\\[[a-z-]*-invocation:[^]]*]";

    // The methods of a record would be linked when the first test of a JVM starts, which takes some milliseconds.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TestId test && test.id.equals(id) && test.name.equals(name);
    }

    @Override
    public int hashCode() {
        return 31 * id.hashCode() + name.hashCode();
    }

    /**
     * Checks whether this is the same test, possibly in another JVM. The display name of an invocation might differ there, for
     * example if it contains the hash of an object. The unique id differs if another engine runs the test.
     *
     * @return true if they have the id or the name in common
     */
    public boolean isSameAs(TestId other) {
        return !id.isEmpty() && id.equals(other.id) || name.equals(other.name);
    }

    /**
     * Checks whether this is a class, a class template, or an invocation of a class template.
     *
     * @return false for a test, and for the leases of a session or a runtime
     */
    public boolean isContainer() {
        int last = id.lastIndexOf("/[") + 1;
        return id.startsWith("[class", last) || id.startsWith("[nested-class", last);
    }

    /**
     * Returns the test of this invocation.
     *
     * @return equal for all invocations, repetitions and attempts of a test
     */
    public String test() {
        return id.isEmpty() ? name : id.replaceAll(INVOCATION, "");
    }

    /**
     * Checks whether this is a given test or a container of it, possibly in another JVM.
     *
     * @return true if leases for this are also leases for the given test
     */
    public boolean isOrHolds(TestId other) {
        return isSameAs(other) || other.id.startsWith(id + "/") || other.isOf(name);
    }

    /**
     * Checks whether this has a given name, or is inside a container of that name.
     *
     * @param holder the name of a holder of cores
     */
    public boolean isOf(String holder) {
        return name.equals(holder) || name.startsWith(holder + INSIDE);
    }
}
