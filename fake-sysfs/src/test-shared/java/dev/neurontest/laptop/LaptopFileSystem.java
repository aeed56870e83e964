package dev.neurontest.laptop;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The default file system of a JVM that seems to run on a laptop. */
@NullMarked
final class LaptopFileSystem extends FileSystem {

    private final LaptopFileSystemProvider provider;
    private final FileSystem linux;
    private final Laptop laptop;

    LaptopFileSystem(LaptopFileSystemProvider provider, FileSystem linux, Laptop laptop) {
        this.provider = provider;
        this.linux = linux;
        this.laptop = laptop;
    }

    Laptop laptop() {
        return laptop;
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return laptop.separator();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(new LaptopPath(this, linux.getPath("/")));
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return linux.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return laptop.views();
    }

    @Override
    public Path getPath(String first, String... more) {
        String[] rest = Stream.of(more).map(laptop::onLinux).toArray(String[]::new);
        return new LaptopPath(this, linux.getPath(laptop.onLinux(first), rest));
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
        PathMatcher matcher = linux.getPathMatcher(pattern);
        return path -> matcher.matches(LaptopPath.unwrap(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return linux.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        return linux.newWatchService();
    }
}
