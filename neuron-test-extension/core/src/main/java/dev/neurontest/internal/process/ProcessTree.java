package dev.neurontest.internal.process;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A child with everything that it started. A process whose parent has ended belongs to init, and nothing in the process table
 * leads from it to us; on Linux it is still found by a mark that its environment inherited. What escapes is a process that was
 * started with an environment of its own and lost its parent between two looks.
 */
final class ProcessTree {

    /** Each tree adds its own mark, so that a JVM that is itself a child keeps the mark of the outer tree. */
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

    /** One that no other tree has. It names the JVM with which the tree ends, if there is one. */
    static String newMark(Optional<ProcessIdentity> owner) {
        return newMark(owner, List.of());
    }

    /** The same, with the locks of a program. */
    static String newMark(Optional<ProcessIdentity> owner, List<ProgramLock> locks) {
        return UUID.randomUUID()
                + ProgramLock.text(locks)
                + owner.map(jvm -> BEFORE_OWNER + jvm.word()).orElse("");
    }

    /** A cheap look while the child runs, for those that nothing leads to when it has ended. */
    void glance() {
        root.descendants().forEach(members::add);
    }

    /** Looks for members that were not seen before; those that were stay members. */
    void look() {
        glance();
        // No such file system here, or not for us: the process table alone has to do.
        members.addAll(ProcessTable.having(environment -> environment.contains(mark)));
        for (ProcessHandle member : List.copyOf(members)) {
            if (!member.equals(root) && isRunning(member)) {
                member.children().forEach(members::add);
            }
        }
    }

    /** The members that have not ended, the child first. */
    List<ProcessHandle> running() {
        return members.stream().filter(ProcessTree::isRunning).toList();
    }

    /** A process that has ended stays in the table until its parent asks for it, which the first process of a container may never do. */
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && !PROCESS_TABLE.isZombie(process.pid());
    }

    /** Every process that was ever seen. */
    List<Long> pids() {
        return members.stream().map(ProcessHandle::pid).toList();
    }
}
