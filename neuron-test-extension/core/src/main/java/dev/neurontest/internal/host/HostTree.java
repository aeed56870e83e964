package dev.neurontest.internal.host;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apiguardian.api.API;

/**
 * The files of a Neuron host. All paths are relative to the host's root and have no leading slash, such as
 * {@code sys/devices/virtual/neuron_device/neuron0/core_count}; on hardware the root is {@code /}.
 *
 * <p>Implementations are safe for use by several threads.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface HostTree {

    /**
     * What messages call this host.
     *
     * @return such as {@code /}, {@code root:/some/directory} or {@code fake:trn1.32xlarge@driver-2.30}
     */
    String name();

    /**
     * What a person would open to see the same.
     *
     * @param path a path of this tree
     * @return an absolute path, or the name of the host and the path where there is no file
     */
    String location(String path);

    /**
     * Reads a whole file.
     *
     * @param path a path of this tree
     * @return its content at this moment
     * @throws NoAnswerException when it does not answer in the time that this host gives its files
     * @throws IOException when it is not there, must not be read, or the driver refuses
     */
    byte[] read(String path) throws IOException;

    /**
     * Reads a whole file, or stops waiting for it. The thread that waits for a silent file is left behind.
     *
     * @param path a path of this tree
     * @param atMost how long to wait, where this host has files that may not answer
     * @return its content at this moment
     * @throws NoAnswerException when it does not answer in time
     * @throws IOException when it is not there, must not be read, or the driver refuses
     */
    default byte[] read(String path, Duration atMost) throws IOException {
        return read(path);
    }

    /**
     * Writes a file that exists. sysfs accepts many writes without effect: read back what matters.
     *
     * @param path a path of this tree
     * @param content what to write, in one piece
     * @throws IOException when it is not there, must not be written, or the driver refuses
     */
    void write(String path, byte[] content) throws IOException;

    /**
     * Lists a directory.
     *
     * @param directory a path of this tree
     * @return the names in it, in no particular order
     * @throws IOException when it is not there or must not be read
     */
    List<String> list(String directory) throws IOException;

    /**
     * Whether a path leads to anything.
     *
     * @param path a path of this tree
     * @return false also where that cannot be found out
     */
    boolean exists(String path);

    /**
     * The permission bits of a file.
     *
     * @param path a path of this tree
     * @return such as {@code 0644}; empty where there is no such file or no such notion
     */
    OptionalInt mode(String path);

    /**
     * The target of a symbolic link, unresolved.
     *
     * @param path a path of this tree
     * @return empty when it is not a link or cannot be read
     */
    Optional<String> linkTarget(String path);

    /**
     * The targets of all symbolic links in a directory, unresolved.
     *
     * @param directory a path of this tree
     * @return without what is no link or cannot be read; empty when there is no such directory, and what was seen before where it vanished
     */
    default List<String> linkTargets(String directory) {
        try {
            return list(directory).stream()
                    .flatMap(name -> linkTarget(directory + "/" + name).stream())
                    .toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    /**
     * Returns what tells a directory from another one that takes its place later.
     *
     * @param path a path of this tree
     * @return equal as long as it is the same directory; empty where there is none, or the host does not number its directories
     */
    default Optional<String> identity(String path) {
        return Optional.empty();
    }

    /**
     * What there is at a path, without following a link at its end.
     *
     * @param path a path of this tree
     * @return empty where there is nothing, or that cannot be found out
     */
    Optional<EntryKind> kind(String path);

    /**
     * The number of a device by its node.
     *
     * @param path a path of this tree
     * @return empty where there is no character device, as in a host of ordinary files
     */
    default Optional<DeviceNumber> deviceNumber(String path) {
        return Optional.empty();
    }

    /**
     * Returns the tree for one walk by one thread, which finds out once where each directory really is.
     *
     * @return the same files
     */
    default HostTree forWalk() {
        return this;
    }

    /**
     * Waits until a file reads differently from what the caller has seen.
     *
     * @param path a path of this tree
     * @param seen the content that the caller knows
     * @param atMost how long to wait
     * @return whether it did change
     * @throws IOException when it cannot be read
     */
    default boolean awaitChange(String path, byte[] seen, Duration atMost) throws IOException {
        long start = System.nanoTime();
        while (Arrays.equals(read(path), seen)) {
            long left = atMost.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                return false;
            }
            try {
                Thread.sleep(Math.max(1, Math.min(10, left / 1_000_000)));
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for " + location(path) + " to change");
            }
        }
        return true;
    }

    /**
     * Prepares reading the same files again and again, as fast as the host allows.
     *
     * @param paths paths of this tree; missing files fail one by one when read
     * @return a batch that holds no descriptors open
     */
    Batch prepare(List<String> paths);

    /** Files that are read together. A batch is no atomic picture: the driver goes on between two files. */
    interface Batch {

        /**
         * How many files there are.
         *
         * @return their number
         */
        int size();

        /**
         * The path of a file.
         *
         * @param index from 0
         * @return as it was given to {@link HostTree#prepare(List)}
         */
        String path(int index);

        /**
         * Selects some of the files, without a new search for them.
         *
         * @param positions of these files
         * @return those
         */
        Batch part(int[] positions);

        /**
         * Reads every file once.
         *
         * @param sink gets each content or failure exactly once, possibly from several threads at a time
         */
        void read(Sink sink);
    }

    /** Takes what a batch reads. */
    interface Sink {

        /**
         * A file was read.
         *
         * @param index which file
         * @param buffer holds the content; it is the reader's own and only valid during the call
         * @param length how many bytes of it are content
         */
        void content(int index, byte[] buffer, int length);

        /**
         * A file could not be read.
         *
         * @param index which file
         * @param cause why
         */
        void failed(int index, IOException cause);
    }
}
