package dev.neurontest.internal.archive;

import dev.neurontest.internal.host.DeviceNumber;
import dev.neurontest.internal.host.EntryKind;
import dev.neurontest.internal.host.HostTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A walk through the directories of a host that belong in an archive. It follows no link and writes no file. */
final class Walk {

    /** Time after which a file counts as slow. A slow file queries the firmware and is not read repeatedly. */
    static final Duration SLOW = Duration.ofMillis(20);

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String DEVICE_NODES = "dev";
    private static final String CLASS = "sys/class/neuron_device";
    private static final String MODULE = "sys/module/neuron";
    private static final String PRODUCT = "sys/devices/virtual/dmi/id";
    private static final Pattern DEVICE_NODE = Pattern.compile("neuron[0-9]+");
    private static final Set<EntryKind> NODE_KINDS = Set.of(EntryKind.FILE, EntryKind.OTHER);
    private static final int LARGEST = 65536;
    private static final int ATTEMPTS = 3;
    private static final int READABLE = 0444;
    private static final int USUAL_FILE = 0644;
    private static final int USUAL_DIRECTORY = 0755;

    private final HostTree tree;
    private final PatientReader reader;
    private final List<Directory> directories = new ArrayList<>();
    private final Set<String> slow = new HashSet<>();
    private final Set<String> slowSoFar = new TreeSet<>();

    Walk(HostTree tree) {
        this.tree = tree;
        this.reader = new PatientReader(tree, PATIENCE);
    }

    /** Returns the files that were slow at every attempt. */
    Set<String> slow() {
        return slow;
    }

    List<Directory> all() throws IOException {
        deviceNodes();
        enter(CLASS);
        enter(HostPicture.DEVICES);
        only(PRODUCT, "product_name");
        only(MODULE, "version");
        rereadSlowFiles();
        return sorted();
    }

    /** Reads one directory with all its content. */
    List<Directory> below(String directory) throws IOException {
        enter(directory);
        return sorted();
    }

    private List<Directory> sorted() {
        directories.sort((one, other) -> NameOrder.PATHS.compare(one.path(), other.path()));
        return List.copyOf(directories);
    }

    private void deviceNodes() {
        Map<String, Entry> nodes = new TreeMap<>();
        for (String name : names(DEVICE_NODES)) {
            String path = DEVICE_NODES + "/" + name;
            if (DEVICE_NODE.matcher(name).matches()
                    && tree.kind(path).filter(NODE_KINDS::contains).isPresent()) {
                Optional<DeviceNumber> unusualNumber =
                        tree.deviceNumber(path).filter(number -> !name.equals("neuron" + number.minor()));
                nodes.put(name, new Entry.Device(tree.mode(path).orElse(USUAL_FILE), unusualNumber));
            }
        }
        if (!nodes.isEmpty()) {
            add(DEVICE_NODES, nodes);
        }
    }

    private void only(String directory, String name) throws IOException {
        if (isDirectory(directory)) {
            Optional<Entry> entry = entry(directory + "/" + name);
            if (entry.isPresent()) {
                add(directory, Map.of(name, entry.get()));
            }
        }
    }

    private void enter(String directory) throws IOException {
        if (!isDirectory(directory)) {
            return;
        }
        Map<String, Entry> entries = new TreeMap<>();
        List<String> deeper = new ArrayList<>();
        for (String name : names(directory)) {
            String path = directory + "/" + name;
            if (isDirectory(path)) {
                deeper.add(path);
            } else {
                entry(path).ifPresent(entry -> entries.put(name, entry));
            }
        }
        add(directory, entries);
        for (String each : deeper) {
            enter(each);
        }
    }

    private void add(String directory, Map<String, Entry> entries) {
        directories.add(new Directory(directory, tree.mode(directory).orElse(USUAL_DIRECTORY), entries));
    }

    private boolean isDirectory(String path) {
        return tree.kind(path).filter(kind -> kind == EntryKind.DIRECTORY).isPresent();
    }

    /** Returns the names in a directory; empty when it cannot be listed. */
    private List<String> names(String directory) {
        try {
            return isDirectory(directory) ? tree.list(directory) : List.of();
        } catch (IOException refused) {
            return List.of();
        }
    }

    private Optional<Entry> entry(String path) throws IOException {
        Optional<EntryKind> kind = tree.kind(path);
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        return switch (kind.get()) {
            case FILE -> fileOrSlow(path);
            case LINK -> tree.linkTarget(path).map(Entry.Link::new);
            case DIRECTORY, OTHER -> Optional.empty();
        };
    }

    /** Reads a file, several times if it is slow, because on a busy machine each file is slow now and then. */
    private Optional<Entry> fileOrSlow(String path) throws IOException {
        Optional<Entry> file = Optional.empty();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long start = System.nanoTime();
            file = file(path);
            if (System.nanoTime() - start <= SLOW.toNanos()) {
                return file;
            }
            if (file.filter(Entry.Content.class::isInstance).isEmpty()) {
                break;
            }
        }
        slow.add(path);
        if (file.filter(Entry.Content.class::isInstance).isPresent()) {
            slowSoFar.add(path);
        }
        return file;
    }

    /** Reads slow files again. A machine that paused for a moment made every file of that moment slow. */
    private void rereadSlowFiles() throws IOException {
        for (String path : List.copyOf(slowSoFar)) {
            slow.remove(path);
            fileOrSlow(path);
        }
    }

    /**
     * Reads a file once.
     *
     * @return empty when the file does not exist
     * @throws InterruptedIOException when the thread is interrupted
     */
    Optional<Entry> file(String path) throws InterruptedIOException {
        int mode = tree.mode(path).orElse(USUAL_FILE);
        if ((mode & READABLE) == 0) {
            return Optional.of(new Entry.Unreadable(mode, ReadFailure.DENIED));
        }
        try {
            byte[] content = reader.read(path);
            return Optional.of(
                    content.length > LARGEST
                            ? new Entry.Unreadable(mode, ReadFailure.TOO_LARGE)
                            : new Entry.Content(mode, content));
        } catch (InterruptedIOException interrupted) {
            throw interrupted;
        } catch (IOException refused) {
            String reason = ReadFailure.of(refused);
            return Optional.of(reason)
                    .filter(each -> !each.equals(ReadFailure.ABSENT))
                    .map(each -> new Entry.Unreadable(mode, each));
        }
    }
}
