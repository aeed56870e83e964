package dev.neurontest.internal.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apiguardian.api.API;

/** The processes of this machine as far as {@code proc} shows them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessTable {

    /** The state of a process. */
    public enum Liveness {
        /** The process runs or is stopped. */
        ALIVE,
        /** The process has ended, is a zombie, or another process has its number. */
        ENDED,
        /** The process is not visible. */
        UNKNOWN
    }

    private static final Path PROCESSES = Path.of("/proc");
    private static final int LARGEST_ENVIRONMENT = 8 << 20;
    private static final int PPID = 1;
    private static final int THREADS = 17;
    private static final int START_TIME = 19;
    private static final int DEEPEST = 64;
    private static final String UNKNOWN = "unknown";

    /** The files below a {@code proc} directory. */
    public interface Source {

        /**
         * Reads a file.
         *
         * @param path below {@code proc}
         * @throws IOException if it cannot be read
         */
        byte[] read(String path) throws IOException;
    }

    private final Source proc;
    private final String user;
    private final String namespace;

    /** Creates the table of this machine. */
    public ProcessTable() {
        this(
                path -> Files.readAllBytes(Path.of("/proc", path)),
                System.getProperty("user.name", "?"),
                namespace(Path.of("/proc")));
    }

    /**
     * Creates the table of a given {@code proc} directory.
     *
     * @param proc the files of the directory
     * @param user the user of the reader
     * @param namespace the namespace in which the process numbers and start times are valid
     */
    public ProcessTable(Source proc, String user, String namespace) {
        this.proc = proc;
        this.user = user;
        this.namespace = namespace;
    }

    /**
     * Returns the namespace in which process numbers and start times are valid: the boot, and the namespaces of processes and of
     * clocks.
     */
    static String namespace(Path proc) {
        return bootId(proc) + " " + link(proc.resolve("self/ns/pid")) + " " + link(proc.resolve("self/ns/time"));
    }

    private static String bootId(Path proc) {
        try {
            return Files.readString(proc.resolve("sys/kernel/random/boot_id")).trim();
        } catch (IOException none) {
            return UNKNOWN;
        }
    }

    private static String link(Path path) {
        try {
            return Files.readSymbolicLink(path).toString();
        } catch (IOException none) {
            return UNKNOWN;
        }
    }

    /**
     * Returns a name of this process that is unique on this machine over time. It is the same for all class loaders and does not
     * depend on settings of tests.
     *
     * @return a single line
     */
    public static String unique() {
        ProcessTable table = new ProcessTable();
        return table.namespace + " "
                + table.stat("self").map(fields -> fields.get(START_TIME)).orElse(UNKNOWN);
    }

    /**
     * Returns this process, if {@code proc} belongs to its namespace.
     *
     * @return empty if {@code proc} shows other numbers
     */
    public static Optional<ProcessIdentity> shownSelf() {
        try {
            long shown = Long.parseLong(
                    Path.of("/proc/self").toRealPath().getFileName().toString());
            if (shown != ProcessHandle.current().pid()) {
                return Optional.empty();
            }
            ProcessIdentity self = new ProcessTable().self();
            return self.startTicks() >= 0 ? Optional.of(self) : Optional.empty();
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    public ProcessIdentity self() {
        return identity(ProcessHandle.current().pid());
    }

    /**
     * Returns the process that currently has a number.
     *
     * @return its identity, without a start time if it is not visible
     */
    public ProcessIdentity identity(long pid) {
        Optional<List<String>> stat = stat(pid);
        long start = stat.isPresent() ? Long.parseLong(stat.get().get(START_TIME)) : -1;
        return new ProcessIdentity(pid, start, namespace, user);
    }

    /**
     * Checks whether the number of another process is valid here.
     *
     * @param process any process
     * @return false for a process of another boot or namespace
     */
    public boolean sees(ProcessIdentity process) {
        return process.namespace().equals(namespace);
    }

    /** Checks whether a process ran before the last boot of this machine. The table never belongs to another machine. */
    private boolean isOfAnotherBoot(ProcessIdentity process) {
        String ownBoot = boot(namespace);
        String otherBoot = boot(process.namespace());
        return !ownBoot.equals(UNKNOWN) && !otherBoot.equals(UNKNOWN) && !ownBoot.equals(otherBoot);
    }

    private static String boot(String namespace) {
        return namespace.split(" ", 2)[0];
    }

    /**
     * Returns whether a process still runs.
     *
     * @param process any process
     * @return unknown if it is not visible
     */
    public Liveness liveness(ProcessIdentity process) {
        if (!sees(process)) {
            return isOfAnotherBoot(process) ? Liveness.ENDED : Liveness.UNKNOWN;
        }
        Optional<List<String>> stat = stat(process.pid());
        if (stat.isPresent()) {
            long started = Long.parseLong(stat.get().get(START_TIME));
            return isOver(stat.get()) || process.startTicks() >= 0 && process.startTicks() != started
                    ? Liveness.ENDED
                    : Liveness.ALIVE;
        }
        if (stat(ProcessHandle.current().pid()).isEmpty()) {
            return ProcessHandle.of(process.pid()).isPresent() ? Liveness.ALIVE : Liveness.ENDED;
        }
        // If process 1 is hidden, the processes of all other users are hidden too.
        return process.user().equals(user) || stat(1).isPresent() ? Liveness.ENDED : Liveness.UNKNOWN;
    }

    /** Checks whether a process has ended. A zombie has closed its files and uses no cores, unless only its first thread has ended. */
    private static boolean isOver(List<String> stat) {
        return "ZX".contains(stat.get(0)) && Long.parseLong(stat.get(THREADS)) <= 1;
    }

    /** Checks whether a process has ended but is still in the table. In a container, process 1 might never remove it. */
    boolean isZombie(long pid) {
        return stat(pid).map(ProcessTable::isOver).orElse(false);
    }

    /**
     * Checks whether a process is visibly stopped, by a signal or a debugger of native code.
     *
     * @param process any process
     * @return false if it is not visible
     */
    public boolean isStopped(ProcessIdentity process) {
        return sees(process)
                && stat(process.pid())
                        .map(fields -> fields.get(0).equalsIgnoreCase("T"))
                        .orElse(false);
    }

    /**
     * Returns a process and its ancestors.
     *
     * @return the visible ones, beginning with the process; empty if the process is not visible
     */
    public List<ProcessIdentity> ancestry(long pid) {
        List<ProcessIdentity> line = new ArrayList<>();
        long next = pid;
        while (next > 0 && line.size() < DEEPEST) {
            Optional<List<String>> stat = stat(next);
            if (stat.isEmpty()) {
                break;
            }
            line.add(new ProcessIdentity(next, Long.parseLong(stat.get().get(START_TIME)), namespace, user));
            next = Long.parseLong(stat.get().get(PPID));
        }
        return line;
    }

    /**
     * Finds processes by their environments, as far as these are readable.
     *
     * @param selector selects the environments
     * @return the found processes, which might have ended since
     */
    public static List<ProcessHandle> having(Predicate<String> selector) {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES)) {
            for (Path process : processes) {
                char first = process.getFileName().toString().charAt(0);
                if (first >= '0' && first <= '9' && selector.test(environment(process))) {
                    // The environment is read a second time, after the handle was created. Then the handle belongs to
                    // this
                    // process or to an earlier one, which has ended and cannot be killed.
                    Optional<ProcessHandle> handle = ProcessHandle.of(
                            Long.parseLong(process.getFileName().toString()));
                    if (handle.isPresent() && selector.test(environment(process))) {
                        found.add(handle.get());
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException unseen) {
            // The processes found so far are returned.
        }
        return found;
    }

    private static String environment(Path process) {
        Path environment = process.resolve("environ");
        // Checked first, because this costs less than a denied access.
        if (!environment.toFile().canRead()) {
            return "";
        }
        try (InputStream content = Files.newInputStream(environment)) {
            return new String(content.readNBytes(LARGEST_ENVIRONMENT), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    /** Returns the fields after the name of the process, because the name may contain any characters: state, parent, ... */
    private Optional<List<String>> stat(long pid) {
        return stat(Long.toString(pid));
    }

    private Optional<List<String>> stat(String pid) {
        try {
            String content = new String(proc.read(pid + "/stat"), StandardCharsets.ISO_8859_1);
            List<String> fields = List.of(
                    content.substring(content.lastIndexOf(')') + 1).trim().split(" "));
            return fields.size() > START_TIME ? Optional.of(fields) : Optional.empty();
        } catch (IOException ended) {
            return Optional.empty();
        }
    }
}
