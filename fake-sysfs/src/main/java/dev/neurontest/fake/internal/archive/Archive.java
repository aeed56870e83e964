package dev.neurontest.fake.internal.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * What the files of a host were, and how they changed.
 *
 * @param header what is said about the recording, by key
 * @param directories what was there at the beginning, by path
 * @param timeline what changed afterwards, in order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Archive(Map<String, String> header, Map<String, Directory> directories, List<Look> timeline) {

    /** The directories of a host that are recorded; of some of them only what the format says. */
    static final List<String> ROOTS = List.of(
            "dev",
            "sys/class/neuron_device",
            "sys/devices/virtual/dmi/id",
            "sys/devices/virtual/neuron_device",
            "sys/module/neuron");

    /**
     * A directory.
     *
     * @param mode the low 12 bits of {@code st_mode}
     * @param entries what is in it and no directory, by name
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Directory(int mode, Map<String, Entry> entries) {}

    /**
     * One look at the host.
     *
     * @param at since the beginning
     * @param steps what had changed since the look before, and marks
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Look(Duration at, List<Step> steps) {}

    /**
     * What was there at the beginning.
     *
     * @param path a file, link or device, relative to the root of the host
     * @return what the archive says of it
     */
    public Optional<Entry> entry(String path) {
        int slash = path.lastIndexOf('/');
        return Optional.ofNullable(directories.get(path.substring(0, Math.max(slash, 0))))
                .map(directory -> directory.entries().get(path.substring(slash + 1)));
    }

    /**
     * The text of a file at the beginning, without white space at its ends.
     *
     * @param path relative to the root of the host
     * @return empty when it was not there or could not be read
     */
    public Optional<String> text(String path) {
        return entry(path)
                .filter(Entry.Content.class::isInstance)
                .map(entry -> ((Entry.Content) entry).content().strip());
    }

    /**
     * What a terminal may show of a text in an archive, which may come from anywhere.
     *
     * @param text any
     * @return the same with a question mark for each control character
     */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x{80}-\\x{9f}]", "?");
    }

    /**
     * Everything that is there at some time.
     *
     * @return directories by path, each with what is said first of it and of its entries
     */
    public NavigableMap<String, Directory> everything() {
        NavigableMap<String, Directory> all = new TreeMap<>();
        directories.forEach((path, directory) -> addTo(all, path, directory.mode(), directory.entries()));
        for (Look look : timeline) {
            for (Step step : look.steps()) {
                if (step instanceof Step.Changed change) {
                    addTo(all, change.path(), change.mode(), change.entries());
                }
            }
        }
        return all;
    }

    private static void addTo(Map<String, Directory> all, String path, int mode, Map<String, Entry> entries) {
        Map<String, Entry> known = all.computeIfAbsent(path, unseen -> new Directory(mode, new LinkedHashMap<>()))
                .entries();
        entries.forEach((name, entry) -> {
            if (!(entry instanceof Entry.Gone)) {
                known.putIfAbsent(name, entry);
            }
        });
    }

    /**
     * What leads to the beginning, wherever a host is.
     *
     * @return the state of everything that is there at some time
     */
    public List<Step> beginning() {
        List<Step> steps = new ArrayList<>();
        everything().forEach((path, all) -> {
            Directory first = directories.get(path);
            if (first == null) {
                steps.add(new Step.Gone(path));
                return;
            }
            Map<String, Entry> entries = new LinkedHashMap<>(first.entries());
            all.entries().keySet().forEach(name -> entries.putIfAbsent(name, new Entry.Gone()));
            steps.add(new Step.Changed(path, first.mode(), entries));
        });
        return steps;
    }
}
