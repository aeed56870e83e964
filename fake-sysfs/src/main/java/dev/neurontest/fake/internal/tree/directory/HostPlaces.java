package dev.neurontest.fake.internal.tree.directory;

import dev.neurontest.fake.internal.driver.Journal;
import dev.neurontest.fake.internal.files.OpenFileLimit;
import dev.neurontest.fake.internal.folder.PrivateFolder;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The places for the folders of hosts: in memory if there is enough space, otherwise in the JVM's folder for temporary files. On a
 * disk, thousands of small files take ten times as long.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostPlaces {

    /** Advice on choosing another place. */
    static final String ADVICE = "choose another folder with FakeNeuronHost.Builder.folder(Path),"
            + " or neuron.test.fake.folder of the test extension";

    private static final Path MEMORY = Path.of("/dev/shm");

    /**
     * Space in bytes that must be free in addition to the files of a host, for its tools and files of programs. With it, the
     * largest host just fits into the usual 64 MiB of a container.
     */
    private static final long RESERVE = 8 << 20;

    /** A function that creates an object in a folder. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    @FunctionalInterface
    public interface Making<T> {

        /**
         * Creates the object.
         *
         * @param folder an empty folder
         * @throws IOException if the object cannot be created; the folder is deleted then
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
     * Returns the places of this machine.
     *
     * @return {@code /dev/shm} and the JVM's folder for temporary files
     */
    public static HostPlaces ofThisMachine() {
        return new HostPlaces(MEMORY, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Verifies that the system can keep the files of a host.
     *
     * @throws IOException without POSIX permissions, as on Windows
     */
    public static void requireSupported() throws IOException {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            throw new IOException(
                    "this system has no POSIX permissions, which folders, programs, tools, profiles and the runtime of a fake host need."
                            + " Use Linux, such as WSL 2 or a container. @DisabledOnOs(OS.WINDOWS) skips a test on Windows");
        }
    }

    /**
     * Returns the folders in which hosts are created on this machine.
     *
     * @return {@code /dev/shm} and the JVM's folder for temporary files, whether or not they exist
     */
    public static List<Path> all() {
        return List.of(MEMORY, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Creates an object in a private folder in memory. If it does not fit there, or memory is full, it is created in the folder for
     * temporary files. The journal contains the reason then.
     *
     * @param files number of files of the object
     * @param journal journal of the host
     * @param making creates the object, called once or twice
     * @throws IOException if both places fail; the message names both, with the reasons
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
                // The most frequent reason is that memory is full. It is reported in the language of the system.
                reason = reason(e);
                journal.add("the files are in " + temporary + ", because " + memory + " cannot be used: " + reason
                        + "; to avoid that, " + ADVICE);
            }
        } else {
            reason = "it is not a directory";
        }
        try {
            return making.in(privateIn(temporary));
        } catch (IOException e) {
            throw new IOException(
                    "neither " + memory + " (" + reason + ") nor " + temporary + " (" + reason(e) + ") can be used: "
                            + OpenFileLimit.advice(e, ADVICE),
                    e);
        }
    }

    /**
     * Creates an object in a private folder in the chosen folder, and nowhere else.
     *
     * @param chosen an existing directory
     * @throws IOException if the folder cannot be used; the message gives the reason
     */
    public <T> T makeIn(Path chosen, Making<T> making) throws IOException {
        try {
            return making.in(privateIn(chosen));
        } catch (IOException e) {
            throw new IOException("the chosen folder " + chosen + " cannot be used (" + reason(e) + "): " + ADVICE, e);
        }
    }

    /**
     * Checks the free space, the only criterion. The number of files that can still be created is not available; a failure reveals
     * it.
     */
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
            throw new IOException("it is not a directory");
        }
        if (!Files.isWritable(parent)) {
            throw new IOException("it is not writable");
        }
        PrivateFolder folder = PrivateFolder.make(parent);
        try {
            // The stand-in tools of a host must be executable.
            if (!Files.isExecutable(folder.lock())) {
                throw new IOException("it is mounted noexec, and the stand-in tools cannot run");
            }
            return HostFolder.in(folder);
        } catch (IOException | RuntimeException e) {
            folder.delete();
            throw e;
        }
    }

    private static String reason(IOException e) {
        // The message of most file system exceptions is only the file name.
        return e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
    }
}
