package dev.neurontest.internal.host;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * The files of a Neuron host. All paths are relative to the host's root and have no leading slash, such as
 * {@code sys/devices/virtual/neuron_device/neuron0/core_count}. On hardware the root is {@code /}.
 *
 * <p>Implementations are safe for use by several threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface HostTree {

    /**
     * Returns the name of this host for messages.
     *
     * @return such as {@code /}, {@code root:/some/directory} or {@code fake:trn1.32xlarge@driver-2.30}
     */
    String name();

    /**
     * Returns the location of a file for messages.
     *
     * @return an absolute path; without such a file, the name of the host with the path
     */
    String location(String path);

    /**
     * Reads the current content of a whole file.
     *
     * @throws NoAnswerException when it does not answer within the time limit of this host
     * @throws IOException when the file does not exist, is not readable, or the driver refuses
     */
    byte[] read(String path) throws IOException;

    /**
     * Reads the current content of a whole file within a time limit. The thread that waits for a silent file is abandoned.
     *
     * @param atMost time limit, for hosts with files that might not answer
     * @throws NoAnswerException when it does not answer in time
     * @throws IOException when the file does not exist, is not readable, or the driver refuses
     */
    default byte[] read(String path, Duration atMost) throws IOException {
        return read(path);
    }

    /**
     * Writes to an existing file. sysfs accepts many writes without effect, so read important values back.
     *
     * @param content bytes to write in one operation
     * @throws IOException when the file does not exist, is not writable, or the driver refuses
     */
    void write(String path, byte[] content) throws IOException;

    /**
     * Lists the names in a directory, in no particular order.
     *
     * @throws IOException when it does not exist or is not readable
     */
    List<String> list(String directory) throws IOException;

    /**
     * Returns whether a path exists.
     *
     * @return false also if that cannot be determined
     */
    boolean exists(String path);

    /**
     * Returns the permission bits of a file.
     *
     * @return such as {@code 0644}; empty for a missing file and on hosts without permission bits
     */
    OptionalInt mode(String path);

    /**
     * Returns the unresolved target of a symbolic link.
     *
     * @return the target; empty when it is not a link or cannot be read
     */
    Optional<String> linkTarget(String path);

    /**
     * Returns the unresolved targets of all symbolic links in a directory.
     *
     * @return targets without entries that are not links or cannot be read; empty for a missing directory; the targets read so
     *     far if it disappears
     */
    default List<String> linkTargets(String directory) {
        try {
            return list(directory).stream()
                    .flatMap(name -> linkTarget(directory + "/" + name).stream())
                    .toList();
        } catch (IOException unlisted) {
            return List.of();
        }
    }

    /**
     * Returns the identity of a directory. A directory that replaces it later has another identity.
     *
     * @return equal values for the same directory; empty for a missing directory, or if the host has no directory numbers
     */
    default Optional<String> identity(String path) {
        return Optional.empty();
    }

    /**
     * Returns the kind of the entry at a path, without following a link at its end.
     *
     * @return the kind; empty for a missing entry, or if the kind cannot be determined
     */
    Optional<EntryKind> kind(String path);

    /**
     * Returns the device number of a node.
     *
     * @return the number; empty if it is not a character device, as on a host of ordinary files
     */
    default Optional<DeviceNumber> deviceNumber(String path) {
        return Optional.empty();
    }

    /**
     * Opens a directory for a search below it.
     *
     * @throws IOException when it does not exist or is not readable
     */
    default HostDirectory open(String directory) throws IOException {
        return new NamedDirectory(this, directory);
    }

    /**
     * Returns a tree with the same files for one walk by one thread. For a remote host, one call lists the given directories and all below
     * them.
     */
    default HostTree forWalk(Collection<String> directories) {
        return this;
    }

    /**
     * Returns a tree with the same files, by which one thread looks once at some entries. For a remote host, one call reads all of them.
     *
     * @param directories directories whose names are listed
     * @param paths entries whose attributes are read, and the content of files
     */
    default HostTree forEntries(Collection<String> directories, Collection<String> paths) {
        return this;
    }

    /**
     * Waits until the content of a file differs from the given content.
     *
     * @param seen content known to the caller
     * @param atMost time limit
     * @return true if it changed
     * @throws IOException when it cannot be read
     */
    default boolean awaitChange(String path, byte[] seen, Duration atMost) throws IOException {
        long start = System.nanoTime();
        while (Arrays.equals(read(path), seen)) {
            long remaining = atMost.toNanos() - (System.nanoTime() - start);
            if (remaining <= 0) {
                return false;
            }
            try {
                Thread.sleep(Math.max(1, Math.min(10, remaining / 1_000_000)));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for " + location(path) + " to change");
            }
        }
        return true;
    }

    /**
     * Prepares repeated readings of the same files, as fast as the host allows.
     *
     * @param paths paths of this tree; a missing file fails only when it is read
     * @return a batch without open descriptors
     */
    Batch prepare(List<String> paths);

    /** A batch of files that are read together. A reading is not atomic, because the driver continues between two files. */
    interface Batch {

        /** Returns the number of files. */
        int size();

        /**
         * Returns the path of a file, as given to {@link HostTree#prepare(List)}.
         *
         * @param index index of the file, starting at 0
         */
        String path(int index);

        /**
         * Selects some of the files without resolving their paths again.
         *
         * @param positions indices of the selected files
         */
        Batch part(int[] positions);

        /**
         * Reads every file once.
         *
         * @param sink receiver of each content or failure; it is called once per file, possibly by several threads at the same
         *     time
         */
        void read(Sink sink);
    }

    /** A receiver of the readings of a batch. */
    interface Sink {

        /**
         * Called when a file was read.
         *
         * @param index index of the file
         * @param buffer buffer with the content; it belongs to the reader and is only valid during the call
         * @param length number of content bytes
         */
        void content(int index, byte[] buffer, int length);

        /**
         * Called when a file could not be read.
         *
         * @param index index of the file
         * @param cause reason
         */
        void failed(int index, IOException cause);
    }

    /** Returns why no file can be read any more; empty while the host answers. */
    default Optional<String> lost() {
        return Optional.empty();
    }
}
