package dev.neurontest.internal.participant.cluster;

import dev.neurontest.cluster.ClusterFailure;
import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.cluster.RankResult;
import dev.neurontest.internal.cluster.rank.ClusterContext;
import dev.neurontest.internal.cluster.rank.ClusterContext.LeasedHost;
import dev.neurontest.internal.cluster.rank.ClusterMessage;
import dev.neurontest.internal.cluster.rank.ClusterObserver;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.judgement.Failure;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import dev.neurontest.internal.participant.DeviceUse;
import dev.neurontest.internal.participant.ParameterType;
import dev.neurontest.internal.participant.Participant;
import dev.neurontest.internal.participant.Suspicions;
import dev.neurontest.internal.participant.TestJournal;
import dev.neurontest.internal.participant.TestResult;
import dev.neurontest.internal.participant.UndecidedHandling;
import dev.neurontest.internal.participant.Verdict;
import dev.neurontest.internal.participant.workload.WorkloadFailures;
import dev.neurontest.internal.participant.workload.WorkloadSuspicions;
import dev.neurontest.internal.text.RankText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** A participant that provides the hosts of a cluster and the programs on them, and releases the cores of all hosts. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TestCluster implements Participant {

    private static final String RULE = "the end of a workload on several hosts";

    private final ClusterLease lease;
    private final List<Host> hosts;
    private final TestJournal lines;
    private final DeviceUse use;
    private final List<Participant> participants;
    private final Set<ClusterResult> reported = new HashSet<>();
    private @Nullable NeuronCluster cluster;

    /** The cores of the test on one host, and the suspicions against them. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Host(String name, TestCores cores, Suspicions suspicions) {}

    /**
     * Creates a participant without programs.
     *
     * @param lease the cores on all hosts, released by this participant
     * @param use is notified of programs on cores
     * @param participants all participants of the test, with their variables and folders for programs; may still grow
     */
    public TestCluster(
            ClusterLease lease, List<Host> hosts, TestJournal lines, DeviceUse use, List<Participant> participants) {
        this.lease = lease;
        this.hosts = List.copyOf(hosts);
        this.lines = lines;
        this.use = use;
        this.participants = participants;
    }

    private NeuronCluster cluster() {
        if (cluster == null) {
            cluster = new NeuronCluster(new ClusterContext(
                    lease.shares().stream()
                            .map(share -> new LeasedHost(share.host(), share.lease()))
                            .toList(),
                    lines::folder,
                    lines.name(),
                    this::environment,
                    () -> participants.stream()
                            .flatMap(each -> each.folders().stream())
                            .toList(),
                    new Observer()));
        }
        return cluster;
    }

    private Map<String, String> environment() {
        Map<String, String> all = new LinkedHashMap<>();
        participants.forEach(each -> all.putAll(each.environment(all)));
        return all;
    }

    /** The observer that writes the ends of programs to the run file. */
    private final class Observer implements ClusterObserver {

        @Override
        public void startedOnDevice() {
            use.programStarted();
        }

        @Override
        public void ended(ClusterResult result) {
            result.ranks()
                    .forEach(rank -> rank.result()
                            .ifPresent(end -> lines.append(new RunEvent.WorkloadEnded(
                                    lines.test(),
                                    String.join(" ", end.command()),
                                    end.pid(),
                                    RankText.of(rank.rank(), rank.host()) + ": " + end))));
        }
    }

    /** Returns the parameter type for the hosts of a test. */
    public static ParameterType<TestCluster> parameter() {
        return new ParameterType<>(
                NeuronCluster.class,
                TestCluster.class,
                "A NeuronCluster belongs to a test. Take it in the test method, in @BeforeEach or in @AfterEach.",
                (cluster, parameter) -> Optional.of(cluster.cluster()));
    }

    /** Records which workloads a failure reports, to avoid reporting them twice. */
    @Override
    public void failed(Throwable failure) {
        WorkloadFailures.all(failure).stream()
                .filter(ClusterFailure.class::isInstance)
                .forEach(known -> reported.add(((ClusterFailure) known).result()));
    }

    @Override
    public void settle() {
        if (cluster != null) {
            cluster.close();
            cluster.workloads().results().stream()
                    .flatMap(result -> result.ranks().stream())
                    .forEach(this::suspect);
        }
    }

    private void suspect(RankResult rank) {
        hosts.stream()
                .filter(host -> host.name().equals(rank.host()))
                .forEach(host -> rank.result()
                        .ifPresent(result ->
                                WorkloadSuspicions.add(result, host.cores().all(), host.suspicions())));
    }

    /** Judges the workloads that no failure of the body reports. */
    @Override
    public List<Verdict> judge(TestResult findings) {
        if (cluster == null) {
            return List.of();
        }
        return cluster.workloads().results().stream()
                .filter(result -> !result.succeeded() && !reported.contains(result))
                .map(result -> lines.verdict(
                        Judgement.of(violation(result)),
                        UndecidedHandling.NONE,
                        () -> Failure.error(new ClusterMessage(result).text())))
                .toList();
    }

    private static Violation violation(ClusterResult result) {
        RankResult first = result.rank(result.first().orElseThrow());
        return new Violation(
                RULE,
                result.name() + ": " + RankText.of(first.rank(), first.host()),
                result.unmet().orElseThrow(),
                result.toString(),
                "Read the output of that rank.");
    }

    @Override
    public void release() {
        lease.close();
    }
}
