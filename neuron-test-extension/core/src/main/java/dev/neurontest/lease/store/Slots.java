package dev.neurontest.lease.store;

import java.util.Collection;

/** The content of a table, and its slots, each of which one table of one JVM can lock at a time. What nobody wrote is zero. */
interface Slots {

    byte[] read(long position, int length);

    void write(long position, byte[] content);

    /** Locks a slot; false when it is locked, by this JVM or another process. */
    boolean tryLock(int slot);

    void unlock(int slot);

    /** Returns whether the kernel still has locks that were taken: other code of this JVM drops them when it closes the file. */
    boolean holds(Collection<Integer> slots);

    /** Verifies that other JVMs find the same content. */
    void requireInPlace();
}
