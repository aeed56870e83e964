package dev.neurontest.laptop;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The files of Linux with what a laptop lacks taken away. A JVM uses them everywhere with
 * {@code -Djava.nio.file.spi.DefaultFileSystemProvider} and the property {@value #LAPTOP}.
 */
@NullMarked
public final class LaptopFileSystemProvider extends FileSystemProvider {

    /** The property with the name of a {@link Laptop}. */
    public static final String LAPTOP = "test.laptop";

    private final FileSystemProvider linux;
    private final Laptop laptop;
    private final LaptopFileSystem system;

    /** Creates the provider. The JVM calls this. */
    public LaptopFileSystemProvider(FileSystemProvider linux) {
        this(linux, Laptop.valueOf(System.getProperty(LAPTOP)));
    }

    LaptopFileSystemProvider(FileSystemProvider linux, Laptop laptop) {
        this.linux = linux;
        this.laptop = laptop;
        this.system = new LaptopFileSystem(this, linux.getFileSystem(URI.create("file:///")), laptop);
    }

    LaptopFileSystem system() {
        return system;
    }

    private Path present(Path path) throws IOException {
        return laptop.requirePresent(LaptopPath.unwrap(path));
    }

    @Override
    public String getScheme() {
        return linux.getScheme();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) throws IOException {
        return linux.newFileSystem(uri, environment);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        return new LaptopPath(system, linux.getPath(laptop.uriOnLinux(uri)));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        laptop.requireAttributes(attributes);
        return linux.newByteChannel(present(path), options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        laptop.requireAttributes(attributes);
        return linux.newFileChannel(present(path), options, attributes);
    }

    @Override
    public AsynchronousFileChannel newAsynchronousFileChannel(
            Path path, Set<? extends OpenOption> options, ExecutorService executor, FileAttribute<?>... attributes)
            throws IOException {
        laptop.requireAttributes(attributes);
        return linux.newAsynchronousFileChannel(present(path), options, executor, attributes);
    }

    /** Returns a stream that is no {@code SecureDirectoryStream}. */
    @Override
    public DirectoryStream<Path> newDirectoryStream(Path directory, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> entries =
                linux.newDirectoryStream(present(directory), entry -> filter.accept(new LaptopPath(system, entry)));
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> each = entries.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return each.hasNext();
                    }

                    @Override
                    public Path next() {
                        return new LaptopPath(system, each.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                entries.close();
            }
        };
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        laptop.requireAttributes(attributes);
        linux.createDirectory(present(directory), attributes);
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        if (laptop == Laptop.WINDOWS) {
            throw new FileSystemException(link.toString(), null, "A required privilege is not held by the client");
        }
        linux.createSymbolicLink(present(link), LaptopPath.unwrap(target), attributes);
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        linux.createLink(present(link), present(existing));
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        return new LaptopPath(system, linux.readSymbolicLink(present(link)));
    }

    @Override
    public void delete(Path path) throws IOException {
        linux.delete(present(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        linux.copy(present(source), present(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        linux.move(present(source), present(target), options);
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return linux.isSameFile(present(path), present(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return linux.isHidden(present(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return linux.getFileStore(present(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        linux.checkAccess(present(path), laptop.hasPermissions() ? modes : withoutExecution(modes));
    }

    /** Returns the modes of access that a system without permissions checks: its users may execute what they may read. */
    private static AccessMode[] withoutExecution(AccessMode... modes) {
        return Stream.of(modes).filter(mode -> mode != AccessMode.EXECUTE).toArray(AccessMode[]::new);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        if (!laptop.has(type)) {
            return null;
        }
        V view = linux.getFileAttributeView(LaptopPath.unwrap(path), type, options);
        return type == BasicFileAttributeView.class
                ? type.cast(new BasicView(path, options, (BasicFileAttributeView) view))
                : view;
    }

    /** A view with the attributes of the system. */
    private final class BasicView implements BasicFileAttributeView {

        private final Path path;
        private final LinkOption[] options;
        private final BasicFileAttributeView view;

        BasicView(Path path, LinkOption[] options, BasicFileAttributeView view) {
            this.path = path;
            this.options = options;
            this.view = view;
        }

        @Override
        public String name() {
            return view.name();
        }

        @Override
        public BasicFileAttributes readAttributes() throws IOException {
            return LaptopFileSystemProvider.this.readAttributes(path, BasicFileAttributes.class, options);
        }

        @Override
        public void setTimes(FileTime modified, FileTime accessed, FileTime created) throws IOException {
            view.setTimes(modified, accessed, created);
        }
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (!laptop.has(type)) {
            throw new UnsupportedOperationException();
        }
        A attributes = linux.readAttributes(present(path), type, options);
        return laptop.hasPermissions() || type != BasicFileAttributes.class
                ? attributes
                : type.cast(new WithoutKey(attributes));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        laptop.requireView(attributes);
        return linux.readAttributes(present(path), attributes, options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        laptop.requireView(attribute);
        linux.setAttribute(present(path), attribute, value, options);
    }

    /** The attributes of a file without an identifier of the file. */
    private record WithoutKey(BasicFileAttributes attributes) implements BasicFileAttributes {

        @Override
        public FileTime lastModifiedTime() {
            return attributes.lastModifiedTime();
        }

        @Override
        public FileTime lastAccessTime() {
            return attributes.lastAccessTime();
        }

        @Override
        public FileTime creationTime() {
            return attributes.creationTime();
        }

        @Override
        public boolean isRegularFile() {
            return attributes.isRegularFile();
        }

        @Override
        public boolean isDirectory() {
            return attributes.isDirectory();
        }

        @Override
        public boolean isSymbolicLink() {
            return attributes.isSymbolicLink();
        }

        @Override
        public boolean isOther() {
            return attributes.isOther();
        }

        @Override
        public long size() {
            return attributes.size();
        }

        @Override
        public @Nullable Object fileKey() {
            return null;
        }
    }
}
