package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.store.LeaseState.Ticket;
import dev.neurontest.internal.lease.store.SlotText.MalformedSlotException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The queue: a slot for each waiting request, locked by its JVM. A new request takes a number larger than all visible numbers, as
 * in Lamport's bakery algorithm, so no global lock is needed. Of equal numbers the lower slot is first.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TicketSlots {

    static final int COUNT = 256;
    static final int HEAD = 64;
    private static final int STUCK = 8;
    private static final int FLAGS = 16;
    private static final int PASSED_OVER = 24;
    static final int OWNER = 32;

    /** The number of heads in a block. The first head of each block is not used. */
    private static final int OF_A_BLOCK = SharedSlots.BLOCK / HEAD;

    private static final int WITHIN = 1;
    private static final int KEEPS = 2;

    /** The size of a text. */
    private static final int TEXT = 2048;

    static final long HEADS = 0;
    static final long TEXTS = 32_768;
    static final long END = TEXTS + (long) COUNT * TEXT;

    private final Slots slots;

    TicketSlots(Slots slots) {
        this.slots = slots;
    }

    /**
     * A request in the queue, without its text.
     *
     * @param within true if its test names leases that it keeps
     * @param keeps true if its test keeps cores during the wait
     * @param stuck the hash of a situation in which waiting is useless; 0 if there is none
     * @param beats the number of times that its JVM has polled it
     * @param passedOver true if its JVM does not answer
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Head(
            int slot, long number, boolean within, boolean keeps, long stuck, long beats, boolean passedOver) {

        /** Checks whether this request is before another. */
        public boolean isBefore(Head other) {
            return compare(this, other) < 0;
        }

        private static int compare(Head first, Head second) {
            int order = Long.compare(first.number, second.number);
            return order == 0 ? Integer.compare(first.slot, second.slot) : order;
        }
    }

    /** Returns all waiting requests in their order. Some might belong to ended JVMs. */
    public List<Head> heads() {
        List<Head> heads = new ArrayList<>();
        for (int slot = 0; slot < COUNT; slot++) {
            long number = slots.get(head(slot));
            if (number > 0) {
                heads.add(head(slot, number));
            }
        }
        if (heads.size() > 1) {
            heads.sort(Head::compare);
        }
        return heads;
    }

    private Head head(int slot, long number) {
        long flags = slots.get(head(slot) + FLAGS);
        return new Head(
                slot,
                number,
                (flags & WITHIN) != 0,
                (flags & KEEPS) != 0,
                slots.get(head(slot) + STUCK),
                flags >>> 2,
                slots.get(head(slot) + PASSED_OVER) == number);
    }

    private static long head(int slot) {
        return HEADS + (long) slot * HEAD;
    }

    private static long text(int slot) {
        return TEXTS + (long) slot * TEXT;
    }

    /**
     * Enters the queue at its end.
     *
     * @param before the waiting requests
     * @throws LeaseTableException if no slot is free
     */
    public Head enter(Ticket ticket, boolean keeps, List<Head> before) {
        byte[] text = SlotText.write(List.of(ticket), TEXT);
        Set<Integer> used = before.stream().map(Head::slot).collect(Collectors.toSet());
        long last = before.isEmpty() ? 0 : before.get(before.size() - 1).number();
        int first = ThreadLocalRandom.current().nextInt(COUNT / 8);
        for (int i = 0; i < COUNT; i++) {
            int slot = (first + i) % COUNT;
            if (slot % OF_A_BLOCK > 0 && !used.contains(slot) && slots.tryLock(owner(slot))) {
                if (slots.get(head(slot)) == 0) {
                    slots.write(text(slot), text);
                    Head head = new Head(
                            slot,
                            last == Long.MAX_VALUE ? last : last + 1,
                            !ticket.within().isEmpty(),
                            keeps,
                            0,
                            0,
                            false);
                    pass(head, false);
                    write(head);
                    slots.set(head(slot), head.number());
                    return head;
                }
                slots.unlock(owner(slot));
            }
        }
        throw new LeaseTableException(
                "%s requests already wait for cores of this host".formatted(COUNT - COUNT / OF_A_BLOCK));
    }

    private static long owner(int slot) {
        return head(slot) + OWNER;
    }

    /** Writes the fields that only the JVM of a request changes. */
    public void write(Head head) {
        slots.set(head(head.slot()) + STUCK, head.stuck());
        slots.set(
                head(head.slot()) + FLAGS,
                head.beats() << 2 | (head.keeps() ? KEEPS : 0) | (head.within() ? WITHIN : 0));
    }

    /** Marks that the JVM of a request does not answer, or answers again. Until it answers, others are served before it. */
    public void pass(Head head, boolean over) {
        slots.set(head(head.slot()) + PASSED_OVER, over ? head.number() : 0);
    }

    /** Removes a request from the queue. If this JVM counted as ended, the slot might belong to another request and is not changed. */
    public void leave(Head head) {
        if (slots.get(owner(head.slot())) == slots.self()) {
            slots.set(head(head.slot()), 0);
            slots.unlock(owner(head.slot()));
        }
    }

    /** Reads the text of a request; empty if it has left the queue. */
    public Optional<Ticket> ticket(Head head) {
        try {
            return SlotText.read(slots.read(text(head.slot()), TEXT), List.of(Ticket.class)).stream()
                    .map(Ticket.class::cast)
                    .map(ticket -> ticket.at(head))
                    .filter(ticket -> slots.get(head(head.slot())) == head.number())
                    .findFirst();
        } catch (MalformedSlotException removed) {
            return Optional.empty();
        }
    }

    /** Removes a request of an ended JVM. Returns whether it was removed. */
    public boolean removeDead(Head head) {
        boolean dead = slots.tryLock(owner(head.slot()));
        if (dead) {
            leave(head);
        }
        return dead;
    }
}
