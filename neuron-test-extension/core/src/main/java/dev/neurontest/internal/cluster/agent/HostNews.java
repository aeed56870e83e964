package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.lease.DeadHolder;
import dev.neurontest.internal.lease.LeaseObserver;
import dev.neurontest.internal.lease.Quarantine;
import java.util.List;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * An event of the lease table of a host, or a notice of its agent.
 *
 * @param kind the kind of the event
 * @param holder the holder of the cores; empty for a notice
 * @param cores the names of the cores on their host
 * @param text the reason of a quarantine, or the notice
 * @param how the event that ended a quarantine
 * @param pid the process of the holder
 * @param survivors the processes of a dead holder that still run
 * @param suspect true if the cores of a quarantine are suspect
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record HostNews(
        Kind kind,
        String holder,
        List<String> cores,
        String text,
        String how,
        long pid,
        List<String> survivors,
        boolean suspect) {

    /** The kinds of events. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** A core went into quarantine. */
        QUARANTINED,
        /** A quarantine has ended. */
        CLEARED,
        /** The process of a holder has ended without releasing its cores. */
        HOLDER_DIED,
        /** A warning for people. */
        WARNED,
        /** A notice for people who watch the run: what a request waits for. */
        WAITING
    }

    private static HostNews of(Kind kind, String text) {
        return new HostNews(kind, "", List.of(), text, "", 0, List.of(), false);
    }

    /** Returns a warning for people. */
    static HostNews warning(String notice) {
        return of(Kind.WARNED, notice);
    }

    /** Returns an observer of a lease table that passes its events on. */
    static LeaseObserver observer(Consumer<HostNews> receiver) {
        return new LeaseObserver() {
            @Override
            public void holderDied(DeadHolder dead) {
                receiver.accept(new HostNews(
                        Kind.HOLDER_DIED,
                        dead.holder(),
                        dead.cores().stream().map(NeuronCore::name).toList(),
                        "",
                        "",
                        dead.pid(),
                        dead.survivors().stream().map(String::valueOf).toList(),
                        false));
            }

            @Override
            public void quarantined(Quarantine quarantine) {
                receiver.accept(of(Kind.QUARANTINED, quarantine, ""));
            }

            @Override
            public void cleared(Quarantine quarantine, String how) {
                receiver.accept(of(Kind.CLEARED, quarantine, how));
            }

            @Override
            public void warned(String notice) {
                receiver.accept(warning(notice));
            }

            @Override
            public void waiting(String notice) {
                receiver.accept(HostNews.of(Kind.WAITING, notice));
            }
        };
    }

    private static HostNews of(Kind kind, Quarantine quarantine, String how) {
        return new HostNews(
                kind,
                quarantine.holder(),
                List.of(quarantine.core()),
                quarantine.reason(),
                how,
                quarantine.pid(),
                List.of(),
                quarantine.until().isSuspect());
    }
}
