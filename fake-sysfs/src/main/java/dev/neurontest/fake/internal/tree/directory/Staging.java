package dev.neurontest.fake.internal.tree.directory;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The staging folder. Files are completed in it before they are renamed into the tree. Therefore no reader sees an empty or partly
 * written file.
 *
 * <p>Every file gets the same modification time, about the start of the host. As on sysfs, the time does not depend on the value.
 * Another time shows that another program has written the file.
 */
final class Staging implements AutoCloseable {

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> THERE = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    /** Maximum number of replaced directories of a path that are held open. */
    private static final int RETIRED = 8;

    private final Path folder;
    // Ten seconds early, for file systems that round the time of a later write down.
    private final FileTime stamp =
            FileTime.from(Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(10));
    private final Map<Integer, FileAttribute<Set<PosixFilePermission>>> modes = new ConcurrentHashMap<>();
    private final Map<Path, Object> real = new ConcurrentHashMap<>();
    private final Map<Path, Deque<DirectoryStream<Path>>> retired = new ConcurrentHashMap<>();
    private final int umask;
    private FileChannel digits;
    private long names;

    /**
     * Memory for changing a file in place.
     *
     * @param bytes content of the file, in memory
     * @param file identity of the file; another file of the same name has other memory
     */
    record Memory(MappedByteBuffer bytes, Object file) {}

    Staging(Path folder) throws IOException {
        this.folder = Files.createDirectory(folder, mode(0700));
        Path probe = Files.createDirectory(fresh(), mode(0777));
        this.umask = 0777 & ~bits(Files.getPosixFilePermissions(probe));
        Files.delete(probe);
        this.digits = openDigits();
    }

    /** Returns the folder, which is owned by the user of this process. */
    Path folder() {
        return folder;
    }

    /** Returns an unused path in the folder. */
    Path fresh() throws IOException {
        requireReal(folder);
        return folder.resolve(Long.toString(names++));
    }

    /** Creates a file that readers cannot see yet. */
    void create(Path file, byte[] content, int mode) throws IOException {
        create(file, content, mode, false);
    }

    private @Nullable MappedByteBuffer create(Path file, byte[] content, int mode, boolean mapped) throws IOException {
        MappedByteBuffer bytes = null;
        try (FileChannel channel = FileChannel.open(file, NEW, mode(mode))) {
            channel.write(ByteBuffer.wrap(content));
            if (mapped) {
                bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, content.length);
                // The first write to the memory is the only one that changes the modification time of the file.
                bytes.put(0, content[0]);
            }
        }
        if ((mode & umask) != 0) {
            Files.setPosixFilePermissions(file, mode(mode).value());
        }
        stamp(file.toFile());
        return bytes;
    }

    /** Sets the modification time in a single system call, which follows links. */
    void stamp(File file) throws IOException {
        if (!file.setLastModified(stamp.toMillis())) {
            throw new IOException("the time of " + file + " cannot be set");
        }
    }

    /**
     * Writes a digit into the memory of a file. The system copies the digit from a file with all digits. If another program has
     * truncated the file, the memory is gone and this call fails. A write in Java would cause an error of the JVM instead.
     *
     * @return false if the digit cannot be written
     */
    boolean putDigit(Memory memory, int place, byte digit) {
        if (digit < '0' || digit > '9') {
            return false;
        }
        try {
            if (!digits.isOpen()) {
                digits = openDigits();
            }
            return digits.read(memory.bytes().slice(place, 1), digit - '0') == 1;
        } catch (IOException cut) {
            return false;
        }
    }

    private FileChannel openDigits() throws IOException {
        Path file = folder.resolve("digits");
        Files.writeString(file, "0123456789");
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    void createDirectory(Path directory, int mode) throws IOException {
        Files.createDirectory(directory, mode(mode));
        if ((mode & umask) != 0) {
            Files.setPosixFilePermissions(directory, mode(mode).value());
        }
    }

    /**
     * Replaces whatever exists at a path with a file.
     *
     * @return memory of the file, if {@code mapped}
     */
    Staging.@Nullable Memory replace(Path file, byte[] content, int mode, boolean mapped) throws IOException {
        requireReal(file.getParent());
        Path staged = fresh();
        MappedByteBuffer bytes = create(staged, content, mode, mapped);
        Object made = bytes == null ? null : attributes(staged).fileKey();
        try {
            Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException refused) {
            if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                throw refused;
            }
            // A file cannot be renamed over a directory.
            discard(file);
            Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return bytes == null || made == null ? null : new Memory(bytes, made);
    }

    /**
     * Rejects a directory that no longer exists or was replaced by a link. A directory with the same identity as at its last check
     * is not checked further.
     */
    void requireReal(Path directory) throws IOException {
        Object checkedKey = real.get(directory);
        if (checkedKey != null && checkedKey.equals(keyOf(directory))) {
            return;
        }
        HostFolder.requireReal(directory);
        Object currentKey = keyOf(directory);
        if (currentKey != null) {
            real.put(directory, currentKey);
        }
    }

    private static @Nullable Object keyOf(Path directory) {
        try {
            return attributes(directory).fileKey();
        } catch (IOException gone) {
            return null;
        }
    }

    /** Fills a file that another program has emptied. The file is not replaced, because that program may still have it open. */
    void refill(Path file, byte[] content) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file, THERE)) {
            channel.write(ByteBuffer.wrap(content));
        }
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(stamp, null, null);
    }

    /** Removes a file or a directory with its content at once for readers, if it exists. */
    void discard(Path path) throws IOException {
        HostFolder.requireReal(path.getParent());
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path staged = fresh();
        Files.move(path, staged, StandardCopyOption.ATOMIC_MOVE);
        HostFolder.delete(staged);
    }

    /**
     * Deletes a directory like {@link #discard}, but holds it open for a while. Therefore its replacement gets another inode, as in
     * sysfs.
     */
    void retire(Path directory) throws IOException {
        HostFolder.requireReal(directory.getParent());
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Deque<DirectoryStream<Path>> open = retired.computeIfAbsent(directory, place -> new ArrayDeque<>());
            open.addLast(Files.newDirectoryStream(directory));
            if (open.size() > RETIRED) {
                open.removeFirst().close();
            }
        }
        discard(directory);
    }

    /** Returns whether the file was not written since it was published. This is the cheapest check; it follows links. */
    boolean untouched(File file) {
        return file.lastModified() == stamp.toMillis();
    }

    /** Returns whether a file differs from its published state. */
    boolean foreign(BasicFileAttributes file, long publishedSize) {
        return !file.isRegularFile() || file.size() != publishedSize || !stamped(file);
    }

    /** Returns whether the file was not written since it was published. */
    boolean stamped(BasicFileAttributes file) {
        return file.lastModifiedTime().equals(stamp);
    }

    static BasicFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private FileAttribute<Set<PosixFilePermission>> mode(int bits) {
        return modes.computeIfAbsent(bits, Staging::permissions);
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(int bits) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        // The constants are ordered like the bits, from the owner's read bit to the last execute bit.
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int bit = 0; bit < all.length; bit++) {
            if ((bits & (0400 >> bit)) != 0) {
                permissions.add(all[bit]);
            }
        }
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    @Override
    public void close() throws IOException {
        for (Deque<DirectoryStream<Path>> open : retired.values()) {
            for (DirectoryStream<Path> directory : open) {
                directory.close();
            }
        }
        digits.close();
    }

    private static int bits(Set<PosixFilePermission> permissions) {
        return permissions.stream()
                .mapToInt(permission -> 0400 >> permission.ordinal())
                .sum();
    }
}
