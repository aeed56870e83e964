package dev.neurontest.fake.archive;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One walk through the directories of a host that are recorded. */
final class HostWalk {

    private static final String NODES = "dev";
    private static final String PRODUCT = "sys/devices/virtual/dmi/id";
    private static final String MODULE = "sys/module/neuron";

    private final HostRoot root;
    private final boolean redacting;
    // In the order of the format.
    private final Map<String, Archive.Directory> directories = new LinkedHashMap<>();
    private final List<BoundedReads.Wanted> files = new ArrayList<>();

    private HostWalk(HostRoot root, boolean redacting) {
        this.root = root;
        this.redacting = redacting;
    }

    /** What is there now, by path. */
    static Map<String, Archive.Directory> through(HostRoot root, BoundedReads reads, boolean redacting)
            throws IOException, InterruptedException {
        HostWalk walk = new HostWalk(root, redacting);
        for (String top : Archive.ROOTS) {
            if (walk.isDirectory(top)) {
                walk.enter(top, root.stat(top).mode());
            }
        }
        walk.read(reads);
        // Of these it is one thing that counts.
        for (String top : List.of(NODES, PRODUCT, MODULE)) {
            Archive.Directory directory = walk.directories.get(top);
            if (directory != null && directory.entries().isEmpty()) {
                walk.directories.remove(top);
            }
        }
        return walk.directories;
    }

    /** Whether every part of the path is a directory, and none a link to one. */
    private boolean isDirectory(String path) throws IOException {
        for (int end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
            try {
                if (root.stat(end < 0 ? path : path.substring(0, end)).kind() != HostRoot.Kind.DIRECTORY) {
                    return false;
                }
            } catch (NoSuchFileException e) {
                return false;
            }
            if (end < 0) {
                return true;
            }
        }
    }

    private void enter(String path, int mode) {
        Map<String, Entry> entries = new TreeMap<>(NameOrder.NAMES);
        directories.put(path, new Archive.Directory(mode, entries));
        List<String> names;
        try {
            names = root.list(path);
        } catch (IOException e) {
            // It is gone, or it cannot be listed: what is in it is not known.
            return;
        }
        for (String name : names.stream().sorted(NameOrder.NAMES).toList()) {
            if (isRecorded(path, name)) {
                try {
                    meet(path, name, entries);
                } catch (IOException e) {
                    // It is gone.
                }
            }
        }
    }

    private static boolean isRecorded(String directory, String name) {
        return switch (directory) {
            case NODES -> name.matches("neuron[0-9]+");
            case PRODUCT -> name.equals("product_name");
            case MODULE -> name.equals("version");
            default -> true;
        };
    }

    private void meet(String directory, String name, Map<String, Entry> entries) throws IOException {
        String path = directory + '/' + name;
        HostRoot.Found found = root.stat(path);
        if (found.kind() == HostRoot.Kind.LINK) {
            entries.put(name, new Entry.Link(found.target()));
        } else if (directory.equals(NODES)) {
            // A fake makes a file where it cannot make a device.
            if (found.kind() != HostRoot.Kind.DIRECTORY) {
                entries.put(name, new Entry.Device(found.mode(), number(name, found.device())));
            }
        } else if (found.kind() == HostRoot.Kind.DIRECTORY) {
            enter(path, found.mode());
        } else if (found.kind() == HostRoot.Kind.CHARACTER_DEVICE) {
            entries.put(name, new Entry.Device(found.mode(), number(name, found.device())));
        } else if (found.kind() == HostRoot.Kind.FILE) {
            files.add(new BoundedReads.Wanted(path, found.mode()));
        }
    }

    /** A container may have numbered the nodes anew. */
    private static @Nullable String number(String name, @Nullable String device) {
        return device == null || name.equals("neuron" + device.substring(device.indexOf(':') + 1)) ? null : device;
    }

    private void read(BoundedReads reads) throws InterruptedException {
        List<Entry> contents = reads.read(files);
        for (int i = 0; i < files.size(); i++) {
            String path = files.get(i).path();
            int slash = path.lastIndexOf('/');
            String name = path.substring(slash + 1);
            if (!(contents.get(i) instanceof Entry.Gone)) {
                directories.get(path.substring(0, slash)).entries().put(name, redacted(name, contents.get(i)));
            }
        }
    }

    private Entry redacted(String name, Entry entry) {
        if (redacting && name.equals("serial_number") && entry instanceof Entry.Content file) {
            return new Entry.Content(file.mode(), file.content().replaceAll("[A-Za-z0-9]", "0"));
        }
        return entry;
    }
}
