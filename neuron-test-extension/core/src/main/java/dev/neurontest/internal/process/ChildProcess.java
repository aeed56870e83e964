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
 * A program that runs in parallel to this JVM, without input, with limits on its time and its kept output. A separate thread
 * watches the child. When the child ends for any reason, all processes that it started are ended too, even if no thread waits for
 * it. They get SIGTERM, and after {@link Builder#stopsWithin} SIGKILL. This also happens when this JVM exits. If this JVM is
 * killed, the child itself gets a signal if {@code setpriv} exists. Remaining processes have the {@link ProcessIdentity} of this
 * JVM in their environment, and a later JVM finds them by it.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ChildProcess implements AutoCloseable {

    private static final Duration POLL_WITHOUT_DEADLINE = Duration.ofSeconds(1);
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
    private final Instant started;
    private final long startedNanos = System.nanoTime();
    private final CompletableFuture<ChildEnd> end = new CompletableFuture<>();
    private final Thread watch;
    private ChildEnd.@Nullable Cause cause;

    private ChildProcess(
            Builder builder, Instant started, Process process, String mark, OutputDrain stdout, OutputDrain stderr) {
        this.started = started;
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
     * Returns a builder of a child.
     *
     * @param command the program and its arguments, passed without a shell
     * @return options with their defaults
     */
    public static Builder command(List<String> command) {
        return new Builder(command);
    }

    /** Builder of a child. */
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

        /** Sets the environment, by default that of this JVM. */
        public Builder environment(ChildEnvironment all) {
            this.environment = all;
            return this;
        }

        /** Sets the working directory, by default that of this JVM. */
        public Builder directory(Path existing) {
            this.directory = existing;
            return this;
        }

        /**
         * Sets the folder to which {@code stdout.log} and {@code stderr.log} are written continuously, with masked secrets. By
         * default the output is kept in memory only.
         *
         * @param folder created if it does not exist; the files must not exist
         */
        public Builder output(Path folder) {
            this.output = folder;
            return this;
        }

        /**
         * Sets the limit of kept output of each stream, by default 4 MiB. Half of it is kept from the beginning and half from the
         * end.
         *
         * @param bytes the limit, for memory and for the file
         */
        public Builder outputLimit(long bytes) {
            this.outputLimit = bytes;
            return this;
        }

        /**
         * Sets the length at which a line is cut, by default 64 KiB.
         *
         * @param bytes the maximum size of a line; secrets in a line are masked in a single step
         */
        public Builder longestLine(int bytes) {
            this.longestLine = bytes;
            return this;
        }

        /**
         * Sets the time between SIGTERM and SIGKILL for the process tree, by default 10 seconds.
         *
         * @param atMost not negative
         */
        public Builder stopsWithin(Duration atMost) {
            this.stopsWithin = atMost;
            return this;
        }

        /**
         * Sets the maximum run time, even if no thread waits for the child. By default there is no limit.
         *
         * @param atMost the time from the start
         */
        public Builder deadline(Duration atMost) {
            this.deadline = atMost;
            return this;
        }

        /**
         * Allows the child to clean up after itself when this JVM is killed. The child is not ended otherwise if the signal does not
         * reach it. Without this call it is killed with this JVM, and a later JVM ends its remaining processes.
         */
        public Builder handlesTermination() {
            this.handlesTermination = true;
            return this;
        }

        /**
         * Sets files that stay locked until the last process of the program has ended, even after the end of this JVM.
         *
         * @param files by default none
         */
        public Builder locks(List<ProgramLock> files) {
            this.locks = List.copyOf(files);
            return this;
        }

        /**
         * Sets the receivers of each line of each stream, unmasked and without delay.
         *
         * @param stdoutLines called with each line by the thread that reads the standard output; must not block
         * @param stderrLines called with each line by the thread that reads the standard error; must not block
         */
        public Builder listener(Consumer<String> stdoutLines, Consumer<String> stderrLines) {
            this.stdoutListener = stdoutLines;
            this.stderrListener = stderrLines;
            return this;
        }

        /**
         * Starts the child.
         *
         * @throws ProgramNotStartedException if the program does not exist or cannot be run
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
            // Before the start: whatever the child writes is newer.
            Instant started = Instant.now();
            try {
                process = ChildStarter.start(builder, handlesTermination ? "TERM" : "KILL", locks);
                stdout.read(process.getInputStream());
                stderr.read(process.getErrorStream());
            } catch (IOException e) {
                abandon(stdout);
                abandon(stderr);
                throw ProgramNotStartedException.of(command.get(0), directory, inherited.get("PATH"), e);
            }
            ChildProcess child = new ChildProcess(this, started, process, mark, stdout, stderr);
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
            // The child has already ended and reads no input.
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
     * Returns the child itself.
     *
     * @return its handle, even if it has ended
     */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Checks whether the child itself runs.
     *
     * @return false if it has ended, even if processes that it started still run
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Returns the standard output so far.
     *
     * @return masked and limited, without an incomplete last line
     */
    public String stdout() {
        return stdout.text();
    }

    /**
     * Returns the standard error so far.
     *
     * @return masked and limited, without an incomplete last line
     */
    public String stderr() {
        return stderr.text();
    }

    /**
     * Registers a function for the end of the last process of the child, when its output is complete.
     *
     * @param action runs on the thread that watches the child, before waiting threads continue
     * @param <T> the type of the result of the function
     * @return completed after the function
     */
    public <T> CompletableFuture<T> whenEnded(Function<ChildEnd, T> action) {
        return end.thenApply(action);
    }

    /**
     * Waits for the end.
     *
     * @param atMost the time since the start, after which the child is ended as timed out; null for no limit
     * @return the end. An interrupted thread ends the child at once, as {@link ChildEnd.Cause#INTERRUPTED}, and stays interrupted
     */
    public ChildEnd await(@Nullable Duration atMost) {
        return await(end, atMost);
    }

    /**
     * Waits for the end, and reports the age of the child regularly.
     *
     * @param first the age of the child at the first report
     * @param every the interval between reports
     * @param receiver the receiver of the age, called on the waiting thread
     * @return the end, as {@link #await(Duration)} without a limit
     */
    public ChildEnd await(Duration first, Duration every, Consumer<Duration> receiver) {
        for (Duration next = first; !endsBefore(next); next = age().plus(every)) {
            receiver.accept(age());
        }
        return await(null);
    }

    /** Waits until the child ends or has a given age. Returns whether the wait is over. */
    private boolean endsBefore(Duration age) {
        try {
            end.get(Math.max(0, age.minus(age()).toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            // The caller's own wait throws this failure.
        }
        return true;
    }

    /**
     * Waits for the end and for the result of a function of it.
     *
     * @param ended from {@link #whenEnded}
     * @param atMost the time since the start, after which the child is ended as timed out; null for no limit
     * @param <T> the type of the result
     * @return the result. An interrupted thread ends the child at once, as {@link ChildEnd.Cause#INTERRUPTED}, and stays
     *     interrupted
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

    /** Returns the time since the start. */
    private Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }

    /**
     * Ends the child with all processes that it started, and waits for this a limited time. An interrupted thread waits too and
     * stays interrupted.
     *
     * @return the end; a second call returns the same
     */
    public ChildEnd stop() {
        request(ChildEnd.Cause.STOPPED);
        return uninterrupted(end);
    }

    /** Ends the child as {@link #stop()}, when this JVM exits. It does not depend on the thread that watches the child. */
    void stopAtExit(Duration atMost) {
        request(ChildEnd.Cause.STOPPED);
        try {
            end.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.toHandle().destroyForcibly();
        }
    }

    /** Ends the child as {@link #stop()}. */
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

    /** Requests the end of the child. The first cause counts. If the child has already ended, the cause is its exit. */
    synchronized void request(ChildEnd.Cause requested) {
        if (cause == null) {
            cause = process.isAlive() ? requested : ChildEnd.Cause.EXITED;
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
            while (!isDecided() && !process.waitFor(nextPoll().toNanos(), TimeUnit.NANOSECONDS)) {
                if (deadline != null && age().compareTo(deadline) >= 0) {
                    return decide(ChildEnd.Cause.TIMED_OUT);
                }
                tree.glance();
            }
        } catch (InterruptedException e) {
            // Another thread has set the cause.
        }
        return decide(ChildEnd.Cause.EXITED);
    }

    private Duration nextPoll() {
        if (deadline == null) {
            return POLL_WITHOUT_DEADLINE;
        }
        Duration remaining = deadline.minus(age());
        return remaining.compareTo(POLL_WITHOUT_DEADLINE) < 0 ? remaining : POLL_WITHOUT_DEADLINE;
    }

    private synchronized boolean isDecided() {
        return cause != null;
    }

    /** Sets the cause if there is none. After this the watching thread is not interrupted again. */
    private synchronized ChildEnd.Cause decide(ChildEnd.Cause otherwise) {
        if (cause == null) {
            cause = otherwise;
        }
        Thread.interrupted();
        return cause;
    }

    private ChildEnd ended(ChildEnd.Cause why) throws InterruptedException {
        tree.scan();
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

    /**
     * Sends a signal to all running processes, including those started in the same time, and waits for their end. Returns whether
     * all have ended.
     */
    private boolean ends(Consumer<ProcessHandle> signal, Duration atMost) throws InterruptedException {
        long since = System.nanoTime();
        List<ProcessHandle> signalled = new ArrayList<>();
        while (true) {
            List<ProcessHandle> running = tree.running();
            if (running.isEmpty()) {
                tree.scan();
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
