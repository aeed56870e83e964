package dev.neurontest.laptop;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/**
 * A system of laptops, by the differences of its files from those of Linux. Not imitated are {@code java.io.File}, locks, the case of
 * names, the property {@code os.name}, and Unix domain sockets: the JDK refuses them for any other default file system.
 */
@NullMarked
public enum Laptop {
    /** Has no files of the Linux kernel, and no {@code SecureDirectoryStream}. */
    MACOS(Set.of("basic", "owner", "posix", "unix")),
    /** Lacks in addition permissions, identifiers of files, links without a privilege, and some characters in names. */
    WINDOWS(Set.of("basic", "owner", "dos", "acl", "user"));

    private static final List<String> KERNEL = List.of("/proc", "/sys");
    private static final String MEMORY = "/dev/shm";
    private static final String DRIVE = "C:";
    private static final String RESERVED = ":*?\"<>|";

    private final Set<String> views;

    Laptop(Set<String> views) {
        this.views = views;
    }

    /** Returns the options of a JVM with the files of the system. */
    public List<String> options() {
        return List.of(
                "-Djava.nio.file.spi.DefaultFileSystemProvider=" + LaptopFileSystemProvider.class.getName(),
                "-D" + LaptopFileSystemProvider.LAPTOP + "=" + name());
    }

    /** Returns a path of this JVM as a path of the system. */
    public Path path(Path file) {
        return new LaptopPath(new LaptopFileSystemProvider(file.getFileSystem().provider(), this).system(), file);
    }

    Set<String> views() {
        return views;
    }

    boolean hasPermissions() {
        return views.contains("posix");
    }

    /** Rejects an attribute such as {@code unix:mode} whose view the system does not have. */
    void requireView(String attribute) {
        int colon = attribute.indexOf(':');
        if (colon >= 0 && !views.contains(attribute.substring(0, colon))) {
            throw new UnsupportedOperationException("View '%s' not available".formatted(attribute.substring(0, colon)));
        }
    }

    boolean has(Class<?> view) {
        return hasPermissions() || view != PosixFileAttributeView.class && view != PosixFileAttributes.class;
    }

    /** Rejects permissions of a new file. */
    void requireAttributes(FileAttribute<?>... attributes) {
        for (FileAttribute<?> attribute : attributes) {
            if (!hasPermissions() && attribute.name().startsWith("posix:")) {
                throw new UnsupportedOperationException(
                        "'%s' not supported as initial attribute".formatted(attribute.name()));
            }
        }
    }

    String separator() {
        return this == WINDOWS ? "\\" : "/";
    }

    /** Returns a path of Linux in the syntax of the system. */
    String shown(String path) {
        return this == WINDOWS ? (path.startsWith("/") ? DRIVE + path : path).replace('/', '\\') : path;
    }

    /** Returns a path of the system in the syntax of Linux. */
    String onLinux(String path) {
        if (this != WINDOWS) {
            return path;
        }
        String name = path.startsWith(DRIVE) ? path.substring(DRIVE.length()) : path;
        for (int at = 0; at < name.length(); at++) {
            if (RESERVED.indexOf(name.charAt(at)) >= 0) {
                throw new InvalidPathException(path, "Illegal char <%s>".formatted(name.charAt(at)), at);
            }
        }
        return name.replace('\\', '/');
    }

    /** Returns the URI of a file of Linux as on the system. */
    URI uri(URI file) {
        return this == WINDOWS ? URI.create("file:///" + DRIVE + file.getRawPath()) : file;
    }

    /**
     * Returns the URI of a file of the system as on Linux. It begins with {@code file:///}: the provider of Linux reads other forms with
     * the default file system.
     */
    URI uriOnLinux(URI file) {
        return URI.create("file://" + file.getRawPath().replaceFirst("^/" + DRIVE, ""));
    }

    /** Hides the files of the Linux kernel, and the folder in memory except for folders of the test in it. */
    Path requirePresent(Path file) throws NoSuchFileException {
        Path absolute = file.toAbsolutePath().normalize();
        if (absolute.toString().equals(MEMORY) || KERNEL.stream().anyMatch(absolute::startsWith)) {
            throw new NoSuchFileException(file.toString());
        }
        return file;
    }
}
