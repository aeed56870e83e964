package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the content of a table. A core is stored as its physical cores joined by {@code +}, because JVMs with another
 * logical core size number the same cores differently.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseState {

    private static final String SUSPECT_BEFORE = "; the core was suspect before";
    private static final long OFFSET = clockOffset();

    /**
     * A request in the queue.
     *
     * @param head the slot of the request; null before it has a slot
     * @param jvm the name of its JVM
     * @param within the leases that the holder keeps during the wait
     */
    public record Ticket(
            @Nullable Head head,
            String jvm,
            ProcessIdentity process,
            String holder,
            String wants,
            String thread,
            long threadId,
            List<Long> within) {

        Ticket at(Head slot) {
            return new Ticket(slot, jvm, process, holder, wants, thread, threadId, within);
        }
    }

    /**
     * A lease.
     *
     * @param jvm the name of its JVM
     * @param granted the time of the grant, by {@link #moment()}
     * @param within the earlier leases of the holder
     * @param lasting true if the lease is kept until its JVM has no other requests
     * @param processes its programs
     */
    public record Claim(
            long number,
            String jvm,
            ProcessIdentity process,
            String holder,
            String thread,
            long threadId,
            long granted,
            Instant since,
            List<String> cores,
            List<Long> within,
            boolean lasting,
            List<ProcessIdentity> processes) {

        /** Returns the process id. */
        public long pid() {
            return process.pid();
        }

        /** Returns the name of the lock held by the programs of the lease; empty if the table is not shared. */
        public String lock() {
            return jvm.isEmpty() ? "" : Membership.lock(jvm, number);
        }

        public Claim with(List<ProcessIdentity> others) {
            return new Claim(
                    number,
                    jvm,
                    process,
                    holder,
                    thread,
                    threadId,
                    granted,
                    since,
                    cores,
                    within,
                    lasting,
                    List.copyOf(others));
        }

        /** Creates a quarantine of a core of the lease. */
        public QuarantineEntry bar(String core, String reason, Until until, Instant begin, DeviceReading device) {
            return new QuarantineEntry(
                    moment(), core, reason, holder, jvm, process, begin, until, device, List.of(), "");
        }

        /** Creates quarantines of all cores of the lease that end with its programs. */
        public List<QuarantineEntry> outlivedBy(LeasePrograms.Remaining remaining, String reason) {
            return cores.stream()
                    .map(core -> new QuarantineEntry(
                            moment(),
                            core,
                            reason,
                            holder,
                            jvm,
                            process,
                            since,
                            Until.PROCESSES_END,
                            DeviceReading.NONE,
                            remaining.processes(),
                            remaining.decidingLock(lock())))
                    .toList();
        }

        /** Returns the record that is kept for the neighbours of this lease after its end. */
        public EndedLease past() {
            return new EndedLease(moment(), number, pid(), holder, cores, within);
        }
    }

    /**
     * A core in quarantine. A core can have several quarantines for different reasons.
     *
     * @param jvm the name of the JVM that created the quarantine
     * @param until the condition that ends it
     * @param device the reading of the device at that time
     * @param processes the processes that must end; empty if only a health check ends the quarantine
     * @param lock the name of the lock of the lease's programs; empty if there is none
     */
    public record QuarantineEntry(
            long number,
            String core,
            String reason,
            String holder,
            String jvm,
            ProcessIdentity process,
            Instant since,
            Until until,
            DeviceReading device,
            List<ProcessIdentity> processes,
            String lock) {

        /** Returns the id of the process that created the quarantine. */
        public long pid() {
            return process.pid();
        }

        /** Returns the reason and the remedy. */
        public String description() {
            return remedy().map(remedy -> reason + "; " + remedy).orElse(reason);
        }

        /** Returns the action that a person must take; empty if none is needed. */
        public Optional<String> remedy() {
            return device.remedy(until, String.join(", ", devices(List.of(core))));
        }

        QuarantineEntry because(String other) {
            return new QuarantineEntry(
                    moment(), core, other, holder, jvm, process, since, until, device, processes, lock);
        }

        /** Returns this quarantine with other processes that must end. */
        public QuarantineEntry until(List<ProcessIdentity> others, String otherLock) {
            return new QuarantineEntry(
                    number, core, reason, holder, jvm, process, since, until, device, List.copyOf(others), otherLock);
        }

        /** Returns the record of a core that is suspect for the first time. */
        public Suspect suspect(String test) {
            return new Suspect(core, reason, holder, test, device);
        }

        /**
         * Returns the quarantine after another cause was found. If the core was only suspect, the quarantine ends. If it needs a
         * reset, the cause is appended to the reason.
         */
        public Optional<QuarantineEntry> acquitted(String of, String cause) {
            boolean same = reason.equals(of);
            if (!same && !reason.startsWith(of + SUSPECT_BEFORE)) {
                return Optional.of(this);
            }
            return same && until != Until.WELL ? Optional.of(because("%s; %s".formatted(of, cause))) : Optional.empty();
        }
    }

    /**
     * A core that was suspect once. It might be free again.
     *
     * @param reason the reason
     * @param holder the holder at that time
     * @param test the test that held the core, equal for all its invocations
     * @param device the reading of the device at that time
     */
    public record Suspect(String core, String reason, String holder, String test, DeviceReading device) {

        /**
         * Checks whether a test makes the core suspect a second time. This requires another test, and that neither the device nor
         * the start of its driver has changed.
         */
        public boolean isAgain(String core, String test, DeviceReading device) {
            return share(List.of(this.core), List.of(core))
                    && !this.test.equals(test)
                    && !this.device.isReplacedIn(device)
                    && !this.device.isReloadedIn(device);
        }

        /** Returns the reason of the second quarantine. */
        public String again(String reason) {
            return "%s%s (%s: %s)".formatted(reason, SUSPECT_BEFORE, holder, this.reason);
        }
    }

    /** A lease that ended while another lease had cores of the same device. Its end is given by {@link #moment()}. */
    public record EndedLease(long ended, long number, long pid, String holder, List<String> cores, List<Long> within) {}

    private final Map<Integer, CoreSlots.Content> taken;
    private final List<Ticket> queue;
    private final IntFunction<List<EndedLease>> ended;
    private final Map<Long, Claim> claims = new TreeMap<>();
    private final Map<Long, QuarantineEntry> barred = new TreeMap<>();

    LeaseState(Map<Integer, CoreSlots.Content> taken, List<Ticket> queue, IntFunction<List<EndedLease>> ended) {
        this.taken = taken;
        this.ended = ended;
        this.queue = List.copyOf(queue);
        for (CoreSlots.Content content : taken.values()) {
            if (content.claim() != null) {
                claims.put(content.claim().number(), content.claim());
            }
            for (QuarantineEntry entry : content.barred()) {
                barred.put(entry.number(), entry);
            }
        }
    }

    /**
     * Returns the current time of a clock that all processes of a machine share until the next boot.
     *
     * @return nanoseconds
     */
    public static long moment() {
        return System.nanoTime() - OFFSET;
    }

    /** Returns the clock offset of this time namespace. Each time namespace has its own clock. */
    private static long clockOffset() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/timens_offsets"))) {
                String[] words = line.trim().split("\\s+");
                if (words[0].equals("monotonic")) {
                    return TimeUnit.SECONDS.toNanos(Long.parseLong(words[1])) + Long.parseLong(words[2]);
                }
            }
            return 0;
        } catch (IOException | RuntimeException none) {
            return 0;
        }
    }

    /** Returns the waiting requests in their order. */
    public List<Ticket> queue() {
        return queue;
    }

    /** Returns the waiting requests that keep cores until they are served. */
    public List<Ticket> holders() {
        return queue.stream().filter(ticket -> !kept(ticket).isEmpty()).toList();
    }

    /** Returns the leases that the test of a request keeps until it is served. */
    public List<Claim> kept(Ticket ticket) {
        return claims.values().stream()
                .filter(claim -> ticket.within().contains(claim.number())
                        || claim.lasting() && claim.jvm().equals(ticket.jvm()))
                .toList();
    }

    /** Returns the physical cores that waiting tests keep until they are served. */
    public Set<String> heldByWaiters() {
        Set<String> held = new HashSet<>();
        for (Ticket ticket : queue) {
            for (Claim claim : kept(ticket)) {
                held.addAll(physical(claim.cores()));
            }
        }
        return held;
    }

    /** Returns the leases, the oldest first. */
    public List<Claim> claims() {
        List<Claim> sorted = new ArrayList<>(claims.values());
        if (sorted.size() > 1) {
            sorted.sort(Comparator.comparingLong(Claim::granted));
        }
        return sorted;
    }

    /** Returns the quarantines, the oldest first. */
    public Collection<QuarantineEntry> barred() {
        return barred.values();
    }

    /**
     * Returns the leases with cores of the same devices since the grant of a lease, or since a later moment. Ended leases are
     * first. Other leases of the same holder are excluded.
     */
    public List<EndedLease> neighbours(Claim claim, long moment) {
        List<EndedLease> neighbours = ended(claim, Math.max(claim.granted(), moment), moment());
        for (Claim other : claims()) {
            if (other.number() != claim.number() && neighbours(other.cores(), claim.cores())) {
                neighbours.add(other.past());
            }
        }
        if (!neighbours.isEmpty()) {
            neighbours.removeIf(other ->
                    claim.within().contains(other.number()) || other.within().contains(claim.number()));
        }
        return neighbours;
    }

    /** Returns the leases with cores of the same devices that ended in a time span, in the order of their ends. */
    private List<EndedLease> ended(Claim claim, long since, long now) {
        Set<Integer> slots = new LinkedHashSet<>();
        for (int slot : CoreSlots.slots(claim.cores())) {
            slots.addAll(CoreSlots.device(slot));
        }
        Set<EndedLease> past = new LinkedHashSet<>();
        for (int slot : slots) {
            for (EndedLease each : ended.apply(slot)) {
                // Later end times are from before the last boot of this machine.
                if (each.ended() > since && each.ended() <= now) {
                    past.add(each);
                }
            }
        }
        List<EndedLease> sorted = new ArrayList<>(past);
        if (sorted.size() > 1) {
            sorted.sort(Comparator.comparingLong(EndedLease::ended));
        }
        return sorted;
    }

    /** Returns a hash of the leases and of the requests that keep cores. */
    public long situation() {
        return 1
                + Integer.toUnsignedLong(Objects.hash(
                        holders().stream()
                                .map(ticket -> List.of(
                                        ticket.head().slot(), ticket.head().number()))
                                .toList(),
                        claims.keySet()));
    }

    /** Checks whether a test holds the core of a quarantine. */
    public boolean isHeld(QuarantineEntry entry) {
        return isHeld(CoreSlots.slots(List.of(entry.core())));
    }

    /** Checks whether a test holds a core of the same device, which prevents the reset that this quarantine needs. */
    public boolean isBusy(QuarantineEntry entry) {
        return entry.until() == Until.RESET
                && CoreSlots.slots(List.of(entry.core())).stream().anyMatch(slot -> isHeld(CoreSlots.device(slot)));
    }

    private boolean isHeld(List<Integer> slots) {
        return slots.stream().map(taken::get).anyMatch(content -> content != null && content.claim() != null);
    }

    /** Returns the physical cores that are leased or in quarantine. */
    public Set<String> taken() {
        Set<String> names = new HashSet<>();
        for (int slot : taken.keySet()) {
            names.add(CoreSlots.nameOf(slot));
        }
        return names;
    }

    /** Checks whether two collections have a physical core in common. */
    public static boolean share(Collection<String> some, Collection<String> others) {
        return !Collections.disjoint(physical(some), physical(others));
    }

    /** Checks whether two lists of cores have a device in common. */
    public static boolean neighbours(List<String> some, List<String> others) {
        return !Collections.disjoint(devices(some), devices(others));
    }

    /** Returns the names of the devices of cores. */
    public static Set<String> devices(Collection<String> cores) {
        Set<String> devices = new HashSet<>();
        for (String core : physical(cores)) {
            devices.add(core.replaceFirst("/.*", ""));
        }
        return devices;
    }

    /** Returns the physical cores of cores. */
    public static Set<String> physical(Collection<String> cores) {
        Set<String> physical = new HashSet<>();
        for (String core : cores) {
            physical.addAll(physical(core));
        }
        return physical;
    }

    /** Returns the physical cores of a core. */
    public static List<String> physical(String core) {
        return core.indexOf('+') < 0 ? List.of(core) : List.of(core.split("\\+"));
    }
}
