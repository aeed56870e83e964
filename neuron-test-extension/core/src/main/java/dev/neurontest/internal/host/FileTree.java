package dev.neurontest.internal.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The files under a root directory: {@code /} on hardware, or the root of a served or recorded host.
 *
 * <p>Under any other root than {@code /}, a link to a target outside the root is never followed.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FileTree implements HostTree {

    /** Maximum length of a file. A driver file is at most a page; a longer file is not from the driver and must not fill the memory. */
    static final int LONGEST = 1 << 20;

    private static final Set<String> NUMBERS_CHANGE = Set.of("overlay", "aufs");

    private static final int KIND = 0170000;
    private static final int CHARACTER_DEVICE = 0020000;

    /** Maximum time to read a file. For some files the driver asks the device, which takes longer. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /**
     * Interval of the checks on a read that has not ended. A check gives up a file that is not regular at once, and every other file at
     * the time limit.
     */
    static final Duration CHECK_INTERVAL = Duration.ofMillis(100);

    private final Path root;
    private final boolean whole;
    private final SilentFiles silent;

    private volatile @Nullable Boolean numbersLast;

    private FileTree(Path root, SilentFiles silent) {
        this.root = root;
        this.silent = silent;
        this.whole = root.getParent() == null;
    }

    /**
     * Creates the tree of a host under a directory.
     *
     * @throws IOException when there is no such directory
     */
    public static FileTree at(Path root) throws IOException {
        return at(root, new SilentFiles(LIMIT));
    }

    static FileTree at(Path root, SilentFiles silent) throws IOException {
        Path real = root.toRealPath();
        Files.newDirectoryStream(real).close();
        return new FileTree(real, silent);
    }

    @Override
    public String name() {
        return whole ? root.toString() : "root:" + root;
    }

    @Override
    public String location(String path) {
        return named(path).toString();
    }

    /** Reads a whole file, also on an interrupted thread: JUnit interrupts the thread of a test after its timeout. */
    @Override
    public byte[] read(String path) throws IOException {
        return read(path, silent.limit());
    }

    @Override
    public byte[] read(String path, Duration atMost) throws IOException {
        requireInside(path);
        Duration limit = atMost.compareTo(silent.limit()) < 0 ? atMost : silent.limit();
        return new FileBatch(this, List.of(path), options()).readFirst(limit);
    }

    SilentFiles silent() {
        return silent;
    }

    /** Reads a file on this thread without a time limit. */
    byte[] readHere(String path) throws IOException {
        try (InputStream file = new AttributeStream(inside(path), options())) {
            byte[] content = file.readNBytes(LONGEST + 1);
            if (content.length > LONGEST) {
                throw tooLong(location(path));
            }
            return content;
        }
    }

    static FileSystemException tooLong(String location) {
        return new FileSystemException(location, null, "longer than any file of the driver (" + LONGEST + " bytes)");
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        Path file = inside(path);
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(location(path), null, "not a regular file");
        }
        // Truncates: in ordinary files, the end of a longer old content would remain behind the new one.
        OpenOption[] existing = Arrays.copyOf(options(), options().length + 2);
        existing[existing.length - 2] = StandardOpenOption.WRITE;
        existing[existing.length - 1] = StandardOpenOption.TRUNCATE_EXISTING;
        try (OutputStream out = Files.newOutputStream(file, existing)) {
            out.write(content);
        }
    }

    @Override
    public List<String> list(String directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(inside(directory))) {
            return OpenDirectory.names(entries);
        }
    }

    @Override
    public boolean exists(String path) {
        Path named = named(path);
        try {
            return Files.exists(contained(named));
        } catch (IOException unknown) {
            return false;
        }
    }

    @Override
    public OptionalInt mode(String path) {
        Path named = named(path);
        Optional<Integer> mode = known(() -> (Integer) Files.getAttribute(contained(named), "unix:mode"));
        return mode.isPresent() ? OptionalInt.of(mode.get() & 07777) : OptionalInt.empty();
    }

    @Override
    public Optional<DeviceNumber> deviceNumber(String path) {
        return known(() -> Files.readAttributes(inside(path), "unix:mode,rdev"))
                .filter(node -> ((Integer) node.get("mode") & KIND) == CHARACTER_DEVICE)
                .map(node -> DeviceNumber.of((Long) node.get("rdev")));
    }

    @Override
    public Optional<String> linkTarget(String path) {
        Path link = named(path);
        return known(() -> Files.readSymbolicLink(contained(link.getParent()).resolve(link.getFileName()))
                .toString());
    }

    @Override
    public List<String> linkTargets(String directory) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(inside(directory))) {
            return targets(entries);
        } catch (IOException hidden) {
            return List.of();
        }
    }

    /** Returns link targets. When the process of a directory such as /proc/PID/fd ends, its links vanish: those read before are returned. */
    static List<String> targets(Iterable<Path> links) {
        List<String> targets = new ArrayList<>();
        try {
            links.forEach(
                    link -> known(() -> Files.readSymbolicLink(link).toString()).ifPresent(targets::add));
        } catch (DirectoryIteratorException vanished) {
            // The targets read so far are returned.
        }
        return targets;
    }

    /** Returns the inode without its file system: sysfs is another file system in each container, with the same inode numbers. */
    @Override
    public Optional<String> identity(String path) {
        try {
            Path directory = inside(path);
            return numbersLast(directory)
                    ? Optional.of("inode " + Files.getAttribute(directory, "unix:ino"))
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    /** Returns whether a directory keeps its inode number. overlayfs may change the number of an unused directory. */
    private boolean numbersLast(Path directory) throws IOException {
        Boolean cached = numbersLast;
        if (cached == null) {
            cached = !NUMBERS_CHANGE.contains(Files.getFileStore(directory).type());
            numbersLast = cached;
        }
        return cached;
    }

    @Override
    public Optional<EntryKind> kind(String path) {
        Path entry = named(path);
        try {
            return Optional.of(
                    EntryKind.of(attributes(contained(entry.getParent()).resolve(entry.getFileName()))));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private interface IoSupplier<T extends @Nullable Object> {
        T take() throws IOException;
    }

    /** Returns the result of a lookup; empty if it finds no entry or fails. */
    private static <T> Optional<T> known(IoSupplier<@Nullable T> lookup) {
        try {
            return Optional.ofNullable(lookup.take());
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }

    private static BasicFileAttributes attributes(Path entry) throws IOException {
        return Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public HostDirectory open(String directory) throws IOException {
        DirectoryStream<Path> opened = Files.newDirectoryStream(inside(directory));
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return new OpenDirectory(secure, location(directory));
        }
        opened.close();
        return new NamedDirectory(this, directory);
    }

    @Override
    public Batch prepare(List<String> paths) {
        return new FileBatch(this, paths, options());
    }

    /** Returns the path below the root without resolving links. */
    private Path named(String path) {
        requireInside(path);
        return root.resolve(path);
    }

    static void requireInside(String path) {
        if (path.startsWith("/")) {
            throw new IllegalArgumentException(path + " is not relative to the root of the host");
        }
        if (path.contains("..") && ("/" + path + "/").contains("/../")) {
            throw new IllegalArgumentException(path + " leads upwards");
        }
    }

    /** Returns the options for a resolved path. A link found there now is newer than the check, and NOFOLLOW_LINKS refuses it. */
    private OpenOption[] options() {
        return whole ? new OpenOption[0] : new OpenOption[] {LinkOption.NOFOLLOW_LINKS};
    }

    /** Returns the resolved path, which is under the root. */
    Path inside(String path) throws IOException {
        return contained(named(path));
    }

    private Path contained(Path path) throws IOException {
        return whole ? path : ResolvedDirectories.inside(root, path);
    }

    /** Returns an empty set of resolved directories of this tree. */
    ResolvedDirectories directories() {
        return new ResolvedDirectories(root, whole);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileTree tree && root.equals(tree.root);
    }

    @Override
    public int hashCode() {
        return root.hashCode();
    }

    @Override
    public String toString() {
        return name();
    }
}
