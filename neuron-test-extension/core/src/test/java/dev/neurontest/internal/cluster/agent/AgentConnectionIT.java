package dev.neurontest.internal.cluster.agent;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.counter.CounterDiff;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.counter.CounterRecorder;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.device.Nodes;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.host.NoAnswerException;
import dev.neurontest.internal.host.Pipes;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine;
import dev.neurontest.internal.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of agents on this machine and of the connection to them. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "some launchers are shell scripts")
class AgentConnectionIT {

    private static final Settings NO_SETTINGS = Settings.of(Map.of(), Map.of());
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<HostNews> news = new CopyOnWriteArrayList<>();
    private final List<AgentConnection> agents = new ArrayList<>();
    private FakeNeuronHost fake;

    @BeforeEach
    void start() {
        fake = FakeNeuronHost.builder().instance("trn1.32xlarge").start();
    }

    @AfterEach
    void end() {
        agents.forEach(AgentConnection::close);
        fake.close();
    }

    private RemoteHost host(String name) {
        AgentConnection agent = AgentConnection.start(
                name,
                AgentCommand.words(),
                environment -> {},
                Map.of("neuron.test.platform", "root:" + fake.directory()),
                news::add,
                LONG);
        agents.add(agent);
        return RemoteHost.of(agent, NO_SETTINGS);
    }

    private static LeaseRequest request(String holder, int cores) {
        return new LeaseRequest(holder, List.of(CoreRequest.inARow(cores)));
    }

    private static Lease lease(RemoteHost host, String holder, int cores) throws InterruptedException {
        return lease(host, holder, cores, Duration.ofSeconds(30));
    }

    private static Lease lease(RemoteHost host, String holder, int cores, Duration atMost) throws InterruptedException {
        return host.leases().lease(request(holder, cores), atMost);
    }

    @Test
    void countersOfHostAreMeasuredAsOnThisMachine() throws Exception {
        // given
        RemoteHost host = host("n1");
        Lease lease = lease(host, "test", 2);
        CounterRecorder recorder = CounterRecorder.start(host.counters().of(lease.cores()), host.settling());

        // when
        fake.device(0).ecc("mem_uncorrected", 3);
        CounterDiff diff = recorder.stop();

        // then
        assertThat(diff.find("neuron0 hardware/mem_ecc_uncorrected"))
                .hasValueSatisfying(change -> assertThat(change.delta()).isEqualTo(3));
        assertThat(diff.scope().tree().name()).isEqualTo("n1");
    }

    @Test
    void holderOfCoresOnHostIsNamedWithHost() throws Exception {
        // given
        lease(host("n1"), "first", 32);
        RemoteHost second = host("n1");

        // then
        assertThatThrownBy(() -> second.leases().lease(request("second", 1), Duration.ZERO))
                .isInstanceOf(LeaseTimeoutException.class)
                .hasMessageStartingWith("n1: ")
                .hasMessageContaining("first");
    }

    @Test
    void coresAreReleasedWhenConnectionCloses() throws Exception {
        // given
        RemoteHost first = host("n1");
        lease(first, "first", 32);

        // when
        first.agent().close();

        // then
        assertThat(lease(host("n1"), "second", 32).cores()).hasSize(32);
    }

    @Test
    void interruptedWaitLeasesNothing() throws Exception {
        // given
        Lease held = lease(host("n1"), "first", 32);
        RemoteHost second = host("n1");
        Thread waiting = new Thread(() -> {
            try {
                second.leases().lease(request("second", 32), LONG);
            } catch (InterruptedException expected) {
                Thread.currentThread().interrupt();
            }
        });

        // when
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        waiting.interrupt();
        waiting.join();
        held.close();

        // then
        assertThat(lease(second, "third", 32).cores()).hasSize(32);
    }

    @Test
    void quarantineIsReportedBeforeCallReturns() throws Exception {
        // given
        Lease lease = lease(host("n1"), "test", 1);

        // when
        lease.quarantine(lease.cores(), Quarantine.Until.RESET, "it failed");

        // then
        assertThat(news).anySatisfy(event -> {
            assertThat(event.kind()).isEqualTo(HostNews.Kind.QUARANTINED);
            assertThat(event.cores()).containsExactly("neuron0/neuron_core0");
        });
    }

    @Test
    void missingFileIsMissingOnHostToo() {
        RemoteHost host = host("n1");

        assertThatThrownBy(() -> host.host().tree().read("sys/none"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageStartingWith("n1:");
        assertThatThrownBy(() -> host.host().tree().list("sys/none")).isInstanceOf(IOException.class);
        assertThat(host.host().tree().exists("sys/none")).isFalse();
    }

    @Test
    void entriesReadTogetherAreThoseReadAlone() throws Exception {
        // given
        HostTree tree = host("n1").host().tree();
        List<String> directories = List.of("sys/devices/virtual/neuron_device/neuron0", "sys/none");
        List<String> paths = List.of(
                "sys/module/neuron",
                "sys/module/neuron/version",
                "sys/devices/virtual/neuron_device/neuron0/core_count",
                "sys/none");

        // when
        HostTree together = tree.forEntries(directories, paths);

        // then
        assertThat(together.list(directories.get(0)))
                .containsExactlyInAnyOrderElementsOf(tree.list(directories.get(0)));
        assertThatThrownBy(() -> together.list("sys/none")).isInstanceOf(NoSuchFileException.class);
        for (String path : paths) {
            assertThat(together.exists(path)).isEqualTo(tree.exists(path));
            assertThat(together.kind(path)).isEqualTo(tree.kind(path));
            assertThat(together.mode(path)).isEqualTo(tree.mode(path));
            assertThat(together.identity(path)).isEqualTo(tree.identity(path));
            assertThat(together.linkTarget(path)).isEqualTo(tree.linkTarget(path));
        }
        assertThat(together.read(paths.get(1)))
                .isEqualTo(tree.read(paths.get(1)))
                .isNotEmpty();
        assertThat(together.read(paths.get(2)))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("2");
        assertThatThrownBy(() -> together.read("sys/none")).isInstanceOf(NoSuchFileException.class);
    }

    private static String discovered(HostTree tree) {
        NeuronHost host = Platform.discover(tree, NO_SETTINGS);
        CounterScope scope = new CounterScopes(host).of(host.cores());
        return Stream.of(
                        host.cores().stream().map(core -> core.name() + core.physicalCores()),
                        host.devices().stream().map(device -> device.directory() + device.architecture()),
                        host.notices().stream(),
                        Stream.of(host.driverVersion(), host.instanceType(), host.coreMapDoubt()),
                        scope.census().stream(),
                        scope.doubts().stream(),
                        Stream.of(scope.identities(), scope.size()))
                .flatMap(lines -> lines.map(Object::toString))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @CsvSource({"inf1.2xlarge, docs-2023, 0", "inf2.24xlarge, moved-beside, 5", "trn2.48xlarge, driver-2.28, 3"})
    void devicesOfHostAreThoseOnThisMachine(String instance, String layout, int device) throws Exception {
        // given
        assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "only root creates the numbered device nodes of a container");
        fake.close();
        fake = FakeNeuronHost.builder()
                .instance(instance)
                .layout(layout)
                .container(device)
                .start();
        Files.createFile(fake.directory().resolve("sys/devices/virtual/neuron_device/neuron99"));
        Files.createFile(fake.directory().resolve("dev/neuron99"));

        // when
        RemoteHost host = host("n1");

        // then
        assertThat(discovered(host.agent().tree()).replace("n1:/", "/"))
                .isEqualTo(discovered(FileTree.at(fake.directory())))
                .contains("neuron" + device + "/neuron_core0");
        assertThat(host.agent().calls()).isLessThan(64);
    }

    @Test
    void walkIsOneCallAlsoAfterLookAtSomeEntries() {
        // given
        RemoteHost host = host("n1");
        String device = "sys/devices/virtual/neuron_device/neuron0";
        HostTree entries = host.host().tree().forEntries(List.of(device), List.of());
        long before = host.agent().calls();

        // when
        HostTree walk = entries.forWalk(List.of(device));
        Nodes nodes = Nodes.below(walk, device);
        Nodes.below(walk, nodes.cores().get(0).get(0));

        // then
        assertThat(nodes.files()).hasSizeGreaterThan(10);
        assertThat(host.agent().calls() - before).isOne();
    }

    @Test
    void eachLookAtHostIsNew() throws Exception {
        // given
        RemoteHost host = host("n1");
        CounterScope scope = host.counters().of(lease(host, "test", 2).cores());
        Map<String, String> identities = scope.identities();
        Path device = fake.directory().resolve("sys/devices/virtual/neuron_device/neuron0");
        assertThat(scope.changes()).isEmpty();

        // when
        Files.createFile(device.resolve("stats/hardware/new_ecc"));
        List<String> appeared = scope.changes();
        Files.move(device, device.resolveSibling("gone"));

        // then
        assertThat(appeared).singleElement().asString().endsWith("stats/hardware/new_ecc appeared");
        assertThat(scope.changes()).anyMatch(change -> change.endsWith("neuron0 can no longer be listed"));
        assertThat(scope.identities()).isNotEqualTo(identities);
    }

    @Test
    void silentFileAmongEntriesKeepsTheOthers() throws Exception {
        // given
        Pipes.make(fake.directory().resolve("sys/module/neuron/pipe"));
        HostTree tree = host("n1").host().tree();

        // when
        HostTree seen = tree.forEntries(List.of(), List.of("sys/module/neuron/pipe", "sys/module/neuron/version"));

        // then
        assertThatThrownBy(() -> seen.read("sys/module/neuron/pipe")).isInstanceOf(NoAnswerException.class);
        assertThat(seen.read("sys/module/neuron/version")).isNotEmpty();
    }

    /** Verifies that the number of calls does not grow with the cores, because a call through srun takes milliseconds. */
    @Test
    void countersOf32CoresNeedFewCalls() throws Exception {
        // given
        RemoteHost host = host("n1");
        long discovered = host.agent().calls();
        Lease lease = lease(host, "test", 32);

        // when
        CounterRecorder.start(host.counters().of(lease.cores()), host.settling())
                .stop();
        long first = host.agent().calls();
        CounterRecorder.start(host.counters().of(lease.cores()), host.settling())
                .stop();

        // then
        assertThat(host.agent().calls() - first).isLessThan(16);
        assertThat(first - discovered).isLessThan(24);
        assertThat(discovered).isLessThan(64);
    }

    @Test
    void killedAgentLosesItsHost() throws Exception {
        // given
        RemoteHost host = host("n1");
        Lease lease = lease(host, "test", 2);
        CounterRecorder recorder = CounterRecorder.start(host.counters().of(lease.cores()), host.settling());

        // when
        ProcessHandle.of(host.agent().described().pid()).orElseThrow().destroyForcibly();

        // then
        await().until(() -> !host.agent().isOpen());
        assertThatThrownBy(lease::moment)
                .isInstanceOf(HostLostException.class)
                .hasMessage("n1: the connection to its agent ended, and the launcher with exit code 137.");
        assertThat(recorder.stop().unreadable()).isNotEmpty();
        assertThat(lease.doubt()).isPresent();
        lease.close();
    }

    /**
     * Verifies that the cores of a killed agent are not free as long as one of its programs runs. This program runs as another user,
     * without open files and without an environment. Only the lease table has its process id.
     */
    @Test
    void programOfKilledAgentKeepsItsCores() throws Exception {
        // given
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can start a program as another user");
        RemoteHost first = host("n1");
        long rank = new RemoteRanks(first).start(lease(first, "first", 32), command("python3", "-c", """
                        import os
                        os.closerange(3, 1000)
                        os.setuid(65534)
                        os.execve("/bin/sleep", ["sleep", "600"], {})
                        """));
        assertThat(rank).isOne();
        ProcessHandle agent = ProcessHandle.of(first.agent().described().pid()).orElseThrow();
        ProcessHandle program = await().until(
                        () -> agent.descendants()
                                .filter(each -> each.info().command().orElse("").endsWith("/sleep"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        RemoteHost second = host("n1");

        // when
        agent.destroyForcibly();
        await().until(() -> !first.agent().isOpen());

        // then
        try {
            assertThatThrownBy(() -> lease(second, "second", 32, Duration.ofSeconds(2)))
                    .hasMessageStartingWith("n1: ")
                    .hasMessageContaining(Long.toString(program.pid()));
        } finally {
            program.destroyForcibly();
        }
        assertThat(lease(second, "third", 32).cores()).hasSize(32);
    }

    private static RankCommand command(String... words) {
        return new RankCommand(
                words[0],
                List.of(words),
                List.of(0),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Path.of("/"),
                LONG,
                1 << 16,
                "test");
    }

    private static AgentConnection launch(String script) {
        return AgentConnection.start(
                "n1", List.of("sh", "-c", script), environment -> {}, Map.of(), event -> {}, Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exit 127 | ended, and the launcher with exit code 127",
                "echo 'ssh: no route to host n1' >&2; exit 255 | ssh: no route to host n1",
                "printf 'neuron-test-agent {' | ended in the middle of a message",
                "echo 'neuron-test-agent {}'; sleep 60 | the connection to its agent is broken",
                "yes; sleep 60 | the launcher printed more than 1 MiB before the agent answered",
                "tr '\\0' x < /dev/zero; sleep 60 | a line is longer than 64 MiB",
                "echo 'token=abcdefghijklmnop' >&2; exit 1 | token=***",
                "printf '\\033[2Jwelcome\\n' >&2; exit 1 | \\u001b[2Jwelcome",
            })
    void launcherThatFailsIsNamedWithItsLastLines(String script, String message) {
        assertThatThrownBy(() -> launch(script))
                .isInstanceOf(HostLostException.class)
                .hasMessageStartingWith("n1: ")
                .hasMessageContaining(message)
                .message()
                .doesNotContain("\033");
    }

    @Test
    void missingLauncherIsNamed() {
        assertThatThrownBy(() -> AgentConnection.start(
                        "n1", List.of("/none/srun"), environment -> {}, Map.of(), event -> {}, LONG))
                .isInstanceOf(HostLostException.class)
                .hasMessageStartingWith("n1: the agent cannot be started with \"/none/srun\"");
    }

    @Test
    void launcherThatHangsIsEnded() {
        assertThatThrownBy(() -> AgentConnection.start(
                        "n1",
                        List.of("sleep", "600"),
                        environment -> {},
                        Map.of(),
                        event -> {},
                        Duration.ofMillis(200)))
                .isInstanceOf(HostLostException.class)
                .hasMessageStartingWith("n1: the agent did not open its host within 200 ms");
    }

    @Test
    void linesOfLoginShellAreNoAnswers() {
        // given
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "echo Welcome; printf '\\033[2J\\n'; exec \"$0\" \"$@\""));
        words.addAll(AgentCommand.words());

        // when
        AgentConnection agent = AgentConnection.start(
                "n1",
                words,
                environment -> {},
                Map.of("neuron.test.platform", "root:" + fake.directory()),
                event -> {},
                LONG);
        agents.add(agent);

        // then
        assertThat(agent.absence()).isEmpty();
    }
}
