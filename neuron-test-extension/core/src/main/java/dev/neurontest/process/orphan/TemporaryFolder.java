package dev.neurontest.process.orphan;

import dev.neurontest.process.JvmToken;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A folder for files that are gone when this JVM has ended. Its name says whose it is, so that a later JVM of the same user removes
 * what a killed one has left. It holds files and no folders.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TemporaryFolder {

    private static final String PREFIX = "neuron-test-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(" + JvmToken.PATTERN + ")-[0-9]+");

    /** It has the owner of this process. */
    private static final Path SELF = Path.of("/proc/self");

    private TemporaryFolder() {}

    /**
     * Makes an empty one that only this user can look into.
     *
     * @return its path
     * @throws IOException when it cannot be made
     */
    public static Path make() throws IOException {
        return Files.createTempDirectory(
                PREFIX + JvmToken.ofThisJvm().map(jvm -> jvm + "-").orElse(""));
    }

    /**
     * Those beside which a new one would be made, of JVMs of this user that certainly are dead.
     *
     * @return their paths
     */
    public static List<Path> left() {
        return left(parent());
    }

    /**
     * Removes those that are {@link #left()}, as far as that can be done.
     *
     * @return what was removed
     */
    public static List<Path> removeLeft() {
        return removeLeft(parent());
    }

    private static Path parent() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    static List<Path> left(Path parent) {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, PREFIX + "*")) {
            UserPrincipal user = Files.getOwner(SELF);
            for (Path entry : entries) {
                if (isOfDeadJvm(entry.getFileName())
                        && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(entry, LinkOption.NOFOLLOW_LINKS).equals(user)) {
                    left.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException unseen) {
            // The next JVM looks again.
        }
        return left;
    }

    private static boolean isOfDeadJvm(Path name) {
        Matcher own = NAME.matcher(name.toString());
        return own.matches()
                && JvmToken.of(own.group(1)).filter(JvmToken::isDead).isPresent();
    }

    static List<Path> removeLeft(Path parent) {
        List<Path> removed = new ArrayList<>();
        for (Path folder : left(parent)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
                if (entries instanceof SecureDirectoryStream<Path> secure) {
                    remove(secure, folder);
                    removed.add(folder);
                }
            } catch (IOException | DirectoryIteratorException stays) {
                // Another JVM was faster, or it holds what is no file.
            }
        }
        return removed;
    }

    /** By descriptor, so that no link can get in the way between the look and the deed. */
    private static void remove(SecureDirectoryStream<Path> parent, Path folder) throws IOException {
        Path name = folder.getFileName();
        try (SecureDirectoryStream<Path> files = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            UserPrincipal owner = files.getFileAttributeView(PosixFileAttributeView.class)
                    .readAttributes()
                    .owner();
            if (!owner.equals(Files.getOwner(SELF))) {
                throw new IOException(folder + " is of another user");
            }
            for (Path file : files) {
                files.deleteFile(file.getFileName());
            }
        }
        parent.deleteDirectory(name);
    }
}
