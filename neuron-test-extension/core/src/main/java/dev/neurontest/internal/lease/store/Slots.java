package dev.neurontest.internal.lease.store;

/**
 * The content of a table, and its slots. Only one table of one JVM can lock a slot at a time. Unwritten content is zero. Numbers
 * are read and written atomically; their positions are multiples of their length.
 */
interface Slots {

    long get(long position);

    void set(long position, long value);

    boolean compareAndSet(long position, long expected, long value);

    byte[] read(long position, int length);

    void write(long position, byte[] content);

    /** Checks whether other JVMs can read the content. */
    boolean isShared();

    /** Returns the number of this table as owner of locks. */
    long self();

    /** Checks whether the JVM of the owner of a lock has ended. */
    boolean isDead(long owner);

    /** Verifies that other JVMs find the same content. */
    void requireInPlace();

    /** Locks a slot by the position of its owner, unless a live table has locked it. */
    default boolean tryLock(long lock) {
        long owner = get(lock);
        return !isLocked(owner) && compareAndSet(lock, owner, self());
    }

    /** Checks whether an owner is a live table. */
    default boolean isLocked(long owner) {
        return owner != 0 && (owner == self() || !isDead(owner));
    }

    default void unlock(long lock) {
        compareAndSet(lock, self(), 0);
    }
}
