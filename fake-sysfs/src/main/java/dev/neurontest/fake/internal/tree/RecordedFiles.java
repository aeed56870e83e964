package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.internal.archive.Archive;
import dev.neurontest.fake.internal.archive.Entry;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a recorded host, including files that exist only part of the time. Values that the driver stores come from the
 * driver, all others from the recording.
 */
final class RecordedFiles {

    private static final String NODES = "dev";
    /** Numbers of device nodes. A node has the number in its name unless the recording has another number. */
    private static final Pattern NODE = Pattern.compile("(?:neuron|[0-9]{1,9}:)([0-9]{1,4})");
    /** Files that contain the numbers of a device, in plain directories and in directories of devices. */
    private static final Pattern NUMBERS =
            Pattern.compile(Pattern.quote(Layout.DEVICES) + "/neuron[0-9]+/(dev|uevent)");

    private static final List<String> ALWAYS = List.of(Layout.DEVICES, Layout.CLASS, NODES);

    private final NavigableMap<String, Archive.Directory> recorded;
    private final DirectoryNode driversOwn;
    private final FixedDirectory root = new FixedDirectory(null, "", 0755, false);
    private final Map<String, Device> devices = new LinkedHashMap<>();

    RecordedFiles(Archive archive, Layout layout, Driver driver) {
        this.recorded = archive.everything();
        this.driversOwn = HostFiles.root(layout, driver, List.of());
        driver.devices().forEach(device -> devices.put(Layout.DEVICES + '/' + device, device));
        ALWAYS.forEach(this::directory);
        devices.forEach(this::add);
        recorded.forEach((path, directory) -> {
            Device device = device(path);
            if (device == null || recorded.containsKey(Layout.DEVICES + '/' + device)) {
                FixedDirectory node = directory(path);
                directory.entries().forEach((name, entry) -> add(node, name, entry, device));
            }
        });
        root.add(new ProcessesDirectory(root, "proc", driver));
    }

    DirectoryNode root() {
        return root;
    }

    /** Finds the node at a path, including removed nodes. */
    @Nullable
    Node find(String path) {
        return find(root, path);
    }

    private static @Nullable Node find(DirectoryNode from, String path) {
        Node current = from;
        for (String name : path.split("/")) {
            if (!(current instanceof DirectoryNode directory)) {
                return null;
            }
            current = directory.child(name, true);
        }
        return current;
    }

    /** Returns the device at or above a path. */
    @Nullable
    Device device(String path) {
        if (!path.startsWith(Layout.DEVICES + '/')) {
            return null;
        }
        int end = path.indexOf('/', Layout.DEVICES.length() + 1);
        return devices.get(end < 0 ? path : path.substring(0, end));
    }

    boolean isDevice(String path) {
        return devices.containsKey(path);
    }

    /** Returns the devices at or below a path. */
    List<Device> devicesIn(String path) {
        return devices.entrySet().stream()
                .filter(home -> (home.getKey() + '/').startsWith(path + '/'))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Shows or hides an entry. A directory that always exists is emptied instead of hidden. */
    void show(String path, boolean shown) {
        if (ALWAYS.contains(path)) {
            if (!shown) {
                directory(path).hideAll();
            }
            return;
        }
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        if (find(path.substring(0, Math.max(slash, 0))) instanceof FixedDirectory directory) {
            directory.show(name, shown);
        }
    }

    /** Returns the directory at a path, and creates missing directories. */
    private FixedDirectory directory(String path) {
        FixedDirectory current = root;
        String above = "";
        for (String name : path.split("/")) {
            above = above.isEmpty() ? name : above + '/' + name;
            Node next = current.child(name, true);
            if (!(next instanceof FixedDirectory)) {
                Archive.Directory recordedDirectory = recorded.get(above);
                next = new FixedDirectory(
                        current,
                        name,
                        recordedDirectory == null ? 0755 : recordedDirectory.mode(),
                        ALWAYS.contains(above));
                current.add(next);
            }
            current = (FixedDirectory) next;
        }
        return current;
    }

    private void add(String home, Device device) {
        Archive.Directory directory = recorded.get(home);
        if (directory == null) {
            device.remove();
            return;
        }
        FixedDirectory above = directory(Layout.DEVICES);
        above.add(new DeviceDirectory(above, device, directory.mode()), device);
    }

    private void add(FixedDirectory directory, String name, Entry entry, @Nullable Device owner) {
        Node node = owner == null || entry instanceof Entry.Link
                ? node(directory, name, entry)
                : file(directory, name, entry, owner);
        String home = Layout.DEVICES + '/' + name;
        Device device = ALWAYS.contains(directory.path()) && recorded.containsKey(home) ? devices.get(home) : null;
        if (device != null) {
            directory.add(node, device);
        } else {
            directory.add(node);
        }
    }

    private static Node node(FixedDirectory directory, String name, Entry entry) {
        if (entry instanceof Entry.Link link) {
            return new LinkNode(directory, name, link.target());
        }
        if (entry instanceof Entry.Device device) {
            Matcher node = NODE.matcher(device.number() != null ? device.number() : name);
            return node.matches()
                    ? FileNode.ofDevice(directory, name, device.mode(), Integer.parseInt(node.group(1)))
                    : FileNode.ordinary(directory, name, device.mode(), () -> "");
        }
        return FileNode.attribute(directory, name, entry.mode(), recorded(entry, written -> {}), null);
    }

    private Node file(FixedDirectory directory, String name, Entry entry, Device owner) {
        String home = Layout.DEVICES + '/' + owner;
        String path = (directory.path() + '/' + name).substring(home.length() + 1);
        return FileNode.attribute(
                directory, name, entry.mode(), content(owner, path, entry), (DeviceDirectory) find(home));
    }

    private Content content(Device device, String path, Entry entry) {
        if (find(driversOwn, Layout.DEVICES + '/' + device + '/' + path) instanceof FileNode file) {
            Content driversContent = file.content();
            boolean kept = holdsNumbers(file.path())
                    || driversContent instanceof Content.Number
                    || driversContent instanceof Content.Text text && text.replay() != null;
            return kept ? driversContent : recorded(entry, driversContent::store);
        }
        boolean notified = (entry.mode() & 0222) != 0;
        return recorded(entry, written -> {
            if (notified) {
                device.attributeWritten(path);
            }
        });
    }

    private static Content recorded(Entry entry, Consumer<byte[]> write) {
        return new Content.Recorded(bytes(entry), write);
    }

    /**
     * Returns whether a file contains the numbers of a device. They are the numbers of its node in the fake, not of the recorded
     * machine.
     */
    static boolean holdsNumbers(String path) {
        return NUMBERS.matcher(path).matches();
    }

    static byte[] bytes(Entry entry) {
        return entry instanceof Entry.Content file ? file.content().getBytes(StandardCharsets.ISO_8859_1) : new byte[0];
    }
}
