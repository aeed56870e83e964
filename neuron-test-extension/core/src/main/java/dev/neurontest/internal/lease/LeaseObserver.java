package dev.neurontest.internal.lease;

import org.apiguardian.api.API;

/**
 * An observer of events of a table other than leases. Any thread that uses the table may call it, also several threads at the
 * same time. The caller holds no lock. Exceptions of the observer are logged and ignored.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface LeaseObserver {

    /**
     * Called when the JVM of a holder has ended. Only the JVM that detects this is notified.
     *
     * @param dead the lease of the dead JVM
     */
    default void holderDied(DeadHolder dead) {}

    /**
     * Called when this JVM puts a core into quarantine, or first detects a core in quarantine.
     *
     * @param quarantine the core and the reason
     */
    default void quarantined(Quarantine quarantine) {}

    /**
     * Called when a known quarantine has ended.
     *
     * @param quarantine the ended quarantine
     * @param how the event that ended it, for people
     */
    default void cleared(Quarantine quarantine, String how) {}

    /**
     * Called with a warning for people.
     *
     * @param notice for example that a leased core is on a device that a process without a lease has open
     */
    default void warned(String notice) {}

    /**
     * Called when a request has waited for some time, when the reason of the wait changes, and when a reported wait ends with a
     * lease. Any other wait ends with an exception.
     *
     * @param notice one or more sentences in a line: the holders of the cores and the earlier requests
     */
    default void waiting(String notice) {}
}
