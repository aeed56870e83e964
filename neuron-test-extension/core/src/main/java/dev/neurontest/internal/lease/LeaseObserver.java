package dev.neurontest.internal.lease;

import org.apiguardian.api.API;

/**
 * Is told what happens at a table besides leases. Calls come on any thread that uses the table, one after another or at the same
 * time, without any lock held. What an observer throws is logged and goes no further.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface LeaseObserver {

    /**
     * The JVM of a holder has ended. Of all who share the table, the one that notices is told.
     *
     * @param dead what it held
     */
    default void holderDied(DeadHolder dead) {}

    /**
     * A core came into quarantine, by this JVM, or was seen there for the first time.
     *
     * @param quarantine which core, and why
     */
    default void quarantined(Quarantine quarantine) {}

    /**
     * A core that was seen in quarantine is out of it.
     *
     * @param quarantine what it was in for
     * @param how what ended it, for a person
     */
    default void cleared(Quarantine quarantine, String how) {}

    /**
     * Something a person should know of.
     *
     * @param notice such as that a core was handed out although a process outside the table has its device open
     */
    default void warned(String notice) {}

    /**
     * A request waits for some time already, or waits for something else than it was said to; and when it was said to wait, that it
     * has its cores. A wait that ends otherwise ends with an exception.
     *
     * @param notice a sentence or some in one line: who has the cores, who waits before it
     */
    default void waiting(String notice) {}
}
