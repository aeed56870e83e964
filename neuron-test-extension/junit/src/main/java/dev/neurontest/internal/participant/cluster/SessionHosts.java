package dev.neurontest.internal.participant.cluster;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.cluster.agent.ClusterHosts;
import dev.neurontest.internal.cluster.agent.HostNews;
import dev.neurontest.internal.cluster.agent.NoDevicesException;
import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.configuration.PlatformChoice;
import dev.neurontest.internal.configuration.Setting;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lifecycle.lease.TestLeases;
import dev.neurontest.internal.open.CoreHealth;
import dev.neurontest.internal.plan.ClusterRequest;
import dev.neurontest.internal.plan.Misuse;
import dev.neurontest.internal.platform.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/** The hosts of an allocation for the tests of a session. They are found and opened when the first test requests them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class SessionHosts implements AutoCloseable {

    private final Settings settings;
    private final RunFile runFile;
    private final Set<String> recorded = new HashSet<>();
    private @Nullable ClusterHosts hosts;

    /** Creates an object without open hosts. */
    public SessionHosts(Settings settings, RunFile runFile) {
        this.settings = settings;
        this.runFile = runFile;
    }

    private synchronized ClusterHosts hosts() {
        if (hosts == null) {
            hosts = ClusterHosts.of(settings, System.getenv(), this::record);
        }
        return hosts;
    }

    /** Writes an event of the lease table of a host, as the events of the host of this JVM are written. */
    private void record(String host, HostNews news) {
        List<String> cores =
                news.cores().stream().map(core -> host + ":" + core).toList();
        switch (news.kind()) {
            case QUARANTINED ->
                runFile.append(new RunEvent.Quarantined(news.holder(), cores, news.text(), news.pid(), news.suspect()));
            case CLEARED -> runFile.append(new RunEvent.QuarantineEnded(cores.get(0), news.text(), news.how()));
            case HOLDER_DIED ->
                runFile.append(new RunEvent.HolderDied(news.pid(), news.holder(), cores, null, news.survivors()));
            case WARNED -> notice(host + ": " + news.text());
            case WAITING -> runFile.printLine(host + ": " + news.text());
        }
    }

    /** Returns why a test is skipped, because there are too few hosts; empty if it runs, or fails for that reason. */
    public Optional<String> reasonToSkip(ClusterRequest request) {
        return isRequired() ? Optional.empty() : hosts().tooFew(request.hosts());
    }

    private boolean isRequired() {
        return settings.value(Setting.PLATFORM) instanceof PlatformChoice.Hardware hardware && hardware.required();
    }

    /**
     * Leases cores on each host of a request, one host after the other. All tests use the same order, so no two of them wait for each other.
     *
     * @throws RuntimeException if that is not possible; then nothing is leased
     */
    public ClusterLease lease(TestId test, ClusterRequest request) {
        hosts().tooFew(request.hosts()).ifPresent(reason -> {
            throw Misuse.of("%s. Because %s, such a test fails.".formatted(reason, settings.get(Setting.PLATFORM)));
        });
        List<RemoteHost> chosen = open(request);
        runFile.append(new RunEvent.Requested(test, request.description()));
        long begun = System.nanoTime();
        List<ClusterLease.Share> shares = new ArrayList<>();
        TestLeases leases = new TestLeases(runFile, settings.value(Setting.LEASE_TIMEOUT), CoreHealth::broken);
        try {
            for (RemoteHost host : chosen) {
                shares.add(new ClusterLease.Share(host, lease(leases, test, request, host, begun)));
            }
        } catch (LeaseTimeoutException late) {
            shares.forEach(ClusterLease.Share::close);
            runFile.append(new RunEvent.WaitedInVain(test, late.waited()));
            throw late;
        } catch (InterruptedException interrupted) {
            shares.forEach(ClusterLease.Share::close);
            Thread.currentThread().interrupt();
            throw new IllegalStateException(test.name() + " was interrupted while it waited for cores", interrupted);
        } catch (RuntimeException failed) {
            shares.forEach(ClusterLease.Share::close);
            throw failed;
        }
        ClusterLease lease = new ClusterLease(runFile, test, shares, System.nanoTime());
        runFile.append(new RunEvent.Leased(test, lease.coreNames(), Duration.ofNanos(System.nanoTime() - begun)));
        return lease;
    }

    private Lease lease(TestLeases leases, TestId test, ClusterRequest request, RemoteHost host, long begun)
            throws InterruptedException {
        int count = request.coresPerHost() == 0 ? host.host().cores().size() : request.coresPerHost();
        Duration remaining = leases.timeout().minusNanos(System.nanoTime() - begun);
        return leases.healthy(
                host.leases(),
                new LeaseRequest(test.name(), List.of(CoreRequest.inARow(count))),
                remaining.isNegative() ? Duration.ZERO : remaining);
    }

    private List<RemoteHost> open(ClusterRequest request) {
        List<RemoteHost> chosen;
        try {
            chosen = hosts().first(request.hosts());
        } catch (NoDevicesException none) {
            throw isRequired() ? none : new TestAbortedException(none.getMessage(), none);
        }
        record(chosen);
        return chosen;
    }

    /** Records each host once, and whether the hosts differ. */
    private synchronized void record(List<RemoteHost> chosen) {
        boolean anyNew = false;
        for (RemoteHost host : chosen) {
            if (recorded.add(host.name())) {
                anyNew = true;
                runFile.append(event(host));
                host.host().notices().forEach(notice -> notice(host.name() + ": " + notice));
            }
        }
        Map<String, List<String>> byDriver = chosen.stream()
                .collect(Collectors.groupingBy(
                        host -> driver(host.host()), Collectors.mapping(RemoteHost::name, Collectors.toList())));
        if (anyNew && byDriver.size() > 1) {
            notice("The hosts of the cluster have different drivers: "
                    + byDriver.entrySet().stream()
                            .map(each -> each.getKey() + " on " + String.join(", ", each.getValue()))
                            .sorted()
                            .collect(Collectors.joining("; "))
                    + ".");
        }
    }

    private static String driver(NeuronHost host) {
        return host.driverVersion().map(Object::toString).orElse("an unknown driver");
    }

    private RunEvent.HostAdded event(RemoteHost remote) {
        NeuronHost host = remote.host();
        return new RunEvent.HostAdded(
                hosts().engine(),
                remote.name(),
                remote.agent().kind(),
                host.instanceType().orElse(null),
                host.driverVersion().map(Object::toString).orElse(null),
                host.devices().size(),
                host.cores().size());
    }

    private void notice(String notice) {
        runFile.append(new RunEvent.Noticed(null, notice));
    }

    /**
     * Returns the fake hosts of a cluster.
     *
     * @throws RuntimeException if its hosts are not fakes of this JVM
     */
    public List<Object> fakes(ClusterLease lease) {
        Map<String, Platform> fakes = hosts().fakes();
        return lease.shares().stream()
                .map(share -> Optional.ofNullable(fakes.get(share.host().name()))
                        .flatMap(Platform::fake)
                        .orElseThrow(() -> Misuse.of(
                                "The hosts of %s are not fake hosts of this JVM. Take no List<FakeNeuronHost>, or set %s=fake:2xtrn1.32xlarge"
                                        .formatted(settings.get(Setting.PLATFORM), Setting.PLATFORM))))
                .toList();
    }

    /** Ends the agents, which release all that they hold. */
    @Override
    public synchronized void close() {
        if (hosts != null) {
            hosts.close();
        }
    }
}
