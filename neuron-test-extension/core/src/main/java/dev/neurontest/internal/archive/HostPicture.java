package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The state of a host at a moment: each directory with its mode and its links, and each file with its content or the reason why it is
 * unreadable. No link is followed, and a file without an answer in time is skipped.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostPicture {

    static final String DEVICES = "sys/devices/virtual/neuron_device";

    private static final String MODULE = "sys/module/neuron";
    private static final String PRODUCT = "sys/devices/virtual/dmi/id";
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final HostTree tree;
    private final Options options;
    private final Instant taken;
    private final List<Directory> directories;
    private final Set<String> slow;

    /**
     * The options for a picture.
     *
     * @param redacts true to replace letters and digits of serial numbers with zeros, and to omit the name of the machine
     * @param machine name of the machine; empty for the host of another machine
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Options(boolean redacts, Optional<String> machine) {

        /** The options without redaction. */
        public static final Options USUAL = new Options(false, Optional.empty());
    }

    private HostPicture(HostTree tree, Options options, Instant taken, List<Directory> directories, Set<String> slow) {
        this.tree = tree;
        this.options = options;
        this.taken = taken;
        this.directories = directories;
        this.slow = slow;
    }

    /**
     * Reads the state of a host.
     *
     * @param tree files of the host
     * @throws IOException when the thread is interrupted; an unreadable file is part of the picture
     */
    public static HostPicture of(HostTree tree, Options options) throws IOException {
        Instant now = Instant.now();
        Walk walk = new Walk(tree);
        List<Directory> directories = walk.all();
        return new HostPicture(tree, options, now, directories, Set.copyOf(walk.slow()));
    }

    /** Returns a copy with other values of some files, by directory and name, and with another time. */
    HostPicture with(Map<String, Map<String, Entry>> fresh, Instant moment) {
        List<Directory> changed = directories.stream()
                .map(directory -> directory.with(fresh.getOrDefault(directory.path(), Map.of())))
                .toList();
        return new HostPicture(tree, options, moment, changed, slow);
    }

    HostTree tree() {
        return tree;
    }

    boolean redacts() {
        return options.redacts();
    }

    List<Directory> directories() {
        return directories;
    }

    /** Returns the files that take too long for repeated reading. */
    Set<String> slow() {
        return slow;
    }

    /** Returns the number of files, including unreadable files. */
    int files() {
        return (int) entries()
                .filter(entry -> entry instanceof Entry.Content || entry instanceof Entry.Unreadable)
                .count();
    }

    /** Returns the number of unreadable files by reason. */
    Map<String, Integer> unreadable() {
        Map<String, Integer> reasons = new TreeMap<>();
        entries()
                .filter(Entry.Unreadable.class::isInstance)
                .forEach(entry -> reasons.merge(((Entry.Unreadable) entry).reason(), 1, Integer::sum));
        return reasons;
    }

    private Stream<Entry> entries() {
        return directories.stream().flatMap(directory -> directory.entries().values().stream());
    }

    /** Returns an archive of the picture without a timeline. */
    public HostArchive archive() {
        return new HostArchive(this, null, "", HostArchive.Coverage.NONE);
    }

    /** Returns the header and the first part of an archive. */
    String text(@Nullable Duration interval) {
        StringBuilder text = new StringBuilder("neuron-archive 1\n");
        line(text, "recorded", TIME.format(taken));
        line(text, "writer", ArchiveText.words(HostArchive.writer()));
        options.machine()
                .filter(machine -> !redacts())
                .ifPresent(machine -> line(text, "host-name", ArchiveText.words(machine)));
        value(PRODUCT, "product_name").ifPresent(type -> line(text, "instance-type", type));
        value(MODULE, "version").ifPresent(driver -> line(text, "driver-version", driver));
        if (redacts()) {
            line(text, "redacted", options.machine().isPresent() ? "host-name serial_number" : "serial_number");
        }
        if (interval != null) {
            line(text, "interval", ArchiveText.seconds(interval));
        }
        directories.forEach(directory -> text.append('\n').append(directory.text(redacts())));
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(' ').append(value).append('\n');
    }

    private Optional<String> value(String path, String name) {
        return directories.stream()
                .filter(directory -> directory.path().equals(path))
                .map(directory -> directory.entries().get(name))
                .filter(Entry.Content.class::isInstance)
                .map(entry -> new String(((Entry.Content) entry).content(), StandardCharsets.ISO_8859_1).strip())
                .map(text -> ArchiveText.content(text.getBytes(StandardCharsets.ISO_8859_1)))
                .findFirst();
    }
}
