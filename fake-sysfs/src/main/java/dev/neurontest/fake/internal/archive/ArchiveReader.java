package dev.neurontest.fake.internal.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Reader of an archive. For a text that is not an archive, it reports the wrong line and the expected content. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ArchiveReader {

    private static final String FIRST_LINE = "neuron-archive 1";
    private static final List<String> KEYS =
            List.of("recorded", "writer", "host-name", "instance-type", "driver-version", "redacted", "interval");
    private static final Pattern DIRECTORY = Pattern.compile("directory ([0-7]{4}) (\\S+)");
    private static final Pattern FILE = Pattern.compile(" (\\S+) ([0-7]{4}) =(?: (.*))?");
    private static final Pattern UNREADABLE = Pattern.compile(" (\\S+) ([0-7]{4}) ! ([A-Za-z0-9-]+)(?: .*)?");
    private static final Pattern DEVICE = Pattern.compile(" (\\S+) ([0-7]{4}) device(?: ([0-9]{1,9}:[0-9]{1,9}))?");
    private static final Pattern LINK = Pattern.compile(" (\\S+) -> (\\S+)");
    private static final Pattern ENTRY_GONE = Pattern.compile(" (\\S+) gone");
    private static final String NEW = "new ";
    private static final List<Pattern> ENTRIES = List.of(FILE, UNREADABLE, DEVICE, LINK, ENTRY_GONE);
    private static final Pattern GONE = Pattern.compile("gone (\\S+)");
    private static final Pattern AT = Pattern.compile("at ([0-9]{1,9})(?:\\.([0-9]{0,9}))?");
    private static final Pattern REASON = Pattern.compile("E[A-Z0-9]+|timeout|too-large|unknown");

    private final Path file;
    private final ArchiveLines lines;

    private final Map<String, String> header = new LinkedHashMap<>();
    private final Map<String, Archive.Directory> directories = new LinkedHashMap<>();
    private final List<Archive.Reading> readings = new ArrayList<>();
    private final Set<String> marks = new HashSet<>();
    // The kind of each path in the text. It includes parent directories without their own line.
    private final Map<String, Kind> kinds = new HashMap<>();
    private @Nullable List<Step> steps;
    // The entries of the last directory line. The following entry lines belong to it.
    private @Nullable Map<String, Entry> open;
    private String openPath = "";
    private boolean openIsNew;
    private boolean inTimeline;

    private enum Kind {
        DIRECTORY("a directory", "directory MODE PATH"),
        FILE("a file", "NAME MODE = CONTENT\" or \"NAME MODE ! REASON"),
        DEVICE("a device", "NAME MODE device"),
        LINK("a link", "NAME -> TARGET");

        private final String words;
        private final String line;

        Kind(String words, String line) {
            this.words = words;
            this.line = line;
        }

        static Kind of(Entry entry) {
            return entry instanceof Entry.Link ? LINK : entry instanceof Entry.Device ? DEVICE : FILE;
        }
    }

    private ArchiveReader(Path file, ArchiveLines lines) {
        this.file = file;
        this.lines = lines;
    }

    /**
     * Reads an archive.
     *
     * @param file its text, optionally compressed with gzip
     * @throws ArchiveException when it is not an archive; the message has the line number, its content and the expected content
     * @throws IOException when the file cannot be read
     */
    public static Archive read(Path file) throws IOException {
        try (ArchiveLines lines = ArchiveLines.open(file)) {
            return new ArchiveReader(file, lines).read();
        } catch (OutOfMemoryError full) {
            throw ArchiveException.of(
                    file,
                    "it requires more memory than this JVM has ("
                            + (Runtime.getRuntime().maxMemory() >> 20)
                            + " MiB); raise -Xmx, or record for a shorter time");
        }
    }

    private Archive read() throws IOException {
        boolean ended = false;
        for (String line = readHeader(); line != null; line = next()) {
            if (ended) {
                throw wrong(line, "nothing after \"end\"; delete the lines that follow, or the earlier \"end\"");
            }
            if (line.equals("end")) {
                ended = true;
            } else if (line.startsWith(" ")) {
                entry(line);
            } else {
                statement(line);
            }
        }
        if (!ended) {
            throw ArchiveException.atEnd(
                    file, lines.number(), "the line \"end\": the archive was cut short; record or copy it again");
        }
        return new Archive(
                Collections.unmodifiableMap(header), Collections.unmodifiableMap(directories), List.copyOf(readings));
    }

    /**
     * Reads the next line that is neither empty nor a comment. A line without a line end may have been cut; it is ignored unless it is
     * "end".
     *
     * @return null after the last line
     */
    private @Nullable String next() throws IOException {
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (lines.isCut() && !line.equals("end")) {
                return null;
            }
            if (!line.isEmpty() && !line.startsWith("#")) {
                return line;
            }
        }
        return null;
    }

    // ---- header

    private @Nullable String readHeader() throws IOException {
        String first = String.valueOf(lines.next());
        if (!first.equals(FIRST_LINE) && first.matches("neuron-archive \\S+")) {
            throw wrong(first, "\"" + FIRST_LINE + "\", the only version that this program reads; use a newer program");
        }
        if (!first.equals(FIRST_LINE)) {
            throw wrong(
                    first, "\"" + FIRST_LINE + "\": this is not a Neuron archive; use a file that \"record\" wrote");
        }
        for (String line = next(); line != null; line = next()) {
            if (line.startsWith(" ") || line.matches("(directory|timeline|end)( .*)?")) {
                return line;
            }
            int space = line.indexOf(' ');
            String key = space < 0 ? line : line.substring(0, space);
            if (space < 0 || !KEYS.contains(key)) {
                throw wrong(line, "one of the keys " + String.join(", ", KEYS) + " and a value, or a directory");
            }
            if (header.put(key, utf8(line, line.substring(space + 1))) != null) {
                throw wrong(line, "each key once; delete one of the lines");
            }
        }
        return null;
    }

    // ---- statements

    private void statement(String line) throws ArchiveException {
        boolean isNew = inTimeline && line.startsWith(NEW);
        Matcher directory = DIRECTORY.matcher(isNew ? line.substring(NEW.length()) : line);
        Matcher gone = GONE.matcher(line);
        Matcher time = AT.matcher(line);
        if (directory.matches()) {
            directory(line, Integer.parseInt(directory.group(1), 8), path(line, directory.group(2)), isNew);
        } else if (line.startsWith("directory") || isNew) {
            throw wrong(
                    line,
                    "\"directory MODE PATH\" with four octal digits and a path without spaces, such as"
                            + " \"directory 0755 dev\"");
        } else if (line.equals("timeline") && !inTimeline) {
            inTimeline = true;
            open = null;
        } else if (!inTimeline) {
            throw wrong(line, "\"directory MODE PATH\", \"timeline\", \"end\", or an entry that begins with a space");
        } else if (time.matches()) {
            at(line, time);
        } else if (gone.matches()) {
            gone(line, path(line, gone.group(1)));
        } else if (line.startsWith("mark ")) {
            mark(line, utf8(line, line.substring("mark ".length())));
        } else {
            throw wrong(
                    line,
                    "\"at SECONDS\", \"directory MODE PATH\", \"gone PATH\", \"mark WORDS\", \"end\", or an entry"
                            + " that begins with a space");
        }
    }

    private void gone(String line, String path) throws ArchiveException {
        if (kinds.get(path) != Kind.DIRECTORY) {
            throw wrong(line, "the path of a directory listed above; correct it");
        }
        steps(line).add(new Step.Gone(path));
        open = null;
    }

    private void directory(String line, int mode, String path, boolean isNew) throws ArchiveException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        if (inTimeline && !isNew && !kinds.containsKey(path)) {
            throw wrong(
                    line,
                    "the path of a directory listed above, or \"new directory MODE PATH\" for a new one; correct it");
        }
        leadTo(line, path);
        if (inTimeline) {
            steps(line).add(new Step.Changed(path, mode, Collections.unmodifiableMap(entries)));
        } else if (directories.put(path, new Archive.Directory(mode, Collections.unmodifiableMap(entries))) != null) {
            throw wrong(line, "each directory once; put all its entries into one place");
        }
        open = entries;
        openPath = path;
        openIsNew = isNew;
    }

    /**
     * Adds a directory and its parents to the known paths. A parent does not need its own line, but it must not be another kind of entry.
     */
    private void leadTo(String line, String path) throws ArchiveException {
        for (int end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
            String above = end < 0 ? path : path.substring(0, end);
            Kind kindAbove = kinds.putIfAbsent(above, Kind.DIRECTORY);
            if (kindAbove != null && kindAbove != Kind.DIRECTORY) {
                throw wrong(
                        line,
                        "each name once, but " + above + " is " + kindAbove.words + " above; delete one of the two");
            }
            if (end < 0) {
                return;
            }
        }
    }

    private void at(String line, Matcher time) throws ArchiveException {
        String decimals = time.group(2) == null ? "" : time.group(2);
        Duration now = Duration.ofSeconds(
                Long.parseLong(time.group(1)), Long.parseLong((decimals + "000000000").substring(0, 9)));
        Duration before = readings.isEmpty()
                ? Duration.ZERO
                : readings.get(readings.size() - 1).at();
        if (now.compareTo(before) < 0) {
            throw wrong(line, "a time that is not before the previous one; move the block up or correct its time");
        }
        List<Step> stepsOfReading = new ArrayList<>();
        readings.add(new Archive.Reading(now, Collections.unmodifiableList(stepsOfReading)));
        steps = stepsOfReading;
        open = null;
    }

    private void mark(String line, String words) throws ArchiveException {
        if (!marks.add(words)) {
            throw wrong(line, "different words for each mark; change one of them");
        }
        steps(line).add(new Step.Mark(words));
        open = null;
    }

    private List<Step> steps(String line) throws ArchiveException {
        if (steps == null) {
            throw wrong(line, "\"at SECONDS\" after \"timeline\"; add the time of this change");
        }
        return steps;
    }

    // ---- entries

    private void entry(String line) throws ArchiveException {
        if (open == null) {
            throw wrong(line, "\"directory MODE PATH\" before its entries; add the directory of this entry");
        }
        boolean isNew = isNew(line);
        String stated = isNew ? ' ' + line.substring(1 + NEW.length()) : line;
        Matcher file = FILE.matcher(stated);
        Matcher unreadable = UNREADABLE.matcher(stated);
        Matcher device = DEVICE.matcher(stated);
        Matcher link = LINK.matcher(stated);
        Matcher gone = ENTRY_GONE.matcher(stated);
        if (link.matches()) {
            put(line, link.group(1), new Entry.Link(utf8(line, link.group(2))), isNew);
        } else if (file.matches()) {
            put(
                    line,
                    file.group(1),
                    new Entry.Content(
                            mode(file),
                            file.group(3) == null
                                    ? ""
                                    : new String(bytes(line, file.group(3)), StandardCharsets.ISO_8859_1)),
                    isNew);
        } else if (unreadable.matches()) {
            if (!REASON.matcher(unreadable.group(3)).matches()) {
                throw wrong(line, "after \"!\" the name of an error such as EIO, or timeout, too-large or unknown");
            }
            put(line, unreadable.group(1), new Entry.Unreadable(mode(unreadable), unreadable.group(3)), isNew);
        } else if (device.matches()) {
            put(line, device.group(1), new Entry.Device(mode(device), device.group(3)), isNew);
        } else if (gone.matches() && inTimeline && !isNew) {
            put(line, gone.group(1), new Entry.Gone(), false);
        } else {
            throw wrong(
                    line,
                    "one space, then \"NAME MODE = CONTENT\", \"NAME MODE ! REASON\", \"NAME MODE device\" or"
                            + " \"NAME -> TARGET\"" + (inTimeline ? " or \"NAME gone\"" : "")
                            + ", where MODE is octal such as 0644");
        }
    }

    /** Returns whether an entry line begins with the word "new". A file with that name does not count. */
    private boolean isNew(String line) {
        return inTimeline
                && line.startsWith(' ' + NEW)
                && ENTRIES.stream().noneMatch(pattern -> pattern.matcher(line).matches());
    }

    private static int mode(Matcher entry) {
        return Integer.parseInt(entry.group(2), 8);
    }

    private void put(String line, String escapedName, Entry entry, boolean isNew) throws ArchiveException {
        String name = utf8(line, escapedName);
        if (name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
            throw wrong(line, "a name without a slash, and neither \".\" nor \"..\"");
        }
        if (open != null && open.put(name, entry) != null) {
            throw wrong(line, "each name once in " + openPath + "; delete one of the lines");
        }
        String path = openPath + '/' + name;
        @Nullable Kind previousKind = kinds.get(path);
        if (previousKind == Kind.DIRECTORY) {
            throw wrong(line, "each name once, but " + path + " is a directory; delete one of the two");
        }
        if (previousKind == null && inTimeline && !isNew && !openIsNew) {
            throw wrong(
                    line,
                    "a name listed above in " + openPath + ", or \"new\" before it for a new one; correct the name"
                            + " or its directory");
        }
        if (entry instanceof Entry.Gone) {
            return;
        }
        Kind kind = Kind.of(entry);
        if (previousKind != null && previousKind != kind) {
            throw wrong(
                    line,
                    '"' + previousKind.line + "\": it is " + previousKind.words
                            + " above, and a change cannot alter the kind of an entry");
        }
        kinds.put(path, kind);
    }

    // ---- parts of lines

    private String path(String line, String escaped) throws ArchiveException {
        String path = utf8(line, escaped);
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
                throw wrong(line, "a path from the root of the host without \"..\", such as " + Archive.ROOTS.get(1));
            }
        }
        if (Archive.ROOTS.stream().noneMatch(root -> path.equals(root) || path.startsWith(root + '/'))) {
            throw wrong(line, "a path in one of the recorded directories: " + String.join(", ", Archive.ROOTS));
        }
        return path;
    }

    private String utf8(String line, String escaped) throws ArchiveException {
        return new String(bytes(line, escaped), StandardCharsets.UTF_8);
    }

    private byte[] bytes(String line, String escaped) throws ArchiveException {
        try {
            return Escapes.bytes(escaped);
        } catch (IllegalArgumentException e) {
            throw wrong(
                    line,
                    "\\\\, \\n, \\t, \\r or \\xHH instead of " + e.getMessage()
                            + "; a backslash itself is written \\\\");
        }
    }

    private ArchiveException wrong(String line, String expected) {
        return ArchiveException.at(file, lines.number(), line, expected);
    }
}
