package dev.neurontest.internal.process;

import dev.neurontest.internal.thread.Uninterrupted;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ProgramNotStartedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs beside this JVM, without input, bounded in time and in what is kept of its output. A thread of its own
 * watches over it: whatever ends the child, and whether or not a thread waits for it, everything that it started is ended too,
 * first by SIGTERM, and what is left after {@link Builder#stopsWithin} by SIGKILL. That also happens when this JVM exits. When it
 * is killed, the child itself gets a signal where there is {@code setpriv}; what is left then carries the {@link ProcessIdentity} of this
 * JVM in its environment, by which a later one finds it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ChildProcess implements AutoCloseable {

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(5);
    private static final Duration DRAINED_WITHIN = Duration.ofSeconds(2);
    private static final Duration STOPS_WITHIN_AT_EXIT = Duration.ofSeconds(2);

    private final Process process;
    private final ProcessTree tree;
    private final OutputDrain stdout;
    private final OutputDrain stderr;
    private final Duration stopsWithin;
    private final @Nullable Duration deadline;
    private final Instant started = Instant.now();
    private final long startedNanos = System.nanoTime();
    private final CompletableFuture<ChildEnd> end = new CompletableFuture<>();
    private final Thread watch;
    private ChildEnd.@Nullable Cause cause;

    private ChildProcess(Builder builder, Process process, String mark, OutputDrain stdout, OutputDrain stderr) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), mark);
        this.stopsWithin = builder.stopsWithin;
        this.deadline = builder.deadline;
        this.stdout = stdout;
        this.stderr = stderr;
        this.watch = new Thread(this::watch, "watch over child " + process.pid());
        watch.setDaemon(true);
    }

    /**
     * Prepares a child.
     *
     * @param command the program and its arguments, which no shell sees
     * @return options with their defaults
     */
    public static Builder command(List<String> command) {
        return new Builder(command);
    }

    /** How a child is started. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static final class Builder {

        private final List<String> command;
        private ChildEnvironment environment = ChildEnvironment.INHERITED;
        private @Nullable Path directory;
        private @Nullable Path output;
        private long outputLimit = 4 << 20;
        private int longestLine = LineAssembler.LONGEST;
        private Duration stopsWithin = Duration.ofSeconds(10);
        private @Nullable Duration deadline;
        private boolean handlesTermination;
        private List<ProgramLock> locks = List.of();
        private Consumer<String> stdoutListener = line -> {};
        private Consumer<String> stderrListener = line -> {};

        private Builder(List<String> command) {
            if (command.isEmpty()) {
                throw new IllegalArgumentException("a command needs a program");
            }
            this.command = List.copyOf(command);
        }

        /**
         * Its environment; all of this JVM's without.
         *
         * @param all what it gets
         * @return this
         */
        public Builder environment(ChildEnvironment all) {
            this.environment = all;
            return this;
        }

        /**
         * Its working directory; this JVM's without.
         *
         * @param existing where it starts
         * @return this
         */
        public Builder directory(Path existing) {
            this.directory = existing;
            return this;
        }

        /**
         * Where {@code stdout.log} and {@code stderr.log} are written as they come, masked; memory only without.
         *
         * @param folder made when it is not there; the files must not be there
         * @return this
         */
        public Builder output(Path folder) {
            this.output = folder;
            return this;
        }

        /**
         * How much of each stream is kept, half of it from the beginning and half from the end; 4 MiB without.
         *
         * @param bytes in memory and in the file
         * @return this
         */
        public Builder outputLimit(long bytes) {
            this.outputLimit = bytes;
            return this;
        }

        /**
         * Where a line is cut; at 64 KiB without.
         *
         * @param bytes of one line, of which many may have to be masked at once
         * @return this
         */
        public Builder longestLine(int bytes) {
            this.longestLine = bytes;
            return this;
        }

        /**
         * How long the tree has between SIGTERM and SIGKILL; 10 seconds without.
         *
         * @param atMost not negative
         * @return this
         */
        public Builder stopsWithin(Duration atMost) {
            this.stopsWithin = atMost;
            return this;
        }

        /**
         * How long it may run, whether or not a thread waits for it; for ever without.
         *
         * @param atMost from its start
         * @return this
         */
        public Builder deadline(Duration atMost) {
            this.deadline = atMost;
            return this;
        }

        /**
         * Says that it is to clean up after itself when this JVM is killed, and that it is left alone where it does not hear of
         * that. Without this call it is killed with this JVM, and a later JVM ends what is left of it.
         *
         * @return this
         */
        public Builder handlesTermination() {
            this.handlesTermination = true;
            return this;
        }

        /**
         * Keeps files locked until the last process of the program has ended, also after the end of this JVM.
         *
         * @param files none without
         * @return this
         */
        public Builder locks(List<ProgramLock> files) {
            this.locks = List.copyOf(files);
            return this;
        }

        /**
         * Who gets each line of each stream as it comes, unmasked.
         *
         * @param stdoutLines called by the thread that reads the standard output, one line at a time; must not block
         * @param stderrLines called by the thread that reads the standard error, one line at a time; must not block
         * @return this
         */
        public Builder listener(Consumer<String> stdoutLines, Consumer<String> stderrLines) {
            this.stdoutListener = stdoutLines;
            this.stderrListener = stderrLines;
            return this;
        }

        /**
         * Starts it.
         *
         * @return the child
         * @throws ProgramNotStartedException when there is no such program, or it cannot be run
         */
        public ChildProcess start() {
            Map<String, String> inherited = System.getenv();
            String mark = ProcessTree.newMark(handlesTermination ? Optional.empty() : ProcessTable.shownSelf(), locks);
            String marks =
                    inherited.containsKey(ProcessTree.MARK) ? inherited.get(ProcessTree.MARK) + ":" + mark : mark;
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.directory(directory == null ? null : directory.toFile());
            builder.environment().clear();
            builder.environment()
                    .putAll(environment.with(Map.of(ProcessTree.MARK, marks)).of(inherited));
            KnownSecrets.ofThisProcess().add(builder.environment());
            OutputDrain stdout = new OutputDrain("stdout", output, outputLimit, longestLine, stdoutListener);
            OutputDrain stderr = new OutputDrain("stderr", output, outputLimit, longestLine, stderrListener);
            Process process;
            try {
                process = ChildStarter.start(builder, handlesTermination ? "TERM" : "KILL", locks);
                stdout.read(process.getInputStream());
                stderr.read(process.getErrorStream());
            } catch (IOException e) {
                abandon(stdout);
                abandon(stderr);
                throw ProgramNotStartedException.of(command.get(0), directory, inherited.get("PATH"), e);
            }
            ChildProcess child = new ChildProcess(this, process, mark, stdout, stderr);
            child.begin();
            return child;
        }

        private static void abandon(OutputDrain drain) {
            drain.read(InputStream.nullInputStream());
            drain.complete();
        }
    }

    private void begin() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It is gone already and reads nothing any more.
        }
        watch.start();
        try {
            ChildrenAtExit.add(this);
        } catch (IllegalStateException exiting) {
            stop();
            throw exiting;
        }
    }

    /**
     * The child itself.
     *
     * @return its handle, also when it has ended
     */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Whether the child itself runs.
     *
     * @return false when it has ended, whatever it left running
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * What it printed to its standard output so far.
     *
     * @return masked, bounded; a line that is not ended yet comes later
     */
    public String stdout() {
        return stdout.text();
    }

    /**
     * What it printed to its standard error so far.
     *
     * @return masked, bounded; a line that is not ended yet comes later
     */
    public String stderr() {
        return stderr.text();
    }

    /**
     * Comes when the last process of it has ended and its output is complete.
     *
     * @param then runs on the thread that watches over the child, before a thread that waits goes on
     * @param <T> what it makes of the end
     * @return completed after that
     */
    public <T> CompletableFuture<T> whenEnded(Function<ChildEnd, T> then) {
        return end.thenApply(then);
    }

    /**
     * Waits for the end.
     *
     * @param atMost since its start; then the child is ended as one that timed out. Null: for ever
     * @return the end. An interrupted thread ends the child at once, as {@link ChildEnd.Cause#INTERRUPTED}, and stays interrupted
     */
    public ChildEnd await(@Nullable Duration atMost) {
        return await(end, atMost);
    }

    /**
     * Waits for the end, and tells how long that takes.
     *
     * @param first how old the child is when that is told first
     * @param every how long after that it is told again
     * @param told on the waiting thread, the age of the child
     * @return the end, as {@link #await(Duration)} without a limit
     */
    public ChildEnd await(Duration first, Duration every, Consumer<Duration> told) {
        for (Duration next = first; !endsBefore(next); next = age().plus(every)) {
            told.accept(age());
        }
        return await(null);
    }

    /** Whether there is nothing more to tell at an age. */
    private boolean endsBefore(Duration age) {
        try {
            end.get(Math.max(0, age.minus(age()).toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // Who waits is told.
        }
        return true;
    }

    /**
     * Waits for the end and for what is made of it.
     *
     * @param ended from {@link #whenEnded}
     * @param atMost since its start; then the child is ended as one that timed out. Null: for ever
     * @param <T> what was made of the end
     * @return the end. An interrupted thread ends the child at once, as {@link ChildEnd.Cause#INTERRUPTED}, and stays interrupted
     */
    public <T> T await(Future<T> ended, @Nullable Duration atMost) {
        try {
            return atMost == null
                    ? ended.get()
                    : ended.get(Math.max(0, atMost.minus(age()).toNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            request(ChildEnd.Cause.INTERRUPTED);
            T result = uninterrupted(ended);
            Thread.currentThread().interrupt();
            return result;
        } catch (TimeoutException e) {
            request(ChildEnd.Cause.TIMED_OUT);
            return uninterrupted(ended);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** How long it has been there. */
    private Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /**
     * Ends it with everything that it started, and waits until that is done, which is bounded. An interrupted thread stays
     * interrupted and waits nevertheless.
     *
     * @return how it ended; a second call gives the same
     */
    public ChildEnd stop() {
        request(ChildEnd.Cause.STOPPED);
        return uninterrupted(end);
    }

    /** As {@link #stop()} for a JVM that exits, whatever holds up the thread that watches over the child. */
    void stopAtExit(Duration atMost) {
        request(ChildEnd.Cause.STOPPED);
        try {
            end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.toHandle().destroyForcibly();
        }
    }

    /** As {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    private static <T> T uninterrupted(Future<T> ended) {
        try {
            return Uninterrupted.get(ended::get);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** The first cause counts: a child that has ended before was not ended by this request. */
    synchronized void request(ChildEnd.Cause wanted) {
        if (cause == null) {
            cause = process.isAlive() ? wanted : ChildEnd.Cause.EXITED;
            watch.interrupt();
        }
    }

    private void watch() {
        try {
            ChildEnd.Cause why = awaitCause();
            ChildEnd ended = ended(why);
            ChildrenAtExit.remove(this);
            end.complete(ended);
        } catch (Throwable broken) {
            process.toHandle().destroyForcibly();
            ChildrenAtExit.remove(this);
            end.completeExceptionally(broken);
        }
    }

    private ChildEnd.Cause awaitCause() {
        try {
            while (!isDecided() && !process.waitFor(untilNextLook().toNanos(), TimeUnit.NANOSECONDS)) {
                if (deadline != null && age().compareTo(deadline) >= 0) {
                    return decide(ChildEnd.Cause.TIMED_OUT);
                }
                tree.glance();
            }
        } catch (InterruptedException e) {
            // The cause was decided by another thread.
        }
        return decide(ChildEnd.Cause.EXITED);
    }

    private Duration untilNextLook() {
        if (deadline == null) {
            return LOOK;
        }
        Duration left = deadline.minus(age());
        return left.compareTo(LOOK) < 0 ? left : LOOK;
    }

    private synchronized boolean isDecided() {
        return cause != null;
    }

    /** From here on the waiting thread is not interrupted. */
    private synchronized ChildEnd.Cause decide(ChildEnd.Cause otherwise) {
        if (cause == null) {
            cause = otherwise;
        }
        Thread.interrupted();
        return cause;
    }

    private ChildEnd ended(ChildEnd.Cause why) throws InterruptedException {
        tree.look();
        List<Long> leftRunning = why == ChildEnd.Cause.EXITED
                ? tree.running().stream().map(ProcessHandle::pid).toList()
                : List.of();
        boolean killed = !ends(ProcessHandle::destroy, stopsWithin());
        if (killed) {
            ends(ProcessHandle::destroyForcibly, KILLED_WITHIN);
        }
        List<Long> survivors = tree.running().stream().map(ProcessHandle::pid).toList();
        Optional<ExitCode> code = process.waitFor(KILLED_WITHIN.toNanos(), TimeUnit.NANOSECONDS)
                ? Optional.of(new ExitCode(process.exitValue()))
                : Optional.empty();
        Duration lasted = age();
        List<String> notices = new ArrayList<>();
        finish(stdout, "stdout", notices);
        finish(stderr, "stderr", notices);
        return new ChildEnd(why, code, started, lasted, tree.pids(), leftRunning, killed, survivors, notices);
    }

    private Duration stopsWithin() {
        return ChildrenAtExit.isExiting() && stopsWithin.compareTo(STOPS_WITHIN_AT_EXIT) > 0
                ? STOPS_WITHIN_AT_EXIT
                : stopsWithin;
    }

    /** Sends a signal to all, also to those that come meanwhile, and waits until none runs. */
    private boolean ends(Consumer<ProcessHandle> signal, Duration atMost) throws InterruptedException {
        long since = System.nanoTime();
        List<ProcessHandle> signalled = new ArrayList<>();
        while (true) {
            List<ProcessHandle> running = tree.running();
            if (running.isEmpty()) {
                tree.look();
                running = tree.running();
            }
            if (running.isEmpty()) {
                return true;
            }
            for (ProcessHandle each : running) {
                if (!signalled.contains(each)) {
                    signal.accept(each);
                    signalled.add(each);
                }
            }
            if (System.nanoTime() - since >= atMost.toNanos()) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
    }

    private static void finish(OutputDrain drain, String name, List<String> notices) throws InterruptedException {
        if (!drain.finish(DRAINED_WITHIN)) {
            notices.add(name + " may be incomplete: a process that could not be ended still has it open.");
        }
        notices.addAll(drain.notices());
    }
}
