package dev.neurontest.internal.archive;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A directory at the time of a reading.
 *
 * @param path path in the host's tree
 * @param mode permissions
 * @param entries files and links by name; subdirectories are separate directories
 */
record Directory(String path, int mode, Map<String, Entry> entries) {

    private static final String SERIAL_NUMBER = "serial_number";

    Directory {
        SortedMap<String, Entry> sorted = new TreeMap<>(NameOrder.NAMES);
        sorted.putAll(entries);
        entries = Collections.unmodifiableMap(sorted);
    }

    String line() {
        return "directory %s %s\n".formatted(ArchiveText.mode(mode), ArchiveText.name(path));
    }

    static String line(String name, Entry entry, boolean redacts) {
        Entry shown = redacts && name.equals(SERIAL_NUMBER) ? entry.redacted() : entry;
        return " " + ArchiveText.name(name) + " " + shown.text() + "\n";
    }

    String text(boolean redacts) {
        StringBuilder text = new StringBuilder(line());
        entries.forEach((name, entry) -> text.append(line(name, entry, redacts)));
        return text.toString();
    }

    /**
     * Returns the text in a timeline. Paths that were not stated before are marked as new; in a new directory, everything is new.
     *
     * @param stated paths of directories and entries that were stated; those of this directory are added
     */
    String text(boolean redacts, Set<String> stated) {
        boolean isNew = stated.add(path);
        StringBuilder text = new StringBuilder(isNew ? "new " : "").append(line());
        entries.forEach((name, entry) -> {
            String line = line(name, entry, redacts);
            text.append(stated.add(path + "/" + name) && !isNew ? " new" + line : line);
        });
        return text.toString();
    }

    /** Returns a copy with other values of some entries. */
    Directory with(Map<String, Entry> fresh) {
        Map<String, Entry> all = new TreeMap<>(entries);
        all.putAll(fresh);
        return new Directory(path, mode, all);
    }
}
