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
 * The recorded files of a host, with their changes.
 *
 * @param header properties of the recording, by key
 * @param directories the directories at the beginning, by path
 * @param timeline the changes after the beginning, in order
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Archive(Map<String, String> header, Map<String, Directory> directories, List<Reading> timeline) {

    /** The recorded directories of a host. From some of them, only the files listed in the format are recorded. */
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
     * @param entries its content without directories, by name
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Directory(int mode, Map<String, Entry> entries) {}

    /**
     * A reading of the host.
     *
     * @param at the time since the beginning
     * @param steps the changes since the previous reading, and marks
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Reading(Duration at, List<Step> steps) {}

    /**
     * Returns the entry of a path at the beginning.
     *
     * @param path a file, link or device, relative to the root of the host
     * @return empty if the archive has no such entry
     */
    public Optional<Entry> entry(String path) {
        int slash = path.lastIndexOf('/');
        return Optional.ofNullable(directories.get(path.substring(0, Math.max(slash, 0))))
                .map(directory -> directory.entries().get(path.substring(slash + 1)));
    }

    /**
     * Returns the text of a file at the beginning, without white space at its ends.
     *
     * @param path relative to the root of the host
     * @return empty when it did not exist or could not be read
     */
    public Optional<String> text(String path) {
        return entry(path)
                .filter(Entry.Content.class::isInstance)
                .map(entry -> ((Entry.Content) entry).content().strip());
    }

    /**
     * Replaces each control character of a text with a question mark. The text of an archive may come from anywhere, and the result is safe
     * for a terminal.
     */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x{80}-\\x{9f}]", "?");
    }

    /**
     * Returns everything that exists at some time of the recording.
     *
     * @return directories by path, each with its first recorded mode and the first recorded state of each entry
     */
    public NavigableMap<String, Directory> everything() {
        NavigableMap<String, Directory> all = new TreeMap<>();
        for (Map.Entry<String, Directory> each : directories.entrySet()) {
            Directory directory = each.getValue();
            addTo(all, each.getKey(), directory.mode(), directory.entries());
        }
        for (Reading look : timeline) {
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

    /** Returns the steps that restore the beginning from any state of the host. */
    public List<Step> beginning() {
        List<Step> steps = new ArrayList<>();
        for (Map.Entry<String, Directory> all : everything().entrySet()) {
            String path = all.getKey();
            Directory first = directories.get(path);
            if (first == null) {
                steps.add(new Step.Gone(path));
                continue;
            }
            Map<String, Entry> entries = new LinkedHashMap<>(first.entries());
            all.getValue().entries().keySet().forEach(name -> entries.putIfAbsent(name, new Entry.Gone()));
            steps.add(new Step.Changed(path, first.mode(), entries));
        }
        return steps;
    }
}
