package dev.neurontest.internal.cluster.agent;

import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.internal.thread.Uninterrupted;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The connection of this JVM to the agent of a host. Any thread may use it. A connection that has ended fails all its calls with a
 * {@link HostLostException}.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class AgentConnection implements AutoCloseable {

    /** Maximum output of a launcher or login shell before the first answer. */
    private static final int MOST_NOISE = 1 << 20;

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(10);

    /** Time for the last lines of a launcher that was killed. Processes that it started may keep its output open. */
    private static final Duration KILLED_WITHIN = Duration.ofSeconds(1);

    /** Sender of regular calls to all agents, by which each of them knows that this JVM still runs. */
    private static final ScheduledExecutorService HEARTBEATS = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "calls to agents");
        thread.setDaemon(true);
        return thread;
    });

    private static final int CLOCK_READINGS = 3;

    private final String host;
    private final Process launcher;
    private final OutputStream calls;
    private final Consumer<HostNews> news;
    private final LastLines lines = new LastLines();
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Pending<?>> pending = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> stderrRead = new CompletableFuture<>();
    private volatile @Nullable HostLostException lost;
    private volatile boolean closing;
    private volatile boolean killed;
    private HostCalls.@Nullable Described described;
    private long clockOffset;

    private record Pending<R extends Record>(Class<R> type, CompletableFuture<R> answer) {

        void complete(Message.Answer received, String host) {
            if (received.failure().isPresent()) {
                answer.completeExceptionally(received.failure().get().on(host));
            } else {
                try {
                    answer.complete(RecordReader.EXACT.read(received.result().orElseThrow(), type));
                } catch (JsonException | NoSuchElementException unfit) {
                    answer.completeExceptionally(new AgentException(
                            host + ": the agent answered in another form than expected: " + unfit.getMessage()));
                }
            }
        }
    }

    private AgentConnection(String host, Process launcher, Consumer<HostNews> news) {
        this.host = host;
        this.news = news;
        this.launcher = launcher;
        this.calls = launcher.getOutputStream();
        start("answers of " + host, () -> read(launcher.getInputStream()));
        start("errors of " + host, () -> {
            try {
                drain(launcher.getErrorStream());
            } finally {
                stderrRead.complete(null);
            }
        });
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Starts an agent and opens its host.
     *
     * @param host the name of the host in messages
     * @param launcher the argument list that starts the agent
     * @param environment changes the environment of the launcher
     * @param settings the settings for the agent by name
     * @param news receives the events of the host's lease table, on a thread of the connection
     * @param atMost the longest time until the host is open
     * @throws HostLostException if the launcher or the agent does not start or answer
     * @throws AgentException if the host cannot be opened
     */
    public static AgentConnection start(
            String host,
            List<String> launcher,
            Consumer<Map<String, String>> environment,
            Map<String, String> settings,
            Consumer<HostNews> news,
            Duration atMost) {
        ProcessBuilder builder = new ProcessBuilder(launcher);
        environment.accept(builder.environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException refused) {
            throw new HostLostException("%s: the agent cannot be started with \"%s\": %s"
                    .formatted(host, launcher.get(0), refused.getMessage()));
        }
        AgentConnection connection = new AgentConnection(host, process, news);
        try {
            connection.open(settings, atMost);
            connection.keepAlive();
            return connection;
        } catch (RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    /** Calls the agent regularly. After some lost connections only the missing calls show the agent that this JVM has gone. */
    private void keepAlive() {
        long every = HostAgent.SILENT_FOR.dividedBy(10).toMillis();
        HEARTBEATS.scheduleWithFixedDelay(
                () -> {
                    if (lost != null) {
                        throw new CancellationException();
                    }
                    send(new HostCalls.ReadClock());
                },
                every,
                every,
                TimeUnit.MILLISECONDS);
    }

    private void open(Map<String, String> settings, Duration atMost) {
        try {
            described = await(send(new HostCalls.Open(host, settings)), "open its host", atMost);
            long shortest = Long.MAX_VALUE;
            for (int reading = 0; reading < CLOCK_READINGS; reading++) {
                long begun = System.nanoTime();
                long there = await(send(new HostCalls.ReadClock()), "read its clock", atMost)
                        .nanos();
                long roundTrip = System.nanoTime() - begun;
                if (roundTrip < shortest) {
                    shortest = roundTrip;
                    clockOffset = begun + roundTrip / 2 - there;
                }
            }
        } catch (RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new AgentException(host + ": " + failed.getMessage());
        }
    }

    /** Returns the name of the host in messages. */
    public String host() {
        return host;
    }

    /** Returns whether the agent can still answer. */
    public boolean isOpen() {
        return lost == null;
    }

    /** Returns why the host has no devices; empty with devices. */
    public Optional<String> absence() {
        return described().absence();
    }

    /** Returns a text that is equal for two agents with the same devices. */
    public String identity() {
        return described().identity();
    }

    /** Returns the name of the machine by its kernel. */
    public String machine() {
        return described().machine();
    }

    /** Returns the kind of host, as a label in reports. */
    public String kind() {
        return described().kind();
    }

    /** Returns the description of the host. */
    HostCalls.Described described() {
        return Objects.requireNonNull(described);
    }

    /** Returns the root of the host's files, with a slash at its end. */
    String root() {
        String root = described().root();
        return root.endsWith("/") ? root : root + "/";
    }

    /** Returns the files of the host. */
    public HostTree tree() {
        return new RemoteTree(this);
    }

    /** Returns the messages of the host's kernel. */
    KernelLog.Messages kernelMessages() {
        return sink -> {
            try {
                ask(new HostCalls.ReadKernelLog())
                        .messages()
                        .forEach(message -> sink.message(message.sinceBoot(), message.text()));
            } catch (IOException failed) {
                throw failed;
            } catch (Exception failed) {
                throw new IOException(failed.getMessage(), failed);
            }
        };
    }

    /** Returns the time of this JVM's clock for durations at a time of the agent's clock. The error is less than a round trip. */
    long here(long agentNanos) {
        return agentNanos + clockOffset;
    }

    /** Returns why the host no longer answers; null while it does. */
    @Nullable
    HostLostException lost() {
        return lost;
    }

    /** Sends a call. The answer completes with a {@link HostLostException} when the connection ends. */
    <R extends Record> CompletableFuture<R> send(Call<R> call) {
        return send(ids.incrementAndGet(), call);
    }

    private <R extends Record> CompletableFuture<R> send(long id, Call<R> call) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        pending.put(id, new Pending<>(call.answer(), answer));
        answer.whenComplete((result, failed) -> pending.remove(id));
        HostLostException gone = lost;
        if (gone != null) {
            answer.completeExceptionally(gone);
            return answer;
        }
        byte[] line = Message.line("", Message.Request.of(id, call));
        try {
            synchronized (calls) {
                calls.write(line);
                calls.flush();
            }
        } catch (IOException broken) {
            // The reader finds the end of the connection, with the reason of the launcher.
        }
        return answer;
    }

    /** Returns the number of calls so far. */
    long calls() {
        return ids.get();
    }

    /**
     * Sends a call and waits for its answer. An interrupt cancels the call on the host; if it was answered nevertheless, the answer is
     * returned and the thread stays interrupted.
     *
     * @throws HostLostException if the host does not answer
     * @throws Exception if the call failed on its host
     */
    <R extends Record> R ask(Call<R> call) throws Exception {
        long id = ids.incrementAndGet();
        CompletableFuture<R> answer = send(id, call);
        try {
            return await(answer, call.getClass().getSimpleName(), call.answersWithin());
        } catch (InterruptedException interrupted) {
            if (answer.isDone()) {
                throw interrupted;
            }
            send(new HostCalls.Cancel(id));
            try {
                Uninterrupted.get(() -> isAnswered(answer, call.answersWithin()));
                return await(answer, call.getClass().getSimpleName(), Duration.ZERO);
            } finally {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits for an answer or a failure. The failure of a cancelled call is an InterruptedException too, but not of this thread. */
    private static boolean isAnswered(CompletableFuture<?> answer, Duration atMost) throws InterruptedException {
        try {
            answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException failed) {
            return answer.isDone();
        }
        return true;
    }

    private <R extends Record> R await(CompletableFuture<R> answer, String what, Duration atMost) throws Exception {
        try {
            return answer.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            HostLostException silent =
                    end("%s: the agent did not %s within %s.".formatted(host, what, DurationText.of(atMost)));
            kill();
            throw silent;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw failed;
        }
    }

    private synchronized HostLostException end(String reason) {
        HostLostException known = lost;
        if (known == null) {
            known = new HostLostException(reason + lines.text());
            lost = known;
        }
        HostLostException why = known;
        pending.values().forEach(call -> call.answer().completeExceptionally(why));
        return known;
    }

    private void read(InputStream answers) {
        String reason;
        try (InputStream in = answers) {
            reason = readToEnd(new AnswerLines(in));
        } catch (IOException unclosed) {
            reason = "the connection to its agent is broken: " + unclosed.getMessage();
        }
        end("%s: %s%s.".formatted(host, reason, exit()));
    }

    /** Reads all answers and returns why there are no more. A launcher that does not fit is killed before its output is closed. */
    private String readToEnd(AnswerLines received) {
        try {
            for (byte[] line = received.next(); line != null; line = received.next()) {
                if (startsWithMark(line)) {
                    answer(line);
                } else {
                    lines.add(new String(line, StandardCharsets.UTF_8));
                    if (described == null && lines.bytes() > MOST_NOISE) {
                        kill();
                        return "the launcher printed more than 1 MiB before the agent answered";
                    }
                }
            }
            return "the connection to its agent ended" + (received.isCut() ? " in the middle of a message" : "");
        } catch (IOException | JsonException broken) {
            kill();
            return "the connection to its agent is broken: " + broken.getMessage();
        }
    }

    /** Kills the launcher. Processes that it started stay, because a helper of srun ends the program on the host. */
    private void kill() {
        killed = true;
        launcher.destroyForcibly();
    }

    /** Returns how the launcher ended, after its last lines were read. */
    private String exit() {
        if (closing) {
            return "";
        }
        try {
            if (!launcher.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                return "";
            }
            stderrRead.get((killed ? KILLED_WITHIN : ENDS_WITHIN).toSeconds(), TimeUnit.SECONDS);
            return ", and the launcher with exit code " + launcher.exitValue();
        } catch (InterruptedException | ExecutionException | TimeoutException unknown) {
            return "";
        }
    }

    private static boolean startsWithMark(byte[] line) {
        byte[] mark = Message.MARK.getBytes(StandardCharsets.US_ASCII);
        return line.length >= mark.length && Arrays.equals(line, 0, mark.length, mark, 0, mark.length);
    }

    private void answer(byte[] line) throws IOException {
        byte[] json = Arrays.copyOfRange(line, Message.MARK.length(), line.length);
        Message.Answer received = RecordReader.EXACT.read(Message.json(json), Message.Answer.class);
        received.news().ifPresent(news);
        Pending<?> call = pending.get(received.id());
        if (call != null) {
            call.complete(received, host);
        }
    }

    private void drain(InputStream errors) {
        try (InputStream in = errors) {
            byte[] block = new byte[1 << 13];
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                for (int at = 0; at < read; at++) {
                    if (block[at] == '\n') {
                        lines.add(rest.toString(StandardCharsets.UTF_8));
                        rest.reset();
                    } else if (rest.size() < LastLines.LONGEST) {
                        rest.write(block[at]);
                    }
                }
            }
            if (rest.size() > 0) {
                lines.add(rest.toString(StandardCharsets.UTF_8));
            }
        } catch (IOException ended) {
            // The lines read so far are kept.
        }
    }

    /** Ends the agent by closing its input, and waits until it has released all. */
    @Override
    public void close() {
        closing = true;
        try {
            synchronized (calls) {
                calls.close();
            }
        } catch (IOException gone) {
            // The agent has ended already.
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (!launcher.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException again) {
            kill();
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        end(host + ": the connection to its agent was closed.");
    }

    @Override
    public String toString() {
        return "agent of " + VisibleText.line(host);
    }
}
