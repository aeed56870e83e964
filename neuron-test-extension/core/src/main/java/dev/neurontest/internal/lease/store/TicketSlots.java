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
 * The queue: a slot for each request that waits, which its JVM has locked. A request takes a number that is larger than all that it
 * sees, as in Lamport's bakery, so that nothing has to be locked for it. Of equal numbers the one in the lower slot is first.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TicketSlots {

    static final int COUNT = 256;
    static final int HEAD = 64;
    private static final int STUCK = 8;
    private static final int FLAGS = 16;
    private static final int PASSED_OVER = 24;
    static final int OWNER = 32;

    /** The first head of each block is not used. */
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
     * @param within whether its test holds cores that it names
     * @param keeps whether its test keeps cores while it waits
     * @param stuck what it would have to wait for in vain, as a number; 0 nothing
     * @param beats how often its JVM has looked at it
     * @param passedOver whether its JVM does not answer
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Head(
            int slot, long number, boolean within, boolean keeps, long stuck, long beats, boolean passedOver) {

        /** Returns whether it came before another one. */
        public boolean isBefore(Head other) {
            return compare(this, other) < 0;
        }

        private static int compare(Head one, Head other) {
            int order = Long.compare(one.number, other.number);
            return order == 0 ? Integer.compare(one.slot, other.slot) : order;
        }
    }

    /** Returns all that wait, first come, first. Some may be of JVMs that have ended. */
    public List<Head> heads() {
        List<Head> heads = new ArrayList<>();
        for (int slot = 0; slot < COUNT; slot++) {
            long number = slots.get(head(slot));
            if (number > 0) {
                heads.add(head(slot, number));
            }
        }
        heads.sort(Head::compare);
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
     * @param before those that wait already
     * @throws LeaseTableException when no slot is free
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
                "%s requests wait for cores of this host already".formatted(COUNT - COUNT / OF_A_BLOCK));
    }

    private static long owner(int slot) {
        return head(slot) + OWNER;
    }

    /** Writes what only the JVM of a request does. */
    public void write(Head head) {
        slots.set(head(head.slot()) + STUCK, head.stuck());
        slots.set(
                head(head.slot()) + FLAGS,
                head.beats() << 2 | (head.keeps() ? KEEPS : 0) | (head.within() ? WITHIN : 0));
    }

    /** Notes that the JVM of a request does not answer, or answers again. Others are served before it meanwhile. */
    public void pass(Head head, boolean over) {
        slots.set(head(head.slot()) + PASSED_OVER, over ? head.number() : 0);
    }

    /** Leaves the queue. Where this JVM counted as ended, the slot may belong to another request and stays as it is. */
    public void leave(Head head) {
        if (slots.get(owner(head.slot())) == slots.self()) {
            slots.set(head(head.slot()), 0);
            slots.unlock(owner(head.slot()));
        }
    }

    /** Returns the text of a request; empty when it has left. */
    public Optional<Ticket> ticket(Head head) {
        try {
            return SlotText.read(slots.read(text(head.slot()), TEXT), List.of(Ticket.class)).stream()
                    .map(Ticket.class::cast)
                    .map(ticket -> ticket.at(head))
                    .filter(ticket -> slots.get(head(head.slot())) == head.number())
                    .findFirst();
        } catch (MalformedSlotException left) {
            return Optional.empty();
        }
    }

    /** Removes a request whose JVM has ended; returns whether it is gone. */
    public boolean removeDead(Head head) {
        boolean dead = slots.tryLock(owner(head.slot()));
        if (dead) {
            leave(head);
        }
        return dead;
    }
}
