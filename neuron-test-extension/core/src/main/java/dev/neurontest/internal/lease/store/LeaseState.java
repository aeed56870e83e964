package dev.neurontest.internal.lease.store;

import dev.neurontest.internal.lease.DeviceReading;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.lease.store.TicketSlots.Head;
import dev.neurontest.internal.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The content of a table at one moment. A core is written as the physical cores behind it, joined by {@code +}, because JVMs with
 * another logical core size number the same cores in another way.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LeaseState {

    private static final String SUSPECT_BEFORE = "; the core was suspect before";
    private static final long OFFSET = clockOffset();

    /**
     * A request in the queue.
     *
     * @param head its slot; null before it has one
     * @param jvm the name of its JVM
     * @param within the leases that the holder keeps while it waits
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
     * @param granted when, by {@link #moment()}
     * @param within the leases that the holder had already
     * @param lasting whether it is kept for all that its JVM still asks for
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

        /** Returns the number of the process. */
        public long pid() {
            return process.pid();
        }

        /** Returns the name of what its programs keep locked; empty where the table is not shared. */
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

        /** Puts a core of the lease into quarantine. */
        public QuarantineEntry bar(String core, String reason, Until until, Instant begin, DeviceReading device) {
            return new QuarantineEntry(
                    moment(), core, reason, holder, jvm, process, begin, until, device, List.of(), "");
        }

        /** Puts its cores into quarantine until its programs have ended. */
        public List<QuarantineEntry> outlivedBy(LeasePrograms.Left left, String reason) {
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
                            left.processes(),
                            left.lockThatDecides(lock())))
                    .toList();
        }

        /** Returns what is kept for its neighbours when it has ended. */
        public EndedLease past() {
            return new EndedLease(moment(), number, pid(), holder, cores, within);
        }
    }

    /**
     * A core in quarantine. The same core can be in it several times, for several reasons.
     *
     * @param jvm the name of the JVM that put it there
     * @param until what ends it
     * @param device what was read of the device then
     * @param processes those that must end; none when only a health check ends it
     * @param lock the name of what the programs of its lease keep locked; empty without
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

        /** Returns the number of the process that put it there. */
        public long pid() {
            return process.pid();
        }

        /** The reason with what a person has to do. */
        public String told() {
            return remedy().map(remedy -> reason + "; " + remedy).orElse(reason);
        }

        /** Returns what a person has to do; empty where nothing is to be done. */
        public Optional<String> remedy() {
            return device.remedy(until, String.join(", ", devices(List.of(core))));
        }

        QuarantineEntry because(String other) {
            return new QuarantineEntry(
                    moment(), core, other, holder, jvm, process, since, until, device, processes, lock);
        }

        /** Waits for other processes. */
        public QuarantineEntry until(List<ProcessIdentity> others, String otherLock) {
            return new QuarantineEntry(
                    number, core, reason, holder, jvm, process, since, until, device, List.copyOf(others), otherLock);
        }

        /** Returns the suspicion of a core that is suspect for the first time. */
        public Suspect suspect(String test) {
            return new Suspect(core, reason, holder, test, device);
        }

        /**
         * Returns what becomes of it when something else is to blame: what was only suspect ends, and what needs a reset has the cause
         * beside its reason.
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
     * A core that was suspect once. It may be free again.
     *
     * @param reason why
     * @param holder who held it then
     * @param test the test that had it, equal for all its invocations
     * @param device what was read of the device then
     */
    public record Suspect(String core, String reason, String holder, String test, DeviceReading device) {

        /** Returns whether a test makes the core suspect a second time: another one than before, on the device as it was. */
        public boolean isAgain(String core, String test, DeviceReading device) {
            return share(List.of(this.core), List.of(core))
                    && !this.test.equals(test)
                    && !this.device.isReplacedIn(device)
                    && !this.device.isReloadedIn(device);
        }

        /** Returns the reason of the second time. */
        public String again(String reason) {
            return "%s%s (%s: %s)".formatted(reason, SUSPECT_BEFORE, holder, this.reason);
        }
    }

    /** A lease that has ended while another one had cores of the same device, by {@link #moment()}. */
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
        taken.values().forEach(content -> {
            if (content.claim() != null) {
                claims.put(content.claim().number(), content.claim());
            }
            content.barred().forEach(entry -> barred.put(entry.number(), entry));
        });
    }

    /**
     * Returns this moment by a clock that all processes of a machine share until it is started again.
     *
     * @return nanoseconds
     */
    public static long moment() {
        return System.nanoTime() - OFFSET;
    }

    /** A time namespace has a clock of its own. */
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

    /** Returns those that wait, first come, first. */
    public List<Ticket> queue() {
        return queue;
    }

    /** Returns those in the queue that hold cores which they do not give back before they are served. */
    public List<Ticket> holders() {
        return queue.stream().filter(ticket -> !kept(ticket).isEmpty()).toList();
    }

    /** What the test of this request holds until it has been served. */
    public List<Claim> kept(Ticket ticket) {
        return claims.values().stream()
                .filter(claim -> ticket.within().contains(claim.number())
                        || claim.lasting() && claim.jvm().equals(ticket.jvm()))
                .toList();
    }

    /** The cores that tests in the queue hold until they are served. */
    public Set<String> heldByWaiters() {
        return queue.stream()
                .flatMap(ticket -> kept(ticket).stream())
                .flatMap(claim -> claim.cores().stream())
                .flatMap(LeaseState::physical)
                .collect(Collectors.toSet());
    }

    /** The longest held first. */
    public List<Claim> claims() {
        return claims.values().stream()
                .sorted(Comparator.comparingLong(Claim::granted))
                .toList();
    }

    /** Returns the quarantines, the longest first. */
    public Collection<QuarantineEntry> barred() {
        return barred.values();
    }

    /**
     * Returns what had cores of the same devices at any time since a lease was granted, or since a later moment: first what has ended, then
     * what has not. What a holder has besides is no neighbour.
     */
    public List<EndedLease> neighbours(Claim claim, long moment) {
        long since = Math.max(claim.granted(), moment);
        long now = moment();
        Stream<EndedLease> past = CoreSlots.slots(claim.cores()).stream()
                .flatMap(slot -> CoreSlots.device(slot).stream())
                .distinct()
                .flatMap(slot -> ended.apply(slot).stream())
                // Those that ended later did so before this machine was started.
                .filter(each -> each.ended() > since && each.ended() <= now)
                .distinct()
                .sorted(Comparator.comparingLong(EndedLease::ended));
        Stream<EndedLease> present = claims().stream()
                .filter(other -> other.number() != claim.number() && neighbours(other.cores(), claim.cores()))
                .map(Claim::past);
        return Stream.concat(past, present)
                .filter(other -> !claim.within().contains(other.number())
                        && !other.within().contains(claim.number()))
                .toList();
    }

    /** Returns a number that changes with the leases and with the requests of tests that hold cores. */
    public long situation() {
        return 1
                + Integer.toUnsignedLong(Objects.hash(
                        holders().stream()
                                .map(ticket -> List.of(
                                        ticket.head().slot(), ticket.head().number()))
                                .toList(),
                        claims.keySet()));
    }

    /** Returns whether a test holds the core of a quarantine. */
    public boolean isHeld(QuarantineEntry entry) {
        return isHeld(CoreSlots.slots(List.of(entry.core())));
    }

    /** Whether a test holds a core of the same device as this quarantined core, so that the device cannot be reset. */
    public boolean isBusy(QuarantineEntry entry) {
        return entry.until() == Until.RESET
                && CoreSlots.slots(List.of(entry.core())).stream().anyMatch(slot -> isHeld(CoreSlots.device(slot)));
    }

    private boolean isHeld(List<Integer> slots) {
        return slots.stream().map(taken::get).anyMatch(content -> content != null && content.claim() != null);
    }

    /** The physical cores that are leased or in quarantine. */
    public Set<String> taken() {
        return taken.keySet().stream().map(CoreSlots::nameOf).collect(Collectors.toSet());
    }

    /** Whether there is a physical core in both. */
    public static boolean share(Collection<String> some, Collection<String> others) {
        Set<String> physical = some.stream().flatMap(LeaseState::physical).collect(Collectors.toSet());
        return others.stream().flatMap(LeaseState::physical).anyMatch(physical::contains);
    }

    /** Returns whether two lists of cores have a device in common. */
    public static boolean neighbours(List<String> some, List<String> others) {
        Set<String> devices = devices(some);
        return devices(others).stream().anyMatch(devices::contains);
    }

    /** The names of the devices that cores lie on. */
    public static Set<String> devices(Collection<String> cores) {
        return cores.stream()
                .flatMap(LeaseState::physical)
                .map(core -> core.replaceFirst("/.*", ""))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** The physical cores of a core. */
    public static Stream<String> physical(String core) {
        return core.indexOf('+') < 0 ? Stream.of(core) : Arrays.stream(core.split("\\+"));
    }
}
