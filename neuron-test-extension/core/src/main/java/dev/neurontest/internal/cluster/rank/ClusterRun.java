package dev.neurontest.internal.cluster.rank;

import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.RankResult;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.cluster.agent.AgentException;
import dev.neurontest.internal.cluster.agent.RankCommand;
import dev.neurontest.internal.cluster.agent.RemoteRanks;
import dev.neurontest.internal.cluster.agent.RemoteRanks.Root;
import dev.neurontest.internal.cluster.rank.ClusterContext.LeasedHost;
import dev.neurontest.internal.cluster.rank.RankPlan.Planned;
import dev.neurontest.internal.process.ProgramFiles;
import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.internal.thread.Uninterrupted;
import dev.neurontest.workload.WorkloadResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The run of a workload on several hosts. Its processes have a common deadline and a common end. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ClusterRun {

    /** Time for the other ranks to end after a rank failed. Their own lines about it are worth the wait. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Time after the deadline in which the agents end their ranks themselves. */
    private static final Duration AGENTS_END_RANKS_WITHIN = Duration.ofSeconds(30);

    private static final int ATTEMPTS = 3;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final long KEPT_OUTPUT = 64 << 20;
    private static final long MOST_OUTPUT = 4 << 20;
    private static final long LEAST_OUTPUT = 64 << 10;

    private final ClusterContext context;
    private final Options options;
    private final long startedNanos = System.nanoTime();
    private final long deadlineNanos;
    private final ExecutorService threads;
    private final List<RemoteRanks> agents;
    private final List<Planned> plan;
    private final List<ProgramFolder> folders;
    private final Map<Integer, Long> numbers = new TreeMap<>();
    private final BlockingQueue<Ended> ends = new LinkedBlockingQueue<>();
    private final CompletableFuture<ClusterResult> result = new CompletableFuture<>();
    private volatile @Nullable String unmetByStop;
    private volatile boolean stopRequested;

    /**
     * The options of a workload.
     *
     * @param name name in messages
     * @param command program and arguments
     * @param environment variables of the test, which have precedence
     * @param directory working directory; empty for that of this JVM
     * @param timeout time from the start to the deadline
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Options(
            String name,
            List<String> command,
            Map<String, String> environment,
            Optional<Path> directory,
            Duration timeout) {

        public Options {
            environment = Map.copyOf(environment);
        }
    }

    /**
     * The message that a rank has ended.
     *
     * @param end its end; null if its host was lost
     * @param lost why its end is unknown
     * @param nanos the time of the message
     */
    private record Ended(int rank, RemoteRanks.@Nullable End end, String lost, long nanos) {

        /** The request to stop all ranks. */
        static final Ended STOP = new Ended(-1, null, "", 0);

        boolean isExpected() {
            return end != null && end.isExpected();
        }
    }

    private ClusterRun(ClusterContext context, RankPlan ranks, Options options) {
        this.context = context;
        this.options = options;
        this.deadlineNanos = startedNanos + options.timeout().toNanos();
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "ranks of " + options.name());
            thread.setDaemon(true);
            return thread;
        });
        this.agents = context.hosts().stream()
                .map(host -> new RemoteRanks(host.host()))
                .toList();
        this.plan = ranks.plan(
                context.hosts().stream().map(host -> host.lease().cores()).toList(), options.command(), root());
        this.folders = context.folders().get().stream()
                .filter(folder -> !options.environment().containsKey(folder.variable()))
                .toList();
    }

    /**
     * Starts a workload.
     *
     * @throws AgentException if a program cannot be started
     */
    public static ClusterRun start(ClusterContext context, RankPlan ranks, Options options) {
        ClusterRun run = new ClusterRun(context, ranks, options);
        try {
            run.startAll();
        } catch (RuntimeException | Error failed) {
            run.threads.shutdown();
            throw failed;
        }
        return run;
    }

    /** Chooses the address of the first host, with a port for the runtime and one for the framework. */
    private Root root() {
        List<CompletableFuture<String>> networks = agents.stream()
                .map(agent -> CompletableFuture.supplyAsync(agent::network, threads))
                .toList();
        long different = networks.stream().map(ClusterRun::joined).distinct().count();
        return agents.get(0).chooseRoot(different == 1, 2);
    }

    private static <T> T joined(CompletableFuture<T> future) {
        try {
            return Uninterrupted.get(future::get);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private void startAll() {
        Map<String, String> given = context.environment().get();
        long limit = Math.max(LEAST_OUTPUT, Math.min(MOST_OUTPUT, KEPT_OUTPUT / 2 / plan.size()));
        List<CompletableFuture<Long>> starts = plan.stream()
                .map(rank -> CompletableFuture.supplyAsync(
                        () -> agent(rank).start(host(rank).lease(), command(rank, given, limit)), threads))
                .toList();
        RuntimeException refused = null;
        for (int rank = 0; rank < starts.size(); rank++) {
            try {
                numbers.put(rank, joined(starts.get(rank)));
            } catch (RuntimeException failed) {
                refused = refused == null ? failed : refused;
            }
        }
        if (!numbers.isEmpty()) {
            context.observer().startedOnDevice();
        }
        if (refused != null) {
            stopRunning();
            removeAll();
            throw refused;
        }
        for (Planned each : plan) {
            agent(each).end(number(each)).whenComplete((end, lost) -> ends.add(ended(each.rank(), end, lost)));
        }
        threads.execute(this::watch);
    }

    private static Ended ended(int rank, RemoteRanks.@Nullable End end, @Nullable Throwable lost) {
        Throwable cause = lost instanceof CompletionException && lost.getCause() != null ? lost.getCause() : lost;
        return new Ended(rank, end, cause == null ? "" : String.valueOf(cause.getMessage()), System.nanoTime());
    }

    private RemoteRanks agent(Planned rank) {
        return agents.get(rank.node());
    }

    private LeasedHost host(Planned rank) {
        return context.hosts().get(rank.node());
    }

    private long number(Planned rank) {
        return numbers.get(rank.rank());
    }

    private RankCommand command(Planned rank, Map<String, String> given, long outputLimit) {
        Map<String, String> environment = new LinkedHashMap<>(given);
        environment.putAll(rank.environment());
        environment.putAll(options.environment());
        return new RankCommand(
                options.name(),
                rank.words(),
                rank.cores().stream().map(NeuronCore::index).toList(),
                environment,
                folders.stream().collect(Collectors.toMap(ProgramFolder::variable, ProgramFolder::name)),
                options.directory(),
                Path.of("").toAbsolutePath(),
                Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime())),
                outputLimit,
                context.tag());
    }

    /** Waits until all ranks have ended, and ends them after the failure of one. */
    private void watch() {
        try {
            Map<Integer, Ended> ended = new TreeMap<>();
            long stopAt = deadlineNanos + AGENTS_END_RANKS_WITHIN.toNanos();
            boolean isEnding = false;
            int attempts = 0;
            while (ended.size() < plan.size() && attempts < ATTEMPTS) {
                long wait = Math.min(HEARTBEAT.toNanos(), stopAt - System.nanoTime());
                Ended next = ends.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
                if (next == Ended.STOP) {
                    isEnding = true;
                    stopAt = System.nanoTime();
                } else if (next != null) {
                    ended.putIfAbsent(next.rank(), next);
                    if (!next.isExpected() && !isEnding) {
                        isEnding = true;
                        stopAt = Math.min(stopAt, System.nanoTime() + GRACE.toNanos());
                    }
                } else if (System.nanoTime() - stopAt >= 0) {
                    isEnding = true;
                    attempts++;
                    stopRunning();
                    stopAt = System.nanoTime() + AGENTS_END_RANKS_WITHIN.toNanos();
                } else {
                    agents.forEach(agent -> threads.execute(() -> ignoringLoss(agent::requireAnswer)));
                }
            }
            result.complete(conclude(ended));
        } catch (Throwable broken) {
            result.completeExceptionally(broken);
        } finally {
            threads.shutdown();
        }
    }

    /** Executes a request whose failure also completes the ends of the ranks. */
    private static void ignoringLoss(Runnable request) {
        try {
            request.run();
        } catch (RuntimeException lost) {
            // The end of each rank of this host has the reason.
        }
    }

    /** Executes a request at all hosts in parallel and waits for all of them. */
    private void onAllHosts(BiConsumer<RemoteRanks, List<Long>> request) {
        Map<RemoteRanks, List<Long>> byAgent = plan.stream()
                .filter(rank -> numbers.containsKey(rank.rank()))
                .collect(Collectors.groupingBy(this::agent, Collectors.mapping(this::number, Collectors.toList())));
        List<CompletableFuture<Void>> requests = byAgent.entrySet().stream()
                .map(each -> CompletableFuture.runAsync(
                        () -> ignoringLoss(() -> request.accept(each.getKey(), each.getValue())), threads))
                .toList();
        requests.forEach(ClusterRun::joined);
    }

    private void stopRunning() {
        onAllHosts(RemoteRanks::stop);
    }

    private void removeAll() {
        onAllHosts(RemoteRanks::remove);
    }

    private ClusterResult conclude(Map<Integer, Ended> ended) {
        Duration duration = Duration.ofNanos(System.nanoTime() - startedNanos);
        List<RankEnd> all = new ArrayList<>();
        for (Planned rank : plan) {
            Ended each = ended.getOrDefault(
                    rank.rank(), new Ended(rank.rank(), null, "its agent did not report its end", System.nanoTime()));
            RemoteRanks.End end = each.end();
            all.add(
                    end == null
                            ? new RankEnd(result(rank, Optional.empty(), Optional.of(each.lost())), each.nanos())
                            : new RankEnd(
                                    result(
                                            rank,
                                            Optional.of(end.result(context.folder(), rank.rank())),
                                            Optional.empty()),
                                    end.nanos()));
        }
        folders.forEach(folder -> bring(folder, ended, all));
        removeAll();
        ClusterResult concluded = FirstEnd.of(all, deadlineNanos, unmetByStop).result(options.name(), all, duration);
        context.observer().ended(concluded);
        return concluded;
    }

    /** Copies the files of all programs to this JVM, from all hosts in parallel. */
    private void bring(ProgramFolder folder, Map<Integer, Ended> ended, List<RankEnd> ends) {
        AtomicLong remaining = new AtomicLong(RemoteRanks.MOST_BYTES);
        Map<Integer, ProgramFiles> files = new ConcurrentSkipListMap<>();
        Map<Integer, List<Planned>> byHost = plan.stream().collect(Collectors.groupingBy(Planned::node));
        List<CompletableFuture<Void>> hosts = byHost.values().stream()
                .map(ranks -> CompletableFuture.runAsync(
                        () -> ranks.forEach(rank -> files.put(
                                rank.rank(),
                                files(folder, rank, ended.get(rank.rank()), ends.get(rank.rank()), remaining))),
                        threads))
                .toList();
        hosts.forEach(ClusterRun::joined);
        folder.receiver().accept(List.copyOf(files.values()));
    }

    private ProgramFiles files(
            ProgramFolder folder, Planned rank, @Nullable Ended ended, RankEnd end, AtomicLong remaining) {
        Optional<Path> parent = end.rank().result().flatMap(WorkloadResult::folder);
        Optional<String> missing;
        if (ended == null || ended.end() == null) {
            missing = end.rank().lost();
        } else {
            missing = parent.isEmpty()
                    ? Optional.of("its folder could not be created")
                    : ended.end().bring(folder.name(), parent.get().resolve(folder.name()), remaining);
        }
        int firstCore = plan.subList(0, rank.rank()).stream()
                .mapToInt(earlier -> earlier.cores().size())
                .sum();
        return new ProgramFiles(
                rank.rank(),
                host(rank).name(),
                firstCore,
                rank.cores().size(),
                parent.map(each -> each.resolve(folder.name())).filter(Files::isDirectory),
                missing);
    }

    private RankResult result(Planned rank, Optional<WorkloadResult> result, Optional<String> lost) {
        return new RankResult(rank.rank(), host(rank).name(), rank.localRank(), result, lost);
    }

    /** Returns the result; empty while the workload runs. */
    public Optional<ClusterResult> result() {
        return result.isDone() ? Optional.of(joined(result)) : Optional.empty();
    }

    /** Waits for the end. An interrupt stops the workload, and the thread stays interrupted. */
    public ClusterResult await() {
        try {
            return result.get();
        } catch (InterruptedException interrupted) {
            ClusterResult stopped = stop(FirstEnd.INTERRUPTION);
            Thread.currentThread().interrupt();
            return stopped;
        } catch (ExecutionException failed) {
            return joined(result);
        }
    }

    /** Stops the workload and waits for its end. */
    public ClusterResult stop() {
        return stop(null);
    }

    /** Stops the workload because its test is over. It should have ended before. */
    public ClusterResult endWithTest() {
        return stop(FirstEnd.TEST);
    }

    private ClusterResult stop(@Nullable String unmet) {
        if (!stopRequested) {
            unmetByStop = unmet;
            stopRequested = true;
            ends.add(Ended.STOP);
        }
        return joined(result);
    }
}
