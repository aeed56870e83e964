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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The runtime in this JVM. A process has one runtime, and that has its cores from the beginning to the end: so it takes them for
 * itself, shares them out among the tests that use it, and keeps them for the next ones, unless meanwhile another test can only
 * run on them.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionRuntime implements AutoCloseable {

    /** A call that is still under way then is one that its test has given up. */
    private static final Duration AT_THE_END = Duration.ofSeconds(5);

    private static final Duration WITH_TESTS_TO_COME = Duration.ofSeconds(30);

    private final Platform platform;
    private final LeaseTable hostTable;
    private final HealthCheck health;
    private final TestLeases leases;
    private final Settings settings;
    private final RunFile runFile;
    private final RuntimeFailures failures = new RuntimeFailures(this::notice);
    private volatile @Nullable Cores cores;
    private @Nullable OpenRuntime open;
    private volatile @Nullable String version;
    private boolean shut;
    private int users;
    private int claims;
    private final Set<BooleanSupplier> waiting = ConcurrentHashMap.newKeySet();

    /**
     * What it has for itself, and who of the tests has what of it.
     *
     * @param lease its own
     * @param table gives tests parts of it
     */
    public record Cores(TestLease lease, LeaseTable table) {}

    /**
     * Nothing is leased or opened yet.
     *
     * @param platform the host; a fake one becomes a directory when the runtime is opened
     * @param hostTable who has which of its cores
     * @param health whether a core is well
     * @param leases how its cores are waited for
     * @param settings say how it is opened
     * @param runFile is told of it
     */
    public SessionRuntime(
            Platform platform,
            LeaseTable hostTable,
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

    /** Its cores, for a test that wants some of them. To be {@linkplain #unclaim ended}. */
    public synchronized Cores claim(Collection<Lease> around) {
        if (cores == null) {
            LeaseRequest request = new LeaseRequest(TestId.RUNTIME.name(), List.of(wanted())).within(around);
            TestLease lease = leases.take(hostTable, TestId.RUNTIME, request);
            try {
                LeaseTable part = LeaseTable.builder(platform.host())
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

    /** Says that a test has none of its cores any more. */
    public synchronized void unclaim() {
        claims--;
        giveWayToThoseWhoWait();
        notifyAll();
    }

    /**
     * Waits for cores of the host, of which the runtime may get some first, and lets go of when no test uses it any more.
     */
    TestLease whileItMayGetThem(BooleanSupplier onlyOnItsCores, Supplier<TestLease> take) {
        waiting.add(onlyOnItsCores);
        try {
            return take.get();
        } finally {
            waiting.remove(onlyOnItsCores);
        }
    }

    private void giveWayToThoseWhoWait() {
        if (cores == null || claims + users > 0 || waiting.stream().noneMatch(BooleanSupplier::getAsBoolean)) {
            return;
        }
        try {
            closeRuntime(WITH_TESTS_TO_COME);
            letGo();
        } catch (RuntimeException stuck) {
            notice("The runtime in this JVM keeps its cores, although others wait for them: " + stuck.getMessage());
        }
    }

    /**
     * Lets go of its cores for a test that can only run on them, as soon as no test uses it any more.
     *
     * @throws IllegalStateException when other tests go on using it, or when it cannot be closed
     */
    boolean giveWay(LeaseRequest request, Collection<Lease> around) {
        // Who waits for its cores does so in the monitor, and there are none then.
        return !held().isEmpty() && giveWayWhenIdle(request, around);
    }

    private synchronized boolean giveWayWhenIdle(LeaseRequest request, Collection<Lease> around) {
        Duration patience = settings.value(Setting.LEASE_TIMEOUT);
        long until = System.nanoTime() + TimeUnit.NANOSECONDS.convert(patience);
        while (cores != null && claims + users > 0) {
            long left = until - System.nanoTime();
            if (around.contains(cores.lease().lease())) {
                return false;
            }
            if (left <= 0) {
                throw notGiven(request, "other tests have used it for all of " + patience, null);
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
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
        letGo();
        return true;
    }

    private IllegalStateException notGiven(LeaseRequest request, String reason, @Nullable Throwable cause) {
        return new IllegalStateException(
                "%s wants %s, which is not possible while the runtime in this JVM has %s, and %s."
                        .formatted(
                                request.holder(),
                                request.description(),
                                String.join(", ", TestLease.names(held())),
                                reason),
                cause);
    }

    private void letGo() {
        if (cores != null) {
            cores.table().close();
            cores.lease().close();
            cores = null;
        }
    }

    private CoreRequest wanted() {
        RuntimeCores wanted = settings.value(Setting.RUNTIME_CORES);
        return wanted.indices().isEmpty()
                ? CoreRequest.inARow(wanted.count())
                : CoreRequest.exactly(
                        wanted.indices().stream().mapToInt(Integer::intValue).toArray());
    }

    /** The lease that all its cores are from. */
    synchronized Lease lease() {
        if (cores == null) {
            throw new IllegalStateException("The runtime in this JVM has no cores yet.");
        }
        return cores.lease().lease();
    }

    /**
     * The cores that it has, which is none before a test wants it. Asked by tests that do not use it: they must not wait while
     * another one waits for its cores, or for a call that opens or closes it.
     */
    public List<NeuronCore> held() {
        Cores its = cores;
        return its == null ? List.of() : its.lease().lease().cores();
    }

    /** What to do for more cores than it has. */
    TooFewCoresException tooFew(ImpossibleRequestException impossible) {
        return new TooFewCoresException(
                "%s The runtime in this JVM has what %s gives it, which is %s. Set it to as many as your tests need at a time."
                        .formatted(impossible.getMessage(), Setting.RUNTIME_CORES, settings.get(Setting.RUNTIME_CORES)),
                impossible);
    }

    /** Begins to use it; it is opened when it is not open yet. To be {@linkplain #release released}. */
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

    private OpenRuntime open(List<NeuronCore> its) {
        OpenRuntime opened = OpenRuntime.open(its, platform.root(), settings, streamOptions(settings), failures);
        NeuronRuntime runtime = opened.runtime();
        version = runtime.version().toString();
        runFile.append(new RunEvent.VersionKnown("runtime", runtime.version().toString()));
        notice("libnrt %s runs in this JVM on %s (%s)."
                .formatted(
                        runtime.version(),
                        String.join(", ", TestLease.names(its)),
                        runtime.library().path()));
        return opened;
    }

    /**
     * Which libnrt is used in this JVM, which has the same one as long as it lives; empty while there was none. Asked by tests that
     * have cores which another one waits for: they must not wait for that one.
     */
    public Optional<String> version() {
        return Optional.ofNullable(version);
    }

    /** How prints are waited for. */
    public static StreamOptions streamOptions(Settings settings) {
        return StreamOptions.DEFAULTS.settle(
                settings.value(Setting.PRINT_SETTLE), settings.value(Setting.PRINT_TIMEOUT));
    }

    private void notice(String notice) {
        runFile.append(new RunEvent.Noticed(null, notice));
    }

    /** Takes what failed on a core, in order. */
    RuntimeReport failures(NeuronCore core) {
        return failures.take(core);
    }

    /** Ends using it. */
    synchronized void release(boolean closes) {
        users--;
        giveWayToThoseWhoWait();
        notifyAll();
        if (closes && users == 0) {
            closeRuntime(WITH_TESTS_TO_COME);
        }
    }

    /** One that cannot be closed is tried again when the next one is wanted: its call may have returned by then. */
    private void closeRuntime(Duration patience) {
        if (open != null) {
            long late = open.streams().late();
            shut = true;
            open.runtime().close(patience);
            shut = false;
            open = null;
            if (late > 0) {
                notice("%s device prints came when no test had their core, and belong to no test.".formatted(late));
            }
        }
    }

    /** Closes it, and gives its cores back. One with a stuck call is in quarantine, as its test has left it. */
    @Override
    public synchronized void close() {
        try {
            closeRuntime(AT_THE_END);
        } catch (RuntimeException failed) {
            // The process ends now, which is what gives the cores back.
            notice("The runtime in this JVM could not be closed: " + failed.getMessage());
        }
        letGo();
    }
}
