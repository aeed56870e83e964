package dev.neurontest.internal.evidence;

import org.apiguardian.api.API;

/**
 * A test, or the container that a lease belongs to.
 *
 * @param id JUnit's unique id; empty where it is not known
 * @param name its display names for a person, such as {@code InferenceTest > oneCore()}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record TestId(String id, String name) {

    /** No test: the lease of the runtime in this JVM, which lends its cores to tests. */
    public static final TestId RUNTIME = new TestId("runtime", "the runtime in this JVM");

    /** No test: what is leased for all tests of a session. */
    public static final TestId SESSION = new TestId("session", "all tests of a session");

    /** What stands between the display names of a container and of what is in it. */
    private static final String INSIDE = " > ";

    /** A part of a unique id that counts the invocations of a template. */
    private static final String INVOCATION = "/\\[[a-z-]*-invocation:[^]]*]";

    /**
     * Whether it is the same in another JVM. The display name of an invocation may be another there, such as one with the hash of an
     * object in it, and the unique id where another engine runs it.
     *
     * @param other of a test or a container
     * @return whether they have the id or the name in common
     */
    public boolean isSameAs(TestId other) {
        return !id.isEmpty() && id.equals(other.id) || name.equals(other.name);
    }

    /**
     * Returns whether it is a class, a class template, or one invocation of that.
     *
     * @return false for a test, and for what is leased for a session or a runtime
     */
    public boolean isContainer() {
        int last = id.lastIndexOf("/[") + 1;
        return id.startsWith("[class", last) || id.startsWith("[nested-class", last);
    }

    /**
     * The test that this is one invocation of.
     *
     * @return equal for all invocations, repetitions and attempts of a test
     */
    public String test() {
        return id.isEmpty() ? name : id.replaceAll(INVOCATION, "");
    }

    /**
     * Whether it is a test, or a container of it, also in another JVM.
     *
     * @param other a test
     * @return whether what is leased for this is leased for the other, too
     */
    public boolean isOrHolds(TestId other) {
        return isSameAs(other) || other.id.startsWith(id + "/") || other.isOf(name);
    }

    /**
     * Whether it is a test that a name stands for, or in what the name stands for.
     *
     * @param holder of cores
     * @return whether it has this name, or is in what has it
     */
    public boolean isOf(String holder) {
        return name.equals(holder) || name.startsWith(holder + INSIDE);
    }
}
