package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The counters that are read together: those of some logical cores and of their devices, and a few of the other cores of these
 * devices, which tell of foreign activity. What exists is looked up once; then a scope is read again and again.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterScope {

    /**
     * The counters of one place within the snapshot.
     *
     * @param place the physical core or the device
     * @param directory where it stands, relative to the host's root
     * @param layout its counters
     * @param doubt why an error of this place could go unseen
     * @param first the position of its first file
     * @param watched whether it only tells of foreign activity
     * @param entries the names in its directories
     * @param health the file that names the broken components of a device, relative to the device
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Section(
            CounterPlace place,
            String directory,
            CounterLayout layout,
            Optional<String> doubt,
            int first,
            boolean watched,
            KnownEntries entries,
            Optional<String> health) {

        /**
         * Its counters.
         *
         * @return in the order of their files
         */
        public List<CounterRow> rows() {
            return layout.rows();
        }

        /**
         * One of its counters.
         *
         * @param path below {@code stats}
         * @return null when it has no such counter
         */
        @Nullable
        public CounterRow row(String path) {
            for (CounterRow row : rows()) {
                if (row.path().equals(path)) {
                    return row;
                }
            }
            return null;
        }

        private String census() {
            Map<CounterKind, Long> kinds = layout.rows().stream()
                    .filter(row -> row.main() >= 0)
                    .collect(Collectors.groupingBy(
                            CounterRow::kind, () -> new EnumMap<>(CounterKind.class), Collectors.counting()));
            if (place.core().isPresent()) {
                kinds.putIfAbsent(CounterKind.STATUS, 0L);
            } else {
                kinds.putIfAbsent(CounterKind.ECC, 0L);
            }
            return kinds.entrySet().stream()
                    .map(kind ->
                            "%s %s".formatted(kind.getValue(), kind.getKey().word()))
                    .collect(Collectors.joining(", ", "", " counters"));
        }

        /**
         * Whether a file is one of this place.
         *
         * @param position of the file
         * @return true when it is
         */
        public boolean contains(int position) {
            return position >= first && position < end();
        }

        int end() {
            return first + layout.files().size();
        }
    }

    /**
     * Something that a demand is judged on: a logical core with its physical cores, or a device.
     *
     * @param label how messages name it
     * @param sections its places
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Subject(String label, List<Section> sections) {

        /**
         * Whether it is a core.
         *
         * @return false for a device
         */
        public boolean isCore() {
            return sections.get(0).place().core().isPresent();
        }
    }

    /** The prefix of the reason why a device's report of broken components cannot be read. */
    public static final String UNREADABLE = "unreadable: ";

    private static final String MODULE = "sys/module/neuron";

    /** Some of the files, which are read more often than all. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public final class Part {

        private final int[] positions;
        private final HostTree.Batch some;

        private Part(int[] positions) {
            this.positions = positions;
            this.some = batch.part(positions);
        }

        /**
         * The files of this part.
         *
         * @return their positions in the scope
         */
        public int[] positions() {
            return positions;
        }

        /**
         * Reads its files once.
         *
         * @param sink takes what each holds, by its place in this part, from any thread
         */
        public void read(HostTree.Sink sink) {
            some.read(sink);
        }
    }

    private final HostTree tree;
    private final HostTree.Batch batch;
    private final List<Section> sections;
    private final Counter[] counters;
    private final boolean[] settles;
    private final List<Subject> cores;
    private final List<Subject> devices;
    private final List<NeuronSysfsException> unwatched;
    private final @Nullable DeferredCounts deferredCounts;
    private final @Nullable String coreDoubt;
    private final CounterNames names;
    private final SortedMap<String, String> healthFiles;

    /**
     * Prepares reading.
     *
     * @throws NeuronSysfsException when what exists on the cores or their devices cannot be found out
     */
    CounterScope(
            HostTree tree,
            Function<CounterPlace, FoundCounters> found,
            List<LogicalCounters> cores,
            Collection<CounterPlace> watched,
            @Nullable DeferredCounts deferredCounts,
            @Nullable String coreDoubt) {
        this.tree = tree;
        this.coreDoubt = coreDoubt;
        this.deferredCounts = deferredCounts;
        this.sections = new ArrayList<>();
        this.cores = cores.stream()
                .map(core -> new Subject(
                        core.label(),
                        core.physicalCores().stream()
                                .map(place -> add(place, found.apply(place)))
                                .toList()))
                .toList();
        Set<CounterPlace> devices = new TreeSet<>();
        for (LogicalCounters core : cores) {
            core.physicalCores().forEach(place -> devices.add(CounterPlace.ofDevice(place.device())));
        }
        this.devices = devices.stream()
                .map(place -> new Subject(place.toString(), List.of(add(place, found.apply(place)))))
                .toList();
        this.unwatched = new ArrayList<>();
        for (CounterPlace place : watched) {
            try {
                watch(place, found.apply(place));
            } catch (NeuronSysfsException e) {
                unwatched.add(e);
            }
        }
        this.counters = new Counter
                [sections.isEmpty() ? 0 : sections.get(sections.size() - 1).end()];
        this.settles = new boolean[counters.length];
        this.healthFiles = new TreeMap<>();
        List<String> files = new ArrayList<>();
        for (Section section : sections) {
            for (CounterFile file : section.layout.files()) {
                int position = files.size();
                counters[position] = new Counter(section.place, file.path(), file.field());
                settles[position] =
                        !section.watched && CounterKind.of(file.path()).settles();
                files.add(section.directory + "/" + file.file());
            }
            if (!section.watched && section.health.isPresent()) {
                healthFiles.putIfAbsent(section.place.toString(), section.directory + "/" + section.health.get());
            }
        }
        files.addAll(healthFiles.values());
        this.batch = tree.prepare(files);
        this.names = new CounterNames(knownPaths(), where());
    }

    /**
     * Reads all files once: those of the counters, then the files that name the broken components of the devices.
     *
     * @param sink takes what each holds, by its position, from any thread
     */
    public void read(HostTree.Sink sink) {
        batch.read(sink);
    }

    /**
     * The devices that report their broken components.
     *
     * @return their names, such as {@code neuron0}, in the order in which {@link #read} gives their files behind those of the counters
     */
    public List<String> devicesWithHealth() {
        return List.copyOf(healthFiles.keySet());
    }

    /**
     * Reads which components the devices report as broken.
     *
     * @return by device such as {@code neuron0}: empty for one that is well, the reason for one that cannot be read; no entry for
     *     one without a report
     */
    public SortedMap<String, String> unhealthy() {
        SortedMap<String, String> unhealthy = new TreeMap<>();
        healthFiles.forEach((device, file) -> {
            String components;
            try {
                components = new String(tree.read(file), StandardCharsets.UTF_8).strip();
            } catch (IOException failed) {
                components = UNREADABLE + failed.getMessage();
            }
            unhealthy.put(device, components);
        });
        return unhealthy;
    }

    /**
     * Returns what tells the directories of the module and of the devices from others that take their places later.
     *
     * @return by path; without those that the host does not number
     */
    public SortedMap<String, String> identities() {
        SortedMap<String, String> identities = new TreeMap<>();
        Stream.concat(
                        Stream.of(MODULE),
                        devices.stream().map(device -> device.sections().get(0).directory()))
                .forEach(path -> tree.identity(path).ifPresent(identity -> identities.put(path, identity)));
        return identities;
    }

    /**
     * Lists again the directories in which error counters and cores can appear or go.
     *
     * @return what is other than it was when this scope was prepared, each as a person would name it
     */
    public List<String> changes() {
        return sections.stream()
                .filter(section -> !section.watched)
                .flatMap(section -> section.entries.changes(tree).stream())
                .distinct()
                .toList();
    }

    /**
     * The labels of the logical cores.
     *
     * @return in the order in which they were asked for
     */
    public List<String> cores() {
        return cores.stream().map(Subject::label).toList();
    }

    /**
     * How many files a snapshot reads.
     *
     * @return their number
     */
    public int size() {
        return counters.length;
    }

    /**
     * Why errors of these cores or devices could go unseen.
     *
     * @return one reason for each place; empty when every core and device has its error counters
     */
    public List<String> doubts() {
        return sections.stream()
                .filter(section -> !section.watched)
                .flatMap(section -> section.doubt.stream())
                .toList();
    }

    /**
     * How many counters of each kind the cores and devices have.
     *
     * @return lines such as {@code on each core: 24 status, 4 execution, 2 reset, 13 memory counters}
     */
    public List<String> census() {
        return Stream.concat(census("core", cores), census("device", devices)).toList();
    }

    private static Stream<String> census(String what, List<Subject> subjects) {
        Map<String, List<CounterPlace>> alike = subjects.stream()
                .flatMap(subject -> subject.sections.stream())
                .sorted(Comparator.comparing(Section::place))
                .collect(Collectors.groupingBy(
                        Section::census, LinkedHashMap::new, Collectors.mapping(Section::place, Collectors.toList())));
        return alike.entrySet().stream().map(group -> {
            List<CounterPlace> places = group.getValue();
            String where = alike.size() == 1
                    ? "each " + what
                    : "%s of the %ss, first %s".formatted(places.size(), what, places.get(0));
            return "on %s: %s".formatted(where, group.getKey());
        });
    }

    /**
     * Prepares reading some of the files.
     *
     * @param wanted asked for each position
     * @return those
     */
    public Part part(IntPredicate wanted) {
        return new Part(IntStream.range(0, counters.length).filter(wanted).toArray());
    }

    /**
     * A counter's own files on the leased cores or their devices, without present and peak.
     *
     * @param path below {@code stats}
     * @return their positions
     */
    public int[] positions(String path) {
        return sections.stream()
                .filter(section -> !section.watched)
                .flatMapToInt(section -> {
                    CounterRow row = section.row(path);
                    return row == null || row.main() < 0 ? IntStream.empty() : IntStream.of(section.first + row.main());
                })
                .toArray();
    }

    /**
     * Whether a file only tells of foreign activity.
     *
     * @param position of the file
     * @return true on a core that is not leased
     */
    public boolean isWatched(int position) {
        return sections.stream().anyMatch(section -> section.watched && section.contains(position));
    }

    /**
     * What messages call the cores together.
     *
     * @return a name or a number
     */
    public String where() {
        return cores.size() == 1 ? cores.get(0).label() : cores.size() + " cores";
    }

    /**
     * Where the counters are read.
     *
     * @return the host's tree
     */
    public HostTree tree() {
        return tree;
    }

    /**
     * Where a file stands.
     *
     * @param position of the file
     * @return its path, relative to the host's root
     */
    public String file(int position) {
        return batch.path(position);
    }

    /**
     * Where a file stands, for messages.
     *
     * @param position of the file
     * @return its path on the host
     */
    public String location(int position) {
        return tree.location(file(position));
    }

    /**
     * The counter of a file.
     *
     * @param position of the file
     * @return what it is
     */
    public Counter counter(int position) {
        return counters[position];
    }

    /**
     * Whether a file is part of being quiet.
     *
     * @param position of the file
     * @return false where it is watched, or may change at any time
     */
    public boolean settles(int position) {
        return settles[position];
    }

    /**
     * All places, the watched ones last.
     *
     * @return in the order of their files
     */
    public List<Section> sections() {
        return sections;
    }

    /**
     * The logical cores.
     *
     * @return in the order in which they were asked for
     */
    public List<Subject> coreSubjects() {
        return cores;
    }

    /**
     * The devices of these cores.
     *
     * @return by their numbers
     */
    public List<Subject> deviceSubjects() {
        return devices;
    }

    /**
     * Why some of the other cores are not watched.
     *
     * @return one for each of them
     */
    public List<NeuronSysfsException> unwatched() {
        return unwatched;
    }

    /**
     * How counts come late on this host.
     *
     * @return null where they are live, from driver 2.30 on
     */
    @Nullable
    public DeferredCounts deferredCounts() {
        return deferredCounts;
    }

    /**
     * Why the physical cores may be others than the leased ones.
     *
     * @return null where that is certain
     */
    @Nullable
    public String coreDoubt() {
        return coreDoubt;
    }

    /**
     * Looks a counter up, under any name that a driver or a test has for it.
     *
     * @param name a path below {@code stats} such as {@code status/oob_error}, or its last part
     * @return the path below {@code stats}
     * @throws CounterNameException when there is no such counter, or the name is ambiguous
     */
    public String path(String name) {
        return names.resolve(name);
    }

    private Section add(CounterPlace place, FoundCounters found) {
        return add(place, found, found.layout(), false);
    }

    private void watch(CounterPlace place, FoundCounters found) {
        CounterLayout layout = found.layout().watch();
        if (layout.files().isEmpty()) {
            throw NeuronSysfsException.unreadable(
                    tree.location(found.directory()),
                    "See neuron-test doctor, which tells what was found there.",
                    new NoSuchFileException("no counter that tells of activity is below it"));
        }
        add(place, found, layout, true);
    }

    private Section add(CounterPlace place, FoundCounters found, CounterLayout layout, boolean watched) {
        int first = sections.isEmpty() ? 0 : sections.get(sections.size() - 1).end();
        Section section = new Section(
                place, found.directory(), layout, found.doubt(), first, watched, found.entries(), found.health());
        sections.add(section);
        return section;
    }

    private Set<String> knownPaths() {
        Set<String> paths = new LinkedHashSet<>();
        for (Section section : sections) {
            if (!section.watched) {
                for (CounterRow row : section.layout.rows()) {
                    if (row.main() >= 0) {
                        paths.add(row.path());
                    }
                }
            }
        }
        return paths;
    }
}
