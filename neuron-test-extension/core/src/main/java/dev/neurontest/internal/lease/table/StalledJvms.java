package dev.neurontest.internal.lease.table;

import dev.neurontest.internal.lease.store.LeaseState;
import dev.neurontest.internal.lease.store.TicketSlots;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Detector of JVMs in the queue that no longer poll their requests. Only the JVM itself can take its turn. A JVM stopped by a
 * debugger, with its container or by a signal would block all others, and is therefore passed over.
 *
 * <p>The time without a poll is measured in polls of this JVM. So the result depends neither on the clock of another process nor
 * on jumps of this clock. After a pause of the whole machine the other JVM has its full time again.
 */
final class StalledJvms {

    /** The number of polls without a change after which a JVM is passed over. A running JVM changes its request within 0.3 s. */
    static final int POLLS = 10;

    /** The minimum interval between two polls that count separately. */
    static final Duration BETWEEN = Duration.ofMillis(250);

    private final LeaseQueue queue;
    private final TicketSlots tickets;
    private final LeaseNews news;
    private final Map<Integer, Unchanged> unchanged = new HashMap<>();

    /** The reported requests by slot. Their numbers might repeat after the queue was empty. */
    private final Map<Integer, List<Object>> reportedHeads = new HashMap<>();

    /** The number of polls that found a head unchanged, and the time of the last one by the clock of this JVM. */
    private record Unchanged(long number, long beats, int polls, long at) {

        Unchanged next(Head head, long now) {
            if (head.number() != number || head.beats() != beats) {
                return new Unchanged(head.number(), head.beats(), 0, now);
            }
            return now - at < BETWEEN.toNanos() ? this : new Unchanged(number, beats, polls + 1, now);
        }
    }

    StalledJvms(LeaseQueue queue, TicketSlots tickets, LeaseNews news) {
        this.queue = queue;
        this.tickets = tickets;
        this.news = news;
    }

    /** Updates the requests to show that this JVM runs, and checks the requests before its last one. */
    void poll(long now) {
        if (queue.beat()) {
            news.warn(
                    "This JVM did not respond for a while and was passed over: tests of other JVMs got cores before its own. It is back at its place in the queue.");
        }
        Set<Integer> polled = new HashSet<>();
        for (Head head : beforeOwn()) {
            polled.add(head.slot());
            Unchanged latest = unchanged
                    .getOrDefault(head.slot(), new Unchanged(0, 0, 0, now))
                    .next(head, now);
            unchanged.put(head.slot(), latest);
            if (latest.polls() >= POLLS && !head.passedOver()) {
                tickets.pass(head, true);
            }
        }
        unchanged.keySet().retainAll(polled);
        reportHeads();
    }

    /** Returns the requests of other JVMs before the last one of this JVM. */
    private List<Head> beforeOwn() {
        List<Head> heads = tickets.heads();
        Optional<Head> last = heads.stream().filter(queue::isMine).reduce((first, second) -> second);
        return heads.stream()
                .filter(head -> last.isPresent() && head.isBefore(last.get()) && !queue.isMine(head))
                .toList();
    }

    /** Reports the requests that are passed over to the tests of this JVM, once per period. */
    void reportHeads() {
        for (Head head : beforeOwn()) {
            if (head.passedOver()) {
                tickets.ticket(head).ifPresent(this::reportHeads);
            } else {
                reportedHeads.remove(head.slot());
            }
        }
    }

    private void reportHeads(LeaseState.Ticket ticket) {
        List<Object> request = List.of(ticket.head().number(), ticket.jvm(), ticket.holder(), ticket.wants());
        if (!request.equals(reportedHeads.put(ticket.head().slot(), request))) {
            news.warn(
                    "JVM %s does not respond and is passed over: %s waits there for %s. A debugger, a paused container or a signal has stopped it; it takes its turn when it continues."
                            .formatted(ticket.process().pid(), ticket.holder(), ticket.wants()));
        }
    }
}
