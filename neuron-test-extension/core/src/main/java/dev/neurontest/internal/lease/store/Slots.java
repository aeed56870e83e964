package dev.neurontest.internal.lease.store;

/**
 * The content of a table, and its slots, each of which one table of one JVM can lock at a time. What was never written is zero. A number is
 * read and written as a whole; its position is a multiple of its length.
 */
interface Slots {

    long get(long position);

    void set(long position, long value);

    boolean compareAndSet(long position, long expected, long value);

    byte[] read(long position, int length);

    void write(long position, byte[] content);

    /** Returns whether other JVMs read what this one writes. */
    boolean isShared();

    /** Returns the number by which this table locks slots. */
    long self();

    /** Returns whether the JVM of a table that has locked a slot has ended. */
    boolean isDead(long owner);

    /** Verifies that other JVMs find the same content. */
    void requireInPlace();

    /** Locks a slot by its number of the owner, unless a table has it locked that lives. */
    default boolean tryLock(long lock) {
        long owner = get(lock);
        return !isLocked(owner) && compareAndSet(lock, owner, self());
    }

    /** Returns whether an owner is a table that lives. */
    default boolean isLocked(long owner) {
        return owner != 0 && (owner == self() || !isDead(owner));
    }

    default void unlock(long lock) {
        compareAndSet(lock, self(), 0);
    }
}
