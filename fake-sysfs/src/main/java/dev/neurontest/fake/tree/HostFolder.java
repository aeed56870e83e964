package dev.neurontest.fake.tree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The folder that is the root of a host: made or taken over empty, and emptied at the end. */
final class HostFolder {

    private final Path root;
    private final boolean ours;

    private HostFolder(Path root, boolean ours) throws IOException {
        this.root = root.toRealPath();
        this.ours = ours;
    }

    /** Takes a folder that is absent or empty, or a private temporary one. */
    static HostFolder claim(@Nullable Path wanted) throws IOException {
        if (wanted == null) {
            return new HostFolder(Files.createTempDirectory("fake-neuron-"), true);
        }
        if (!Files.exists(wanted, LinkOption.NOFOLLOW_LINKS)) {
            return new HostFolder(Files.createDirectory(wanted.toAbsolutePath()), true);
        }
        if (!Files.isDirectory(wanted, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(
                    wanted + " is not a directory: a fake host needs one that is absent or empty, and no link to one");
        }
        try (DirectoryStream<Path> content = Files.newDirectoryStream(wanted)) {
            if (content.iterator().hasNext()) {
                throw new IOException(wanted + " is not empty: a fake host needs a directory that is absent or empty");
            }
        }
        return new HostFolder(wanted, false);
    }

    Path root() {
        return root;
    }

    /** What lies beside the driver's files: folders for tools, and a script that points a shell at them. */
    void addTools() throws IOException {
        Files.createDirectories(root.resolve("opt/aws/neuron/bin"));
        Files.createDirectories(root.resolve("opt/aws/neuron/lib"));
        String quoted = "'" + root.toString().replace("'", "'\\''") + "'";
        Files.writeString(root.resolve("env.sh"), """
                # Points a POSIX shell at this fake Neuron host. Source it; it may be sourced twice.
                NEURON_FAKE_ROOT=%s
                export NEURON_FAKE_ROOT
                case ":${PATH:-}:" in
                *":$NEURON_FAKE_ROOT/opt/aws/neuron/bin:"*) ;;
                *) PATH="$NEURON_FAKE_ROOT/opt/aws/neuron/bin${PATH:+:$PATH}" ;;
                esac
                export PATH
                case ":${LD_LIBRARY_PATH:-}:" in
                *":$NEURON_FAKE_ROOT/opt/aws/neuron/lib:"*) ;;
                *) LD_LIBRARY_PATH="$NEURON_FAKE_ROOT/opt/aws/neuron/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" ;;
                esac
                export LD_LIBRARY_PATH
                """.formatted(quoted), StandardCharsets.UTF_8);
    }

    /** Empties the folder, and deletes it if it was made here. */
    void delete() throws IOException {
        try (DirectoryStream<Path> content = Files.newDirectoryStream(root)) {
            for (Path entry : content) {
                delete(entry);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        if (ours) {
            Files.deleteIfExists(root);
        }
    }

    /** Deletes a file, a link but not what it leads to, or a directory with everything in it. */
    static void delete(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(path);
            return;
        }
        try (DirectoryStream<Path> parent = Files.newDirectoryStream(path.getParent())) {
            if (parent instanceof SecureDirectoryStream<Path> secure) {
                deleteDirectory(secure, path.getFileName());
                return;
            }
        }
        Files.walkFileTree(path, new DeletingVisitor());
    }

    /** By descriptor, so that nobody can put a link in the way between the look and the deed. */
    private static void deleteDirectory(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path entry : directory) {
                Path child = entry.getFileName();
                boolean isDirectory = directory
                        .getFileAttributeView(child, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes()
                        .isDirectory();
                if (isDirectory) {
                    deleteDirectory(directory, child);
                } else {
                    directory.deleteFile(child);
                }
            }
        }
        parent.deleteDirectory(name);
    }

    private static final class DeletingVisitor extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
