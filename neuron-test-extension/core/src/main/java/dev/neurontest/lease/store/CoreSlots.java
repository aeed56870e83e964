package dev.neurontest.lease.store;

import dev.neurontest.lease.LeaseTableException;
import dev.neurontest.lease.store.SlotText.MalformedSlotException;
import dev.neurontest.lease.store.TableState.Barred;
import dev.neurontest.lease.store.TableState.Claim;
import dev.neurontest.lease.store.TableState.Past;
import dev.neurontest.lease.store.TableState.Suspect;
import dev.neurontest.lease.store.TableState.Ticket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The cores: who has locked the slot of a physical core has the core. The content names the holder, for people and for those that find
 * the lock free; only who has the lock writes it. A word for each slot counts its changes and has two bits: whether the core is
 * leased, and whether it is in quarantine.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreSlots {

    private static final int OF_A_DEVICE = 16;
    private static final int COUNT = 512;
    private static final long WORDS = 16_384;
    private static final long CONTENTS = 2 << 20;
    private static final int CONTENT = 16_384;
    private static final int LEASED = 1;
    private static final int BARRED = 2;
    private static final int FLAGS = 2;
    private static final int ATTEMPTS = 20;

    /** How many ended leases of a core are kept for those who were their neighbours. */
    static final int REMEMBERED = 16;

    private static final Pattern NAME = Pattern.compile("neuron(\\d{1,2})/neuron_core(\\d{1,2})");
    private static final List<Class<? extends Record>> TYPES =
            List.of(Claim.class, Barred.class, Suspect.class, Past.class);

    private static final Map<String, Integer> SLOTS = new ConcurrentHashMap<>();

    private final Slots slots;
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();

    /** The content that goes with a word. */
    private record Known(long word, Content content) {}

    CoreSlots(Slots slots) {
        this.slots = slots;
    }

    /**
     * The content of a slot.
     *
     * @param claim who has the core; null nobody
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Content(@Nullable Claim claim, List<Barred> barred, List<Suspect> suspects, List<Past> past) {

        static final Content NONE = new Content(null, List.of(), List.of(), List.of());

        public Content with(@Nullable Claim other) {
            return new Content(other, barred, suspects, past);
        }

        public Content with(List<Barred> others) {
            return new Content(claim, List.copyOf(others), suspects, past);
        }

        public Content suspecting(List<Suspect> others) {
            return new Content(claim, barred, List.copyOf(others), past);
        }

        public Content after(List<Past> others) {
            return new Content(
                    claim,
                    barred,
                    suspects,
                    List.copyOf(others.subList(Math.max(0, others.size() - REMEMBERED), others.size())));
        }

        /** Returns whether a lease has the core. */
        public boolean isOf(long lease) {
            return claim != null && claim.number() == lease;
        }

        private List<Record> records() {
            return Stream.of(Stream.ofNullable(claim), barred.stream(), suspects.stream(), past.stream())
                    .flatMap(each -> each)
                    .map(Record.class::cast)
                    .toList();
        }
    }

    /** Returns the slots of cores. */
    public static List<Integer> slots(Collection<String> cores) {
        return cores.stream()
                .flatMap(TableState::physical)
                .map(CoreSlots::slot)
                .distinct()
                .sorted()
                .toList();
    }

    private static int slot(String physical) {
        return SLOTS.computeIfAbsent(physical, CoreSlots::parse);
    }

    private static int parse(String physical) {
        Matcher name = NAME.matcher(physical);
        if (!name.matches()
                || Integer.parseInt(name.group(1)) >= COUNT / OF_A_DEVICE
                || Integer.parseInt(name.group(2)) >= OF_A_DEVICE) {
            throw new LeaseTableException("The lease table has no slot for a core with the name " + physical);
        }
        return TicketSlots.COUNT
                + Integer.parseInt(name.group(1)) * OF_A_DEVICE
                + Integer.parseInt(name.group(2));
    }

    private static int number(int slot) {
        return slot - TicketSlots.COUNT;
    }

    /** Returns the slots of all cores of the device of a slot. */
    public static List<Integer> device(int slot) {
        int first = slot - number(slot) % OF_A_DEVICE;
        List<Integer> all = new ArrayList<>();
        for (int each = first; each < first + OF_A_DEVICE; each++) {
            all.add(each);
        }
        return all;
    }

    /** Returns the cores that are leased or in quarantine. */
    TableState state(List<Ticket> queue) {
        ByteBuffer words = ByteBuffer.wrap(slots.read(WORDS, COUNT * Long.BYTES));
        Map<Integer, Content> taken = new TreeMap<>();
        for (int number = 0; number < COUNT; number++) {
            long word = words.getLong(number * Long.BYTES);
            if ((word & (LEASED | BARRED)) != 0) {
                taken.put(TicketSlots.COUNT + number, content(TicketSlots.COUNT + number, word));
            }
        }
        return new TableState(taken, queue, slot -> past(slot, words.getLong(number(slot) * Long.BYTES)));
    }

    private List<Past> past(int slot, long word) {
        return word == 0 ? List.of() : content(slot, word).past();
    }

    static String nameOf(int slot) {
        return "neuron" + number(slot) / OF_A_DEVICE + "/neuron_core" + number(slot) % OF_A_DEVICE;
    }

    private long word(int slot) {
        return ByteBuffer.wrap(slots.read(WORDS + (long) number(slot) * Long.BYTES, Long.BYTES))
                .getLong();
    }

    /** Returns the content of a slot as it is now. */
    public Content content(int slot) {
        return content(slot, word(slot));
    }

    private Content content(int slot, long word) {
        Known last = known.get(slot);
        if (last != null && last.word() == word) {
            return last.content();
        }
        Content content = inForce(read(slot), word);
        known.put(slot, new Known(word, content));
        return content;
    }

    /** A JVM that was killed while it wrote has changed the content and not the word. */
    private static Content inForce(Content content, long word) {
        Content leased = (word & LEASED) == 0 ? content.with((Claim) null) : content;
        return (word & BARRED) == 0 ? leased.with(List.of()) : leased;
    }

    private Content read(int slot) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                return content(SlotText.read(slots.read(position(slot), CONTENT), TYPES));
            } catch (MalformedSlotException beingWritten) {
                Thread.onSpinWait();
            }
        }
        return Content.NONE;
    }

    private static Content content(List<Record> records) {
        return new Content(
                all(records, Claim.class).stream().findFirst().orElse(null),
                all(records, Barred.class),
                all(records, Suspect.class),
                all(records, Past.class));
    }

    private static <T> List<T> all(List<Record> records, Class<T> type) {
        return records.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static long position(int slot) {
        return CONTENTS + (long) number(slot) * CONTENT;
    }

    /** Writes the content of a slot that this JVM has locked, or has leased. */
    public void write(int slot, Content content) {
        byte[] text = SlotText.write(content.records(), CONTENT);
        if (text.length == 0) {
            text = SlotText.write(content.after(List.of()).records(), CONTENT);
        }
        if (text.length == 0) {
            throw new LeaseTableException("The lease table has no room for all that is known of " + nameOf(slot));
        }
        slots.write(position(slot), text);
        long word = ((known.containsKey(slot) ? known.get(slot).word() : word(slot)) >>> FLAGS) + 1 << FLAGS
                | (content.claim() == null ? 0 : LEASED)
                | (content.barred().isEmpty() ? 0 : BARRED);
        slots.write(
                WORDS + (long) number(slot) * Long.BYTES,
                ByteBuffer.allocate(Long.BYTES).putLong(word).array());
        known.put(slot, new Known(word, content));
    }

    /** Locks slots; returns the first that is locked already, and then locks none. */
    public Optional<Integer> lock(Collection<Integer> wanted) {
        List<Integer> locked = new ArrayList<>();
        for (int slot : wanted) {
            if (!slots.tryLock(slot)) {
                unlock(locked);
                return Optional.of(slot);
            }
            locked.add(slot);
        }
        return Optional.empty();
    }

    public void unlock(Collection<Integer> locked) {
        locked.forEach(slots::unlock);
    }

    /**
     * Takes cores for a lease.
     *
     * @return the name of one that is not free; then none is taken
     */
    public Optional<String> take(Claim claim) {
        slots.requireInPlace();
        List<Integer> wanted = slots(claim.cores());
        Optional<Integer> busy = lock(wanted);
        if (busy.isEmpty()) {
            busy = wanted.stream().filter(slot -> isTaken(content(slot))).findFirst();
            if (busy.isEmpty()) {
                try {
                    wanted.forEach(slot -> write(slot, content(slot).with(claim)));
                } catch (RuntimeException failed) {
                    giveUp(claim, wanted);
                    throw failed;
                }
                // Who has had the locks all the time is the only one.
                if (slots.holds(wanted)) {
                    return Optional.empty();
                }
                busy = wanted.stream().findFirst();
            }
            giveUp(claim, wanted);
        }
        return busy.map(CoreSlots::nameOf);
    }

    private static boolean isTaken(Content content) {
        return content.claim() != null || !content.barred().isEmpty();
    }

    /** Removes what was written for a lease that was not granted. Where the lock is lost, the next one that has it does. */
    private void giveUp(Claim claim, List<Integer> wanted) {
        if (isLockedAgain(wanted)) {
            wanted.stream()
                    .filter(slot -> content(slot).isOf(claim.number()))
                    .forEach(slot -> write(slot, content(slot).with((Claim) null)));
        }
        unlock(wanted);
    }

    /**
     * Returns whether nobody else can have had the cores of a lease since it was granted. Other code of this JVM that closes the file
     * drops the locks. Then others find the lease in the content, and its JVM alive, and leave the cores to it; the locks are
     * taken again.
     */
    public boolean isKept(Claim claim) {
        List<Integer> held = slots(claim.cores());
        if (slots.holds(held)) {
            return true;
        }
        isLockedAgain(held);
        return held.stream().allMatch(slot -> content(slot).isOf(claim.number()));
    }

    /** Takes locks again that other code of this JVM has dropped; false when they were never there all at once. */
    private boolean isLockedAgain(List<Integer> held) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (slots.holds(held)) {
                return true;
            }
            for (int slot : held) {
                slots.unlock(slot);
                if (!slots.tryLock(slot)) {
                    return false;
                }
            }
        }
        return false;
    }

    /** Returns the slots of a lease that it still has. */
    public List<Integer> kept(Claim claim) {
        List<Integer> held = slots(claim.cores());
        List<Integer> kept =
                held.stream().filter(slot -> content(slot).isOf(claim.number())).toList();
        return kept.size() < held.size() && slots.holds(held) ? held : kept;
    }

    /** Verifies that other JVMs find this table. */
    public void requireInPlace() {
        slots.requireInPlace();
    }

    /** Gives cores their place on the disk, so that a full disk keeps nobody from leasing and giving back. */
    public void allocate(Collection<String> cores) {
        slots(cores).forEach(slot -> slots.write(position(slot), new byte[1]));
    }
}
