package dev.neurontest.cluster;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.cluster.agent.AgentCommand;
import dev.neurontest.internal.cluster.agent.AgentConnection;
import dev.neurontest.internal.cluster.agent.RemoteHost;
import dev.neurontest.internal.cluster.rank.ClusterContext;
import dev.neurontest.internal.cluster.rank.ClusterContext.LeasedHost;
import dev.neurontest.internal.cluster.rank.ClusterObserver;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.process.ProgramFiles;
import dev.neurontest.internal.process.ProgramFolder;
import dev.neurontest.workload.ChildEnd.Cause;
import dev.neurontest.workload.WorkloadResult;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of workloads on two hosts, each a fake with an agent on this machine. */
class ClusterWorkloadIT {

    private static final String ALL_REDUCE = Path.of("../../examples/src/test/python/all_reduce.py")
            .toAbsolutePath()
            .toString();
    private static final String EXECUTIONS =
            "sys/devices/virtual/neuron_device/neuron0/neuron_core0/stats/other_info/inference_count/total";
    private static final String ENDLESS = "1000000000";

    /** Folders with programs of the hosts, which are in the PATH of their agents. */
    @TempDir
    private static Path programs;

    private static TwoHosts shared;

    @TempDir
    private Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<ClusterResult> ended = new ArrayList<>();
    private TwoHosts hosts;
    private List<ProgramFolder> folders = List.of();

    /** Two fake hosts with their agents. */
    private record TwoHosts(
            List<FakeNeuronHost> fakes,
            List<RemoteHost> remotes,
            List<AgentConnection> connections,
            List<ProcessHandle> agents)
            implements AutoCloseable {

        /** Starts the agents, by further words where a host has them. */
        static TwoHosts start(String instance, Map<String, List<String>> launchers) throws InterruptedException {
            TwoHosts hosts = new TwoHosts(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (String name : List.of("host0", "host1")) {
                FakeNeuronHost fake =
                        FakeNeuronHost.builder().instance(instance).start();
                hosts.fakes.add(fake);
                List<ProcessHandle> before = ProcessHandle.current().children().toList();
                AgentConnection agent = AgentConnection.start(
                        name,
                        Stream.concat(launchers.getOrDefault(name, List.of()).stream(), AgentCommand.words().stream())
                                .toList(),
                        environment -> environment.putAll(Map.of(
                                "RANK",
                                "7",
                                "OMPI_COMM_WORLD_RANK",
                                "7",
                                "PATH",
                                programs.resolve(name) + ":" + System.getenv("PATH"))),
                        Map.of("neuron.test.platform", "root:" + fake.directory()),
                        news -> {},
                        Duration.ofMinutes(1));
                hosts.connections.add(agent);
                ProcessHandle.current()
                        .children()
                        .filter(child -> !before.contains(child))
                        .forEach(hosts.agents::add);
                hosts.remotes.add(RemoteHost.of(agent, Settings.of(Map.of(), Map.of())));
            }
            return hosts;
        }

        @Override
        public void close() {
            connections.forEach(AgentConnection::close);
            fakes.forEach(FakeNeuronHost::close);
        }
    }

    @AfterAll
    static void closeShared() {
        if (shared != null) {
            shared.close();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int last = opened.size() - 1; last >= 0; last--) {
            opened.get(last).close();
        }
    }

    /** Creates a cluster of the hosts that all tests share. A test must not end their agents. */
    private NeuronCluster cluster(int coresPerHost) throws InterruptedException {
        if (shared == null) {
            shared = TwoHosts.start("trn1.2xlarge", Map.of());
        }
        return cluster(shared, coresPerHost);
    }

    /** Creates a cluster of hosts with agents of their own. */
    private NeuronCluster ownCluster(String instance, int coresPerHost, Map<String, List<String>> launchers)
            throws InterruptedException {
        TwoHosts own = TwoHosts.start(instance, launchers);
        opened.add(own);
        return cluster(own, coresPerHost);
    }

    private NeuronCluster cluster(TwoHosts of, int coresPerHost) throws InterruptedException {
        hosts = of;
        List<LeasedHost> leased = new ArrayList<>();
        for (RemoteHost host : hosts.remotes()) {
            Lease lease = host.leases()
                    .lease(new LeaseRequest("test", List.of(CoreRequest.inARow(coresPerHost))), Duration.ofSeconds(30));
            opened.add(lease);
            leased.add(new LeasedHost(host, lease));
        }
        ClusterObserver observer = new ClusterObserver() {
            @Override
            public void ended(ClusterResult result) {
                ended.add(result);
            }
        };
        NeuronCluster cluster =
                new NeuronCluster(new ClusterContext(leased, () -> folder, "test", Map::of, () -> folders, observer));
        opened.add(cluster);
        return cluster;
    }

    private static ClusterWorkload.Builder reduce(NeuronCluster cluster, String... arguments) {
        List<String> words = new ArrayList<>(List.of(ALL_REDUCE));
        words.addAll(List.of(arguments));
        return cluster.workloads().perCore("python3", words.toArray(String[]::new));
    }

    private static ClusterFailure failure(ClusterWorkload.Builder workload) {
        return catchThrowableOfType(ClusterFailure.class, workload::run);
    }

    private static WorkloadResult result(ClusterResult cluster, int rank) {
        return cluster.rank(rank).result().orElseThrow();
    }

    private void assertNothingRuns() {
        await().untilAsserted(() -> assertThat(hosts.fakes())
                .allSatisfy(fake -> assertThat(fake.processes()).isEmpty()));
    }

    @Test
    void reducesWithRankForEachCoreOfTwoHosts() throws Exception {
        NeuronCluster cluster = cluster(2);
        List<Integer> before = executions();

        ClusterResult result = reduce(cluster, "--rounds", "3").run();

        assertThat(result.ranks()).extracting(RankResult::host).containsExactly("host0", "host0", "host1", "host1");
        assertThat(result.ranks()).extracting(RankResult::localRank).containsExactly(0, 1, 0, 1);
        assertThat(result(result, 3).stdout()).contains("rank 3 of 4 on ").endsWith(": sum 14\n");
        assertThat(result(result, 3).folder()).hasValue(folder.resolve("host1/rank-3"));
        assertThat(folder.resolve("host1/rank-3/stdout.log"))
                .hasContent(result(result, 3).stdout());
        assertThat(ended).containsExactly(result);
        assertThat(executions()).containsExactly(before.get(0) + 3, before.get(1) + 3);
        assertNothingRuns();
    }

    @Test
    void filesOfEachRankComeOver() throws Exception {
        // given
        List<ProgramFiles> received = new ArrayList<>();
        folders = List.of(new ProgramFolder("traces", "TRACES", received::addAll));
        NeuronCluster cluster = cluster(2);

        // when
        cluster.workloads().perCore("sh", "-c", """
                        mkdir "$TRACES/of rank"
                        printf %s $RANK > "$TRACES/of rank/number"
                        head -c 7000000 /dev/zero > "$TRACES/large"
                        ln -s /etc/passwd "$TRACES/link"
                        if [ $RANK = 3 ]; then truncate -s 9G "$TRACES/too large"; fi
                        """).run();

        // then
        assertThat(received)
                .extracting(ProgramFiles::program)
                .containsExactly("rank 0 on host0", "rank 1 on host0", "rank 2 on host1", "rank 3 on host1");
        assertThat(received).extracting(ProgramFiles::firstCore).containsExactly(0, 1, 2, 3);
        assertThat(received).allSatisfy(files -> {
            Path traces = files.folder().orElseThrow();
            assertThat(traces.resolve("too large")).doesNotExist();
            assertThat(traces).isEqualTo(folder.resolve("%s/rank-%s/traces".formatted(files.host(), files.rank())));
            assertThat(traces.resolve("of rank/number")).hasContent(String.valueOf(files.rank()));
            assertThat(traces.resolve("large")).hasSize(7_000_000);
            assertThat(traces.resolve("link")).doesNotExist();
        });
        assertThat(received)
                .extracting(ProgramFiles::missing)
                .containsExactly(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(
                                "not brought over from host1, beyond 8 GiB for a workload and 20000 files for a program: too large with 9 GiB (9663676416 B)"));
    }

    @Test
    void filesOfLostHostAreMissing() throws Exception {
        // given
        List<ProgramFiles> received = new ArrayList<>();
        folders = List.of(new ProgramFolder("traces", "TRACES", received::addAll));
        NeuronCluster cluster = ownCluster("trn1.2xlarge", 2, Map.of());

        // when
        ClusterWorkload workload = cluster.workloads().perHost("sleep", "600").start();
        hosts.agents().get(1).destroyForcibly();
        catchThrowableOfType(ClusterFailure.class, workload::await);

        // then
        assertThat(received.get(0).missing()).isEmpty();
        assertThat(received.get(0).folder()).isPresent();
        assertThat(received.get(1).folder()).isEmpty();
        assertThat(received.get(1).missing())
                .hasValueSatisfying(reason -> assertThat(reason).contains("host1"));
    }

    @Test
    void folderThatTestNamesItselfIsNotReplaced() throws Exception {
        // given
        List<ProgramFiles> received = new ArrayList<>();
        folders = List.of(new ProgramFolder("traces", "TRACES", received::addAll));
        NeuronCluster cluster = cluster(1);

        // when
        ClusterResult result = cluster.workloads()
                .perHost("sh", "-c", "echo $TRACES")
                .environment("TRACES", "/own")
                .run();

        // then
        assertThat(result(result, 1).stdout()).isEqualTo("/own\n");
        assertThat(received).isEmpty();
    }

    /** Returns the number of executions on the first core of each host. */
    private List<Integer> executions() throws IOException {
        List<Integer> all = new ArrayList<>();
        for (FakeNeuronHost fake : hosts.fakes()) {
            all.add(Integer.parseInt(new String(fake.tree().read(EXECUTIONS), StandardCharsets.US_ASCII).strip()));
        }
        return all;
    }

    @Test
    void reducesWithProgramForEachHost() throws Exception {
        ClusterResult result =
                cluster(2).workloads().perHost("python3", ALL_REDUCE).run();

        assertThat(result.ranks()).hasSize(2);
        assertThat(result(result, 1).visibleCores()).isEqualTo("0-1");
        assertThat(result(result, 1).stdout()).endsWith(": sum 1\n");
    }

    @Test
    void inheritsNoRankOfAnotherLauncher() throws Exception {
        ClusterResult result = cluster(1)
                .workloads()
                .perHost("sh", "-c", "echo ${RANK-none} ${OMPI_COMM_WORLD_RANK-none} $GROUP_RANK")
                .run();

        assertThat(result(result, 1).stdout()).isEqualTo("none none 1\n");
    }

    @Test
    void startsTorchrunOnEachHost() throws Exception {
        program("host0", "torchrun", "echo $@");
        program("host1", "torchrun", "echo $@");

        ClusterResult result =
                cluster(2).workloads().torchrun("train.py", "--epochs", "1").run();

        assertThat(result(result, 1).stdout())
                .matches("--nnodes 2 --node_rank 1 --nproc_per_node 2 --master_addr 127.0.0.1 --master_port [0-9]+ "
                        + "train.py --epochs 1\n");
        assertThat(result(result, 0).visibleCores()).isEqualTo("0-1");
    }

    private void program(String host, String name, String script) throws IOException {
        Path bin = Files.createDirectories(programs.resolve(host));
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void passesVariablesOfTestOverOthers() throws Exception {
        ClusterResult result = cluster(1)
                .workloads()
                .perCore("sh", "-c", "echo $NEURON_RT_ROOT_COMM_ID $RANK")
                .environment(Map.of("NEURON_RT_ROOT_COMM_ID", "node1:1"))
                .run();

        assertThat(result(result, 1).stdout()).isEqualTo("node1:1 1\n");
    }

    @Test
    void namesRankThatExitsFirst() throws Exception {
        ClusterFailure failure = failure(reduce(cluster(2), "--rounds", ENDLESS, "--exit", "2:3"));

        assertThat(failure)
                .hasMessageStartingWith(
                        "Workload python3 failed on 2 hosts: rank 2 of 4 failed first, on host1 (local rank 0).\n")
                .hasMessageContaining("NRT: the input of rank 2 is broken\n")
                .hasMessageContaining(" ended with exit code 1, after another rank\n");
        assertThat(failure.result().first()).hasValue(2);
        assertThat(failure.result().duration()).isLessThan(Duration.ofMinutes(1));
        assertNothingRuns();
    }

    @Test
    void namesKilledRank() throws Exception {
        ClusterFailure failure = failure(reduce(cluster(2), "--rounds", ENDLESS, "--kill", "0"));

        assertThat(failure)
                .hasMessageContaining("rank 0 of 4 failed first, on host0 (local rank 0).\n")
                .hasMessageContaining("ended with exit code 137 (128 + 9: SIGKILL)")
                .hasMessageContaining("  the other ranks:\n    3 ranks (1-3) on host0, host1 ended with exit code 1");
        assertNothingRuns();
        assertThat(filesOfRanks()).isEmpty();
    }

    /** Verifies that the clock of the second host, which is an hour ahead, makes none of its ranks end later. */
    @Test
    void namesRankThatExitsFirstOnHostWithAnotherClock() throws Exception {
        List<String> anHourAhead = List.of("unshare", "--time", "--monotonic", "3600", "--fork", "--kill-child");
        assumeTrue(
                succeeds(Stream.concat(anHourAhead.stream(), Stream.of("true")).toList()),
                "no time namespace, which needs the rights of root and util-linux");
        Path ended = folder.resolve("rank-1-ended");

        ClusterFailure failure = failure(ownCluster("trn1.2xlarge", 1, Map.of("host1", anHourAhead))
                .workloads()
                .perCore(
                        "sh",
                        "-c",
                        "test $RANK = 1 && { touch $1; exit 3; }; until test -e $1; do sleep 0.1; done; sleep 0.3; exit 4",
                        "sh",
                        ended.toString()));

        assertThat(failure).hasMessageContaining("rank 1 of 2 failed first, on host1 (local rank 0).\n");
        assertThat(failure).hasMessageContaining("rank 0 on host0 ended with exit code 4");
    }

    private static boolean succeeds(List<String> command) throws Exception {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    @Test
    void outputOfRanksHasNoControlCharactersInMessage() throws Exception {
        ClusterFailure failure =
                failure(cluster(2).workloads().perCore("sh", "-c", "printf '\\033[2Jrank %s\\n' $RANK >&2; exit 3"));

        assertThat(failure)
                .hasMessageContaining("\\u001b[2Jrank 0")
                .hasMessageContaining("\\u001b[2Jrank 3")
                .message()
                .doesNotContain("\033");
    }

    @Test
    void endsAllRanksWhenHostIsLost() throws Exception {
        ClusterWorkload workload = reduce(ownCluster("trn1.2xlarge", 2, Map.of()), "--rounds", ENDLESS)
                .start();
        await().untilAsserted(() -> assertThat(executions().get(1)).isGreaterThan(3));

        hosts.agents().get(1).destroyForcibly();

        ClusterFailure failure = catchThrowableOfType(ClusterFailure.class, workload::await);
        assertThat(failure)
                .hasMessageStartingWith("Workload python3 lost a host: host1 with rank 2 of 4.\n")
                .hasMessageContaining("host1: the connection to its agent ended")
                .hasMessageContaining("    2 ranks (0-1) on host0 ended with exit code 1, after another rank\n");
        assertThat(failure.result().ofHost("host0"))
                .allSatisfy(rank -> assertThat(rank.lost()).isEmpty());
        assertNothingRuns();
    }

    @Test
    void namesLateRankAtDeadline() throws Exception {
        ClusterFailure failure = failure(reduce(cluster(2), "--late", "1").timeout(Duration.ofSeconds(3)));

        assertThat(failure)
                .hasMessageStartingWith("Workload python3 reached its deadline on 2 hosts: "
                        + "rank 1 of 4 on host0 (local rank 1) was late, and 3 ranks waited (0, 2-3).\n");
        assertThat(result(failure.result(), 1).cause()).isEqualTo(Cause.TIMED_OUT);
        assertNothingRuns();
    }

    @Test
    void reportsPortThatAnotherProgramUses() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            ClusterFailure failure = failure(
                    reduce(cluster(1)).environment("NEURON_RT_ROOT_COMM_ID", "127.0.0.1:" + taken.getLocalPort()));

            assertThat(failure)
                    .hasMessageContaining("rank 0 of 2 failed first, on host0 (local rank 0).\n"
                            + "  Rank 0 could not open a port, because another program uses it.");
        }
    }

    @Test
    void hidesSecretsInCommandLinesAndOutput() throws Exception {
        String secret = "s3cr3tValue0fTheTest";
        ClusterWorkload workload = cluster(1)
                .workloads()
                .perCore("sh", "-c", "echo token $HF_TOKEN; echo ready > ready-$RANK; sleep 600; true")
                .environment("HF_TOKEN", secret)
                .workingDirectory(folder)
                .start();
        await().untilAsserted(() -> assertThat(folder.resolve("ready-1")).exists());
        assertThat(filesOfRanks()).hasSize(2);

        assertThat(commandLines()).noneMatch(line -> line.contains(secret));

        ClusterResult result = workload.stop();
        assertThat(result.succeeded()).isTrue();
        assertThat(result.ranks())
                .allSatisfy(
                        rank -> assertThat(rank.result().orElseThrow().stdout()).isEqualTo("token ***\n"));
        assertThat(folder.resolve("host1/rank-1/stdout.log")).hasContent("token ***\n");
    }

    private static List<String> commandLines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    lines.add(Files.readString(process.resolve("cmdline")));
                } catch (IOException ended) {
                    // It needs no check.
                }
            }
        }
        return lines;
    }

    @Test
    void keepsBeginningAndEndOfFlood() throws Exception {
        ClusterResult result = reduce(cluster(1), "--flood", "1").run();

        assertThat(result(result, 1).stdout())
                .hasSizeLessThan(5 << 20)
                .startsWith("rank 1 of 2 got the first sum\n")
                .contains(" bytes left out ...]\n")
                .endsWith(": sum 1\n");
        assertThat(folder.resolve("host1/rank-1/stdout.log"))
                .hasContent(result(result, 1).stdout());
    }

    @Test
    void runs64Ranks() throws Exception {
        ClusterFailure failure =
                failure(reduce(ownCluster("trn1.32xlarge", 32, Map.of()), "--rounds", ENDLESS, "--exit", "40:3"));

        assertThat(failure).hasMessageContaining("rank 40 of 64 failed first, on host1 (local rank 8).\n");
        assertThat(failure.getMessage().lines().count()).isLessThan(40);
        assertNothingRuns();
    }

    @Test
    void failsWhenStillRunningAtEndOfTest() throws Exception {
        NeuronCluster cluster = cluster(1);
        reduce(cluster, "--rounds", ENDLESS).start();

        cluster.close();

        assertThat(cluster.workloads().results())
                .singleElement()
                .satisfies(result -> assertThat(result.unmet()).hasValue("an end before that of its test"));
        assertNothingRuns();
    }

    @Test
    void interruptStopsWorkload() throws Exception {
        ClusterWorkload workload =
                cluster(1).workloads().perHost("sleep", "600").start();

        Thread.currentThread().interrupt();
        ClusterFailure failure = catchThrowableOfType(ClusterFailure.class, workload::await);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).hasMessageContaining("on 2 hosts should have had an end without an interruption");
    }

    @Test
    void startFailureOnOneHostLeavesNoRank() throws Exception {
        program("host0", "only-here", "exec sleep 600");
        NeuronCluster cluster = cluster(2);

        assertThatThrownBy(() -> cluster.workloads().perCore("only-here").start())
                .hasMessageStartingWith("host1: Cannot start \"only-here\": there is no such program in");

        assertThat(hosts.agents().get(0).descendants()).isEmpty();
        assertThat(filesOfRanks()).isEmpty();
    }

    /** Returns the folders that the agents have for ranks. */
    private List<Path> filesOfRanks() throws IOException {
        List<Path> found = new ArrayList<>();
        for (ProcessHandle agent : hosts.agents()) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(
                    Path.of(System.getProperty("java.io.tmpdir")), "neuron-test-*-" + agent.pid() + "-*")) {
                for (Path each : folders) {
                    try (DirectoryStream<Path> ranks = Files.newDirectoryStream(each, "rank-*")) {
                        ranks.forEach(found::add);
                    }
                }
            }
        }
        return found;
    }

    @Test
    void endOfAgentInputEndsRanks() throws Exception {
        NeuronCluster cluster = ownCluster("trn1.2xlarge", 1, Map.of());
        cluster.workloads().perHost("sleep", "600").start();
        List<ProcessHandle> ranks =
                hosts.agents().stream().flatMap(ProcessHandle::descendants).toList();
        assertThat(ranks).isNotEmpty();

        hosts.connections().forEach(AgentConnection::close);

        await().untilAsserted(() -> assertThat(ranks).noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void refusesMissingProgramWithItsHost() throws Exception {
        NeuronCluster cluster = cluster(1);

        assertThatThrownBy(() -> cluster.workloads().perCore("no-such-program").start())
                .hasMessageStartingWith("host0: Cannot start \"no-such-program\": there is no such program in");
    }
}
