package dev.neurontest.lease.store;

import dev.neurontest.lease.DeviceReading;
import dev.neurontest.lease.Quarantine.Until;
import dev.neurontest.process.ProcessIdentity;
import dev.neurontest.process.ProcessTable;
import dev.neurontest.process.ProgramLock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Everything that those who share a table know of each other, and the only ways in which it changes. It does not know what a host
 * has, where it is kept, nor what time it is: numbers that only grow say what came first.
 *
 * <p>A core is written as the physical cores behind it, joined by {@code +}, because JVMs with another logical core size number
 * the same cores in another way.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TableState {

    /** How many ended leases are remembered for those who were their neighbours. */
    static final int REMEMBERED = 64;

    private static final String SUSPECT_BEFORE = "; the core was suspect before";

    /**
     * A JVM, or a class loader in one.
     *
     * @param jvm the same for all class loaders of a JVM, and for no other JVM
     * @param directory where its own files are
     */
    public record Member(long number, ProcessIdentity process, String jvm, String directory, Instant since) {}

    /**
     * A request in the queue. The first one has the lowest number.
     *
     * @param within the leases that the holder keeps while it waits
     * @param stuck whether it could not be served even if all holders that do not wait gave back their cores
     */
    public record Ticket(
            long number,
            long member,
            String holder,
            String wants,
            String thread,
            long threadId,
            List<Long> within,
            boolean stuck) {

        Ticket stuck(boolean now) {
            return new Ticket(number, member, holder, wants, thread, threadId, within, now);
        }
    }

    /**
     * A lease, which keeps the number of its ticket.
     *
     * @param within the leases that the holder had already
     * @param lasting whether it is kept for all that its JVM still asks for
     */
    public record Claim(
            long number,
            long member,
            long pid,
            String holder,
            String thread,
            long threadId,
            long granted,
            Instant since,
            List<String> cores,
            List<Long> within,
            boolean lasting,
            List<ProcessIdentity> processes) {

        Claim with(List<ProcessIdentity> other) {
            return new Claim(
                    number,
                    member,
                    pid,
                    holder,
                    thread,
                    threadId,
                    granted,
                    since,
                    cores,
                    within,
                    lasting,
                    List.copyOf(other));
        }
    }

    /**
     * A core in quarantine. The same core can be in it several times, for several reasons.
     *
     * @param member who put it there
     * @param until what ends it
     * @param device what was read of the device then
     * @param processes those that must end; none when only a health check ends it
     * @param lock the name of what the programs of its lease keep locked; empty without
     * @param checker the member that is looking whether the core is well; 0 none
     */
    public record Barred(
            long number,
            String core,
            String reason,
            String holder,
            long member,
            long pid,
            Instant since,
            Until until,
            DeviceReading device,
            List<ProcessIdentity> processes,
            String lock,
            long checker) {

        /** The reason with what a person has to do. */
        public String told() {
            return remedy().map(remedy -> reason + "; " + remedy).orElse(reason);
        }

        /** Returns what a person has to do; empty where nothing is to be done. */
        public Optional<String> remedy() {
            return device.remedy(until, String.join(", ", devices(List.of(core))));
        }

        Barred checkedBy(long member) {
            return new Barred(
                    number, core, reason, holder, this.member, pid, since, until, device, processes, lock, member);
        }

        Barred because(long number, String reason) {
            return new Barred(
                    number, core, reason, holder, member, pid, since, until, device, processes, lock, checker);
        }

        /** Waits only for processes that are known by their numbers. */
        Barred until(List<ProcessIdentity> processes) {
            return new Barred(number, core, reason, holder, member, pid, since, until, device, processes, "", checker);
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
        boolean isAgain(String core, String test, DeviceReading device) {
            return share(List.of(this.core), List.of(core))
                    && !this.test.equals(test)
                    && !this.device.isReplacedIn(device)
                    && !this.device.isReloadedIn(device);
        }
    }

    /** A lease that has ended while another one had cores of the same devices. */
    public record Past(long ended, long number, long pid, String holder, List<String> cores, List<Long> within) {}

    /**
     * A question whether a JVM still runs, which it answers by taking the question away with whatever it does next at the table. A
     * JVM that is stopped cannot.
     *
     * @param passedOver whether those behind it have waited for the answer long enough, and are served meanwhile
     */
    public record Question(long number, long member, boolean passedOver) {}

    /**
     * A lease whose JVM has ended.
     *
     * @param survivors processes that run or cannot be seen
     * @param isQuarantined whether its cores are in quarantine until its programs have ended
     */
    public record Death(Claim claim, List<ProcessIdentity> survivors, boolean isQuarantined) {}

    private final TreeMap<Long, Member> members = new TreeMap<>();
    private final TreeMap<Long, Ticket> queue = new TreeMap<>();
    private final TreeMap<Long, Claim> claims = new TreeMap<>();
    private final TreeMap<Long, Barred> barred = new TreeMap<>();
    private final TreeMap<String, Suspect> suspects = new TreeMap<>();
    private final List<Past> past = new ArrayList<>();
    private final TreeMap<Long, Question> questions = new TreeMap<>();
    private long last;
    private boolean changed;
    private boolean roomMade;

    TableState() {}

    /** A table as it was written down. */
    TableState(
            long last,
            Collection<Member> members,
            Collection<Ticket> queue,
            Collection<Claim> claims,
            Collection<Barred> barred,
            Collection<Suspect> suspects,
            Collection<Past> past,
            Collection<Question> questions) {
        this.last = last;
        members.forEach(each -> this.members.put(each.number(), each));
        queue.forEach(each -> this.queue.put(each.number(), each));
        claims.forEach(each -> this.claims.put(each.number(), each));
        barred.forEach(each -> this.barred.put(each.number(), each));
        suspects.forEach(each -> this.suspects.put(each.core(), each));
        this.past.addAll(past);
        questions.forEach(each -> this.questions.put(each.member(), each));
    }

    /** The same table, with nothing changed yet. */
    TableState copy() {
        return new TableState(
                last,
                members.values(),
                queue.values(),
                claims.values(),
                barred.values(),
                suspects.values(),
                past,
                questions.values());
    }

    /** Whether this is another table than the one that it was copied from. */
    boolean changed() {
        return changed;
    }

    /** Whether a request may be served now that could not be before. */
    public boolean roomMade() {
        return roomMade;
    }

    public long last() {
        return last;
    }

    public Collection<Member> members() {
        return members.values();
    }

    public Optional<Member> member(long number) {
        return Optional.ofNullable(members.get(number));
    }

    /** First come, first. */
    public Collection<Ticket> queue() {
        return queue.values();
    }

    public Optional<Ticket> head() {
        return front().stream().findFirst();
    }

    /**
     * The requests that may be served now, in order: those of tests that hold cores already, because others wait for these cores.
     * If there are none, only the first in the queue. Those of a JVM that does not answer are passed over.
     */
    public List<Ticket> front() {
        List<Ticket> answering = queue.values().stream()
                .filter(ticket -> !isPassedOver(ticket.member()))
                .toList();
        List<Ticket> holders =
                answering.stream().filter(ticket -> !ticket.within().isEmpty()).toList();
        return holders.isEmpty() ? answering.stream().limit(1).toList() : holders;
    }

    /** Those in the queue who hold cores that they do not give back before they are served. */
    public List<Ticket> holders() {
        return queue.values().stream().filter(ticket -> !kept(ticket).isEmpty()).toList();
    }

    /** What the test of this request holds until it has been served. */
    public List<Claim> kept(Ticket ticket) {
        return claims.values().stream()
                .filter(claim -> ticket.within().contains(claim.number())
                        || claim.lasting() && claim.member() == ticket.member())
                .toList();
    }

    /** The cores that tests in the queue hold until they are served. */
    public Set<String> heldByWaiters() {
        Set<String> held = new HashSet<>();
        queue.values().stream()
                .flatMap(ticket -> kept(ticket).stream())
                .forEach(claim -> claim.cores().forEach(core -> physical(core).forEach(held::add)));
        return held;
    }

    /** The longest held first. */
    public List<Claim> claims() {
        return claims.values().stream()
                .sorted(Comparator.comparingLong(Claim::granted))
                .toList();
    }

    public Optional<Claim> claim(long number) {
        return Optional.ofNullable(claims.get(number));
    }

    /** The longest first. */
    public Collection<Barred> barred() {
        return barred.values();
    }

    /** The cores that were suspect since their devices were reset; one entry for a core. */
    Collection<Suspect> suspects() {
        return suspects.values();
    }

    Collection<Past> past() {
        return past;
    }

    /** What JVMs were asked and have not answered. */
    public Collection<Question> questions() {
        return questions.values();
    }

    /** Whether a JVM does not answer and others are served before it. */
    public boolean isPassedOver(long member) {
        Question question = questions.get(member);
        return question != null && question.passedOver();
    }

    private long next() {
        changed = true;
        return ++last;
    }

    public Member join(ProcessIdentity process, String jvm, String directory, Instant since) {
        Member member = new Member(next(), process, jvm, directory, since);
        members.put(member.number(), member);
        return member;
    }

    /** What the member had must be gone before. */
    public void leave(long member) {
        queue.values().removeIf(ticket -> ticket.member() == member);
        unstick();
        questions.remove(member);
        changed |= members.remove(member) != null;
        roomMade = true;
    }

    public Ticket enqueue(long member, String holder, String wants, String thread, long threadId, List<Long> within) {
        Ticket ticket = new Ticket(next(), member, holder, wants, thread, threadId, List.copyOf(within), false);
        queue.put(ticket.number(), ticket);
        unstick();
        return ticket;
    }

    public void withdraw(long ticket) {
        if (queue.remove(ticket) != null) {
            unstick();
            changed = true;
            roomMade = true;
        }
    }

    /** Remembers that a request cannot be served before another one that waits too. */
    public void stuck(long ticket) {
        Ticket waiting = queue.get(ticket);
        if (waiting != null && !waiting.stuck()) {
            queue.put(ticket, waiting.stuck(true));
            changed = true;
        }
    }

    /** Asks a JVM whether it still runs, unless it was asked already. */
    public Question ask(long member) {
        return questions.computeIfAbsent(member, asked -> new Question(next(), asked, false));
    }

    /** A JVM still runs: it says so itself. What it had not answered, if anything. */
    public Optional<Question> answer(long member) {
        Optional<Question> answered = Optional.ofNullable(questions.remove(member));
        changed |= answered.isPresent();
        return answered;
    }

    /** Serves others before a JVM that has not answered, until it does. It keeps its place in the queue. */
    public void passOver(Question unanswered) {
        if (questions.replace(
                unanswered.member(), unanswered, new Question(unanswered.number(), unanswered.member(), true))) {
            changed = true;
            roomMade = true;
        }
    }

    /** The queue has changed, so no request is known to be stuck. */
    private void unstick() {
        queue.replaceAll((number, ticket) -> ticket.stuck(false));
    }

    /** Makes a ticket a lease of cores that are free. */
    public Claim grant(Ticket ticket, List<String> cores, boolean lasting, Instant since) {
        Set<String> taken = taken();
        if (cores.stream().flatMap(TableState::physical).anyMatch(taken::contains)) {
            throw new IllegalStateException(cores + " are taken");
        }
        queue.remove(ticket.number());
        unstick();
        Claim claim = new Claim(
                ticket.number(),
                ticket.member(),
                members.get(ticket.member()).process().pid(),
                ticket.holder(),
                ticket.thread(),
                ticket.threadId(),
                next(),
                since,
                List.copyOf(cores),
                ticket.within(),
                lasting,
                List.of());
        claims.put(claim.number(), claim);
        // The next one in the queue is first now.
        roomMade = true;
        return claim;
    }

    /** Ends a lease. Cores of processes that still run go into quarantine until these have ended. */
    public void release(long number, LeasePrograms programs) {
        Claim claim = claims.get(number);
        if (claim != null) {
            end(claim, programs.byNumber(claim.processes()), programs, "was given back");
        }
    }

    private void end(Claim claim, LeasePrograms.Left left, LeasePrograms programs, String what) {
        if (!left.isNothing()) {
            String reason = "the lease %s while %s".formatted(what, running(left, programs));
            // A program that runs without a lock that is free is known by its number only.
            String lock = left.lock() == ProgramLock.State.FREE ? "" : lock(claim);
            for (String core : claim.cores()) {
                add(
                        core,
                        reason,
                        claim,
                        Until.PROCESSES_END,
                        claim.since(),
                        DeviceReading.NONE,
                        left.processes(),
                        lock);
            }
        }
        claims.remove(claim.number());
        past.add(new Past(next(), claim.number(), claim.pid(), claim.holder(), claim.cores(), claim.within()));
        past.removeIf(each -> claims.values().stream()
                .noneMatch(live -> live.granted() < each.ended() && neighbours(live.cores(), each.cores())));
        while (past.size() > REMEMBERED) {
            past.remove(0);
        }
        roomMade = true;
    }

    private static String running(LeasePrograms.Left left, LeasePrograms programs) {
        boolean isLocked = left.lock() == ProgramLock.State.HELD;
        if (left.processes().isEmpty()) {
            return "a process that its program had started was alive";
        }
        return left.processes().stream()
                .map(process -> (programs.life(process) == ProcessTable.Life.ALIVE
                                ? "its process %s was alive"
                                : isLocked
                                        ? "its process %s, of another container or user, or what that had started, was alive"
                                        : "its process %s, of another container or user, could not be seen from here")
                        .formatted(process.pid()))
                .collect(Collectors.joining(", "));
    }

    /** Returns the name of what the programs of a lease keep locked; empty where they keep nothing. */
    public String lock(Claim claim) {
        Member member = members.get(claim.member());
        return member == null || member.directory().isEmpty()
                ? ""
                : Membership.lock(member.directory(), claim.number());
    }

    public void started(long claim, ProcessIdentity process) {
        claims.computeIfPresent(claim, (number, held) -> {
            changed = true;
            return held.with(Stream.concat(held.processes().stream(), Stream.of(process))
                    .distinct()
                    .toList());
        });
    }

    public void ended(long claim, long pid) {
        claims.computeIfPresent(claim, (number, held) -> {
            changed = true;
            return held.with(held.processes().stream()
                    .filter(process -> process.pid() != pid)
                    .toList());
        });
    }

    /**
     * Puts a core into quarantine. One that is suspect for the second time, after another test, needs a reset. The first suspicion stays
     * when the second one is explained.
     */
    public Barred suspect(
            String core, String reason, Claim claim, Until until, Instant since, DeviceReading device, String test) {
        if (!until.isSuspect()) {
            return bar(core, reason, claim, until, since, device, List.of());
        }
        Optional<Suspect> before = suspects.values().stream()
                .filter(each -> each.isAgain(core, test, device))
                .findFirst();
        if (before.isEmpty()) {
            suspects.put(core, new Suspect(core, reason, claim.holder(), test, device));
        }
        return before.map(each -> bar(
                        core,
                        "%s%s (%s: %s)".formatted(reason, SUSPECT_BEFORE, each.holder(), each.reason()),
                        claim,
                        Until.RESET,
                        since,
                        device,
                        List.of()))
                .orElseGet(() -> bar(core, reason, claim, until, since, device, List.of()));
    }

    public Barred bar(
            String core,
            String reason,
            Claim claim,
            Until until,
            Instant since,
            DeviceReading device,
            List<ProcessIdentity> processes) {
        return add(core, reason, claim, until, since, device, processes, "");
    }

    private Barred add(
            String core,
            String reason,
            Claim claim,
            Until until,
            Instant since,
            DeviceReading device,
            List<ProcessIdentity> processes,
            String lock) {
        Barred entry = new Barred(
                next(),
                core,
                reason,
                claim.holder(),
                claim.member(),
                claim.pid(),
                since,
                until,
                device,
                List.copyOf(processes),
                lock,
                0);
        barred.put(entry.number(), entry);
        return entry;
    }

    public void clear(long quarantine) {
        if (barred.remove(quarantine) != null) {
            changed = true;
            roomMade = true;
        }
    }

    /** Ends the quarantine of a core that is well. What was suspect before a reset of its device is no evidence after it. */
    public void recover(Barred entry) {
        clear(entry.number());
        if (entry.until().compareTo(Until.RESET) >= 0) {
            Set<String> devices = devices(List.of(entry.core()));
            changed |= suspects.keySet()
                    .removeIf(core -> devices(List.of(core)).stream().anyMatch(devices::contains));
        }
    }

    /**
     * Takes back the blame from cores. What was only suspect is free again, and what needs a reset is quarantined with the cause
     * beside its reason.
     *
     * @return the quarantines that have ended
     */
    public List<Long> acquit(long member, Collection<String> cores, String reason, String cause) {
        changed |= suspects.values()
                .removeIf(each ->
                        share(cores, List.of(each.core())) && each.reason().equals(reason));
        List<Long> ended = new ArrayList<>();
        for (Barred entry : List.copyOf(barred.values())) {
            boolean same = entry.reason().equals(reason);
            boolean again = entry.reason().startsWith(reason + SUSPECT_BEFORE);
            if (entry.member() == member && share(cores, List.of(entry.core())) && (same || again)) {
                clear(entry.number());
                ended.add(entry.number());
                if (same && entry.until() != Until.WELL) {
                    Barred explained = entry.because(next(), "%s; %s".formatted(reason, cause));
                    barred.put(explained.number(), explained);
                }
            }
        }
        return ended;
    }

    /** Whether only a health check ends a quarantine: no test holds the core, none looks at it, and no process is waited for. */
    public boolean lasting(Barred entry) {
        return entry.until() != Until.PROCESSES_END
                && entry.checker() == 0
                && claims.values().stream().noneMatch(claim -> share(claim.cores(), List.of(entry.core())));
    }

    /** Whether a test holds a core of the same device as this quarantined core, so that the device cannot be reset. */
    public boolean busy(Barred entry) {
        return entry.until() == Until.RESET
                && claims.values().stream().anyMatch(claim -> neighbours(claim.cores(), List.of(entry.core())));
    }

    /** The devices that are being examined, and perhaps reset: no test is given a core of them. */
    public Set<String> examined() {
        return devices(barred.values().stream()
                .filter(entry -> entry.until() == Until.RESET && entry.checker() != 0)
                .map(Barred::core)
                .toList());
    }

    /** Whether a member may look if a core is well: what a JVM still does on a core, it alone knows. */
    public boolean checkable(Barred entry, long self) {
        return lasting(entry)
                && !busy(entry)
                && (entry.until() != Until.IDLE || entry.member() == self || !members.containsKey(entry.member()));
    }

    public void check(long quarantine, long member) {
        barred.computeIfPresent(quarantine, (number, entry) -> {
            changed = true;
            return entry.checkedBy(member);
        });
    }

    /** Ends the quarantines whose processes have all ended. */
    public List<Barred> endQuarantines(LeasePrograms programs) {
        List<Barred> over = new ArrayList<>();
        for (Barred entry : List.copyOf(barred.values())) {
            if (entry.until() == Until.PROCESSES_END) {
                LeasePrograms.Left left = programs.left(entry.processes(), entry.lock());
                if (left.isNothing()) {
                    clear(entry.number());
                    over.add(entry);
                } else if (left.lock() == ProgramLock.State.FREE) {
                    barred.put(entry.number(), entry.until(left.processes()));
                    changed = true;
                }
            }
        }
        return over;
    }

    /** Returns the names of the locks that decide when quarantines end. */
    Set<String> locks() {
        return barred.values().stream().map(Barred::lock).collect(Collectors.toSet());
    }

    /** Takes from members that are no more what they had. */
    public List<Death> bury(Predicate<Member> alive, LeasePrograms programs) {
        List<Member> dead = members.values().stream().filter(alive.negate()).toList();
        List<Death> deaths = new ArrayList<>();
        for (Member member : dead) {
            for (Claim claim : claims()) {
                if (claim.member() == member.number()) {
                    LeasePrograms.Left left = programs.left(claim.processes(), lock(claim));
                    end(claim, left, programs, "ended with its JVM " + claim.pid());
                    deaths.add(new Death(claim, left.processes(), !left.isNothing()));
                }
            }
            barred.replaceAll((number, entry) -> entry.checker() == member.number() ? entry.checkedBy(0) : entry);
            leave(member.number());
        }
        return deaths;
    }

    /** The physical cores that are leased or in quarantine. */
    public Set<String> taken() {
        Set<String> taken = new HashSet<>();
        claims.values()
                .forEach(claim -> claim.cores().forEach(core -> physical(core).forEach(taken::add)));
        barred.values().forEach(entry -> physical(entry.core()).forEach(taken::add));
        return taken;
    }

    /**
     * What had cores of the same devices at any time since a lease was granted, or since a later moment: first what has ended, then
     * what has not. What a holder has besides is no neighbour.
     */
    public List<Past> neighbours(Claim claim, long moment) {
        long since = Math.max(claim.granted(), moment);
        return Stream.concat(
                        past.stream().filter(each -> each.ended() > since),
                        claims().stream()
                                .filter(other -> other.number() != claim.number())
                                .map(other -> new Past(
                                        0, other.number(), other.pid(), other.holder(), other.cores(), other.within())))
                .filter(other -> neighbours(other.cores(), claim.cores()))
                .filter(other -> !claim.within().contains(other.number())
                        && !other.within().contains(claim.number()))
                .toList();
    }

    /** Whether there is a physical core in both. */
    public static boolean share(Collection<String> some, Collection<String> others) {
        Set<String> physical = new HashSet<>();
        some.stream().flatMap(TableState::physical).forEach(physical::add);
        return others.stream().flatMap(TableState::physical).anyMatch(physical::contains);
    }

    private static boolean neighbours(List<String> some, List<String> others) {
        Set<String> devices = devices(some);
        return devices(others).stream().anyMatch(devices::contains);
    }

    /** The names of the devices that cores lie on. */
    public static Set<String> devices(Collection<String> cores) {
        Set<String> devices = new HashSet<>();
        cores.stream().flatMap(TableState::physical).forEach(core -> devices.add(core.replaceFirst("/.*", "")));
        return devices;
    }

    /** The physical cores of a core. */
    public static Stream<String> physical(String core) {
        return core.indexOf('+') < 0 ? Stream.of(core) : Arrays.stream(core.split("\\+"));
    }

    /** For comparing tables, in which the order of members does not matter. */
    Map<String, Object> content() {
        return Map.of(
                "last", last,
                "members", Map.copyOf(members),
                "queue", Map.copyOf(queue),
                "claims", Map.copyOf(claims),
                "barred", Map.copyOf(barred),
                "suspects", Map.copyOf(suspects),
                "past", List.copyOf(past),
                "questions", Map.copyOf(questions));
    }
}
