package dev.neurontest.laptop;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A path of a {@link LaptopFileSystem}. */
@NullMarked
record LaptopPath(LaptopFileSystem system, Path path) implements Path {

    private LaptopPath of(Path other) {
        return new LaptopPath(system, other);
    }

    static Path unwrap(Path other) {
        return other instanceof LaptopPath laptop ? laptop.path : other;
    }

    @Override
    public FileSystem getFileSystem() {
        return system;
    }

    @Override
    public boolean isAbsolute() {
        return path.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return path.getRoot() == null ? null : of(path.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return path.getFileName() == null ? null : of(path.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return path.getParent() == null ? null : of(path.getParent());
    }

    @Override
    public int getNameCount() {
        return path.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return of(path.getName(index));
    }

    @Override
    public Path subpath(int begin, int end) {
        return of(path.subpath(begin, end));
    }

    @Override
    public boolean startsWith(Path other) {
        return path.startsWith(unwrap(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return path.endsWith(unwrap(other));
    }

    @Override
    public Path normalize() {
        return of(path.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return of(path.resolve(unwrap(other)));
    }

    @Override
    public Path relativize(Path other) {
        return of(path.relativize(unwrap(other)));
    }

    @Override
    public URI toUri() {
        return system.laptop().uri(path.toUri());
    }

    @Override
    public Path toAbsolutePath() {
        return of(path.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return of(system.laptop().requirePresent(path).toRealPath(options));
    }

    @Override
    public File toFile() {
        return new File(path.toString());
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        return path.register(watcher, events, modifiers);
    }

    @Override
    public int compareTo(Path other) {
        return path.compareTo(unwrap(other));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LaptopPath laptop && path.equals(laptop.path);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return system.laptop().shown(path.toString());
    }
}
