package dev.neurontest;

import static dev.neurontest.patience.Patience.LIMIT;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.cluster.ClusterResult;
import dev.neurontest.cluster.NeuronCluster;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.cluster.SshFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a JVM with tests over two hosts of a host file: names of this machine with an sshd and a fake host each. */
class HostsOverSshIT {

    private static final String FAKES = "NEURON_TEST_PLATFORM=fake:trn1.2xlarge?hosts=";
    private static final String OPEN_MPI = "OMPI_MCA_orte_default_hostfile=";

    @TempDir
    private Path folder;

    private final FakeNeuronHost north =
            FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    private final FakeNeuronHost south =
            FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    private SshFixture hosts;
    private TestJvmFixture jvm;

    @BeforeEach
    void start() throws Exception {
        String missing = SshFixture.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        hosts = SshFixture.start(
                Files.createDirectories(folder.resolve("ssh")),
                Map.of("north", platform(north), "south", platform(south)));
    }

    private Map<String, String> platform(FakeNeuronHost host) {
        return Map.of(
                "NEURON_TEST_PLATFORM",
                "root:" + host.directory(),
                "JAVA_TOOL_OPTIONS",
                "-Djava.io.tmpdir=" + folder.resolve("tests/tmp"));
    }

    @AfterEach
    void stop() {
        if (jvm != null) {
            jvm.close();
        }
        if (hosts != null) {
            hosts.close();
        }
        north.close();
        south.close();
    }

    /** Starts the tests with a variable for the host file, whose value ends with the path of the file. */
    private void begin(String variable, String hostFile, Class<?> tests) throws Exception {
        Map<String, String> variables = new HashMap<>(hosts.environment());
        String[] words = variable.split("=", 2);
        variables.put(words[0], words[1] + Files.writeString(folder.resolve("hostfile"), hostFile));
        jvm = TestJvmFixture.start(folder.resolve("tests"), variables, List.of(), tests);
    }

    private String run(String variable, String hostFile, Class<?> tests) throws Exception {
        begin(variable, hostFile, tests);
        return jvm.output(LIMIT.multipliedBy(2));
    }

    private void assertNothingIsLeft() {
        await().untilAsserted(() -> {
            for (String host : List.of("north", "south")) {
                assertThat(hosts.running(host, "java")).isEmpty();
                assertThat(hosts.running(host, "sleep")).isEmpty();
            }
        });
        assertThat(folder.resolve("tests/tmp").toFile().list((parent, name) -> name.startsWith("neuron-test-")))
                .isEmpty();
    }

    @NeuronTest
    static class NamesHostsFixture {

        @Test
        void test(@Hosts(2) NeuronCluster cluster) {
            ClusterResult result = cluster.workloads()
                    .perCore("sh", "-c", "echo rank $RANK of $WORLD_SIZE in $NEURON_FAKE_ROOT")
                    .timeout(Duration.ofMinutes(1))
                    .run();
            result.ranks()
                    .forEach(rank -> System.out.print(
                            rank.host() + ": " + rank.result().orElseThrow().stdout()));
        }
    }

    @Test
    void programsRunOnHostsOfFileWithPlatformOfTestJvm() throws Exception {
        assertThat(run(FAKES, "north\nsouth\n", NamesHostsFixture.class))
                .contains("north: rank 0 of 4 in /")
                .contains("south: rank 3 of 4 in /")
                .contains("1 passed, 0 failed, 0 aborted, 0 skipped");
        assertNothingIsLeft();
    }

    @Test
    void programsRunOnHostsOfMpiOperatorWithTheirOwnPlatform() throws Exception {
        assertThat(run(OPEN_MPI, "north slots=2\nsouth slots=2\n", NamesHostsFixture.class))
                .contains("south: rank 3 of 4 in " + south.directory())
                .contains("1 passed, 0 failed, 0 aborted, 0 skipped");
    }

    @NeuronTest
    static class SleepsFixture {

        @Test
        void test(@Hosts(value = 2, coresPerHost = 1) NeuronCluster cluster) {
            cluster.workloads()
                    .perHost("sleep", "600")
                    .timeout(Duration.ofMinutes(5))
                    .run();
        }
    }

    @Test
    void hostThatVanishesIsNamedAndNothingIsLeftOnOther() throws Exception {
        // given
        begin(OPEN_MPI, "north\nsouth\n", SleepsFixture.class);
        await().until(() -> !hosts.running("north", "sleep").isEmpty()
                && !hosts.running("south", "sleep").isEmpty());

        // when
        hosts.kill("south");

        // then
        assertThat(jvm.output(LIMIT.multipliedBy(2)))
                .contains("0 passed, 1 failed")
                .contains("lost a host: south with rank 1 of 2")
                .contains("south: the connection to its agent ended, and the launcher with exit code 255");
        assertThat(hosts.running("north", "sleep")).isEmpty();
        await().untilAsserted(() -> assertThat(hosts.running("north", "java")).isEmpty());
    }

    @Test
    void mistakeInHostFileFailsTestWithLine() throws Exception {
        assertThat(run(FAKES, "north\nNorth\n", NamesHostsFixture.class))
                .contains("0 passed, 1 failed")
                .contains("line 2 of the host file")
                .contains("the host North is already in line 1");
    }

    @Test
    void hostWithControlCharacterFailsTestAndNoneReachesTerminal() throws Exception {
        assertThat(run(FAKES, "north\nso\033[2Juth\n", NamesHostsFixture.class))
                .contains("0 passed, 1 failed")
                .contains("so\\u001b[2Juth is not ")
                .doesNotContain("\033");
    }
}
