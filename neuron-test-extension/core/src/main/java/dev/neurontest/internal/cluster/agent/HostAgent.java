package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.Machine;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.json.JsonException;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.open.OpenHost;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.text.DurationText;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a host: a process that holds the leases, starts the programs and reads the files of its host for a test JVM, which may run on
 * another host. Each call is executed in a thread of its own.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class HostAgent {

    /**
     * Time without a call after which the test JVM has gone. The input of an agent does not end when srun and its helper were killed, or a
     * network has failed. A debugger may stop the test JVM for some minutes.
     */
    static final Duration SILENT_FOR = Duration.ofMinutes(15);

    private static final int MOST_BATCHES = 512;

    private final OutputStream answers;
    private final Map<Long, Thread> running = new ConcurrentHashMap<>();
    private final Set<Long> cancelled = ConcurrentHashMap.newKeySet();
    private final Map<Long, Lease> leases = new ConcurrentHashMap<>();
    private final Map<Long, HostTree.Batch> batches = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, HostTree.Batch> eldest) {
            return size() > MOST_BATCHES;
        }
    };
    private final AtomicLong numbers = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "call");
        thread.setDaemon(true);
        return thread;
    });
    private final AgentRanks ranks = new AgentRanks();
    private volatile long lastCall;
    private @Nullable OpenHost host;

    HostAgent(OutputStream answers) {
        this.answers = answers;
    }

    /**
     * Serves the test JVM until the standard input ends.
     *
     * @param arguments none
     */
    public static void main(String... arguments) {
        InputStream calls = new FileInputStream(FileDescriptor.in);
        HostAgent agent = new HostAgent(new FileOutputStream(FileDescriptor.out));
        // Libraries and programs must not write between the answers.
        System.setOut(System.err);
        Runtime.getRuntime().addShutdownHook(new Thread(agent::close, "end of the agent"));
        agent.endWhenSilent(SILENT_FOR, () -> {
            System.err.println(
                    "The agent ends, because the test JVM has sent nothing for " + DurationText.of(SILENT_FOR));
            System.exit(1);
        });
        try {
            agent.serve(calls);
        } catch (IOException | JsonException broken) {
            System.err.println("The agent ends, because its input is broken: " + broken.getMessage());
            System.exit(1);
        }
        System.exit(0);
    }

    /** Executes calls until the input ends. */
    void serve(InputStream calls) throws IOException {
        AnswerLines lines = new AnswerLines(calls);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            lastCall = System.nanoTime();
            Message.Request request = RecordReader.EXACT.read(Message.json(line), Message.Request.class);
            threads.execute(() -> execute(request));
        }
    }

    /** Starts a thread that ends the agent after a time without a call. */
    void endWhenSilent(Duration time, Runnable end) {
        lastCall = System.nanoTime();
        Thread watch = new Thread(
                () -> {
                    try {
                        long remaining = time.toNanos();
                        while (remaining > 0) {
                            TimeUnit.NANOSECONDS.sleep(remaining);
                            remaining = time.toNanos() - (System.nanoTime() - lastCall);
                        }
                        end.run();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "watch over the test JVM");
        watch.setDaemon(true);
        watch.start();
    }

    private void execute(Message.Request request) {
        Message.Answer answer;
        running.put(request.id(), Thread.currentThread());
        try {
            if (cancelled.remove(request.id())) {
                throw new InterruptedException("cancelled before it began");
            }
            Call<?> call = request.toCall();
            answer = call == null
                    ? failed(
                            request,
                            new IllegalArgumentException("this agent does not know the call " + request.call()
                                    + "; the hosts have different versions of the library"))
                    : new Message.Answer(request.id(), Optional.of(JsonObject.of(call.on(this))), Optional.empty());
        } catch (Exception | LinkageError | StackOverflowError failed) {
            answer = failed(request, failed);
        } finally {
            running.remove(request.id());
            cancelled.remove(request.id());
            // An interrupt that came too late is not for the next call of this thread.
            Thread.interrupted();
        }
        write(answer);
    }

    private static Message.Answer failed(Message.Request request, Throwable failed) {
        return new Message.Answer(request.id(), Optional.empty(), Optional.of(CallFailure.of(failed)));
    }

    private void tell(HostNews news) {
        write(Message.Answer.of(news));
    }

    private void write(Message.Answer answer) {
        byte[] line = Message.line(Message.MARK, answer);
        try {
            synchronized (answers) {
                answers.write(line);
                answers.flush();
            }
        } catch (IOException gone) {
            // The test JVM has ended; the input ends too.
        }
    }

    void cancel(long id) {
        cancelled.add(id);
        Thread call = running.get(id);
        if (call != null) {
            call.interrupt();
        }
    }

    HostCalls.Described open(String name, Map<String, String> given) {
        Settings settings = Settings.of(given, Map.of());
        OpenHost opened =
                OpenHost.open(settings, HostNews.observer(this::tell), notice -> tell(HostNews.warning(notice)));
        synchronized (this) {
            host = opened;
        }
        Platform platform = opened.platform();
        return new HostCalls.Described(
                ProcessHandle.current().pid(),
                Machine.name().orElse(""),
                identity(settings, platform),
                platform.kind().toString(),
                platform.host().tree().location(""),
                platform.absence(),
                platform.layout());
    }

    /**
     * Returns a text that is equal for agents with the same devices: two names of one machine must not be two hosts of a test. The lease
     * table belongs to the devices.
     */
    private static String identity(Settings settings, Platform platform) {
        if (platform.isOfThisJvm()) {
            return "process " + ProcessHandle.current().pid() + " of " + bootId();
        }
        Path table = settings.value(Setting.LEASE_DIRECTORY).orElseGet(platform::leaseDirectory);
        return "%s %s".formatted(bootId(), table.toAbsolutePath().normalize());
    }

    static String bootId() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException unreadable) {
            return Machine.name().orElse("");
        }
    }

    OpenHost host() {
        OpenHost opened = host;
        if (opened == null) {
            throw new IllegalStateException("the host is not open yet");
        }
        return opened;
    }

    List<NeuronCore> cores(List<Integer> indices) {
        List<NeuronCore> all = host().platform().host().cores();
        return indices.stream().map(all::get).toList();
    }

    void add(Lease lease) {
        leases.put(lease.number(), lease);
    }

    Lease lease(long number) {
        return Objects.requireNonNull(leases.get(number), () -> "this agent has no lease " + number);
    }

    AgentRanks ranks() {
        return ranks;
    }

    HostTree tree() {
        return host().platform().host().tree();
    }

    long add(HostTree.Batch batch) {
        long number = numbers.incrementAndGet();
        synchronized (batches) {
            batches.put(number, batch);
        }
        return number;
    }

    HostTree.@Nullable Batch batch(long number) {
        synchronized (batches) {
            return batches.get(number);
        }
    }

    /** Ends the programs, releases the leases and ends a fake host. */
    synchronized void close() {
        ranks.close();
        if (host != null) {
            host.close();
            host = null;
        }
    }
}
