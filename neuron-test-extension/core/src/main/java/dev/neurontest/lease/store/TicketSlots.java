package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.store.SlotText.MalformedSlotException;
import dev.neurontest.lease.store.TableState.Ticket;
import dev.neurontest.process.ProcessIdentity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The queue: a slot for each request that waits, which its JVM keeps locked. A request takes a number that is larger than all that it
 * sees, as in Lamport's bakery, so that nothing has to be locked for it. Of equal numbers the one in the lower slot is first.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TicketSlots {

    static final int COUNT = 256;
    private static final int HEAD = 32;
    private static final int PASSED_OVER = 24;
    private static final int WITHIN = 1;
    private static final int KEEPS = 2;

    /** The size of a text. */
    private static final int TEXT = 2048;

    static final long HEADS = 0;
    static final long TEXTS = 32_768;

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
            return ORDER.compare(this, other) < 0;
        }
    }

    private static final Comparator<Head> ORDER =
            Comparator.comparingLong(Head::number).thenComparing(Head::slot);

    /** Returns all that wait, first come, first. Some may be of JVMs that have ended. */
    public List<Head> heads() {
        ByteBuffer all = ByteBuffer.wrap(slots.read(HEADS, COUNT * HEAD));
        List<Head> heads = new ArrayList<>();
        for (int slot = 0; slot < COUNT; slot++) {
            if (all.getLong(slot * HEAD) > 0) {
                heads.add(head(slot, all, slot * HEAD));
            }
        }
        heads.sort(ORDER);
        return heads;
    }

    private static Head head(int slot, ByteBuffer from, int at) {
        long flags = from.getLong(at + 2 * Long.BYTES);
        return new Head(
                slot,
                from.getLong(at),
                (flags & WITHIN) != 0,
                (flags & KEEPS) != 0,
                from.getLong(at + Long.BYTES),
                flags >>> 2,
                from.getLong(at + PASSED_OVER) != 0);
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
            if (!used.contains(slot) && slots.tryLock(slot)) {
                if (isFree(slot)) {
                    slots.write(text(slot), text);
                    Head head = new Head(
                            slot,
                            last == Long.MAX_VALUE ? last : last + 1,
                            !ticket.within().isEmpty(),
                            keeps,
                            0,
                            0,
                            false);
                    write(head, HEAD);
                    return head;
                }
                slots.unlock(slot);
            }
        }
        throw new LeaseTableException("%s requests wait for cores of this host already".formatted(COUNT));
    }

    private boolean isFree(int slot) {
        return ByteBuffer.wrap(slots.read(head(slot), Long.BYTES)).getLong() == 0;
    }

    /** Writes what only the JVM of a request does. */
    public void write(Head head) {
        write(head, PASSED_OVER);
    }

    private void write(Head head, int length) {
        ByteBuffer written = ByteBuffer.allocate(length)
                .putLong(head.number())
                .putLong(head.stuck())
                .putLong(head.beats() << 2 | (head.keeps() ? KEEPS : 0) | (head.within() ? WITHIN : 0));
        slots.write(head(head.slot()), written.array());
    }

    /** Notes that the JVM of a request does not answer, or answers again. Others are served before it meanwhile. */
    public void pass(Head head, boolean over) {
        slots.write(head(head.slot()) + PASSED_OVER, ByteBuffer.allocate(Long.BYTES)
                .putLong(over ? 1 : 0)
                .array());
    }

    /** Leaves the queue. */
    public void leave(Head head) {
        slots.write(head(head.slot()), new byte[HEAD]);
        slots.unlock(head.slot());
    }

    /** Returns the text of a request; empty when it has left. */
    public Optional<Ticket> ticket(Head head) {
        try {
            return SlotText.read(slots.read(text(head.slot()), TEXT), List.of(Ticket.class)).stream()
                    .map(Ticket.class::cast)
                    .map(ticket -> ticket.at(head))
                    .findFirst();
        } catch (MalformedSlotException left) {
            return Optional.empty();
        }
    }

    /**
     * Removes a request whose JVM has ended.
     *
     * @param lives whether a JVM without the lock lives: other code of it may have closed the file
     * @return whether it is gone
     */
    public boolean removeDead(Head head, BiPredicate<String, ProcessIdentity> lives) {
        if (!slots.tryLock(head.slot())) {
            return false;
        }
        boolean dead = ticket(head)
                .filter(ticket -> lives.test(ticket.jvm(), ticket.process()))
                .isEmpty();
        if (dead) {
            slots.write(head(head.slot()), new byte[HEAD]);
        }
        slots.unlock(head.slot());
        return dead;
    }

    /** Gives the first requests their place on the disk, so that a full disk keeps nobody from waiting. */
    void allocate() {
        int block = 4096;
        for (int position = 0; position < TEXTS; position += block) {
            slots.write(position + block - 1L, new byte[1]);
        }
        for (int slot = 0; slot < COUNT / 4; slot++) {
            slots.write(text(slot), new byte[1]);
        }
    }
}
