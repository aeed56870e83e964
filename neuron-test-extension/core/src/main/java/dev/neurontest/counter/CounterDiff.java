package dev.neurontest.counter;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.counter.ConcurrentUsers;
import dev.neurontest.internal.counter.CounterText;
import dev.neurontest.internal.counter.CounterVerdict;
import dev.neurontest.internal.counter.DiffContext;
import dev.neurontest.internal.counter.HardwareSuspicion;
import dev.neurontest.internal.counter.HealthChange;
import dev.neurontest.internal.counter.ParsedCounters;
import dev.neurontest.internal.counter.ReportedDifferences;
import dev.neurontest.internal.counter.SettleResult;
import dev.neurontest.internal.counter.tree.CounterRow;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScope.Section;
import dev.neurontest.internal.counter.tree.CounterScope.Subject;
import dev.neurontest.internal.counter.tree.DeferredCounts;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.CountText;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The differences of the counters of some logical cores and their devices between two snapshots.
 *
 * <p>Differences are computed from {@code total} (ECC: from the plain file) and are unsigned. {@code present} is not compared. A
 * {@code peak} is included when it increased or was cleared.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterDiff {

    private static final String HELD_BACK =
            "This host (%s) counts executions and their outcomes when the owning process closes the device, and %s. "
                    + "End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live.";

    private static final String STILL_OPEN =
            "%s still open in %s: %s later counts are not included in this test. End %s in the test, or start %4$s with Workloads.";

    private static final String UNSEEN =
            "This host (%s) counts executions and their outcomes when the owning process closes the device, and its driver has %s than before: a process that this user cannot see has opened a device. End it before the counters are read, or run as root; from driver 2.30 on counters are live.";

    private static final int NAMED = 4;

    private final CounterSnapshot before;
    private final CounterSnapshot after;
    private final DiffContext context;
    private final List<Subject> cores;
    private final List<Subject> devices;
    private final BitSet reported;
    private final @Nullable Judgement judgement;
    private @Nullable List<CounterChange> moved;

    private CounterDiff(
            CounterSnapshot before,
            CounterSnapshot after,
            DiffContext context,
            List<Subject> cores,
            List<Subject> devices,
            BitSet reported,
            @Nullable Judgement judgement) {
        this.before = before;
        this.after = after;
        this.context = context;
        this.cores = cores;
        this.devices = devices;
        this.reported = reported;
        this.judgement = judgement;
    }

    /**
     * Compares two snapshots without a check for processes that defer counts.
     *
     * @param before the first snapshot
     * @param after the second snapshot, of the same cores
     * @param neighbours other users of the devices
     * @return the difference
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterDiff between(CounterSnapshot before, CounterSnapshot after, ConcurrentUsers neighbours) {
        return between(before, after, DiffContext.of(SettleResult.NOT_ASKED_FOR, Map.of(), neighbours));
    }

    static CounterDiff between(
            CounterSnapshot before,
            CounterSnapshot after,
            SettleResult settlement,
            Map<Integer, List<String>> holders) {
        return between(before, after, DiffContext.of(settlement, holders, ConcurrentUsers.NONE));
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public static CounterDiff between(CounterSnapshot before, CounterSnapshot after, DiffContext context) {
        CounterScope scope = before.scope();
        before.requireSameCores(after);
        return new CounterDiff(
                before,
                after,
                context.restarted(DriverRestart.between(before, after)),
                scope.coreSubjects(),
                scope.deviceSubjects(),
                new BitSet(),
                null);
    }

    /**
     * Finds the devices with running processes that defer counts of executions. Call this before the last snapshot to find all of
     * them.
     */
    static Map<Integer, List<String>> deferredBy(CounterScope scope) {
        return scope.deferredCounts() == null
                ? Map.of()
                : ofScope(scope, scope.deferredCounts().owners().get());
    }

    /**
     * Selects the owners of the devices of a scope.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public static Map<Integer, List<String>> ofScope(CounterScope scope, Map<Integer, List<String>> owners) {
        Map<Integer, List<String>> holders = new TreeMap<>(owners);
        holders.keySet().retainAll(numbers(scope.deviceSubjects()));
        return holders;
    }

    /**
     * Returns the changes on the leased cores and their devices.
     *
     * @return changes by physical core, then by device; without unreadable counters
     */
    public List<CounterChange> moved() {
        if (moved == null) {
            moved = List.copyOf(movedIn(sections()));
        }
        return moved;
    }

    /**
     * Returns the changes on the other cores of the leased devices by other programs. A core that only tests of the same build leased
     * during the measurement is excluded, because these tests measure it themselves.
     *
     * @return the changes of a few selected counters
     */
    public List<CounterChange> foreign() {
        List<CounterChange> foreign = new ArrayList<>();
        for (CounterChange change : onOtherCores()) {
            if (!isByThisRun(change)) {
                foreign.add(change);
            }
        }
        return List.copyOf(foreign);
    }

    private boolean isByThisRun(CounterChange change) {
        for (Counter counter : change.counters()) {
            if (context.neighbours().isUsedByThisRun(counter.place())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the changes on the other cores of the leased devices, by anyone.
     *
     * @return the changes of a few selected counters
     */
    List<CounterChange> onOtherCores() {
        return movedIn(watched());
    }

    /**
     * Returns the counters of the leased cores and their devices that could not be read, before or after.
     *
     * @return one entry per file and reading; empty when all files were read
     */
    public List<UnreadableCounter> unreadable() {
        return unreadableIn(sections());
    }

    /**
     * Returns the reasons why foreign activity may be missed: the cores that could not be read, each once.
     *
     * @return the reasons
     */
    List<NeuronSysfsException> unwatched() {
        Map<CounterPlace, NeuronSysfsException> first = new TreeMap<>();
        for (UnreadableCounter failed : unreadableIn(watched())) {
            first.putIfAbsent(failed.counter().place(), failed.cause());
        }
        List<NeuronSysfsException> reasons = new ArrayList<>(scope().unwatched());
        reasons.addAll(first.values());
        return List.copyOf(reasons);
    }

    /**
     * Returns the change of a counter over all cores of this difference. Memory of a logical core is the sum over its physical
     * cores. A count of a logical core is the largest count of its physical cores. Several cores or devices add up.
     *
     * @param name a path below {@code stats} such as {@code status/oob_error}, or its last part
     * @return the change
     * @throws CounterNameException when there is no such counter, or the name is ambiguous
     */
    public CounterChange counter(String name) {
        List<CounterChange> each = each(name);
        return each.size() == 1
                ? each.get(0)
                : CounterChange.sum(together(each.get(0).path()), each);
    }

    /**
     * Returns the change of a counter on each logical core, or on each device for a device counter.
     *
     * @param name a path below {@code stats} such as {@code status/oob_error}, or its last part
     * @return one change for each, in the order of the cores
     * @throws CounterNameException when there is no such counter, or the name is ambiguous
     */
    public List<CounterChange> each(String name) {
        String path = scope().path(name);
        return subjects(path).stream()
                .map(subject -> change(subject, path, false))
                .toList();
    }

    /**
     * Returns the part of this difference that belongs to one logical core and its device.
     *
     * @param core one of the cores of this difference
     * @return a difference that contains only this core and its device
     * @throws IllegalArgumentException when that core is not part of this difference
     */
    public CounterDiff onCore(NeuronCore core) {
        return onCore(core.name());
    }

    CounterDiff onCore(String label) {
        Subject core = cores.stream()
                .filter(subject -> subject.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s is not among these counters, which belong to %s."
                        .formatted(label, ListText.of(cores, Subject::label))));
        List<Subject> coreDevices = devices.stream()
                .filter(device -> core.sections().stream()
                        .anyMatch(section -> section.place().device()
                                == device.sections().get(0).place().device()))
                .toList();
        return new CounterDiff(before, after, context, List.of(core), coreDevices, reported, judgement);
    }

    /**
     * Returns the rest of this difference after the parts that other differences have reported. Tests of a class report their
     * part, and the class reports the rest.
     *
     * @param parts the reported differences, of the cores of this difference
     * @return this difference without the reported parts
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterDiff residual(ReportedDifferences parts) {
        return parts.subtractFrom(this);
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public CounterDiff with(CounterSnapshot earlier, BitSet alreadyReported, Set<String> reportedEntries) {
        List<String> entries = context.entryChanges().stream()
                .filter(change -> !reportedEntries.contains(change))
                .toList();
        return new CounterDiff(
                earlier,
                after,
                context.with(entries, context.unseenReferences()),
                cores,
                devices,
                alreadyReported,
                judgement);
    }

    /**
     * Returns the same difference with its judgement. The judgement is saved with it.
     *
     * @param judgement the judgement of the rules of its test
     * @return a difference with a verdict for each error counter in its JSON
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterDiff judged(Judgement judgement) {
        return new CounterDiff(before, after, context, cores, devices, reported, judgement);
    }

    /**
     * Returns the same difference with other names of the processes that have a device open.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterDiff namingProcesses(UnaryOperator<String> name) {
        return new CounterDiff(before, after, context.named(name), cores, devices, reported, judgement);
    }

    /**
     * Returns the evidence that the counters of the host were reset between the snapshots. The differences are meaningless then.
     *
     * @return such as {@code /sys/module/neuron was created again}; empty if the two snapshots are comparable
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> restart() {
        return context.restart();
    }

    /**
     * Returns the files and cores that appeared or disappeared since the first reading.
     *
     * @return each change as readable text
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> entryChanges() {
        return context.entryChanges();
    }

    /**
     * Returns the reason why a hidden process may defer counts: the kernel module has more references than before.
     *
     * @return the reason; empty without more references, or if the driver updates counters at once
     */
    Optional<String> unseenHolder() {
        DeferredCounts deferredCounts = scope().deferredCounts();
        return deferredCounts == null || context.unseenReferences() <= 0
                ? Optional.empty()
                : Optional.of(UNSEEN.formatted(
                        deferredCounts.reason(), CountText.of(context.unseenReferences(), "more reference")));
    }

    /**
     * Returns the devices of these cores that report other broken components than before, or can no longer be read.
     *
     * @return the components before and after, by device such as {@code neuron0}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public SortedMap<String, HealthChange> healthChanges() {
        SortedMap<String, HealthChange> changes = new TreeMap<>();
        for (Subject device : devices) {
            String was = before.state().unhealthy().get(device.label());
            String is = after.state().unhealthy().get(device.label());
            if (was != null && is != null && !was.equals(is)) {
                changes.put(device.label(), new HealthChange(was, is));
            }
        }
        return changes;
    }

    /**
     * Returns the verdict of the test's rules on a counter that changed. A changed error counter of the test's own cores has a
     * verdict: violated, undecided or allowed.
     *
     * @param change a change of this difference
     * @return the verdict; empty for a counter that no rule judged, for a counter of another test, and without a judgement
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<CounterVerdict> verdict(CounterChange change) {
        boolean own = sections().stream()
                .anyMatch(section ->
                        section.place().equals(change.counters().get(0).place()));
        return verdict(subject -> isAbout(subject, change), own && change.isError());
    }

    /**
     * Returns the verdict on a device that reports other broken components than before.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public Optional<CounterVerdict> healthVerdict(String device) {
        return verdict(healthOf(device)::equals, true);
    }

    private Optional<CounterVerdict> verdict(Predicate<String> about, boolean isOwnError) {
        if (judgement == null) {
            return Optional.empty();
        }
        if (judgement.violations().stream().map(Violation::subject).anyMatch(about)) {
            return Optional.of(CounterVerdict.VIOLATED);
        }
        if (judgement.undecided().stream().map(Undecided::subject).anyMatch(about)
                || isOwnError && restart().isPresent()) {
            return Optional.of(CounterVerdict.UNDECIDED);
        }
        return isOwnError ? Optional.of(CounterVerdict.ALLOWED) : Optional.empty();
    }

    /**
     * Returns the subject of violations about the health of a device.
     *
     * @param device such as {@code neuron0}
     * @return such as {@code neuron0 unhealthy_components}
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static String healthOf(String device) {
        return device + " " + NeuronDevice.COMPONENTS;
    }

    private boolean isAbout(String subject, CounterChange change) {
        return subject.equals(change.subject())
                || find(subject)
                        .filter(about -> about.counters().containsAll(change.counters()))
                        .isPresent();
    }

    /**
     * Returns whether the counters had settled at the last reading.
     *
     * @return false when the wait for that reached its limit
     */
    public boolean settled() {
        return context.settlement().quiet();
    }

    /**
     * Returns the names of the logical cores of this difference.
     *
     * @return names as shown in messages
     */
    public List<String> cores() {
        List<String> labels = new ArrayList<>();
        for (Subject core : cores) {
            labels.add(core.label());
        }
        return List.copyOf(labels);
    }

    /**
     * Returns the other users of the devices during the measurement: other leases, and processes without a lease. Changes of
     * device counters cannot be attributed then.
     *
     * @return users as shown in messages; empty when there were none, or they are not known
     */
    public List<String> neighbours() {
        return context.neighbours().on(places(devices));
    }

    /**
     * Returns whether a change cannot be attributed. This is the case for a device counter while another process was on the
     * device.
     *
     * @param change the change to check
     * @return true if it cannot be attributed; false for the counters of a core
     */
    public boolean isShared(CounterChange change) {
        List<CounterPlace> ofDevices = change.counters().stream()
                .map(Counter::place)
                .filter(place -> place.core().isEmpty())
                .toList();
        return !context.neighbours().on(ofDevices).isEmpty();
    }

    /**
     * Returns the other users of the devices of a change.
     *
     * @param change the change
     * @return users as shown in messages
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> neighbours(CounterChange change) {
        return context.neighbours()
                .on(change.counters().stream().map(Counter::place).toList());
    }

    /**
     * Returns the cores that may be broken according to their counters. An uncorrected ECC error of the device concerns all its
     * cores. A status counter for hardware errors concerns only its own core. This does not depend on rules.
     *
     * @return one suspicion for each such core, in the order of the cores
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<HardwareSuspicion> hardwareSuspicions() {
        List<HardwareSuspicion> suspicions = new ArrayList<>();
        for (Subject core : cores) {
            Optional<HardwareSuspicion> suspicion = HardwareSuspicion.of(core, this);
            if (suspicion.isPresent()) {
                suspicions.add(suspicion.get());
            }
        }
        return List.copyOf(suspicions);
    }

    private static List<CounterPlace> places(List<Subject> subjects) {
        List<CounterPlace> places = new ArrayList<>();
        for (Subject subject : subjects) {
            for (Section section : subject.sections()) {
                places.add(section.place());
            }
        }
        return places;
    }

    /**
     * Returns the reason why a counter may still be too low. Drivers up to 2.29 add executions and their outcomes when the owning
     * process releases the device. A running process still holds the device.
     *
     * @param change the change to check
     * @return the reason with the processes; empty when the reading is complete
     */
    public Optional<String> deferredBy(CounterChange change) {
        if (!change.kind().isDeferred()) {
            return Optional.empty();
        }
        Set<Integer> itsDevices = change.counters().stream()
                .map(counter -> counter.place().device())
                .collect(Collectors.toSet());
        return deferredBy(itsDevices);
    }

    /**
     * Returns the reason why executions and their outcomes may still be too low.
     *
     * @return the reason with the processes; empty when the reading is complete
     */
    public Optional<String> deferredBy() {
        return deferredBy(numbers(devices));
    }

    private static Set<Integer> numbers(List<Subject> devices) {
        Set<Integer> numbers = new HashSet<>();
        for (Subject device : devices) {
            numbers.add(device.sections().get(0).place().device());
        }
        return numbers;
    }

    /**
     * Returns the reason why later counts are missed: a process outside the control of this test has a device open. If such a
     * process defers its counts, {@link #deferredBy()} reports it instead.
     *
     * @return the reason with the processes; empty when there is no such process, or no search was done
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> stillOpen() {
        Set<Integer> ofThese = numbers(devices);
        List<String> open = new ArrayList<>();
        Set<String> processes = new LinkedHashSet<>();
        for (Map.Entry<Integer, List<String>> device : openDevices().entrySet()) {
            if (ofThese.contains(device.getKey())) {
                open.add(CounterPlace.ofDevice(device.getKey()).toString());
                processes.addAll(device.getValue());
            }
        }
        if (open.isEmpty()) {
            return Optional.empty();
        }
        boolean single = processes.size() == 1;
        return Optional.of(STILL_OPEN.formatted(
                ListText.some(open, NAMED) + (open.size() == 1 ? " is" : " are"),
                ListText.some(processes, NAMED),
                single ? "its" : "their",
                single ? "it" : "them"));
    }

    private Optional<String> deferredBy(Set<Integer> ofThese) {
        List<String> owners = new ArrayList<>();
        for (Map.Entry<Integer, List<String>> device : context.holders().entrySet()) {
            if (ofThese.contains(device.getKey())) {
                owners.add("neuron" + device.getKey() + " is still held by " + String.join(", ", device.getValue()));
            }
        }
        DeferredCounts deferredCounts = scope().deferredCounts();
        return deferredCounts == null || owners.isEmpty()
                ? unseenHolder()
                : Optional.of(HELD_BACK.formatted(deferredCounts.reason(), String.join(" and ", owners)));
    }

    /**
     * Returns the peak of each logical core. The peaks of its physical cores are added, so the sum is never less than the true
     * peak.
     *
     * @param path path below {@code stats}
     * @return one change for each, in the order of the cores
     */
    List<CounterChange> eachPeak(String path) {
        return subjects(path).stream()
                .map(subject -> change(subject, path, true))
                .toList();
    }

    /**
     * Returns the sum of the totals that belong to a peak.
     *
     * @param peak a peak of this difference
     * @return the sum of the totals
     */
    CounterChange total(CounterChange peak) {
        return CounterChange.sum(peak.where(), parts(peak));
    }

    /**
     * Returns the changes of the physical cores or devices that were added or compared for a change.
     *
     * @param change a change of this difference
     * @return one for each of its counters
     */
    List<CounterChange> parts(CounterChange change) {
        return change.counters().stream()
                .map(counter -> find(counter.place() + " " + change.path()).orElseThrow())
                .toList();
    }

    /**
     * Finds the change with the given subject.
     *
     * @param subject text returned by {@link CounterChange#subject()}
     * @return the change; empty if the subject is not a counter of this difference
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<CounterChange> find(String subject) {
        String where = subject.substring(0, Math.max(0, subject.lastIndexOf(' ')));
        String file = subject.substring(subject.lastIndexOf(' ') + 1);
        boolean peak = file.endsWith(CounterField.PEAK.suffix());
        String path = peak
                ? file.substring(0, file.length() - CounterField.PEAK.suffix().length())
                : file;
        Stream<Subject> places = scope().sections().stream()
                .map(section -> new Subject(section.place().toString(), List.of(section)));
        return Stream.concat(places, Stream.concat(cores.stream(), devices.stream()))
                .filter(candidate -> candidate.label().equals(where) && has(candidate, path))
                .findFirst()
                .map(place -> change(place, path, peak))
                .or(() -> Optional.of(path)
                        .filter(all -> subjects(all).size() > 1 && where.equals(together(all)))
                        .map(this::counter));
    }

    /**
     * Returns the cores as shown in messages.
     *
     * @return their names, or their number
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String where() {
        return cores.size() <= NAMED
                ? String.join(", ", cores())
                : cores.size() + " cores from " + cores.get(0).label();
    }

    /**
     * Returns the scope of both snapshots.
     *
     * @return the scope
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterScope scope() {
        return before.scope();
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public CounterSnapshot before() {
        return before;
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public CounterSnapshot after() {
        return after;
    }

    /** @hidden */
    @API(status = API.Status.INTERNAL)
    public SettleResult settlement() {
        return context.settlement();
    }

    /**
     * Returns the notice about counters that had not settled at the last reading.
     *
     * @return the notice; empty when they had settled, or when no wait was requested
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> unsettled() {
        return settlement().quiet()
                ? Optional.empty()
                : Optional.of(settlement().notice());
    }

    /**
     * Returns the places of this difference.
     *
     * @return physical cores, then devices
     */
    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (Subject core : cores) {
            sections.addAll(core.sections());
        }
        for (Subject device : devices) {
            sections.addAll(device.sections());
        }
        return List.copyOf(sections);
    }

    private List<CounterChange> movedIn(List<Section> sections) {
        List<CounterChange> changes = new ArrayList<>();
        for (Section section : sections) {
            for (CounterRow row : section.rows()) {
                if (row.main() >= 0 && differs(section.first() + row.main())) {
                    changes.add(at(section.first() + row.main()));
                }
                if (row.peak() >= 0 && differs(section.first() + row.peak())) {
                    changes.add(at(section.first() + row.peak()));
                }
            }
        }
        return changes;
    }

    private boolean differs(int position) {
        return before.bits(position) != after.bits(position) && before.isRead(position) && after.isRead(position);
    }

    private List<UnreadableCounter> unreadableIn(List<Section> sections) {
        if (before.failures().isEmpty() && after.failures().isEmpty()) {
            return List.of();
        }
        return Stream.concat(unreadableIn(sections, "before", before), unreadableIn(sections, "after", after))
                .toList();
    }

    private Stream<UnreadableCounter> unreadableIn(List<Section> sections, String moment, CounterSnapshot snapshot) {
        return snapshot.failures().entrySet().stream()
                .filter(failure -> !reported.get(failure.getKey()))
                .filter(failure -> sections.stream().anyMatch(section -> section.contains(failure.getKey())))
                .sorted(Map.Entry.comparingByKey())
                .map(failure -> new UnreadableCounter(scope().counter(failure.getKey()), moment, failure.getValue()));
    }

    private List<Section> watched() {
        List<Section> watched = new ArrayList<>();
        for (Section section : scope().sections()) {
            if (section.watched()) {
                watched.add(section);
            }
        }
        return watched;
    }

    /** Returns the logical cores that have a counter, or the devices if no core has it. */
    private List<Subject> subjects(String path) {
        List<Subject> level = cores.stream().anyMatch(core -> has(core, path)) ? cores : devices;
        return level.stream().filter(subject -> has(subject, path)).toList();
    }

    private static boolean has(Subject subject, String path) {
        return subject.sections().stream().anyMatch(section -> section.row(path) != null);
    }

    private String together(String path) {
        List<Subject> subjects = subjects(path);
        return subjects.size() + (subjects.get(0).isCore() ? " cores" : " devices");
    }

    private CounterChange change(Subject subject, String path, boolean peak) {
        List<CounterChange> parts = new ArrayList<>();
        for (Section section : subject.sections()) {
            CounterRow row = section.row(path);
            if (row != null) {
                parts.add(at(section.first() + (peak ? row.peak() : row.main())));
            }
        }
        return CounterKind.of(path).addsUpOverPhysicalCores()
                ? CounterChange.sum(subject.label(), parts)
                : CounterChange.largest(subject.label(), parts);
    }

    private CounterChange at(int position) {
        Counter counter = scope().counter(position);
        String location = scope().location(position);
        NeuronSysfsException failedBefore = before.failure(position);
        NeuronSysfsException failedAfter = after.failure(position);
        return failedBefore == null && failedAfter == null
                ? CounterChange.of(counter, location, before.bits(position), after.bits(position))
                : CounterChange.unreadable(
                        counter,
                        location,
                        failedBefore == null ? Movement.unsigned(before.bits(position)) : null,
                        failedAfter == null ? Movement.unsigned(after.bits(position)) : null,
                        Stream.of(Optional.ofNullable(failedBefore), Optional.ofNullable(failedAfter))
                                .flatMap(Optional::stream)
                                .toList());
    }

    /**
     * Returns the difference as a table: changes, activity of other processes on the same devices, and failed readings.
     *
     * @return lines of text, including the final line ending
     */
    public String toText() {
        return CounterText.of(this);
    }

    /**
     * Returns the difference as one JSON object. Version 2 has
     *
     * <pre>{@code
     * {"version": 2, "kind": "counters", "host": "fake:trn1.2xlarge@driver-2.30", "cores": ["neuron0/core1"],
     *  "moved": [{"place": "neuron0/neuron_core1", "counter": "status/hw_error", "field": "total", "unit": "count",
     *             "kind": "status", "movement": "rose", "error": true, "before": 0, "after": 3, "delta": 3, "text": "+3", "remark": "",
     *             "location": "/sys/.../hw_error/total", "verdict": "violated"},
     *            {"place": "neuron0", ..., "attribution": "shared"}],
     *  "foreign": [as in moved],
     *  "unreadable": [{"place": ..., "counter": ..., "field": ..., "moment": "before" or "after",
     *                  "location": ..., "content": text, "message": ...}],
     *  "settled": true, "settlingMillis": 0, "deferredBy": {"neuron0": ["python3 (pid 4711)"]}, "stillOpen": as deferredBy,
     *  "neighbours": ["FooTest > bar() (pid 12) on neuron0/neuron_core0"], "restarted": ""}
     * }</pre>
     *
     * <p>{@code field} is total, peak or value; {@code unit} count, bytes, microseconds or operations; {@code kind} status, execution,
     * reset, memory, ecc or other; {@code movement} rose, fell,
     * decreased (then delta is the count since the reset) or wrapped. {@code text} is the difference in readable form, rounded
     * for a table. {@code remark} is the note next to it in {@link #toText()}. {@code error} marks an error counter. A judged
     * counter has a {@code verdict} of its test: violated, undecided or allowed. The member {@code content} is absent if a file
     * could not be read.
     * {@code restarted} is the evidence of a counter reset, and empty without one. {@code health} is present if a device reported
     * other broken components. {@code remarks} is present if something other than a count changed on the host, such as the health
     * or the files. {@code attribution} is {@code shared}
     * for a device counter if neighbours used the device during the test, and absent otherwise. {@code deferredBy} concerns
     * drivers up to 2.29, and {@code stillOpen} concerns drivers with live counters. Later counts of these processes are not
     * included. Numbers are exact and may need 64 bits without a sign. The version increases when a member changes its meaning or
     * is removed. New members may be added without a new version.
     *
     * @return the object
     */
    public String toJson() {
        return RecordWriter.text(ParsedCounters.of(this));
    }

    /**
     * Returns whether nothing changed and everything could be read.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public boolean isEmpty() {
        return settled()
                && moved().isEmpty()
                && foreign().isEmpty()
                && unreadable().isEmpty()
                && context.holders().isEmpty()
                && neighbours().isEmpty()
                && restart().isEmpty()
                && entryChanges().isEmpty()
                && healthChanges().isEmpty()
                && unseenHolder().isEmpty();
    }

    /**
     * Returns the processes that defer their counts, by device number.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public Map<Integer, List<String>> deferring() {
        return scope().deferredCounts() == null ? Map.of() : context.holders();
    }

    /**
     * Returns the processes that have a device open, by device number. Their later counts are missed.
     *
     * @hidden
     */
    @API(status = API.Status.INTERNAL)
    public Map<Integer, List<String>> openDevices() {
        return scope().deferredCounts() == null ? context.holders() : Map.of();
    }

    /**
     * Returns the difference as a table.
     *
     * @return the same as {@link #toText()}
     */
    @Override
    public String toString() {
        return toText();
    }
}
