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
 * <p>Every method throws {@link java.nio.file.NoSuchFileException} where there is nothing,
 * {@link java.nio.file.AccessDeniedException} where the host's {@link FakeReader} has no permission, and
 * {@link FakeErrnoException} for every other error number. Safe for use by several threads.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface FakeTree {

    /**
     * Reads a whole file.
     *
     * @param path the file
     * @return its content at this moment
     * @throws IOException when it cannot be read
     */
    byte[] read(String path) throws IOException;

    /**
     * Writes a file, in one piece. As in sysfs, success does not mean effect: a write to a counter clears it whatever is
     * written, many others are ignored. A name that is not there cannot be created ({@code EACCES}), a file without a write
     * bit cannot be written even by root, an empty write does nothing, and what is longer than a page of 4096 bytes is cut.
     *
     * @param path the file
     * @param content what to write
     * @return how many bytes were taken
     * @throws IOException when it cannot be written
     */
    int write(String path, byte[] content) throws IOException;

    /**
     * Lists a directory.
     *
     * @param directory the directory
     * @return the names in it, without an order to rely on
     * @throws IOException when it cannot be listed
     */
    List<String> list(String directory) throws IOException;

    /**
     * Looks at what is there.
     *
     * @param path a file, directory or link; a link at its end is not followed
     * @return what it is
     * @throws IOException when there is nothing
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    FakeEntry stat(String path) throws IOException;

    /**
     * Prepares a file for many reads. Nothing is looked up before the first read.
     *
     * @param path the file
     * @return a handle, to be kept
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    FakeFile open(String path);

    /**
     * Opens a file as {@code open(2)} does: whether it is there and may be used is decided now, and its events count from now.
     * A file without the bit that is asked for is refused to root too, with {@code EACCES}.
     *
     * @param path the file
     * @param access what for
     * @return an open file, to be closed
     * @throws IOException when there is no such file, it is a directory ({@link Errno#EISDIR}), or there is no permission
     */
    FakeDescriptor open(String path, FakeAccess access) throws IOException;
}
