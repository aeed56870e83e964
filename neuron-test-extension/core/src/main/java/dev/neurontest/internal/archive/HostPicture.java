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
 * Everything that a host showed at a moment: each directory with its mode and its links, and the content of each file or why it could
 * not be read. No link is followed, and a file that does not answer in time is left behind.
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
     * How a host is looked at.
     *
     * @param redacts whether letters and digits of serial numbers become zeros, and the name of the machine is left out
     * @param machine the name of the machine; empty where it is another one's host
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Options(boolean redacts, Optional<String> machine) {

        /** Everything as it is. */
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
     * Looks at a host.
     *
     * @param tree its files
     * @param options how
     * @return what was there
     * @throws IOException when the thread is interrupted meanwhile; a file that cannot be read is a part of the picture
     */
    public static HostPicture of(HostTree tree, Options options) throws IOException {
        Instant now = Instant.now();
        Walk walk = new Walk(tree);
        List<Directory> directories = walk.all();
        return new HostPicture(tree, options, now, directories, Set.copyOf(walk.slow()));
    }

    /** The same with other values of some files, by directory and name, and of another moment. */
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

    /** Files that take too long for being read again and again. */
    Set<String> slow() {
        return slow;
    }

    /** How many files it has, with those that could not be read. */
    int files() {
        return (int) entries()
                .filter(entry -> entry instanceof Entry.Content || entry instanceof Entry.Unreadable)
                .count();
    }

    /** How many files could not be read for which reason. */
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

    /**
     * The picture without a timeline.
     *
     * @return an archive
     */
    public HostArchive archive() {
        return new HostArchive(this, null, "", HostArchive.Coverage.NONE);
    }

    /** The header and the first part of an archive. */
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
