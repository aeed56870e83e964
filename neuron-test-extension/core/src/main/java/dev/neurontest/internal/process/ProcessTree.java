package dev.neurontest.internal.process;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A child with all processes that it started. If the parent of a process has ended, the process belongs to init, and the process
 * table has no connection to this tree. On Linux it is still found by a mark that its environment inherited. A process escapes
 * only if it was started with its own environment and lost its parent between two scans.
 */
final class ProcessTree {

    /**
     * The variable of the marks. Each tree adds its own mark, because a JVM that is itself a child must keep the mark of the
     * outer tree.
     */
    static final String MARK = "NEURONTEST_PROCESS_TREE";

    static final String BEFORE_OWNER = "@";

    private static final ProcessTable PROCESS_TABLE = new ProcessTable();

    private final ProcessHandle root;
    private final String mark;
    private final Set<ProcessHandle> members = new LinkedHashSet<>();

    ProcessTree(ProcessHandle root, String mark) {
        this.root = root;
        this.mark = mark;
        members.add(root);
    }

    /** Creates a unique mark. It contains the JVM with which the tree ends, if there is one. */
    static String newMark(Optional<ProcessIdentity> owner) {
        return newMark(owner, List.of());
    }

    /** Creates a unique mark with the locks of a program. */
    static String newMark(Optional<ProcessIdentity> owner, List<ProgramLock> locks) {
        return UUID.randomUUID()
                + ProgramLock.text(locks)
                + owner.map(jvm -> BEFORE_OWNER + jvm.word()).orElse("");
    }

    /**
     * Adds the current descendants of the child. This is a cheap scan while the child runs, because after its end these processes
     * have no connection to it.
     */
    void glance() {
        root.descendants().forEach(members::add);
    }

    /** Scans for new members. Known members stay members. */
    void scan() {
        glance();
        // Without a readable file system of processes, only the process table is used.
        members.addAll(ProcessTable.having(environment -> environment.contains(mark)));
        for (ProcessHandle member : List.copyOf(members)) {
            if (!member.equals(root) && isRunning(member)) {
                member.children().forEach(members::add);
            }
        }
    }

    /** Returns the running members, the child first. */
    List<ProcessHandle> running() {
        return members.stream().filter(ProcessTree::isRunning).toList();
    }

    /**
     * Checks whether a process runs. An ended process stays in the table until its parent waits for it. In a container, process 1
     * might never do that.
     */
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && !PROCESS_TABLE.isZombie(process.pid());
    }

    /** Returns the numbers of all members that were ever found. */
    List<Long> pids() {
        return members.stream().map(ProcessHandle::pid).toList();
    }
}
