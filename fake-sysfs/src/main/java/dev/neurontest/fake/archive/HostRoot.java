package dev.neurontest.fake.archive;

import dev.neurontest.fake.files.Errno;
import dev.neurontest.fake.files.FakeEntry;
import dev.neurontest.fake.files.FakeErrnoException;
import dev.neurontest.fake.files.FakeTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The root of a host that is looked at: paths are relative to it, and no link on them is followed. */
interface HostRoot {

    /** What stands at a path. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        CHARACTER_DEVICE,
        OTHER
    }

    /**
     * @param target of a link, otherwise empty
     * @param device major and minor of a device's node, null for anything else
     */
    record Found(
            Kind kind, int mode, String target, @Nullable String device) {}

    List<String> list(String directory) throws IOException;

    Found stat(String path) throws IOException;

    /** Reads a file, but no more than so many bytes. */
    byte[] read(String path, int most) throws IOException;

    /** The files of a fake host. */
    record OfTree(FakeTree tree) implements HostRoot {

        @Override
        public List<String> list(String directory) throws IOException {
            return tree.list(directory);
        }

        @Override
        public Found stat(String path) throws IOException {
            FakeEntry entry = tree.stat(path);
            String target = entry.linkTarget();
            return new Found(
                    switch (entry.type()) {
                        case FILE -> Kind.FILE;
                        case DIRECTORY -> Kind.DIRECTORY;
                        case LINK -> Kind.LINK;
                    },
                    entry.mode(),
                    target == null ? "" : target,
                    entry.device());
        }

        @Override
        public byte[] read(String path, int most) throws IOException {
            byte[] all = tree.read(path);
            return all.length <= most ? all : Arrays.copyOf(all, most);
        }
    }

    /** The files below a directory, which is the root of the file system or of a fake host. */
    record OfFiles(Path root) implements HostRoot {

        private static final int TYPE = 0170000;
        private static final int CHARACTER_DEVICE = 0020000;
        private static final int BITS = 07777;

        @Override
        public List<String> list(String directory) throws IOException {
            List<String> names = new ArrayList<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(directory))) {
                entries.forEach(entry -> names.add(entry.getFileName().toString()));
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            return names;
        }

        @Override
        public Found stat(String path) throws IOException {
            Path file = root.resolve(path);
            Map<String, Object> attributes;
            try {
                attributes = Files.readAttributes(
                        file, "unix:mode,rdev,isRegularFile,isDirectory,isSymbolicLink", LinkOption.NOFOLLOW_LINKS);
            } catch (UnsupportedOperationException e) {
                throw new IOException(root + " cannot be recorded: this system's files have no modes", e);
            }
            int mode = (Integer) attributes.get("mode");
            if ((Boolean) attributes.get("isSymbolicLink")) {
                return new Found(
                        Kind.LINK, mode & BITS, Files.readSymbolicLink(file).toString(), null);
            }
            Kind kind = (Boolean) attributes.get("isRegularFile")
                    ? Kind.FILE
                    : (Boolean) attributes.get("isDirectory")
                            ? Kind.DIRECTORY
                            : (mode & TYPE) == CHARACTER_DEVICE ? Kind.CHARACTER_DEVICE : Kind.OTHER;
            String device = kind == Kind.CHARACTER_DEVICE ? numbers((Long) attributes.get("rdev")) : null;
            return new Found(kind, mode & BITS, "", device);
        }

        /** As the C library of Linux packs them (makedev). */
        private static String numbers(long packed) {
            long major = packed >>> 8 & 0xfff | packed >>> 32 & ~0xfffL;
            long minor = packed & 0xff | packed >>> 12 & ~0xffL & 0xffffffffL;
            return major + ":" + minor;
        }

        @Override
        public byte[] read(String path, int most) throws IOException {
            try (InputStream in = Files.newInputStream(root.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
                return in.readNBytes(most);
            }
        }
    }

    /** The word for why a file could not be read. */
    static String reason(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "EACCES";
        }
        if (failure instanceof FakeErrnoException known) {
            return known.errno().name();
        }
        String message =
                String.valueOf(failure instanceof FileSystemException file ? file.getReason() : failure.getMessage());
        for (Errno errno : Errno.values()) {
            if (message.contains(errno.text())) {
                return errno.name();
            }
        }
        return "unknown";
    }
}
