package dev.neurontest.internal.cluster.agent;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.folder.TemporaryFolder;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.thread.Failures;
import dev.neurontest.internal.workload.WorkloadContext;
import dev.neurontest.internal.workload.WorkloadObserver;
import dev.neurontest.workload.NeuronWorkload;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The programs that an agent runs. */
final class AgentRanks implements AutoCloseable {

    /** Time between SIGTERM and SIGKILL. The ranks of all hosts end together. */
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(5);

    private final Map<Long, Rank> ranks = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Integer> usedPorts = new HashSet<>();
    private @Nullable TemporaryFolder folder;
    private boolean closed;

    /** A program, with the folder of its files and the names of the folders in it that the test JVM copies. */
    private record Rank(NeuronWorkload workload, Registration registration, Path folder, Collection<String> copied) {}

    /** An observer that registers the processes of a rank with its lease. */
    private static final class Registration implements WorkloadObserver {

        private final Lease lease;
        private final long startedNanos = System.nanoTime();
        private volatile @Nullable Long exitedNanos;

        Registration(Lease lease) {
            this.lease = lease;
        }

        @Override
        public List<ProgramLock> locks(List<NeuronCore> cores) {
            return lease.programLock().stream().toList();
        }

        @Override
        public void started(ProcessHandle child, List<NeuronCore> cores) {
            lease.startedProcess(child);
            child.onExit().thenRun(() -> exitedNanos = System.nanoTime());
        }

        @Override
        public void ended(ProcessHandle child, WorkloadResult result) {
            result.survivors().stream()
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .forEach(lease::startedProcess);
            lease.endedProcess(child);
        }

        /** Returns when the program itself ended. Processes that it left running may end later. */
        long endedNanos(WorkloadResult result) {
            Long exited = exitedNanos;
            return exited != null ? exited : startedNanos + result.duration().toNanos();
        }
    }

    /**
     * Starts a program.
     *
     * @throws IOException if its folder cannot be created
     */
    long start(HostAgent agent, long leaseNumber, RankCommand command) throws IOException {
        Lease lease = agent.lease(leaseNumber);
        Platform platform = agent.host().platform();
        NeuronHost host = platform.host();
        long number = numbers.incrementAndGet();
        Path files = Files.createDirectory(folder().resolve("rank-" + number));
        Registration registration = new Registration(lease);
        Map<String, String> environment = new HashMap<>(command.environment());
        for (Map.Entry<String, String> each : command.folders().entrySet()) {
            Path made = Files.createDirectory(files.resolve(each.getValue()));
            environment.put(each.getKey(), made.toString());
        }
        NeuronWorkload.Builder builder = new Workloads(new WorkloadContext(
                        host,
                        agent.cores(command.cores()),
                        () -> files,
                        command.tag(),
                        platform::environment,
                        registration))
                .command(command.words())
                .withoutInherited(LauncherVariables::isOfLauncher)
                .environment(environment)
                .timeout(command.timeout())
                .outputLimit(command.outputLimit())
                .stopsWithin(STOPS_WITHIN)
                .name(command.name());
        command.directory()
                .or(() -> Optional.of(command.usualDirectory()).filter(Files::isDirectory))
                .ifPresent(builder::workingDirectory);
        NeuronWorkload workload;
        try {
            workload = builder.start();
        } catch (RuntimeException | Error refused) {
            delete(files);
            throw refused;
        }
        ranks.put(
                number,
                new Rank(
                        workload,
                        registration,
                        files,
                        List.copyOf(command.folders().values())));
        return number;
    }

    private synchronized Path folder() throws IOException {
        if (closed) {
            throw new IllegalStateException("the agent ends");
        }
        if (folder == null) {
            folder = TemporaryFolder.make();
        }
        return folder.path();
    }

    private Rank rank(long number) {
        return Objects.requireNonNull(ranks.get(number), () -> "this agent has no rank " + number);
    }

    RankCalls.Ended await(long number) {
        Rank rank = rank(number);
        WorkloadResult result = rank.workload.ended();
        List<String> notices = new ArrayList<>(result.notices());
        furtherFiles(result, rank.copied).ifPresent(notices::add);
        return RankCalls.Ended.of(rank.registration.endedNanos(result), result, notices);
    }

    /** Returns a remark about files of the runtime, such as core dumps, which are not copied to the test JVM. */
    private static Optional<String> furtherFiles(WorkloadResult result, Collection<String> copied) {
        Path root = result.folder().orElseThrow();
        try (Stream<Path> files = Files.walk(root)) {
            long further = files.filter(Files::isRegularFile)
                            .filter(file -> copied.stream().noneMatch(name -> file.startsWith(root.resolve(name))))
                            .count()
                    - 2;
            return further <= 0
                    ? Optional.empty()
                    : Optional.of(
                            "%s files of its runtime, such as dumps, were deleted on its host. Set the variable of such a file to a folder that all hosts share to keep it."
                                    .formatted(further));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Returns a folder that was made for the files of a program. */
    Path folder(long number, String name) {
        return rank(number).folder.resolve(name);
    }

    WorkloadResult result(long number) {
        return rank(number).workload.ended();
    }

    /** Stops ranks in parallel. */
    void stop(Collection<Long> numbers) {
        List<Thread> stops = new ArrayList<>();
        for (long number : numbers) {
            Rank rank = ranks.get(number);
            if (rank != null) {
                Thread stop = new Thread(rank.workload::stop, "stop of rank " + number);
                stop.setDaemon(true);
                stop.start();
                stops.add(stop);
            }
        }
        for (Thread stop : stops) {
            try {
                stop.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Removes ended ranks with their files. */
    void remove(Collection<Long> numbers) {
        for (long number : numbers) {
            Rank rank = ranks.remove(number);
            if (rank != null) {
                rank.workload.stop();
                delete(rank.folder);
            }
        }
    }

    private static void delete(Path folder) {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(folder)) {
            deepestFirst = new ArrayList<>(files.toList());
        } catch (IOException | RuntimeException unreadable) {
            return;
        }
        Collections.reverse(deepestFirst);
        for (Path file : deepestFirst) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException stays) {
                // The next agent on this host removes it.
            }
        }
    }

    /**
     * Returns ports that no program listens on. The same port is never returned twice, because a program may bind it late.
     *
     * @throws IOException if there is none
     */
    synchronized List<Integer> freePorts(int count) throws IOException {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> open = new ArrayList<>();
        try {
            while (ports.size() < count) {
                ServerSocket socket = new ServerSocket();
                open.add(socket);
                socket.bind(new InetSocketAddress(0));
                if (usedPorts.add(socket.getLocalPort())) {
                    ports.add(socket.getLocalPort());
                }
            }
        } finally {
            for (ServerSocket socket : open) {
                socket.close();
            }
        }
        return ports;
    }

    /** Ends all programs and deletes their files. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        List<Long> all = List.copyOf(ranks.keySet());
        stop(all);
        Failures.of(all, number -> remove(List.of(number)));
        synchronized (this) {
            if (folder != null) {
                folder.close();
                folder = null;
            }
        }
    }
}
