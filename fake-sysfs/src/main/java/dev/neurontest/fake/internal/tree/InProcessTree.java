package dev.neurontest.fake.internal.tree;

import dev.neurontest.fake.Errno;
import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeDescriptor;
import dev.neurontest.fake.FakeErrnoException;
import dev.neurontest.fake.FakeReader;
import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.internal.archive.Archive;
import dev.neurontest.fake.internal.archive.Step;
import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Driver;
import dev.neurontest.fake.internal.driver.Field;
import dev.neurontest.fake.internal.files.FakeEntry;
import dev.neurontest.fake.internal.files.FakeFile;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The view of the file tree by method calls. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class InProcessTree implements FakeTree {

    private static final int MOST_LINKS = 40;

    private static final Pattern OF_DEVICE =
            Pattern.compile("((?:" + Layout.DEVICES + "|" + Layout.CLASS + ")/neuron[0-9]+/)(.*)");

    private final Driver driver;
    private final Layout layout;
    private final DirectoryNode root;
    private final @Nullable HostReplay replay;
    private final FakeReader reader;
    private final OpenFiles openFiles;

    /**
     * Creates a tree for a driver.
     *
     * @param driver the state
     * @param layout the layout of the files
     * @param reader the user that reads
     */
    public InProcessTree(Driver driver, Layout layout, FakeReader reader) {
        this(driver, layout, indices(driver), reader);
    }

    private static List<Integer> indices(Driver driver) {
        List<Integer> indices = new ArrayList<>();
        for (Device device : driver.devices()) {
            indices.add(device.index());
        }
        return indices;
    }

    /**
     * Creates a tree for a driver as seen from a container.
     *
     * @param driver the state
     * @param layout the layout of the files
     * @param nodes the devices that have a node in {@code dev}, in the order of the node numbers
     * @param reader the user that reads
     */
    public InProcessTree(Driver driver, Layout layout, List<Integer> nodes, FakeReader reader) {
        this(driver, layout, HostFiles.root(layout, driver, nodes), null, reader);
    }

    /**
     * Creates a tree for a recorded host, and sets the driver to the beginning of the recording.
     *
     * @param driver the state
     * @param layout the layout of the driver's own files
     * @param archive the recording
     * @param reader the user that reads
     */
    public static InProcessTree replaying(Driver driver, Layout layout, Archive archive, FakeReader reader) {
        HostReplay replay = HostReplay.of(archive, layout, driver);
        return new InProcessTree(driver, layout, replay.root(), replay, reader);
    }

    private InProcessTree(
            Driver driver, Layout layout, DirectoryNode root, @Nullable HostReplay replay, FakeReader reader) {
        this.driver = driver;
        this.layout = layout;
        this.root = root;
        this.replay = replay;
        this.reader = reader;
        this.openFiles = new OpenFiles(layout);
        driver.addListener(openFiles);
    }

    private InProcessTree(InProcessTree same, FakeReader reader) {
        this.driver = same.driver;
        this.layout = same.layout;
        this.root = same.root;
        this.replay = same.replay;
        this.reader = reader;
        this.openFiles = same.openFiles;
    }

    /**
     * Creates a tree of the same files for another reader.
     *
     * @param other the user that reads
     * @return a tree with the same state and the same faults
     */
    public InProcessTree readBy(FakeReader other) {
        return new InProcessTree(this, other);
    }

    /**
     * Applies recorded steps. It has no effect without a recording.
     *
     * @param steps the steps of a recorded snapshot, or of several in order
     */
    public void replay(List<Step> steps) {
        if (replay != null) {
            replay.apply(steps);
        }
    }

    public DirectoryNode root() {
        return root;
    }

    /**
     * Counts the files and links that exist now.
     *
     * @return the number without files of removed devices
     */
    public long size() {
        return size(root);
    }

    private static long size(DirectoryNode directory) {
        long size = 0;
        for (String name : directory.names()) {
            Node child = directory.child(name, false);
            size += child instanceof DirectoryNode below ? size(below) : 1;
        }
        return size;
    }

    /**
     * Finds a file by its path in {@code driver-2.30}. An invented layout might have moved it.
     *
     * @param path path relative to the root
     * @return the path in this layout; the given path if it exists or no such file is found
     */
    public String place(String path) {
        Matcher ofDevice = OF_DEVICE.matcher(path);
        if (layout.moves().isEmpty() || !ofDevice.matches() || has(path)) {
            return path;
        }
        String place = ofDevice.group(1) + layout.place(ofDevice.group(2));
        return has(place) ? place : path;
    }

    private boolean has(String path) {
        try {
            walk(path, true, true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Publishes the class attributes again after the election has changed. */
    public void electionChanged() {
        if (file(Layout.CLASS) instanceof DirectoryNode directory) {
            directory.names().forEach(name -> driver.fileChanged(Layout.CLASS + '/' + name));
        }
    }

    /** A counter and the field of it that a file shows. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record CounterFile(Counter counter, Field field) {}

    /**
     * Finds the counter of a file.
     *
     * @throws IllegalArgumentException if the file does not exist or shows no counter
     */
    public CounterFile counterFile(String path) {
        if (file(path) instanceof FileNode file && file.content() instanceof Content.Number number) {
            return new CounterFile(number.counter(), number.field());
        }
        throw new IllegalArgumentException(path + " is not the file of a counter");
    }

    /**
     * Adds a fault to a file, or to all files of a device.
     *
     * @param path path of a file, or of the directory of a device
     * @throws IllegalArgumentException if there is no such file or device
     */
    public void addFault(String path, FileFault fault) {
        faults(path).add(fault);
    }

    /**
     * Removes a fault.
     *
     * @param path the path that was passed to {@link #addFault}
     */
    public void removeFault(String path, FileFault fault) {
        faults(path).remove(fault);
    }

    /**
     * Reports that a fault has begun or ended.
     *
     * @param path the path that was passed to {@link #addFault}
     * @param what text for the journal
     */
    public void noteFault(String path, String what) {
        driver.journal().add(what);
        driver.fileChanged(file(path).path());
    }

    /**
     * Returns the content of a file without calling its faults.
     *
     * @throws IllegalArgumentException if there is no such file
     */
    public byte[] peek(String path) {
        if (file(path) instanceof FileNode file) {
            return file.content().bytes();
        }
        throw new IllegalArgumentException(path + " is not a file");
    }

    private FaultList faults(String path) {
        Node node = file(path);
        if (!node.lasting()) {
            throw new IllegalArgumentException(path + " exists only as long as its process and cannot have faults");
        }
        if (node instanceof FileNode file) {
            return file.faults();
        }
        throw new IllegalArgumentException(path + " is not a file");
    }

    private Node file(String path) {
        try {
            return walk(path, true, true);
        } catch (IOException e) {
            throw new IllegalArgumentException("this host has no " + path, e);
        }
    }

    @Override
    public byte[] read(String path) throws IOException {
        return readable(walk(path, true, false)).read();
    }

    @Override
    public int write(String path, byte[] content) throws IOException {
        return writable(path).write(content);
    }

    private FileNode writable(String path) throws IOException {
        Node node;
        try {
            node = walk(path, true, false);
        } catch (NoSuchFileException e) {
            // The kernel reports this error because no file can be created in sysfs.
            walk(path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "", true, false);
            throw FakeErrnoException.of(Errno.EACCES, path);
        }
        return writable(node);
    }

    private FileNode writable(Node node) throws IOException {
        if (!(node instanceof FileNode file)) {
            throw FakeErrnoException.of(Errno.EISDIR, node.path());
        }
        int bits = reader == FakeReader.ROOT ? 0222 : 0002;
        if ((file.mode() & bits) == 0) {
            throw FakeErrnoException.of(Errno.EACCES, node.path());
        }
        return file;
    }

    private FileNode readable(Node node) throws IOException {
        if (!(node instanceof FileNode file)) {
            throw FakeErrnoException.of(Errno.EISDIR, node.path());
        }
        if (reader != FakeReader.ROOT && (file.mode() & 0004) == 0) {
            throw FakeErrnoException.of(Errno.EACCES, node.path());
        }
        return file;
    }

    @Override
    public List<String> list(String directory) throws IOException {
        if (walk(directory, true, false) instanceof DirectoryNode node) {
            return node.names();
        }
        throw FakeErrnoException.of(Errno.ENOTDIR, directory);
    }

    @Override
    public FakeEntry stat(String path) throws IOException {
        return walk(path, false, false).entry();
    }

    @Override
    public FakeFile open(String path) {
        return new Handle(path);
    }

    @Override
    public FakeDescriptor open(String path, FakeAccess access) throws IOException {
        return open(walk(path, true, false), path, access);
    }

    private FakeDescriptor open(Node node, String path, FakeAccess access) throws IOException {
        FileNode file = access.reads() ? readable(node) : writable(node);
        return new OpenFile(openFiles, access.writes() ? writable(node) : file, path, access);
    }

    private final class Handle implements FakeFile {

        private final String path;
        private volatile @Nullable FileNode file;

        Handle(String path) {
            this.path = path;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public byte[] read() throws IOException {
            return file().read();
        }

        @Override
        public int read(byte[] buffer) throws IOException {
            return file().read(buffer);
        }

        @Override
        public FakeDescriptor open(FakeAccess access) throws IOException {
            FileNode opened = file;
            // A link may resolve to another file the next time.
            boolean isCached = opened != null && opened.path().equals(path) && opened.isThere();
            return InProcessTree.this.open(isCached ? opened : look(false), path, access);
        }

        private FileNode file() throws IOException {
            FileNode opened = file;
            return readable(opened != null ? opened : look(true));
        }

        private Node look(boolean evenGone) throws IOException {
            Node node = walk(path, true, evenGone);
            if (node instanceof FileNode fileNode && fileNode.lasting()) {
                file = fileNode;
            }
            return node;
        }

        @Override
        public String toString() {
            return path;
        }
    }

    private Node walk(String path, boolean followLast, boolean evenGone) throws IOException {
        String remainingPath = path;
        int from = 0;
        Node current = root;
        int links = 0;
        while (from < remainingPath.length()) {
            int slash = remainingPath.indexOf('/', from);
            int end = slash < 0 ? remainingPath.length() : slash;
            String name = remainingPath.substring(from, end);
            from = end + 1;
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (!(current instanceof DirectoryNode directory)) {
                throw FakeErrnoException.of(Errno.ENOTDIR, path);
            }
            Node next = name.equals("..") ? above(directory) : directory.child(name, evenGone);
            if (next == null) {
                throw FakeErrnoException.of(Errno.ENOENT, path);
            }
            if (next instanceof LinkNode link && (followLast || goesOn(remainingPath, end))) {
                if (++links > MOST_LINKS) {
                    throw FakeErrnoException.of(Errno.ELOOP, path);
                }
                current = link.target().startsWith("/") ? root : directory;
                remainingPath = link.target() + remainingPath.substring(end);
                from = 0;
            } else {
                current = next;
            }
        }
        return current;
    }

    /** Returns whether the path has another name after the given position. */
    private static boolean goesOn(String path, int end) {
        int at = end;
        while (at < path.length() && path.charAt(at) == '/') {
            at++;
        }
        return at < path.length();
    }

    private static DirectoryNode above(DirectoryNode directory) {
        DirectoryNode parent = directory.parent();
        return parent != null ? parent : directory;
    }
}
