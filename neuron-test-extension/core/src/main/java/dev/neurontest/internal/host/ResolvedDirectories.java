package dev.neurontest.internal.host;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resolved directories below the root of a host. Each is looked up once. A directory that is no link is below the root if its parent is.
 * A link is below the root if its target is.
 */
final class ResolvedDirectories {

    private final Path root;
    private final boolean whole;
    private final Map<String, Path> resolved = new ConcurrentHashMap<>();

    /**
     * Creates an empty set.
     *
     * @param root the resolved root
     * @param whole true if the root is that of the file system, below which everything is
     */
    ResolvedDirectories(Path root, boolean whole) {
        this.root = root;
        this.whole = whole;
    }

    /**
     * Returns the resolved directory at a path.
     *
     * @param path relative to the root; empty for the root
     * @throws IOException when it does not exist, or leads out of the root
     */
    Path at(String path) throws IOException {
        if (whole || path.isEmpty()) {
            return root.resolve(path);
        }
        Path known = resolved.get(path);
        if (known == null) {
            int name = path.lastIndexOf('/') + 1;
            Path entry = at(path.substring(0, Math.max(0, name - 1))).resolve(path.substring(name));
            known = isLink(entry) ? inside(root, entry) : entry;
            resolved.put(path, known);
        }
        return known;
    }

    private static boolean isLink(Path entry) throws IOException {
        return Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isSymbolicLink();
    }

    /**
     * Resolves all links of a path.
     *
     * @throws IOException when it does not exist, or leads out of the root
     */
    static Path inside(Path root, Path path) throws IOException {
        Path real = path.toRealPath();
        if (!real.startsWith(root)) {
            throw new FileSystemException(path.toString(), real.toString(), "leads out of the host's root " + root);
        }
        return real;
    }
}
