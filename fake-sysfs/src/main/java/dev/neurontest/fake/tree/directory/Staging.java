package dev.neurontest.fake.tree.directory;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
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
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where files are finished before they are renamed into the tree, so that no reader meets one that is empty or half written.
 * Every file gets the same modification time, the host's start: as on sysfs it does not follow the value, and it tells what
 * was published from what another program has written since.
 */
final class Staging {

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final Set<OpenOption> THERE = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path folder;
    // Some seconds early, for file systems that round the time of a later write down.
    private final FileTime stamp =
            FileTime.from(Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(10));
    private final Map<Integer, FileAttribute<Set<PosixFilePermission>>> modes = new ConcurrentHashMap<>();
    private final int umask;
    private long names;

    Staging(Path folder) throws IOException {
        this.folder = Files.createDirectory(folder, mode(0700));
        Path probe = Files.createDirectory(fresh(), mode(0777));
        this.umask = 0777 & ~bits(Files.getPosixFilePermissions(probe));
        Files.delete(probe);
    }

    /** It belongs to the user of this process. */
    Path folder() {
        return folder;
    }

    /** A name that nothing has yet. */
    Path fresh() throws IOException {
        HostFolder.requireReal(folder);
        return folder.resolve(Long.toString(names++));
    }

    /** A file that readers cannot see yet. */
    void create(Path file, byte[] content, int mode) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file, NEW, mode(mode))) {
            channel.write(ByteBuffer.wrap(content));
        }
        if ((mode & umask) != 0) {
            Files.setPosixFilePermissions(file, mode(mode).value());
        }
        Files.setLastModifiedTime(file, stamp);
    }

    void createDirectory(Path directory, int mode) throws IOException {
        Files.createDirectory(directory, mode(mode));
        if ((mode & umask) != 0) {
            Files.setPosixFilePermissions(directory, mode(mode).value());
        }
    }

    /** Puts a file in the place of whatever is there. */
    void replace(Path file, byte[] content, int mode) throws IOException {
        HostFolder.requireReal(file.getParent());
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            // Nothing else is renamed over a directory.
            discard(file);
        }
        Path staged = fresh();
        create(staged, content, mode);
        Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Fills a file that another program has emptied: the same file, for that program may have it open still. */
    void refill(Path file, byte[] content) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file, THERE)) {
            channel.write(ByteBuffer.wrap(content));
        }
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(stamp, null, null);
    }

    /** Lets a file or directory with everything in it disappear at once, if it is there. */
    void discard(Path path) throws IOException {
        HostFolder.requireReal(path.getParent());
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path staged = fresh();
        Files.move(path, staged, StandardCopyOption.ATOMIC_MOVE);
        HostFolder.delete(staged);
    }

    /** Whether nothing was written since it was published: the cheapest look there is, which follows links. */
    boolean untouched(File file) {
        return file.lastModified() == stamp.toMillis();
    }

    /** Whether a file is not as it was published. */
    boolean foreign(BasicFileAttributes file, long publishedSize) {
        return !file.isRegularFile() || file.size() != publishedSize || !stamped(file);
    }

    /** Whether nothing was written since it was published. */
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
        // The constants go from the owner's read bit to the last execute bit, as the bits do.
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int bit = 0; bit < all.length; bit++) {
            if ((bits & (0400 >> bit)) != 0) {
                permissions.add(all[bit]);
            }
        }
        return PosixFilePermissions.asFileAttribute(permissions);
    }

    private static int bits(Set<PosixFilePermission> permissions) {
        return permissions.stream()
                .mapToInt(permission -> 0400 >> permission.ordinal())
                .sum();
    }
}
