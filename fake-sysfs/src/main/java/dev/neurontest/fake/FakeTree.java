package dev.neurontest.fake;

import dev.neurontest.fake.internal.files.FakeEntry;
import dev.neurontest.fake.internal.files.FakeFile;
import java.io.IOException;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The fake host's files by method call: exact and synchronous, with errors and delays, on every operating system. Paths are
 * relative to the host's root and have no leading slash, such as
 * {@code sys/devices/virtual/neuron_device/neuron0/core_count}. Symbolic links in the middle of a path are followed.
 *
 * <p>Every method throws {@link java.nio.file.NoSuchFileException} if the path does not exist, {@link java.nio.file.AccessDeniedException}
 * if the host's {@link FakeReader} has no permission, and {@link FakeErrnoException} for every other error number. Safe for use by several
 * threads.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface FakeTree {

    /**
     * Reads a whole file.
     *
     * @param path the file
     * @return the content at this moment
     * @throws IOException when it cannot be read
     */
    byte[] read(String path) throws IOException;

    /**
     * Writes a file, in one piece. As in sysfs, a successful write does not always have an effect. A write to a counter clears it,
     * regardless of the written value, and many other writes are ignored. A missing file cannot be created ({@code EACCES}). A file without
     * a write bit cannot be written even by root. An empty write does nothing, and everything after a page of 4096 bytes is cut.
     *
     * @param path the file
     * @param content the bytes to write
     * @return the number of bytes accepted
     * @throws IOException when it cannot be written
     */
    int write(String path, byte[] content) throws IOException;

    /**
     * Lists a directory.
     *
     * @param directory the directory
     * @return the names in it, in no particular order
     * @throws IOException when it cannot be listed
     */
    List<String> list(String directory) throws IOException;

    /**
     * Returns the type and attributes of a path.
     *
     * @param path a file, directory or link; a link at its end is not followed
     * @return the entry
     * @throws IOException when the path does not exist
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    FakeEntry stat(String path) throws IOException;

    /**
     * Prepares a file for many reads. The path is resolved only at the first read.
     *
     * @param path the file
     * @return a reusable handle
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    FakeFile open(String path);

    /**
     * Opens a file as {@code open(2)} does: existence and permission are checked now, and events count from now on. A file without the
     * requested permission bit is refused even to root, with {@code EACCES}.
     *
     * @param path the file
     * @param access the access mode
     * @return an open file; the caller must close it
     * @throws IOException when there is no such file, it is a directory ({@link Errno#EISDIR}), or there is no permission
     */
    FakeDescriptor open(String path, FakeAccess access) throws IOException;
}
