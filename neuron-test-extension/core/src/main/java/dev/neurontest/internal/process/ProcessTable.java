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
    public enum Life {
        /** Runs, or is stopped. */
        ALIVE,
        /** Has ended, is a zombie, or left its number to another process. */
        ENDED,
        /** Cannot be seen from here. */
        UNKNOWN
    }

    private static final Path PROCESSES = Path.of("/proc");
    private static final int LARGEST_ENVIRONMENT = 8 << 20;
    private static final int PPID = 1;
    private static final int THREADS = 17;
    private static final int START_TIME = 19;
    private static final int DEEPEST = 64;
    private static final String UNKNOWN = "unknown";

    /** The files below a {@code proc}. */
    public interface Source {

        /**
         * Reads a file.
         *
         * @param path below {@code proc}
         * @return its content
         * @throws IOException when it cannot be read
         */
        byte[] read(String path) throws IOException;
    }

    private final Source proc;
    private final String user;
    private final String namespace;

    /** Reads the processes of this machine. */
    public ProcessTable() {
        this(
                path -> Files.readAllBytes(Path.of("/proc", path)),
                System.getProperty("user.name", "?"),
                namespace(Path.of("/proc")));
    }

    /**
     * Reads the processes of a given {@code proc}.
     *
     * @param proc its files
     * @param user who reads
     * @param namespace where its numbers and times of start mean the same
     */
    public ProcessTable(Source proc, String user, String namespace) {
        this.proc = proc;
        this.user = user;
        this.namespace = namespace;
    }

    /** Returns where numbers and times of start mean the same: the boot, and the namespaces of processes and of clocks. */
    static String namespace(Path proc) {
        return "%s %s %s"
                .formatted(
                        known(() -> Files.readString(proc.resolve("sys/kernel/random/boot_id"))
                                .trim()),
                        known(() -> Files.readSymbolicLink(proc.resolve("self/ns/pid"))
                                .toString()),
                        known(() -> Files.readSymbolicLink(proc.resolve("self/ns/time"))
                                .toString()));
    }

    private interface Reading {
        String read() throws IOException;
    }

    private static String known(Reading reading) {
        try {
            return reading.read();
        } catch (IOException none) {
            return UNKNOWN;
        }
    }

    /**
     * Returns a name that no other process of this machine has or had, the same with any class loader and whatever tests set.
     *
     * @return one line
     */
    public static String unique() {
        ProcessTable table = new ProcessTable();
        return table.namespace + " "
                + table.stat("self").map(fields -> fields.get(START_TIME)).orElse(UNKNOWN);
    }

    /**
     * Returns this process, if {@code proc} is that of its namespace.
     *
     * @return empty where {@code proc} shows other numbers
     */
    public static Optional<ProcessIdentity> shownSelf() {
        try {
            long shown = Long.parseLong(
                    Path.of("/proc/self").toRealPath().getFileName().toString());
            return shown == ProcessHandle.current().pid()
                    ? Optional.of(new ProcessTable().self()).filter(self -> self.startTicks() >= 0)
                    : Optional.empty();
        } catch (IOException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    /**
     * Returns this process.
     *
     * @return its identity
     */
    public ProcessIdentity self() {
        return identity(ProcessHandle.current().pid());
    }

    /**
     * Returns the process that has a number now.
     *
     * @param pid the number
     * @return its identity, without a time of start where it cannot be seen
     */
    public ProcessIdentity identity(long pid) {
        long start =
                stat(pid).map(fields -> Long.valueOf(fields.get(START_TIME))).orElse(-1L);
        return new ProcessIdentity(pid, start, namespace, user);
    }

    /**
     * Returns whether the numbers of another process mean the same here.
     *
     * @param process any process
     * @return false for one of another boot or namespace
     */
    public boolean sees(ProcessIdentity process) {
        return process.namespace().equals(namespace);
    }

    /** Returns whether a process ran before this machine was started the last time; the table is never on another machine. */
    private boolean isOfAnotherBoot(ProcessIdentity process) {
        String here = boot(namespace);
        String there = boot(process.namespace());
        return !here.equals(UNKNOWN) && !there.equals(UNKNOWN) && !here.equals(there);
    }

    private static String boot(String namespace) {
        return namespace.split(" ", 2)[0];
    }

    /**
     * Returns whether a process still runs.
     *
     * @param process any process
     * @return unknown where it cannot be seen from here
     */
    public Life life(ProcessIdentity process) {
        if (!sees(process)) {
            return isOfAnotherBoot(process) ? Life.ENDED : Life.UNKNOWN;
        }
        Optional<List<String>> stat = stat(process.pid());
        if (stat.isPresent()) {
            long started = Long.parseLong(stat.get().get(START_TIME));
            return isOver(stat.get()) || process.startTicks() >= 0 && process.startTicks() != started
                    ? Life.ENDED
                    : Life.ALIVE;
        }
        if (stat(ProcessHandle.current().pid()).isEmpty()) {
            return ProcessHandle.of(process.pid()).isPresent() ? Life.ALIVE : Life.ENDED;
        }
        // Where the first process is hidden, so are all those of other users.
        return process.user().equals(user) || stat(1).isPresent() ? Life.ENDED : Life.UNKNOWN;
    }

    /** A zombie has closed its files and has no core any more, unless only its first thread has ended. */
    private static boolean isOver(List<String> stat) {
        return "ZX".contains(stat.get(0)) && Long.parseLong(stat.get(THREADS)) <= 1;
    }

    /** Returns whether a process has ended and stays in the table, which the first process of a container may never change. */
    boolean isZombie(long pid) {
        return stat(pid).map(ProcessTable::isOver).orElse(false);
    }

    /**
     * Returns whether a process is seen to be stopped, by a signal or a debugger of native code.
     *
     * @param process any process
     * @return false where it cannot be seen
     */
    public boolean isStopped(ProcessIdentity process) {
        return sees(process)
                && stat(process.pid())
                        .map(fields -> fields.get(0).equalsIgnoreCase("T"))
                        .orElse(false);
    }

    /**
     * Returns a process with those that it descends from.
     *
     * @param pid its number
     * @return as far as they can be seen, the process first; empty when not even the process can
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
     * Finds processes by their environments, as far as these can be read.
     *
     * @param wanted whether an environment is that of a process to find
     * @return those that run now, or have ended since
     */
    public static List<ProcessHandle> having(Predicate<String> wanted) {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                if (wanted.test(environment(process))) {
                    // The environment again: the handle then is of this process or of an earlier one, which is gone and
                    // cannot be ended.
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .filter(handle -> wanted.test(environment(process)))
                            .ifPresent(found::add);
                }
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException unseen) {
            // Those that were seen count.
        }
        return found;
    }

    private static String environment(Path process) {
        Path environment = process.resolve("environ");
        // Asked first, which is cheaper than to be refused.
        if (!environment.toFile().canRead()) {
            return "";
        }
        try (InputStream content = Files.newInputStream(environment)) {
            return new String(content.readNBytes(LARGEST_ENVIRONMENT), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Returns the fields that follow the name of the process, which may contain anything: state, parent, ... */
    private Optional<List<String>> stat(long pid) {
        return stat(Long.toString(pid));
    }

    private Optional<List<String>> stat(String pid) {
        try {
            String content = new String(proc.read(pid + "/stat"), StandardCharsets.ISO_8859_1);
            List<String> fields = List.of(
                    content.substring(content.lastIndexOf(')') + 1).trim().split(" "));
            return fields.size() > START_TIME ? Optional.of(fields) : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
