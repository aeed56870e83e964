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
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.text.ListText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the counters of some logical cores and of their devices did between two snapshots.
 *
 * <p>Differences are of {@code total} (ECC: of the plain file) and unsigned. {@code present} is no difference and does not take
 * part; a {@code peak} does when it rose or was cleared.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CounterDiff implements Measurement {

    private static final String HELD_BACK =
            "This host (%s) counts executions and their outcomes when the owning process lets go of the device, and %s. "
                    + "End the owner, or close its runtime, before the counters are read; from driver 2.30 on they are live.";

    private static final String STILL_OPEN =
            "%s still open in %s: what %s from now on is not seen by this test. End %s in the test, or start %4$s with Workloads.";

    private static final String UNSEEN =
            "This host (%s) counts executions and their outcomes when the owning process lets go of the device, and its driver has %s more references than before: a process that this user cannot see has opened a device. End it before the counters are read, or run as root; from driver 2.30 on counters are live.";

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
     * What happened between two snapshots, read at once and without asking who holds counts back.
     *
     * @param before the first
     * @param after the second, of the same cores
     * @param neighbours who else was on the devices, as messages name them
     * @return the difference
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static CounterDiff between(CounterSnapshot before, CounterSnapshot after, List<String> neighbours) {
        return between(
                before, after, DiffContext.of(SettleResult.NOT_ASKED_FOR, Map.of(), new ConcurrentUsers(neighbours)));
    }

    static CounterDiff between(
            CounterSnapshot before,
            CounterSnapshot after,
            SettleResult settlement,
            Map<Integer, List<String>> holders) {
        return between(before, after, DiffContext.of(settlement, holders, ConcurrentUsers.NONE));
    }

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
     * The devices whose counts of executions a living process holds back, with these processes. Asked before the last snapshot it
     * misses none.
     */
    static Map<Integer, List<String>> deferredBy(CounterScope scope) {
        return scope.deferredCounts() == null
                ? Map.of()
                : ofScope(scope, scope.deferredCounts().owners().get());
    }

    /** Selects the owners of the devices that a scope is about. */
    @API(status = API.Status.INTERNAL)
    public static Map<Integer, List<String>> ofScope(CounterScope scope, Map<Integer, List<String>> owners) {
        Map<Integer, List<String>> holders = new TreeMap<>(owners);
        holders.keySet()
                .retainAll(scope.deviceSubjects().stream()
                        .map(device -> device.sections().get(0).place().device())
                        .toList());
        return holders;
    }

    /**
     * Counters come as {@code counters}.
     *
     * @return {@code counters}
     */
    @Override
    public String kind() {
        return "counters";
    }

    /**
     * What moved on the leased cores and their devices.
     *
     * @return physical core by physical core, then device by device; unreadable counters are not among them
     */
    public List<CounterChange> moved() {
        if (moved == null) {
            moved = List.copyOf(movedIn(sections()));
        }
        return moved;
    }

    /**
     * What moved on the other cores of the leased devices: another process works there.
     *
     * @return what a few telling counters say
     */
    public List<CounterChange> foreign() {
        return movedIn(watched());
    }

    /**
     * What could not be read on the leased cores and their devices, before or after.
     *
     * @return each file once a moment; empty when all went well
     */
    public List<UnreadableCounter> unreadable() {
        return unreadableIn(sections());
    }

    /**
     * Why foreign activity may have gone unseen: cores that could not be looked at, each once.
     *
     * @return the reasons
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<NeuronSysfsException> unwatched() {
        Map<CounterPlace, NeuronSysfsException> first = new TreeMap<>();
        unreadableIn(watched())
                .forEach(failed -> first.putIfAbsent(failed.counter().place(), failed.cause()));
        return Stream.concat(scope().unwatched().stream(), first.values().stream())
                .toList();
    }

    /**
     * What a counter did over all cores of this difference: a logical core has the sum of the memory of its physical cores, and
     * the largest of their counts; cores, or devices, add up.
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
     * What a counter did on each logical core, or on each device if it is a device's.
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
     * The part of this difference that belongs to one logical core and its device.
     *
     * @param core one of its cores
     * @return a difference that judges and shows nothing else
     * @throws IllegalArgumentException when that core is not part of this difference
     */
    public CounterDiff onCore(NeuronCore core) {
        return onCore(core.name());
    }

    CounterDiff onCore(String label) {
        Subject core = cores.stream()
                .filter(subject -> subject.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s is not part of these counters, which are of %s."
                        .formatted(label, ListText.of(cores, Subject::label))));
        List<Subject> itsDevices = devices.stream()
                .filter(device -> core.sections().stream()
                        .anyMatch(section -> section.place().device()
                                == device.sections().get(0).place().device()))
                .toList();
        return new CounterDiff(before, after, context, List.of(core), itsDevices, reported, judgement);
    }

    /**
     * What is left when other differences have been reported already: the tests of a class report their part, the class reports
     * the rest.
     *
     * @param parts what they have reported, of the cores of this difference
     * @return this difference without theirs
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterDiff residual(ReportedDifferences parts) {
        return parts.subtractFrom(this);
    }

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
     * Returns the same difference with what its rules found, which is recorded with it.
     *
     * @param found what the rules of its test found
     * @return a difference whose JSON gives the verdict on each error counter
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterDiff judged(Judgement found) {
        return new CounterDiff(before, after, context, cores, devices, reported, found);
    }

    /**
     * The evidence that the counters of the host began anew in between, so that no difference of theirs means anything.
     *
     * @return such as {@code /sys/module/neuron was made anew}; empty where the two readings can be compared
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> restart() {
        return context.restart();
    }

    /**
     * The files and cores that appeared or are gone since the first reading.
     *
     * @return each as a person would name it
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> entryChanges() {
        return context.entryChanges();
    }

    /**
     * Returns why a hidden process may hold counts back: the module has more references than before.
     *
     * @return the reason; empty where there is no sign of one, or counters are live
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> unseenHolder() {
        DeferredCounts deferredCounts = scope().deferredCounts();
        return deferredCounts == null || context.unseenReferences() <= 0
                ? Optional.empty()
                : Optional.of(UNSEEN.formatted(deferredCounts.reason(), context.unseenReferences()));
    }

    /**
     * The devices of these cores that report other broken components than before, or cannot be asked any more.
     *
     * @return what each reported before and after, by device such as {@code neuron0}
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
     * Returns what the rules of the test found of a counter that moved. An error is answered for where it is violated or allowed.
     *
     * @param change of this difference
     * @return empty for what no rule judged, for what is another test's to judge, and where nothing was judged
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<CounterVerdict> verdict(CounterChange change) {
        boolean own = sections().stream()
                .anyMatch(section ->
                        section.place().equals(change.counters().get(0).place()));
        return verdict(subject -> isAbout(subject, change), own && change.isError());
    }

    /** Returns the verdict on a device that reports other broken components than before. */
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
     * Whether the counters were quiet when the last reading was taken.
     *
     * @return false when waiting for that ended at its limit
     */
    public boolean settled() {
        return context.settlement().quiet();
    }

    /**
     * The names of the cores that this is about.
     *
     * @return the logical cores as messages name them
     */
    public List<String> cores() {
        return cores.stream().map(Subject::label).toList();
    }

    /**
     * Who else was on the devices of these cores meanwhile: other leases, and processes outside of any. What the counters of a whole
     * device did cannot be attributed then.
     *
     * @return as messages name them; empty when there were none, or it is not known
     */
    public List<String> neighbours() {
        return context.neighbours().on(places(devices));
    }

    /**
     * Whether a change cannot be attributed, because the counter is a device's own and another process was on the device meanwhile.
     *
     * @param change what is asked about
     * @return false for the counters of a core
     */
    public boolean isShared(CounterChange change) {
        List<CounterPlace> ofDevices = change.counters().stream()
                .map(Counter::place)
                .filter(place -> place.core().isEmpty())
                .toList();
        return !context.neighbours().on(ofDevices).isEmpty();
    }

    /**
     * Who else was on the devices of a change.
     *
     * @param change what is asked about
     * @return as messages name them
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<String> neighbours(CounterChange change) {
        return context.neighbours()
                .on(change.counters().stream().map(Counter::place).toList());
    }

    /**
     * Which of the cores counters say may be broken: an uncorrected ECC error of the device concerns all of them, a status counter
     * that stands for a hardware error its own core. Rules have no part in it.
     *
     * @return one for each such core, in their order
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<HardwareSuspicion> hardwareSuspicions() {
        return cores.stream()
                .flatMap(core -> HardwareSuspicion.of(core, this).stream())
                .toList();
    }

    private static List<CounterPlace> places(List<Subject> subjects) {
        return subjects.stream()
                .flatMap(subject -> subject.sections().stream())
                .map(Section::place)
                .toList();
    }

    /**
     * Why a counter may still be too low: drivers up to 2.29 add executions and their outcomes when the owning process lets go of
     * the device, and a living process holds it.
     *
     * @param change what is asked about
     * @return the reason, naming the processes; empty when what was read is all there is
     */
    public Optional<String> deferredBy(CounterChange change) {
        if (!change.kind().isDeferred()) {
            return Optional.empty();
        }
        Set<Integer> itsDevices = change.counters().stream()
                .map(counter -> counter.place().device())
                .collect(Collectors.toSet());
        return deferredBy(itsDevices::contains);
    }

    /**
     * Why executions and their outcomes as a whole may still be too low.
     *
     * @return the reason, naming the processes; empty when what was read is all there is
     */
    public Optional<String> deferredBy() {
        return deferredBy(this::isDevice);
    }

    private boolean isDevice(int number) {
        return devices.stream()
                .anyMatch(subject -> subject.sections().get(0).place().device() == number);
    }

    /**
     * Why what is counted from now on goes unseen: a process that this test does not look after has a device open. Where such a process
     * holds its counts back, {@link #deferredBy()} says it.
     *
     * @return the reason, naming the processes; empty when there is no such process, or it was not looked for
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> stillOpen() {
        List<String> open = openDevices().keySet().stream()
                .filter(this::isDevice)
                .map(device -> CounterPlace.ofDevice(device).toString())
                .toList();
        List<String> processes = openDevices().entrySet().stream()
                .filter(entry -> isDevice(entry.getKey()))
                .flatMap(entry -> entry.getValue().stream())
                .distinct()
                .toList();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        boolean one = processes.size() == 1;
        return Optional.of(STILL_OPEN.formatted(
                ListText.some(open, NAMED) + (open.size() == 1 ? " is" : " are"),
                ListText.some(processes, NAMED),
                one ? "it counts" : "they count",
                one ? "it" : "them"));
    }

    private Optional<String> deferredBy(IntPredicate device) {
        List<String> its = context.holders().entrySet().stream()
                .filter(entry -> device.test(entry.getKey()))
                .map(entry ->
                        "neuron%s is still held by %s".formatted(entry.getKey(), String.join(", ", entry.getValue())))
                .toList();
        DeferredCounts deferredCounts = scope().deferredCounts();
        return deferredCounts == null || its.isEmpty()
                ? unseenHolder()
                : Optional.of(HELD_BACK.formatted(deferredCounts.reason(), String.join(" and ", its)));
    }

    /**
     * Each logical core's peak; peaks of physical cores add up to no less than the true one.
     *
     * @param path below {@code stats}
     * @return one change for each, in the order of the cores
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<CounterChange> eachPeak(String path) {
        return subjects(path).stream()
                .map(subject -> change(subject, path, true))
                .toList();
    }

    /**
     * The totals that belong to a peak.
     *
     * @param peak of this difference
     * @return their sum
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterChange total(CounterChange peak) {
        return CounterChange.sum(peak.where(), parts(peak));
    }

    /**
     * The changes of the physical cores or devices that were added up or compared for a change.
     *
     * @param change of this difference
     * @return one for each of its counters
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<CounterChange> parts(CounterChange change) {
        return change.counters().stream()
                .map(counter -> find(counter.place() + " " + change.path()).orElseThrow())
                .toList();
    }

    /**
     * The change that a message is about.
     *
     * @param subject as {@link CounterChange#subject()} gives it
     * @return empty when it is not about a counter of this difference
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
                .map(found -> change(found, path, peak))
                .or(() -> Optional.of(path)
                        .filter(all -> subjects(all).size() > 1 && where.equals(together(all)))
                        .map(this::counter));
    }

    /**
     * What messages call the cores together.
     *
     * @return their names, or how many
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public String where() {
        return cores.size() <= NAMED
                ? String.join(", ", cores())
                : cores.size() + " cores from " + cores.get(0).label();
    }

    /**
     * Which counters these are.
     *
     * @return those of both snapshots
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public CounterScope scope() {
        return before.scope();
    }

    @API(status = API.Status.INTERNAL)
    public CounterSnapshot before() {
        return before;
    }

    @API(status = API.Status.INTERNAL)
    public CounterSnapshot after() {
        return after;
    }

    @API(status = API.Status.INTERNAL)
    public SettleResult settlement() {
        return context.settlement();
    }

    /**
     * What to say when the counters were not quiet at the last reading.
     *
     * @return empty when they were, or when that was not asked for
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Optional<String> unsettled() {
        return settlement().quiet()
                ? Optional.empty()
                : Optional.of(settlement().notice());
    }

    /**
     * The places that this is about.
     *
     * @return physical cores, then devices
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public List<Section> sections() {
        return Stream.concat(cores.stream(), devices.stream())
                .flatMap(subject -> subject.sections().stream())
                .toList();
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
        return scope().sections().stream().filter(Section::watched).toList();
    }

    /** The logical cores, or else the devices, that have a counter. */
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
     * The difference as a table: what moved, what other processes did on the same devices, and what could not be seen.
     *
     * @return lines of text, the last one ended too
     */
    @Override
    public String toText() {
        return CounterText.of(this);
    }

    /**
     * The difference as one JSON object. Version 2 has
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
     * decreased (then delta is what was counted since) or wrapped; {@code text} is the difference in words, rounded for a
     * table, and {@code remark} what {@link #toText()} has beside it. {@code error} marks an error counter, {@code verdict} is what its test found of it: violated, undecided or allowed;
     * a counter that no rule judged has none. {@code content} is not there where a file could not be read.
     * {@code restarted} is the evidence that the counters began anew, and empty where they did not. {@code health} and {@code remarks}
     * are only there where a device reported other broken components, or files came or went. {@code attribution} is shared where the counter is a device's own
     * and neighbours were on the device meanwhile, and is not there otherwise. {@code deferredBy} is about drivers up to 2.29, and
     * {@code stillOpen} about live counters: what these processes count later is not in it. Numbers are exact and may need 64 bits without a sign. The
     * version rises when a member changes its meaning or goes; new members may come without that.
     *
     * @return the object
     */
    @Override
    public String toJson() {
        return RecordWriter.text(ParsedCounters.of(this));
    }

    @Override
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

    /** The processes that hold their counts back, by the number of the device. */
    @API(status = API.Status.INTERNAL)
    public Map<Integer, List<String>> deferring() {
        return scope().deferredCounts() == null ? Map.of() : context.holders();
    }

    /** The processes that have a device open and whose later counts go unseen, by its number. */
    @API(status = API.Status.INTERNAL)
    public Map<Integer, List<String>> openDevices() {
        return scope().deferredCounts() == null ? context.holders() : Map.of();
    }

    /**
     * The difference as a table.
     *
     * @return the same as {@link #toText()}
     */
    @Override
    public String toString() {
        return toText();
    }
}
