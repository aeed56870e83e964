package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.driver.Counter;
import dev.neurontest.fake.internal.driver.Device;
import dev.neurontest.fake.internal.driver.Journal;
import dev.neurontest.fake.internal.tree.DirectoryNode;
import dev.neurontest.fake.internal.tree.FileNode;
import dev.neurontest.fake.internal.tree.LinkNode;
import dev.neurontest.fake.internal.tree.Node;
import dev.neurontest.fake.internal.tree.layout.Layout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The files of the directory view. Only one thread at a time accesses files, except in {@link #takeWrite}. */
final class PublishedTree implements AutoCloseable {

    /**
     * Time in milliseconds to wait for the write of a program that has emptied a file. Afterwards the content is restored for other
     * readers.
     */
    static final long WRITER_MILLIS = 100;

    private final DirectoryNode top;
    private final Set<String> elsewhere;
    private final Path root;
    private final Staging staging;
    private final DeviceNodes nodes;
    private final Journal journal;
    private final BiConsumer<Path, List<PublishedFile>> directoryMade;
    // Entries created in directories with changing content, and their identities. Other entries of these directories
    // are never deleted.
    private final Map<Path, Object> createdEntries = new HashMap<>();
    private final Map<Path, PublishedFile> files = new ConcurrentHashMap<>();
    private final Map<Counter, List<PublishedFile>> counters = new ConcurrentHashMap<>();
    private final Map<Device, List<PublishedFile>> registers = new ConcurrentHashMap<>();

    /**
     * @param elsewhere names in the root that are published by other means
     * @param directoryMade receives every directory with attributes; they may already have been written
     */
    PublishedTree(
            DirectoryNode top,
            Set<String> elsewhere,
            Path root,
            Staging staging,
            Journal journal,
            BiConsumer<Path, List<PublishedFile>> directoryMade) {
        this.top = top;
        this.elsewhere = elsewhere;
        this.root = root;
        this.staging = staging;
        this.nodes = new DeviceNodes(staging.folder(), journal);
        this.journal = journal;
        this.directoryMade = directoryMade;
    }

    Collection<PublishedFile> files() {
        return files.values();
    }

    @Nullable
    PublishedFile file(Path path) {
        return files.get(path);
    }

    List<PublishedFile> filesOf(Counter counter) {
        return counters.getOrDefault(counter, List.of());
    }

    /** Returns the attributes of a device that are not counters. */
    List<PublishedFile> registersOf(Device device) {
        return registers.getOrDefault(device, List.of());
    }

    @Override
    public void close() throws IOException {
        staging.close();
    }

    // ---- whole directories

    void create() throws IOException {
        Map<Path, List<PublishedFile>> made = new LinkedHashMap<>();
        fill(top, root, root, made);
        made.forEach(directoryMade);
    }

    /**
     * @param at path of the directory while it is filled
     * @param place final path of the directory
     */
    private void fill(DirectoryNode directory, Path at, Path place, Map<Path, List<PublishedFile>> made)
            throws IOException {
        List<PublishedFile> attributes = new ArrayList<>();
        for (String name : directory.names()) {
            if (directory == top && elsewhere.contains(name)) {
                continue;
            }
            Object behind = directory.behind(name);
            Node child = directory.child(name, false);
            Path childPlace = place.resolve(name);
            if (child instanceof FileNode file && file.isAttribute()) {
                PublishedFile published = publish(file, childPlace);
                staging.create(at.resolve(name), published.content(), file.mode());
                published.make();
                attributes.add(published);
            } else if (child != null) {
                make(child, at.resolve(name), childPlace, made);
                if (directory.varies()) {
                    createdEntries.put(childPlace, behind);
                }
            }
        }
        if (!attributes.isEmpty()) {
            made.put(place, attributes);
        }
    }

    private void make(Node node, Path at, Path place, Map<Path, List<PublishedFile>> made) throws IOException {
        if (node instanceof DirectoryNode directory) {
            staging.createDirectory(at, directory.mode());
            fill(directory, at, place, made);
        } else if (node instanceof LinkNode link) {
            Files.createSymbolicLink(at, at.getFileSystem().getPath(link.target()));
        } else if (node instanceof FileNode file && !nodes.make(file, at)) {
            staging.create(at, file.shown(), file.mode());
        }
    }

    private PublishedFile publish(FileNode node, Path place) throws IOException {
        PublishedFile file = new PublishedFile(node, place);
        // Registered before the content is rendered. Therefore no change in between is lost.
        files.put(place, file);
        Device device = node.device();
        Counter counter = node.counter();
        if (counter != null) {
            counters.computeIfAbsent(counter, unknown -> new CopyOnWriteArrayList<>())
                    .add(file);
        } else if (device != null) {
            registers
                    .computeIfAbsent(device, unknown -> new CopyOnWriteArrayList<>())
                    .add(file);
        }
        file.published(node.shown());
        return file;
    }

    /**
     * Discards removed entries from directories with changing content, then creates new entries in the opposite order. A failure
     * does not stop the remaining updates.
     *
     * @throws IOException the first failure; another call tries again
     */
    void update(List<String> all) throws IOException {
        Failures failures = new Failures();
        List<String> directories = all.stream()
                .filter(path -> !elsewhere.contains(path.split("/")[0]))
                .toList();
        for (String directory : directories) {
            discardGone(directory, failures);
        }
        for (int i = directories.size() - 1; i >= 0; i--) {
            makeNew(directories.get(i), failures);
        }
        failures.rethrow();
    }

    private interface Step {
        void run() throws IOException;
    }

    private static final class Failures {

        private @Nullable IOException first;

        void collect(Step step) {
            try {
                step.run();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                }
            }
        }

        void rethrow() throws IOException {
            if (first != null) {
                throw first;
            }
        }
    }

    private void discardGone(String directory, Failures failures) {
        Path path = root.resolve(directory);
        DirectoryNode node = directory(directory);
        Map<Path, Object> present = node.names().stream().collect(Collectors.toMap(path::resolve, node::behind));
        List<Path> gone = createdEntries.entrySet().stream()
                .filter(made -> path.equals(made.getKey().getParent())
                        && !made.getValue().equals(present.get(made.getKey())))
                .map(Map.Entry::getKey)
                .toList();
        for (Path place : gone) {
            failures.collect(() -> {
                forget(place);
                if (directory.equals(Layout.DEVICES)) {
                    staging.retire(place);
                } else {
                    staging.discard(place);
                }
                createdEntries.remove(place);
            });
        }
    }

    private void makeNew(String directory, Failures failures) {
        Path path = root.resolve(directory);
        DirectoryNode node = directory(directory);
        for (String name : node.names()) {
            failures.collect(() -> {
                if (!Files.exists(path.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                    appear(node, name, path.resolve(name));
                }
            });
        }
    }

    private DirectoryNode directory(String path) {
        DirectoryNode current = top;
        for (String name : path.split("/")) {
            if (!(current.child(name, false) instanceof DirectoryNode next)) {
                throw new IllegalArgumentException("there is no directory " + path);
            }
            current = next;
        }
        return current;
    }

    /** Creates an entry and its content at once for readers. */
    private void appear(DirectoryNode directory, String name, Path place) throws IOException {
        HostFolder.requireReal(place.getParent());
        // The identity is read first. If the entry is replaced between the two lines, the next update detects the
        // replacement.
        Object behind = directory.behind(name);
        Node node = directory.child(name, false);
        if (node == null) {
            return;
        }
        Path staged = staging.fresh();
        Map<Path, List<PublishedFile>> made = new LinkedHashMap<>();
        // An entry that another program has deleted is created again.
        forget(place);
        try {
            make(node, staged, place, made);
            HostFolder.requireReal(place.getParent());
            Files.move(staged, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            forget(place);
            HostFolder.delete(staged);
            if (directory.child(name, false) != null) {
                throw e;
            }
            journal.add(place + " not created, because it no longer exists: " + e);
            return;
        }
        createdEntries.put(place, behind);
        made.forEach(directoryMade);
    }

    private void forget(Path place) {
        files.values().removeIf(file -> file.path().startsWith(place));
        counters.values().removeIf(of -> of.get(0).path().startsWith(place));
        registers.values().removeIf(of -> of.get(0).path().startsWith(place));
    }

    // ---- single files

    /** Publishes a file if it has changed. Returns the delay in milliseconds before the next attempt, or 0 if done. */
    long publish(PublishedFile file) throws IOException {
        if (files.get(file.path()) != file || file.node().gone()) {
            return 0;
        }
        if (Arrays.equals(file.node().shown(), file.content()) || changeDigit(file)) {
            return 0;
        }
        return renew(file);
    }

    /** Publishes a file if its value has changed or its copy was modified. */
    long renew(PublishedFile file) throws IOException {
        // A write that was not detected yet must not be lost under the update.
        long retry = inspect(file);
        if (retry > 0 || files.get(file.path()) != file || file.node().gone()) {
            return retry;
        }
        byte[] content = file.node().shown();
        if (!Arrays.equals(content, file.content())) {
            replace(file, content);
        }
        file.succeeded();
        return 0;
    }

    /**
     * Replaces a single differing digit in place. A reader never sees a partly written digit. Returns false if that is not
     * possible, or another program has written the file.
     */
    private boolean changeDigit(PublishedFile file) throws IOException {
        Staging.Memory memory = file.memory();
        if (memory == null) {
            return false;
        }
        byte[] content = file.node().shown();
        int place = onlyDifference(file.content(), content);
        if (place < 0) {
            return false;
        }
        // Until the time is set again, the change may look like a write of another program.
        synchronized (lockOf(file)) {
            if (file.written() || !staging.putDigit(memory, place, content[place]) || !shows(file, memory, content)) {
                return false;
            }
            file.published(content);
        }
        return true;
    }

    /** Returns whether the path still leads to the changed file, and no other program has changed it. */
    private boolean shows(PublishedFile file, Staging.Memory memory, byte[] content) {
        try {
            BasicFileAttributes fileAttributes = Staging.attributes(file.path());
            if (!memory.file().equals(fileAttributes.fileKey())) {
                return false;
            }
            if (!staging.stamped(fileAttributes)) {
                if (!Arrays.equals(read(file), content)) {
                    return false;
                }
                // The system had moved the memory and updated the time of the file.
                staging.stamp(file.file());
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    /** Returns the index of the only differing byte, or -1 if there is not exactly one. */
    static int onlyDifference(byte[] one, byte[] other) {
        int place = one.length == other.length ? Arrays.mismatch(one, other) : -1;
        return place >= 0 && Arrays.equals(one, place + 1, one.length, other, place + 1, other.length) ? place : -1;
    }

    /**
     * Passes the write of another program to the driver, and publishes the file again. Returns the delay in milliseconds before the
     * next check, or 0 if done.
     */
    long inspect(PublishedFile file) throws IOException {
        if (files.get(file.path()) != file || file.node().gone()) {
            return 0;
        }
        BasicFileAttributes fileAttributes;
        try {
            fileAttributes = Staging.attributes(file.path());
        } catch (NoSuchFileException e) {
            putBack(file, "was deleted by another program");
            return 0;
        }
        if (!staging.foreign(fileAttributes, file.content().length)) {
            return 0;
        }
        HostFolder.requireReal(file.path().getParent());
        if (!fileAttributes.isRegularFile()) {
            putBack(file, "was replaced by another program");
        } else if (fileAttributes.size() == 0 && file.emptyNanos() < TimeUnit.MILLISECONDS.toNanos(WRITER_MILLIS)) {
            return WRITER_MILLIS;
        } else if (fileAttributes.size() > 0 && (file.node().mode() & 0222) == 0) {
            putBack(file, "was written by another program, although sysfs would refuse this");
        } else if (fileAttributes.size() > 0) {
            store(file, fileAttributes);
            replace(file, file.node().shown());
        } else if (Files.isWritable(file.path())) {
            refill(file, fileAttributes);
        } else {
            replace(file, file.node().shown());
        }
        return 0;
    }

    /**
     * Passes the write of another program to the driver. Called for a counter file by the thread that is about to change the
     * counter and holds the lock of its device.
     *
     * @return whether there was a write; then the caller must inspect the file, which restores it
     */
    boolean takeWrite(PublishedFile file) {
        if (!file.made() || staging.untouched(file.file())) {
            return false;
        }
        try {
            BasicFileAttributes fileAttributes = Staging.attributes(file.path());
            // An empty file has a write in progress, which takes effect after the change.
            if (!fileAttributes.isRegularFile()
                    || fileAttributes.size() == 0
                    || staging.stamped(fileAttributes)
                    || (file.node().mode() & 0222) == 0
                    || file.node().gone()
                    || files.get(file.path()) != file) {
                return false;
            }
            HostFolder.requireReal(file.path().getParent());
            return store(file, fileAttributes);
        } catch (IOException e) {
            // The publishing thread gets the same error and reports it.
            return false;
        }
    }

    /** Returns false if the write was already passed to the driver, or the file was emptied since the check. */
    private boolean store(PublishedFile file, BasicFileAttributes fileAttributes) throws IOException {
        // If two threads find the same write, one passes it on and marks it before the counter changes.
        synchronized (lockOf(file)) {
            if (file.taken(fileAttributes)) {
                return false;
            }
            byte[] written = read(file);
            if (written.length == 0) {
                return false;
            }
            journal.add(file.node().path() + " is written by another program");
            file.node().store(written);
            file.take(fileAttributes);
            return true;
        }
    }

    private static byte[] read(PublishedFile file) throws IOException {
        try (InputStream in = Files.newInputStream(file.path(), LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(FileNode.PAGE);
        }
    }

    private void refill(PublishedFile file, BasicFileAttributes fileAttributes) throws IOException {
        byte[] content = file.node().shown();
        // Until the refill is complete, it looks like a write of another program.
        synchronized (lockOf(file)) {
            staging.refill(file.path(), content);
        }
        if (Arrays.equals(read(file), content)) {
            file.published(content);
        } else {
            // The write occurred during the refill.
            store(file, fileAttributes);
            replace(file, file.node().shown());
        }
    }

    /** Returns the lock that the callers of {@link #takeWrite} hold. */
    private static Object lockOf(PublishedFile file) {
        Device device = file.node().device();
        return device != null ? device : file;
    }

    private void putBack(PublishedFile file, String what) throws IOException {
        replace(file, file.node().shown());
        journal.add(file.node().path() + ' ' + what + "; put back");
    }

    private void replace(PublishedFile file, byte[] content) throws IOException {
        // A digit that has changed is likely to change again.
        boolean mapped = file.node().counter() != null
                && (file.memory() != null || onlyDifference(file.content(), content) >= 0);
        file.memory(staging.replace(file.path(), content, file.node().mode(), mapped));
        file.published(content);
    }
}
