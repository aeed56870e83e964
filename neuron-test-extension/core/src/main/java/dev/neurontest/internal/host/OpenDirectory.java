package dev.neurontest.internal.host;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An open directory of a file system. Its entries are opened relative to it and without following links, so everything that is opened
 * through it is below it, even if another process moves or replaces directories at the same time.
 */
final class OpenDirectory implements HostDirectory {

    private final SecureDirectoryStream<Path> directory;
    private final String location;

    /**
     * Creates the directory of a stream, which it closes.
     *
     * @param location its path for messages
     */
    OpenDirectory(SecureDirectoryStream<Path> directory, String location) {
        this.directory = directory;
        this.location = location;
    }

    @Override
    public List<String> names() throws IOException {
        return names(directory);
    }

    /** Returns the names in a directory. */
    static List<String> names(DirectoryStream<Path> directory) throws IOException {
        List<String> names = new ArrayList<>();
        try {
            for (Path entry : directory) {
                names.add(entry.getFileName().toString());
            }
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        return names;
    }

    @Override
    public Optional<EntryKind> kind(String name) {
        try {
            BasicFileAttributes attributes = directory
                    .getFileAttributeView(Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            return Optional.of(EntryKind.of(attributes));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    @Override
    public HostDirectory open(String name) throws IOException {
        String below = location + "/" + name;
        try {
            return new OpenDirectory(directory.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS), below);
        } catch (NoSuchFileException gone) {
            throw new NoSuchFileException(below, null, gone.getReason());
        } catch (AccessDeniedException denied) {
            throw new AccessDeniedException(below, null, denied.getReason());
        } catch (NotDirectoryException other) {
            throw new NotDirectoryException(below);
        } catch (FileSystemException failed) {
            throw new FileSystemException(below, null, failed.getReason());
        }
    }

    @Override
    public void close() {
        try {
            directory.close();
        } catch (IOException ignored) {
            // Nothing was written through it.
        }
    }
}
