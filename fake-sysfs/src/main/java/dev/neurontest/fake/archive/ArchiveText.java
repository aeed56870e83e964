package dev.neurontest.fake.archive;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes an archive, statement by statement. */
final class ArchiveText {

    private static final String NEW = "new ";

    private final Appendable out;
    /** Directories and entries. */
    private final Set<String> stated = new HashSet<>();

    ArchiveText(Appendable out) {
        this.out = out;
    }

    void header(Map<String, String> header) throws IOException {
        line("neuron-archive 1");
        for (Map.Entry<String, String> value : header.entrySet()) {
            line(value.getKey() + ' ' + Escapes.words(value.getValue()));
        }
    }

    /** In the order of the format. */
    void directories(Map<String, Archive.Directory> directories) throws IOException {
        for (Map.Entry<String, Archive.Directory> directory : directories.entrySet()) {
            line("");
            directory(
                    directory.getKey(),
                    directory.getValue().mode(),
                    directory.getValue().entries(),
                    false);
        }
    }

    void timeline() throws IOException {
        line("");
        line("timeline");
    }

    void look(Archive.Look look) throws IOException {
        line("at " + seconds(look.at()));
        for (Step step : look.steps()) {
            if (step instanceof Step.Changed changed) {
                directory(changed.path(), changed.mode(), changed.entries(), true);
            } else if (step instanceof Step.Gone gone) {
                line("gone " + Escapes.name(gone.path()));
            } else if (step instanceof Step.Mark mark) {
                line("mark " + Escapes.words(mark.words()));
            }
        }
    }

    void end() throws IOException {
        line("end");
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%d.%03d", time.toSeconds(), time.toMillisPart());
    }

    /** What was not stated before is new, where that is told; in a new directory everything is. */
    private void directory(String path, int mode, Map<String, Entry> entries, boolean tellsNew) throws IOException {
        boolean isNew = stated.add(path);
        line((isNew && tellsNew ? NEW : "") + "directory " + mode(mode) + ' ' + Escapes.name(path));
        List<String> names = entries.keySet().stream().sorted(NameOrder.NAMES).toList();
        for (String name : names) {
            boolean isNewEntry = stated.add(path + '/' + name) && !isNew;
            line(' ' + (isNewEntry && tellsNew ? NEW : "") + Escapes.name(name) + ' ' + entry(entries.get(name)));
        }
    }

    private static String entry(Entry entry) {
        if (entry instanceof Entry.Content file) {
            return mode(file.mode()) + (file.content().isEmpty() ? " =" : " = " + Escapes.content(file.content()));
        }
        if (entry instanceof Entry.Unreadable file) {
            return mode(file.mode()) + " ! " + file.reason();
        }
        if (entry instanceof Entry.Device device) {
            return mode(device.mode()) + " device" + (device.number() == null ? "" : " " + device.number());
        }
        return entry instanceof Entry.Link link ? "-> " + Escapes.name(link.target()) : "gone";
    }

    private static String mode(int mode) {
        String octal = Integer.toOctalString(mode);
        return "0".repeat(4 - octal.length()) + octal;
    }

    private void line(String text) throws IOException {
        out.append(text).append('\n');
    }
}
