package dev.neurontest.internal.participant.runtime;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.configuration.OtherOwnersPolicy;
import dev.neurontest.internal.configuration.RuntimeCores;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.HealthCheck;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Leases;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.lifecycle.lease.TestLease;
import dev.neurontest.internal.lifecycle.lease.TestLeases;
import dev.neurontest.internal.platform.Platform;
import dev.neurontest.internal.print.stream.StreamOptions;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.RuntimeReport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The runtime in this JVM. A process has only one runtime, which keeps its cores from start to end. This class therefore leases the cores
 * for the runtime and shares them among the tests that use it. It keeps them for later tests, unless another test can only run on these
 * cores.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionRuntime implements AutoCloseable {

    /** Timeout for closing at the end. A call that still runs then belongs to a test that has been given up. */
    private static final Duration AT_THE_END = Duration.ofSeconds(5);

    private static final Duration WITH_TESTS_TO_COME = Duration.ofSeconds(30);

    private final Platform platform;
    private final Leases hostTable;
    private final HealthCheck health;
    private final TestLeases leases;
    private final Settings settings;
    private final RunFile runFile;
    private volatile @Nullable RuntimeFailures failures;
    private volatile @Nullable Cores cores;
    private @Nullable OpenRuntime open;
    private volatile @Nullable String version;
    private boolean shut;
    private int users;
    private int claims;
    private final Set<BooleanSupplier> waiting = ConcurrentHashMap.newKeySet();

    /**
     * The lease of the runtime, and the table for the parts of it that tests hold.
     *
     * @param lease the lease of the runtime
     * @param table the table that leases parts of it to tests
     */
    public record Cores(TestLease lease, Leases table) {}

    /**
     * Creates the runtime without leasing or opening anything.
     *
     * @param platform the host; a fake host becomes a directory when the runtime is opened
     * @param hostTable the lease table of the host
     * @param health the health check of cores
     * @param leases waits for the cores of the runtime
     * @param settings the settings for opening the runtime
     */
    public SessionRuntime(
            Platform platform,
            Leases hostTable,
            HealthCheck health,
            TestLeases leases,
            Settings settings,
            RunFile runFile) {
        this.platform = platform;
        this.hostTable = hostTable;
        this.health = health;
        this.leases = leases;
        this.settings = settings;
        this.runFile = runFile;
    }

    /** Returns the cores of the runtime for a test that takes some of them; call {@link #unclaim} afterwards. */
    public synchronized Cores claim(Collection<Lease> enclosing) {
        if (cores == null) {
            LeaseRequest request = new LeaseRequest(TestId.RUNTIME.name(), List.of(coreRequest())).within(enclosing);
            TestLease lease = leases.take(hostTable, TestId.RUNTIME, request);
            try {
                Leases part = LeaseTable.builder(platform.host())
                        .only(lease.lease().cores())
                        .otherOwners(OtherOwnersPolicy.IGNORE)
                        .healthCheck(health)
                        .open();
                cores = new Cores(lease, part);
            } catch (RuntimeException failed) {
                lease.close();
                throw failed;
            }
        }
        claims++;
        return cores;
    }

    /** Records that a test no longer holds any of these cores. */
    public synchronized void unclaim() {
        claims--;
        releaseIfOthersWait();
        notifyAll();
    }

    /**
     * Adds a test that waits for cores of the host. The runtime can release its cores for it if no test uses the runtime any more.
     *
     * @param onlyOnItsCores whether the test can only run on the cores of the runtime
     */
    void addWaiting(BooleanSupplier onlyOnItsCores) {
        waiting.add(onlyOnItsCores);
    }

    /** Removes a test that waits no longer. */
    void removeWaiting(BooleanSupplier onlyOnItsCores) {
        waiting.remove(onlyOnItsCores);
    }

    private void releaseIfOthersWait() {
        if (cores == null || claims + users > 0 || waiting.stream().noneMatch(BooleanSupplier::getAsBoolean)) {
            return;
        }
        try {
            closeRuntime(WITH_TESTS_TO_COME);
            releaseLease();
        } catch (RuntimeException stuck) {
            notice("The runtime in this JVM keeps its cores, although others wait for them: " + stuck.getMessage());
        }
    }

    /**
     * Releases the cores of the runtime for a test that can only run on them, as soon as no test uses the runtime any more.
     *
     * @throws IllegalStateException if other tests continue to use the runtime, or if it cannot be closed
     */
    boolean releaseFor(LeaseRequest request, Collection<Lease> enclosing) {
        // Checked outside of the monitor: a thread that waits for cores of the runtime holds the monitor, and then the
        // runtime has no cores.
        return !held().isEmpty() && releaseWhenIdle(request, enclosing);
    }

    private synchronized boolean releaseWhenIdle(LeaseRequest request, Collection<Lease> enclosing) {
        Duration patience = settings.value(Setting.LEASE_TIMEOUT);
        long until = System.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        while (cores != null && claims + users > 0) {
            long remaining = until - System.nanoTime();
            if (enclosing.contains(cores.lease().lease())) {
                return false;
            }
            if (remaining <= 0) {
                throw notGiven(request, "other tests used it for " + patience, null);
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw notGiven(request, "the wait for their end was interrupted", interrupted);
            }
        }
        try {
            closeRuntime(WITH_TESTS_TO_COME);
        } catch (RuntimeException stuck) {
            throw notGiven(request, "it cannot be closed: " + stuck.getMessage(), stuck);
        }
        releaseLease();
        return true;
    }

    private IllegalStateException notGiven(LeaseRequest request, String reason, @Nullable Throwable cause) {
        return new IllegalStateException(
                "%s requires %s, which is impossible while the runtime in this JVM has %s, and %s."
                        .formatted(
                                request.holder(),
                                request.description(),
                                String.join(", ", TestLease.names(held())),
                                reason),
                cause);
    }

    private void releaseLease() {
        if (cores != null) {
            cores.table().close();
            cores.lease().close();
            cores = null;
        }
    }

    private CoreRequest coreRequest() {
        RuntimeCores configured = settings.value(Setting.RUNTIME_CORES);
        return configured.indices().isEmpty()
                ? CoreRequest.inARow(configured.count())
                : CoreRequest.exactly(configured.indices().stream()
                        .mapToInt(Integer::intValue)
                        .toArray());
    }

    /** Returns the lease of all cores of the runtime. */
    synchronized Lease lease() {
        if (cores == null) {
            throw new IllegalStateException("The runtime in this JVM has no cores yet.");
        }
        return cores.lease().lease();
    }

    /**
     * Returns the cores of the runtime; empty before a test requires it. The method takes no lock: tests that do not use the runtime call
     * it. They must not wait while another test waits for its cores, or for a call that opens or closes it.
     */
    public List<NeuronCore> held() {
        Cores current = cores;
        return current == null ? List.of() : current.lease().lease().cores();
    }

    /** Returns an exception that explains how to give the runtime more cores. */
    TooFewCoresException tooFew(ImpossibleRequestException impossible) {
        return new TooFewCoresException(
                "%s The runtime in this JVM has the cores set by %s, which is %s. Set it to the number of cores that your tests need at a time."
                        .formatted(impossible.getMessage(), Setting.RUNTIME_CORES, settings.get(Setting.RUNTIME_CORES)),
                impossible);
    }

    /** Opens the runtime if necessary and registers a user; call {@link #release} afterwards. */
    synchronized OpenRuntime use() {
        if (shut) {
            closeRuntime(WITH_TESTS_TO_COME);
        }
        if (open == null) {
            open = open(lease().cores());
        }
        users++;
        return open;
    }

    private OpenRuntime open(List<NeuronCore> leased) {
        RuntimeFailures observer = failures == null ? new RuntimeFailures(this::notice) : failures;
        failures = observer;
        OpenRuntime opened = OpenRuntime.open(leased, platform.root(), settings, streamOptions(settings), observer);
        NeuronRuntime runtime = opened.runtime();
        version = runtime.version().toString();
        runFile.append(new RunEvent.VersionKnown("runtime", runtime.version().toString()));
        notice("libnrt %s runs in this JVM on %s (%s)."
                .formatted(
                        runtime.version(),
                        String.join(", ", TestLease.names(leased)),
                        runtime.library().path()));
        return opened;
    }

    /**
     * Returns the version of libnrt in this JVM, which never changes; empty while there was none. The method takes no lock: its callers may
     * hold cores for which another test waits, and they must not wait for that test.
     */
    public Optional<String> version() {
        return Optional.ofNullable(version);
    }

    /** Returns the options for prints to arrive. */
    public static StreamOptions streamOptions(Settings settings) {
        return StreamOptions.DEFAULTS.settle(
                settings.value(Setting.PRINT_SETTLE), settings.value(Setting.PRINT_TIMEOUT));
    }

    private void notice(String notice) {
        runFile.append(new RunEvent.Noticed(null, notice));
    }

    /** Removes and returns the failures of a core, in order. */
    RuntimeReport failures(NeuronCore core) {
        return Objects.requireNonNull(failures, "the runtime is open").take(core);
    }

    /** Ends one use of the runtime. */
    synchronized void release(boolean closes) {
        users--;
        releaseIfOthersWait();
        notifyAll();
        if (closes && users == 0) {
            closeRuntime(WITH_TESTS_TO_COME);
        }
    }

    /**
     * Closes the runtime. If that fails, it is tried again when the next runtime is needed, because the hanging call may have returned by
     * then.
     */
    private void closeRuntime(Duration patience) {
        if (open != null) {
            long late = open.streams().late();
            shut = true;
            open.runtime().close(patience);
            shut = false;
            open = null;
            if (late > 0) {
                notice("%s device prints arrived when no test had their core, and belong to no test.".formatted(late));
            }
        }
    }

    /** Closes the runtime and releases its cores. A core with a hanging call is in quarantine already, because its test put it there. */
    @Override
    public synchronized void close() {
        try {
            closeRuntime(AT_THE_END);
        } catch (RuntimeException failed) {
            // The process ends now, which releases the cores.
            notice("The runtime in this JVM could not be closed: " + failed.getMessage());
        }
        releaseLease();
    }
}
