package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.LeaseTableException;
import dev.neurontest.internal.lease.store.LeaseState.Claim;
import dev.neurontest.internal.lease.store.LeaseState.EndedLease;
import dev.neurontest.internal.lease.store.LeaseState.QuarantineEntry;
import dev.neurontest.internal.lease.store.LeaseState.Suspect;
import dev.neurontest.internal.lease.store.LeaseState.Ticket;
import dev.neurontest.internal.lease.store.SlotText.MalformedSlotException;
import dev.neurontest.internal.process.ProcessIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The slots of the cores. A lock on the slot of a physical core gives exclusive use of that core. The content of a slot names the
 * holder, for people and for JVMs that find the lock free. Only the owner of the lock writes it. A word for each slot counts its
 * changes and has two bits: whether the core is leased, and whether it is in quarantine.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreSlots {

    private static final int OF_A_DEVICE = 16;
    private static final int COUNT = 496;
    private static final long WORDS = 16_392;
    private static final long OWNERS = 20_488;

    /**
     * The position of the number of slots up to the last slot ever written. The number never decreases. It shares a page with the
     * words.
     */
    static final long USED = WORDS + COUNT * (long) Long.BYTES;

    /** The end of the numbers. Only texts follow. */
    static final long NUMBERS_END = OWNERS + COUNT * (long) Long.BYTES;

    private static final long CONTENTS = 1 << 20;

    /** The size of a copy of a content. Each slot has two copies: one is valid while the other is written. */
    private static final int CONTENT = 4 * SharedSlots.BLOCK;

    static final long END = CONTENTS + 2L * COUNT * CONTENT;
    private static final int LEASED = 1;
    private static final int BARRED = 2;
    private static final int FLAGS = 2;
    private static final int ATTEMPTS = 20;
    private static final int PAUSES = 5;
    private static final long PAUSE = 20_000;
    private static final int FEW = 4;

    /** The number of ended leases of a core that are kept for their neighbours. */
    static final int REMEMBERED = 8;

    private static final Pattern NAME = Pattern.compile("neuron(\\d{1,2})/neuron_core(\\d{1,2})");
    private static final List<Class<? extends Record>> TYPES =
            List.of(Claim.class, QuarantineEntry.class, Suspect.class, EndedLease.class);

    private static final Map<String, Integer> SLOTS = new ConcurrentHashMap<>();

    private final Slots slots;
    private final Map<Integer, Known> decoded = new ConcurrentHashMap<>();

    /** The content that belongs to a word. */
    private record Known(long word, Content content) {}

    CoreSlots(Slots slots) {
        this.slots = slots;
    }

    /**
     * The content of a slot.
     *
     * @param claim the lease of the core; null if the core is free
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Content(
            @Nullable Claim claim, List<QuarantineEntry> barred, List<Suspect> suspects, List<EndedLease> past) {

        static final Content NONE = new Content(null, List.of(), List.of(), List.of());

        public Content with(@Nullable Claim claim) {
            return new Content(claim, barred, suspects, past);
        }

        public Content with(List<QuarantineEntry> barred) {
            return new Content(claim, List.copyOf(barred), suspects, past);
        }

        public Content suspecting(List<Suspect> suspects) {
            return new Content(claim, barred, List.copyOf(suspects), past);
        }

        public Content after(List<EndedLease> past) {
            return new Content(claim, barred, suspects, List.copyOf(last(past, REMEMBERED)));
        }

        /** Checks whether the core belongs to a lease. */
        public boolean isOf(long lease) {
            return claim != null && claim.number() == lease;
        }

        /** Returns this content with only the last few processes. */
        private Content shortened() {
            return new Content(
                    claim == null ? null : claim.with(few(claim.processes())),
                    barred.stream()
                            .skip(Math.max(0, barred.size() - FEW))
                            .map(entry -> entry.until(few(entry.processes()), entry.lock()))
                            .toList(),
                    suspects,
                    past);
        }

        private static List<ProcessIdentity> few(List<ProcessIdentity> processes) {
            return last(processes, FEW);
        }

        private static <T> List<T> last(List<T> all, int most) {
            return all.subList(Math.max(0, all.size() - most), all.size());
        }

        private List<Record> records() {
            List<Record> records = new ArrayList<>();
            if (claim != null) {
                records.add(claim);
            }
            records.addAll(barred);
            records.addAll(suspects);
            records.addAll(past);
            return records;
        }
    }

    public static List<Integer> slots(Collection<String> cores) {
        Set<Integer> slots = new TreeSet<>();
        for (String core : cores) {
            for (String physical : LeaseState.physical(core)) {
                slots.add(slot(physical));
            }
        }
        return List.copyOf(slots);
    }

    private static int slot(String physical) {
        Integer slot = SLOTS.get(physical);
        if (slot == null) {
            slot = parse(physical);
            SLOTS.put(physical, slot);
        }
        return slot;
    }

    private static int parse(String physical) {
        Matcher name = NAME.matcher(physical);
        if (!name.matches()
                || Integer.parseInt(name.group(1)) >= COUNT / OF_A_DEVICE
                || Integer.parseInt(name.group(2)) >= OF_A_DEVICE) {
            throw new LeaseTableException("The lease table has no slot for a core with the name " + physical);
        }
        return TicketSlots.COUNT + Integer.parseInt(name.group(1)) * OF_A_DEVICE + Integer.parseInt(name.group(2));
    }

    private static int number(int slot) {
        return slot - TicketSlots.COUNT;
    }

    /** Returns the slots of all cores on the same device as a slot. */
    public static List<Integer> device(int slot) {
        int first = slot - number(slot) % OF_A_DEVICE;
        List<Integer> slots = new ArrayList<>();
        for (int core = 0; core < OF_A_DEVICE; core++) {
            slots.add(first + core);
        }
        return slots;
    }

    /** Returns the leased cores and those in quarantine. */
    LeaseState state(List<Ticket> queue) {
        Map<Integer, Content> taken = new TreeMap<>();
        // Backwards, because a lease releases its lowest core first. A core of a lease is therefore never seen without
        // the cores
        // before it.
        for (int slot = TicketSlots.COUNT + used() - 1; slot >= TicketSlots.COUNT; slot--) {
            long word = word(slot);
            if ((word & (LEASED | BARRED)) != 0) {
                Content content = content(slot, word);
                // A damaged content, for example after a power failure, occupies no core. Only its lock can.
                if (isTaken(content) || word(slot) != word) {
                    taken.put(slot, content);
                }
            }
        }
        return new LeaseState(
                taken,
                queue,
                slot -> word(slot) == 0 ? List.of() : content(slot).past());
    }

    /**
     * Returns the number of slots after which all are empty. Returns the number of all slots if none was written or the stored
     * number is invalid.
     */
    private int used() {
        long used = slots.get(USED);
        return used <= 0 || used > COUNT ? COUNT : (int) used;
    }

    /** Updates the number of used slots to include a slot. */
    private void use(int slot) {
        long used = slots.get(USED);
        while ((used <= number(slot) || used > COUNT)
                && !slots.compareAndSet(USED, used, Math.max(number(slot), lastWritten()) + 1L)) {
            used = slots.get(USED);
        }
    }

    private int lastWritten() {
        int last = COUNT - 1;
        while (last >= 0 && word(TicketSlots.COUNT + last) == 0) {
            last--;
        }
        return last;
    }

    static String nameOf(int slot) {
        return "neuron" + number(slot) / OF_A_DEVICE + "/neuron_core" + number(slot) % OF_A_DEVICE;
    }

    private long word(int slot) {
        return slots.get(WORDS + (long) number(slot) * Long.BYTES);
    }

    private static long owner(int slot) {
        return OWNERS + (long) number(slot) * Long.BYTES;
    }

    /** Reads the current content of a slot. */
    public Content content(int slot) {
        return content(slot, word(slot));
    }

    private Content content(int slot, long word) {
        Known last = decoded.get(slot);
        if (!slots.isShared()) {
            return last == null ? Content.NONE : last.content();
        }
        if (last != null && last.word() == word) {
            return last.content();
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long now = word(slot);
            Content content = read(slot, now);
            if (word(slot) == now) {
                decoded.put(slot, new Known(now, content));
                return content;
            }
        }
        return Content.NONE;
    }

    private Content read(int slot, long word) {
        try {
            long position = position(slot, word >>> FLAGS);
            byte[] begin = slots.read(position, SharedSlots.BLOCK);
            boolean isAll = SlotText.length(begin) <= SharedSlots.BLOCK;
            return content(SlotText.read(isAll ? begin : slots.read(position, CONTENT), TYPES));
        } catch (MalformedSlotException writtenByNoJvm) {
            return Content.NONE;
        }
    }

    private static Content content(List<Record> records) {
        List<Claim> claims = all(records, Claim.class);
        return new Content(
                claims.isEmpty() ? null : claims.get(0),
                all(records, QuarantineEntry.class),
                all(records, Suspect.class),
                all(records, EndedLease.class));
    }

    private static <T> List<T> all(List<Record> records, Class<T> type) {
        List<T> all = new ArrayList<>();
        for (Record each : records) {
            if (type.isInstance(each)) {
                all.add(type.cast(each));
            }
        }
        return List.copyOf(all);
    }

    private static long position(int slot, long version) {
        return CONTENTS + (2L * number(slot) + (version & 1)) * CONTENT;
    }

    /** Writes the content of a slot that this JVM has locked. */
    public void write(int slot, Content content) {
        use(slot);
        long version = (word(slot) >>> FLAGS) + 1;
        if (slots.isShared()) {
            slots.write(position(slot, version), text(content));
        }
        long word = version << FLAGS
                | (content.claim() == null ? 0 : LEASED)
                | (content.barred().isEmpty() ? 0 : BARRED);
        // Set before the word. Without texts this is the only copy, and other threads read it as soon as the word
        // changes.
        decoded.put(slot, new Known(word, content));
        slots.set(WORDS + (long) number(slot) * Long.BYTES, word);
    }

    private static byte[] text(Content content) {
        byte[] text = SlotText.write(content.records(), CONTENT);
        // The most recent neighbours are the relevant ones for current tests.
        for (int past = content.past().size() - 1; text.length == 0 && past >= 0; past--) {
            text = SlotText.write(
                    content.after(Content.last(content.past(), past)).records(), CONTENT);
        }
        return text.length == 0
                ? SlotText.write(content.after(List.of()).shortened().records(), CONTENT)
                : text;
    }

    /** Locks slots. If a slot is already locked, locks none and returns that slot. */
    public Optional<Integer> lock(Collection<Integer> requested) {
        List<Integer> locked = new ArrayList<>();
        for (int slot : requested) {
            if (!slots.tryLock(owner(slot))) {
                unlock(locked);
                return Optional.of(slot);
            }
            locked.add(slot);
        }
        return Optional.empty();
    }

    /** Checks whether at least one of the slots is locked. */
    public boolean isLocked(Collection<Integer> some) {
        return some.stream().anyMatch(slot -> slots.isLocked(slots.get(owner(slot))));
    }

    public void unlock(Collection<Integer> locked) {
        for (int slot : locked) {
            slots.unlock(owner(slot));
        }
    }

    /**
     * Claims cores for a lease.
     *
     * @return the name of a core that is not free; then no core is claimed
     */
    public Optional<String> take(Claim claim) {
        slots.requireInPlace();
        List<Integer> claimed = slots(claim.cores());
        Optional<Integer> busy = lock(claimed);
        for (int pause = 0; busy.isPresent() && pause < PAUSES; pause++) {
            // A core might be released at this moment, so a short wait is worthwhile.
            LockSupport.parkNanos(PAUSE);
            busy = lock(claimed);
        }
        if (busy.isEmpty()) {
            busy = firstTaken(claimed);
            if (busy.isPresent()) {
                unlock(claimed);
            } else {
                for (int slot : claimed) {
                    write(slot, content(slot).with(claim));
                }
            }
        }
        return busy.isPresent() ? Optional.of(nameOf(busy.get())) : Optional.empty();
    }

    private Optional<Integer> firstTaken(List<Integer> some) {
        for (int slot : some) {
            if (isTaken(content(slot))) {
                return Optional.of(slot);
            }
        }
        return Optional.empty();
    }

    private static boolean isTaken(Content content) {
        return content.claim() != null || !content.barred().isEmpty();
    }

    /** Returns the slots that a lease still owns. */
    public List<Integer> kept(Claim claim) {
        List<Integer> kept = new ArrayList<>();
        for (int slot : slots(claim.cores())) {
            if (isOwn(slot) && content(slot).isOf(claim.number())) {
                kept.add(slot);
            }
        }
        return kept;
    }

    /** Checks whether this JVM has leased the core of a slot. {@code self} is the name of this JVM. */
    public boolean isLeasedBy(int slot, String self) {
        Claim claim = content(slot).claim();
        return claim != null && claim.jvm().equals(self) && isOwn(slot);
    }

    private boolean isOwn(int slot) {
        return slots.get(owner(slot)) == slots.self();
    }

    /** Verifies that other JVMs find this table. */
    public void requireInPlace() {
        slots.requireInPlace();
    }

    /** Returns the position of the content of a slot. */
    static long begin(int slot) {
        return position(slot, 0);
    }

    static long end(int slot) {
        return position(slot, 1) + CONTENT;
    }
}
