package dev.neurontest.lease;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Who has which cores of a host. Among those who share a table no core is leased twice, whoever asked first is served first, and nobody
 * overtakes: a request that could be met waits all the same while an earlier one cannot be, or a holder that wants much would
 * wait for ever.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseTable {

    private final NeuronHost host;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private final Set<Lease> held = new LinkedHashSet<>();
    private final BitSet free = new BitSet();

    /**
     * A table on which everything is free.
     *
     * @param host whose cores it gives out
     */
    public LeaseTable(NeuronHost host) {
        this.host = host;
        free.set(0, host.cores().size());
    }

    /** Somebody in the queue, until it has its lease or goes. */
    private static final class Waiter {

        final Placement placement;
        final Condition turn;
        final Thread thread = Thread.currentThread();
        final long asked = System.nanoTime();

        @Nullable
        Lease lease;

        Waiter(Placement placement, Condition turn) {
            this.placement = placement;
            this.turn = turn;
        }

        Duration waited() {
            return Duration.ofNanos(System.nanoTime() - asked);
        }
    }

    /**
     * Waits for cores and takes them.
     *
     * @param request everything that the holder wants, of which it gets all or nothing
     * @param atMost how long to wait; zero takes what is free now
     * @return the cores
     * @throws InterruptedException when interrupted while waiting; then nothing was taken
     * @throws ImpossibleRequestException at once, when the host could not give it even if nobody held anything
     * @throws UnreadableTopologyException at once, when it asks for connected devices and this host does not show them
     * @throws LeaseTimeoutException when the time is over
     */
    public Lease lease(LeaseRequest request, Duration atMost) throws InterruptedException {
        Placement placement = Placement.of(host, request);
        lock.lock();
        Waiter waiter = new Waiter(placement, lock.newCondition());
        boolean taken = false;
        try {
            waiting.add(waiter);
            serve();
            long left = TimeUnit.NANOSECONDS.convert(atMost);
            while (waiter.lease == null) {
                if (left <= 0) {
                    throw new LeaseTimeoutException(timeout(waiter, atMost), waiter.waited());
                }
                left = waiter.turn.awaitNanos(left);
            }
            taken = true;
            return waiter.lease;
        } finally {
            if (!taken) {
                leave(waiter);
            }
            lock.unlock();
        }
    }

    /**
     * Looks whether a request could be met if nobody held anything.
     *
     * @param request what would be wanted
     * @throws ImpossibleRequestException when this host does not have it
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(CoreRequest request) {
        Placement.of(host, new LeaseRequest("a test", List.of(request)));
    }

    /**
     * Looks whether a request could be met if nobody held anything but certain cores.
     *
     * @param request what would be wanted
     * @param taken cores that stay taken while the holder waits, because it holds them itself
     * @throws ImpossibleRequestException when nothing that others give back would do
     * @throws UnreadableTopologyException when it asks for connected devices and this host does not show them
     */
    public void check(LeaseRequest request, Collection<NeuronCore> taken) {
        BitSet left = new BitSet();
        left.set(0, host.cores().size());
        taken.forEach(core -> left.clear(core.index()));
        if (Placement.of(host, request).fit(left).isEmpty()) {
            throw new ImpossibleRequestException("%s wants %s, which cannot be met while its class holds %s."
                    .formatted(
                            request.holder(),
                            request.description(),
                            taken.stream().map(NeuronCore::name).collect(Collectors.joining(", "))));
        }
    }

    /**
     * What is leased at this moment.
     *
     * @return the longest held first
     */
    public List<Lease> held() {
        lock.lock();
        try {
            return List.copyOf(held);
        } finally {
            lock.unlock();
        }
    }

    void release(Lease lease) {
        lock.lock();
        try {
            if (held.remove(lease)) {
                lease.cores().forEach(core -> free.set(core.index()));
                serve();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whoever goes without its cores may have been the one that the others waited behind. */
    private void leave(Waiter waiter) {
        if (waiter.lease != null) {
            release(waiter.lease);
        } else {
            waiting.remove(waiter);
            serve();
        }
    }

    /** Hands out as long as the first in the queue can be served. */
    private void serve() {
        while (!waiting.isEmpty()) {
            Waiter first = waiting.element();
            Optional<List<List<NeuronCore>>> granted = first.placement.fit(free);
            if (granted.isEmpty()) {
                return;
            }
            waiting.remove();
            Lease lease = new Lease(
                    this,
                    first.placement.request().holder(),
                    first.thread,
                    Instant.now(),
                    first.waited(),
                    granted.get());
            lease.cores().forEach(core -> free.clear(core.index()));
            held.add(lease);
            first.lease = lease;
            first.turn.signal();
        }
    }

    private String timeout(Waiter waiter, Duration atMost) {
        LeaseRequest request = waiter.placement.request();
        String holders = held.stream()
                .map(lease -> "%n  %s: %s (%s, since %s)"
                        .formatted(
                                lease.cores().stream().map(NeuronCore::name).collect(Collectors.joining(", ")),
                                lease.holder(),
                                lease.isOf(waiter.thread) ? "this thread" : "thread " + lease.thread(),
                                lease.since()))
                .collect(Collectors.joining());
        String before = waiting.stream()
                .takeWhile(other -> other != waiter)
                .map(other -> "%n  %s: wants %s (thread %s)"
                        .formatted(
                                other.placement.request().holder(),
                                other.placement.request().description(),
                                other.thread.getName()))
                .collect(Collectors.joining());
        return "%s got no cores within %s. It wants %s; %d of %d cores are free.%n"
                        .formatted(
                                request.holder(),
                                text(atMost),
                                request.description(),
                                free.cardinality(),
                                host.cores().size())
                + (holders.isEmpty() ? "" : "Held by:" + holders + "%n".formatted())
                + (before.isEmpty() ? "" : "Waiting before it:" + before + "%n".formatted())
                + "Let it wait longer, run fewer tests at a time, or look why a holder does not end.";
    }

    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
