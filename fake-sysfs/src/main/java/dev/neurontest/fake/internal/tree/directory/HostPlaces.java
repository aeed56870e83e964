package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.driver.Journal;
import dev.neurontest.fake.internal.files.OpenFileLimit;
import dev.neurontest.fake.internal.folder.PrivateFolder;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Where the folder of a host is made: in memory where that is roomy, otherwise where the JVM keeps temporary files. Thousands of
 * small files take a disk ten times as long.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostPlaces {

    /** How another place is chosen. */
    static final String ADVICE = "choose another folder with FakeNeuronHost.Builder.folder(Path),"
            + " or neuron.test.fake.folder of the test extension";

    private static final Path MEMORY = Path.of("/dev/shm");

    /**
     * What must be free beyond the files of a host, for its tools and what programs keep there. With it, the largest just fits
     * into the 64 MiB that a container usually has.
     */
    private static final long RESERVE = 8 << 20;

    /** Makes something in a folder. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @FunctionalInterface
    public interface Making<T> {

        /**
         * Makes it.
         *
         * @param folder empty
         * @return what was made
         * @throws IOException when it cannot be made; the folder is deleted then
         */
        T in(HostFolder folder) throws IOException;
    }

    private final Path memory;
    private final Path temporary;

    HostPlaces(Path memory, Path temporary) {
        this.memory = memory;
        this.temporary = temporary;
    }

    /**
     * The places of this machine.
     *
     * @return {@code /dev/shm} and the JVM's folder for temporary files
     */
    public static HostPlaces ofThisMachine() {
        return new HostPlaces(MEMORY, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Where folders are made on this machine.
     *
     * @return {@code /dev/shm} and the JVM's folder for temporary files, whether or not they are there
     */
    public static List<Path> all() {
        return List.of(MEMORY, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Makes something in a private folder in memory. Where it does not fit there, or memory turns out to be full, in one for
     * temporary files, and the journal says why.
     *
     * @param files how many files it has
     * @param journal of the host
     * @param making what makes it, called once or twice
     * @return what was made
     * @param <T> its type
     * @throws IOException when neither place will do; the message names both, with the reasons
     */
    public <T> T make(long files, Journal journal, Making<T> making) throws IOException {
        String reason;
        if (Files.isDirectory(memory, LinkOption.NOFOLLOW_LINKS)) {
            try {
                requireRoom(files);
                return making.in(privateIn(memory));
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                // Whatever it is, mostly that memory is full: the reason is told in the system's language.
                reason = reason(e);
                journal.add("the files are in " + temporary + ", for " + memory + " will not do: " + reason
                        + "; to avoid that, " + ADVICE);
            }
        } else {
            reason = "it is no directory";
        }
        try {
            return making.in(privateIn(temporary));
        } catch (IOException e) {
            throw new IOException(
                    "neither " + memory + " will do (" + reason + ") nor " + temporary + " (" + reason(e) + "): "
                            + OpenFileLimit.advice(e, ADVICE),
                    e);
        }
    }

    /**
     * Makes something in a private folder in a chosen one, and nowhere else.
     *
     * @param chosen an existing directory
     * @param making what makes it
     * @return what was made
     * @param <T> its type
     * @throws IOException when the folder will not do; the message says why
     */
    public <T> T makeIn(Path chosen, Making<T> making) throws IOException {
        try {
            return making.in(privateIn(chosen));
        } catch (IOException e) {
            throw new IOException("the chosen folder " + chosen + " will not do (" + reason(e) + "): " + ADVICE, e);
        }
    }

    /** The only rule for what is roomy. How many files more there may be cannot be asked for; that shows when one is refused. */
    private void requireRoom(long files) throws IOException {
        FileStore store = Files.getFileStore(memory);
        long free = store.getUsableSpace();
        long needed = files * store.getBlockSize() + RESERVE;
        // A tmpfs without a limit has a total space of 0.
        if (store.getTotalSpace() > 0 && free < needed) {
            throw new IOException("%s KiB are free, %s files need %s KiB".formatted(free >> 10, files, needed >> 10));
        }
    }

    private HostFolder privateIn(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            throw new IOException("it is no directory");
        }
        if (!Files.isWritable(parent)) {
            throw new IOException("it cannot be written to");
        }
        PrivateFolder folder = PrivateFolder.make(parent);
        try {
            // The stand-in tools of a host must run.
            if (!Files.isExecutable(folder.lock())) {
                throw new IOException("it is mounted noexec, so that the stand-in tools could not run");
            }
            return HostFolder.in(folder);
        } catch (IOException | RuntimeException e) {
            folder.delete();
            throw e;
        }
    }

    private static String reason(IOException e) {
        // The message of most file system exceptions is the file alone.
        return e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
    }
}
