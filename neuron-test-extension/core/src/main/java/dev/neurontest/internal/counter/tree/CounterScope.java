package dev.neurontest.internal.counter.tree;

import dev.neurontest.counter.Counter;
import dev.neurontest.counter.CounterNameException;
import dev.neurontest.counter.CounterPlace;
import dev.neurontest.device.NeuronSysfsException;
import dev.neurontest.internal.device.CounterKind;
import dev.neurontest.internal.host.HostTree;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A set of counters that are read together: those of some logical cores and their devices. It also has a few counters of the
 * other cores of these devices, to detect foreign activity. The files are searched once; then the scope can be read many times.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CounterScope {

    /**
     * The counters of one place within the snapshot.
     *
     * @param place the physical core or the device
     * @param directory directory of the place, relative to the host's root
     * @param layout its counters
     * @param doubt reason why an error of this place could be missed
     * @param first position of its first file
     * @param watched true if the place is only read to detect foreign activity
     * @param entries names in its directories
     * @param health file with the names of the broken components of a device, relative to the device
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

        /** Returns the counters of this place, in the order of their files. */
        public List<CounterRow> rows() {
            return layout.rows();
        }

        /**
         * Returns the counter with the given path below {@code stats}.
         *
         * @return null when there is no such counter
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
         * Returns whether a file belongs to this place.
         *
         * @param position position of the file
         */
        public boolean contains(int position) {
            return position >= first && position < end();
        }

        int end() {
            return first + layout.files().size();
        }
    }

    /**
     * A subject of expectations: a logical core with its physical cores, or a device.
     *
     * @param label name in messages
     * @param sections places of the subject
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Subject(String label, List<Section> sections) {

        /** Returns whether this is a core and not a device. */
        public boolean isCore() {
            return sections.get(0).place().core().isPresent();
        }
    }

    /** Prefix of the reason why a device's report of broken components cannot be read. */
    public static final String UNREADABLE = "unreadable: ";

    private static final String MODULE = "sys/module/neuron";

    /** A part of the files that is read more often than all files. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public final class Part {

        private final int[] positions;
        private final HostTree.Batch some;

        private Part(int[] positions) {
            this.positions = positions;
            this.some = batch.part(positions);
        }

        /** Returns the positions of the files in the scope. */
        public int[] positions() {
            return positions;
        }

        /**
         * Reads the files of this part once.
         *
         * @param sink receiver of the contents, by index in this part; called by any thread
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
     * Creates a scope.
     *
     * @throws NeuronSysfsException when the files of the cores or devices cannot be listed
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
        this.cores = new ArrayList<>();
        Set<CounterPlace> placesOfDevices = new TreeSet<>();
        for (LogicalCounters core : cores) {
            List<Section> ofCore = new ArrayList<>();
            for (CounterPlace place : core.physicalCores()) {
                ofCore.add(add(place, found.apply(place)));
                placesOfDevices.add(CounterPlace.ofDevice(place.device()));
            }
            this.cores.add(new Subject(core.label(), List.copyOf(ofCore)));
        }
        this.devices = new ArrayList<>();
        for (CounterPlace place : placesOfDevices) {
            devices.add(new Subject(place.toString(), List.of(add(place, found.apply(place)))));
        }
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
     * Reads all files once: those of the counters, then those with the broken components of the devices.
     *
     * @param sink receiver of the contents, by position; called by any thread
     */
    public void read(HostTree.Sink sink) {
        batch.read(sink);
    }

    /**
     * Returns the devices with a report of broken components.
     *
     * @return names such as {@code neuron0}, in the order of their files in {@link #read}, after those of the counters
     */
    public List<String> devicesWithHealth() {
        return List.copyOf(healthFiles.keySet());
    }

    /**
     * Returns the identities of the directories of the kernel module and of the devices. A directory that is replaced later has
     * another identity.
     *
     * @return identities by path; directories without an identity on this host are missing
     */
    public SortedMap<String, String> identities() {
        List<String> directories = new ArrayList<>(List.of(MODULE));
        for (Subject device : devices) {
            directories.add(device.sections().get(0).directory());
        }
        return identities(tree, directories);
    }

    static SortedMap<String, String> identities(HostTree tree, List<String> directories) {
        SortedMap<String, String> identities = new TreeMap<>();
        HostTree seen = tree.forEntries(List.of(), directories);
        for (String path : directories) {
            Optional<String> identity = seen.identity(path);
            if (identity.isPresent()) {
                identities.put(path, identity.get());
            }
        }
        return identities;
    }

    /**
     * Lists again the directories with error counters and cores.
     *
     * @return the differences from the first listing, each as readable text
     */
    public List<String> changes() {
        Set<String> paths = new LinkedHashSet<>();
        for (Section section : sections) {
            if (!section.watched) {
                paths.addAll(section.entries.paths());
            }
        }
        HostTree seen = tree.forEntries(paths, List.of());
        Set<String> changes = new LinkedHashSet<>();
        for (Section section : sections) {
            if (!section.watched) {
                changes.addAll(section.entries.changes(seen));
            }
        }
        return List.copyOf(changes);
    }

    /** Returns the labels of the logical cores, in the requested order. */
    public List<String> cores() {
        List<String> labels = new ArrayList<>();
        for (Subject core : cores) {
            labels.add(core.label);
        }
        return labels;
    }

    /** Returns the number of files in a snapshot. */
    public int size() {
        return counters.length;
    }

    /**
     * Returns the reasons why errors of these cores or devices could be missed.
     *
     * @return one reason per place; empty when every core and device has its error counters
     */
    public List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        for (Section section : sections) {
            if (!section.watched && section.doubt.isPresent()) {
                doubts.add(section.doubt.get());
            }
        }
        return doubts;
    }

    /**
     * Returns the number of counters of each kind on the cores and devices.
     *
     * @return lines such as {@code on each core: 24 status, 4 execution, 2 reset, 13 memory counters}
     */
    public List<String> census() {
        return Stream.concat(census("core", cores), census("device", devices)).toList();
    }

    private static Stream<String> census(String kind, List<Subject> subjects) {
        Map<String, List<CounterPlace>> alike = subjects.stream()
                .flatMap(subject -> subject.sections.stream())
                .sorted(Comparator.comparing(Section::place))
                .collect(Collectors.groupingBy(
                        Section::census, LinkedHashMap::new, Collectors.mapping(Section::place, Collectors.toList())));
        return alike.entrySet().stream().map(group -> {
            List<CounterPlace> places = group.getValue();
            String where = alike.size() == 1
                    ? "each " + kind
                    : "%s of the %ss, first %s".formatted(places.size(), kind, places.get(0));
            return "on %s: %s".formatted(where, group.getKey());
        });
    }

    /**
     * Prepares a part of the files for reading.
     *
     * @param selected predicate for each position
     */
    public Part part(IntPredicate selected) {
        int[] positions = new int[counters.length];
        int count = 0;
        for (int position = 0; position < counters.length; position++) {
            if (selected.test(position)) {
                positions[count++] = position;
            }
        }
        return new Part(Arrays.copyOf(positions, count));
    }

    /**
     * Returns the positions of a counter on the leased cores or their devices, without present and peak files.
     *
     * @param path path below {@code stats}
     */
    public int[] positions(String path) {
        int[] positions = new int[sections.size()];
        int count = 0;
        for (Section section : sections) {
            CounterRow row = section.watched ? null : section.row(path);
            if (row != null && row.main() >= 0) {
                positions[count++] = section.first + row.main();
            }
        }
        return Arrays.copyOf(positions, count);
    }

    /**
     * Returns whether a file is only read to detect foreign activity on a core outside the lease.
     *
     * @param position position of the file
     */
    public boolean isWatched(int position) {
        for (Section section : sections) {
            if (section.contains(position)) {
                return section.watched;
            }
        }
        return false;
    }

    /** Returns the name of the only core, or the number of cores. */
    public String where() {
        return cores.size() == 1 ? cores.get(0).label() : cores.size() + " cores";
    }

    /** Returns the files of the host. */
    public HostTree tree() {
        return tree;
    }

    /**
     * Returns the path of a file, relative to the host's root.
     *
     * @param position position of the file
     */
    public String file(int position) {
        return batch.path(position);
    }

    /**
     * Returns the location of a file for messages.
     *
     * @param position position of the file
     */
    public String location(int position) {
        return tree.location(file(position));
    }

    /**
     * Returns the counter of a file.
     *
     * @param position position of the file
     */
    public Counter counter(int position) {
        return counters[position];
    }

    /**
     * Returns whether a file takes part in the settling check.
     *
     * @param position position of the file
     * @return false for a watched file, and for a file that may change at any time
     */
    public boolean settles(int position) {
        return settles[position];
    }

    /** Returns all places in the order of their files; the watched ones are last. */
    public List<Section> sections() {
        return sections;
    }

    /** Returns the logical cores, in the requested order. */
    public List<Subject> coreSubjects() {
        return cores;
    }

    /** Returns the devices of these cores, by number. */
    public List<Subject> deviceSubjects() {
        return devices;
    }

    /** Returns the reasons why other cores are not watched, one for each of them. */
    public List<NeuronSysfsException> unwatched() {
        return unwatched;
    }

    /**
     * Returns the description of deferred counts on this host.
     *
     * @return null if counters are live, from driver 2.30 on
     */
    @Nullable
    public DeferredCounts deferredCounts() {
        return deferredCounts;
    }

    /**
     * Returns the reason why the physical cores might not be the leased ones.
     *
     * @return null if they are certain
     */
    @Nullable
    public String coreDoubt() {
        return coreDoubt;
    }

    /**
     * Finds a counter by any name from a driver or a test.
     *
     * @param name path below {@code stats} such as {@code status/oob_error}, or its last part
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
                    "See neuron-test doctor, which shows what was found there.",
                    new NoSuchFileException("it contains no counter of activity"));
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
