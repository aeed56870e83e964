package dev.neurontest.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** The processes of this machine as far as {@code proc} shows them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProcessTable {

    /** Whether a process still runs. */
    public enum Life {
        /** It runs, or is stopped. */
        ALIVE,
        /** It does not run any more, or its number is that of another by now. */
        ENDED,
        /** It cannot be seen from here. */
        UNKNOWN
    }

    private static final int PPID = 1;
    private static final int THREADS = 17;
    private static final int START_TIME = 19;
    private static final int DEEPEST = 64;
    private static final String UNKNOWN = "unknown";

    /** The files below a {@code proc}. */
    public interface Source {
        /**
         * Reads a file as a whole.
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

    /** Reads {@code /proc} as this process sees it. */
    public ProcessTable() {
        this(
                path -> Files.readAllBytes(Path.of("/proc", path)),
                System.getProperty("user.name", "?"),
                namespace(Path.of("/proc")));
    }

    /**
     * Reads any table.
     *
     * @param proc its files
     * @param user who reads it
     * @param namespace in which its numbers are
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
     * Returns what no other process of this machine has or had, the same with any class loader and whatever tests set.
     *
     * @return the namespace and the start of this process
     */
    public static String unique() {
        ProcessTable table = new ProcessTable();
        return table.namespace + " "
                + table.stat("self").map(fields -> fields.get(START_TIME)).orElse(UNKNOWN);
    }

    /**
     * Returns this process, if {@code proc} is that of its namespace.
     *
     * @return empty where the numbers in {@code proc} are those of another namespace
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
     * Identifies this process.
     *
     * @return its number and its start
     */
    public ProcessIdentity self() {
        return identity(ProcessHandle.current().pid());
    }

    /**
     * Identifies a process.
     *
     * @param pid in the namespace of this process
     * @return without a start where it cannot be seen
     */
    public ProcessIdentity identity(long pid) {
        long start =
                stat(pid).map(fields -> Long.valueOf(fields.get(START_TIME))).orElse(-1L);
        return new ProcessIdentity(pid, start, namespace, user);
    }

    /**
     * Whether the numbers of another process mean the same here.
     *
     * @param process of any machine or container
     * @return whether it has the namespace of this process
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
     * Whether a process still runs.
     *
     * @param process of any machine or container
     * @return what can be seen of it
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
     * Whether a process is seen to be stopped, by a signal or a debugger of native code.
     *
     * @param process of any machine or container
     * @return false where it is not seen
     */
    public boolean isStopped(ProcessIdentity process) {
        return sees(process)
                && stat(process.pid())
                        .map(fields -> fields.get(0).equalsIgnoreCase("T"))
                        .orElse(false);
    }

    /**
     * A process with those that it descends from, as far as they can be seen; empty when not even the process can.
     *
     * @param pid of the process
     * @return the process and its parents, the nearest first
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

    /** What follows the name of the process, which may contain anything: state, parent, ... */
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
