package dev.neurontest.examples.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.merge.RunReports;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Tests that run the commands of the manifests without a cluster: with the command, arguments and variables of the
 * file. They replace the folders of volumes, the platform, and the minimum number of tests on hardware. The shards with a
 * DRA claim use the same container except for the devices, as {@link KubernetesManifestsTest} verifies.
 */
class KubernetesShardsIT {

    private static final List<String> NAMES = List.of("Attention", "Bert", "Conv", "Decode", "Embed", "Flash", "Gelu");
    private static final int SECONDS = 120 * Integer.getInteger("test.patience", 1);

    @TempDir(factory = TempDirFactory.Standard.class)
    private Path folder;

    private final List<Pod> started = new ArrayList<>();
    private Path image;
    private V1Job shards;
    private V1Job report;

    @BeforeEach
    void buildImageAndReadManifests() throws IOException {
        image = Files.createDirectories(folder.resolve("image"));
        Files.copy(
                Repository.ROOT.resolve("neuron-test-extension/command/target/neuron-test.jar"),
                image.resolve("neuron-test.jar"));
        Files.createDirectories(image.resolve("libs"));
        Map<String, String> tests = new HashMap<>();
        for (String name : NAMES) {
            tests.put(name, """
                    import dev.neurontest.*;
                    import dev.neurontest.device.*;
                    import org.junit.jupiter.api.*;

                    @NeuronTest
                    class %sTest {
                        @Test void one(NeuronCore core) {}
                        @Test void two(NeuronCore core) {}
                    }
                    """.formatted(name));
        }
        compile(tests);
        shards = job("shards-device-plugin.yaml");
        report = job("report.yaml");
    }

    private void compile(Map<String, String> tests) throws IOException {
        Path classes = Files.createDirectories(image.resolve("target/test-classes"));
        Path sources = Files.createDirectories(folder.resolve("sources"));
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString()));
        for (Map.Entry<String, String> test : tests.entrySet()) {
            arguments.add(Files.writeString(sources.resolve(test.getKey() + "Test.java"), test.getValue())
                    .toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("javac")
                .isZero();
    }

    @AfterEach
    void endRunningPods() throws InterruptedException {
        for (Pod pod : started) {
            pod.end();
        }
    }

    private static V1Job job(String name) throws IOException {
        return KubernetesManifests.of(KubernetesManifestsTest.text(name)).jobs().get(0);
    }

    @Test
    void shardsRunEachTestOnceAndGateReportsMissingShard() throws Exception {
        // given
        int completions = shards.getSpec().getCompletions();
        List<Pod> running = new ArrayList<>();

        // when: as many at a time as the Job allows
        for (int index = 0; index < completions; index++) {
            if (index >= shards.getSpec().getParallelism()) {
                assertGreen(running.get(index - shards.getSpec().getParallelism()));
            }
            running.add(start(
                    shards,
                    "shard-" + index,
                    Map.of(
                            "NEURON_TEST_PLATFORM",
                            "fake:trn1.2xlarge",
                            "JOB_COMPLETION_INDEX",
                            String.valueOf(index))));
        }
        for (Pod pod : running) {
            assertGreen(pod);
        }

        // then
        Path results = folder.resolve("volumes/results/neuron-tests");
        assertThat(results.toFile().list())
                .containsExactlyInAnyOrder(IntStream.range(0, completions)
                        .mapToObj(String::valueOf)
                        .toArray(String[]::new));
        assertThat(RunReports.merge(List.of(results)).tests().stream()
                        .filter(ReportedTest::isTest)
                        .map(test -> test.id().id()))
                .hasSize(NAMES.size() * 2)
                .doesNotHaveDuplicates();

        // when: none of the tests ran on hardware, although the manifest requires some
        Pod onTheFake = start(report, "report-on-the-fake", Map.of()).ended();

        // then
        assertThat(onTheFake.status()).as(onTheFake.out()).isOne();
        assertThat(onTheFake.out())
                .contains("hardware.min: expected at least 40 tests on hardware")
                .doesNotContain("is missing");

        // when
        Map<String, String> withoutHardware = Map.of("TESTS_ON_HARDWARE", "0");
        Pod complete = start(report, "report", withoutHardware).ended();

        // then
        assertThat(complete.status()).as(complete.out()).isZero();
        assertThat(complete.out()).contains("GATES PASSED", completions + " of " + completions + " shards");
        assertThat(results.resolve("neuron-report.html")).isNotEmptyFile();
        assertThat(results.resolve("neuron-report.json")).isNotEmptyFile();

        // when: a pod was never made
        Files.move(results.resolve("4"), folder.resolve("lost"));
        Pod incomplete = start(report, "report-incomplete", withoutHardware).ended();

        // then
        assertThat(incomplete.status()).isOne();
        assertThat(incomplete.out()).contains("Shard 5 of 8 is missing").doesNotContain("GATES PASSED");
    }

    /** Verifies that Kubernetes does not restart the pod after a mistake in the manifest. */
    @Test
    void indexOutOfRangeFailsTheIndexWithoutRetry() throws Exception {
        // when
        Pod ninth = start(shards, "ninth", Map.of("JOB_COMPLETION_INDEX", "8")).ended();

        // then
        assertThat(ninth.out()).contains("JOB_COMPLETION_INDEX is 8, which is not one of 8 shards from 0");
        assertThat(shards.getSpec()
                        .getPodFailurePolicy()
                        .getRules()
                        .get(0)
                        .getOnExitCodes()
                        .getValues())
                .contains(ninth.status());
    }

    /** Verifies that the launcher of the MPI operator runs a test on the workers in the operator's host file. */
    @Test
    void launcherRunsTestOnHostsInFileOfOperator() throws Exception {
        // given
        MpiJob job = KubernetesManifests.of(KubernetesManifestsTest.text("several-hosts.yaml"))
                .mpiJobs()
                .get(0);
        List<String> hosts = IntStream.range(0, job.workers())
                .mapToObj(number -> "%1$s-worker-%2$s.%1$s.default.svc"
                        .formatted(job.getMetadata().getName(), number))
                .toList();
        Path file = Files.write(
                folder.resolve("hostfile"),
                hosts.stream().map(host -> host + " slots=1").toList());
        compile(Map.of("Hosts", """
                import dev.neurontest.*;
                import dev.neurontest.cluster.*;
                import org.junit.jupiter.api.*;

                @NeuronTest
                class HostsTest {
                    @Test void hosts(@Hosts(2) NeuronCluster cluster) {
                        cluster.workloads().perHost("sh", "-c", "echo program $GROUP_RANK on $WORKER").run().ranks()
                                .forEach(rank -> System.out.print(rank.result().orElseThrow().stdout()));
                    }
                }
                """));
        V1Container container = job.launcher().getSpec().getContainers().get(0);

        // when
        Pod launcher = start(
                        container,
                        "launcher",
                        Map.of(
                                "PATH",
                                sshToThisMachine() + ":" + System.getProperty("java.home") + "/bin:"
                                        + System.getenv("PATH"),
                                "NEURON_TEST_PLATFORM",
                                "fake:trn1.2xlarge",
                                "NEURON_TEST_LEASE_DIRECTORY",
                                "",
                                "OMPI_MCA_orte_default_hostfile",
                                file.toString()))
                .ended();

        // then
        assertGreen(launcher);
        assertThat(launcher.out().replaceAll("\\s+", " "))
                .as("the output without its line breaks")
                .contains(
                        "program 0 on " + hosts.get(0),
                        "program 1 on " + hosts.get(1),
                        String.join(", ", hosts) + " by ssh: trn1.2xlarge (fake)");
        assertThat(RunReports.merge(List.of(folder.resolve("volumes/results/neuron-tests"))).tests().stream()
                        .filter(ReportedTest::isTest))
                .hasSize(NAMES.size() * 2 + 1);
    }

    /** Creates a folder with a program that runs the words for a host on this machine. Like an sshd, it passes no variables on. */
    private Path sshToThisMachine() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path ssh = Files.writeString(bin.resolve("ssh"), """
                #!/bin/sh
                while [ "$1" != -- ]; do shift; done
                host=$2
                shift 2
                exec env -i PATH="$PATH" HOME="$HOME" WORKER="$host" sh -c "$*"
                """);
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwxr-xr-x"));
        return bin;
    }

    private static void assertGreen(Pod pod) throws Exception {
        assertThat(pod.ended().status()).as(pod.out()).isZero();
    }

    private record Pod(Process process, Path log) {

        Pod ended() throws InterruptedException {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                end();
            }
            return this;
        }

        void end() throws InterruptedException {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }

        int status() {
            return process.exitValue();
        }

        String out() throws IOException {
            return Files.readString(log);
        }
    }

    private Pod start(V1Job job, String name, Map<String, String> variables) throws IOException {
        return start(KubernetesManifests.pod(job).getContainers().get(0), name, variables);
    }

    /** Starts the container's command as Kubernetes would, with the folder of the test in place of the image. */
    private Pod start(V1Container container, String name, Map<String, String> variables) throws IOException {
        Path log = folder.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(container.getCommand().stream(), container.getArgs().stream())
                                .map(KubernetesShardsIT::unexpanded)
                                .toList())
                .directory(image.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        String path = environment.get("PATH");
        environment.clear();
        environment.put("PATH", System.getProperty("java.home") + "/bin:" + path);
        environment.put("HOSTNAME", name);
        environment.put("HOME", folder.toString());
        environment.put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        for (V1EnvVar variable : container.getEnv()) {
            assertThat(variable.getValueFrom())
                    .as("a source of %s", variable.getName())
                    .isNull();
            environment.put(variable.getName(), mounted(container, unexpanded(variable.getValue())));
        }
        environment.putAll(variables);
        Pod pod = new Pod(builder.start(), log);
        started.add(pod);
        return pod;
    }

    /** Verifies that the text has no {@code $(NAME)}, which Kubernetes replaces and this test does not. */
    private static String unexpanded(String text) {
        assertThat(text.replace("$((", "")).doesNotContain("$(");
        return text;
    }

    private String mounted(V1Container container, String value) throws IOException {
        for (V1VolumeMount mount : container.getVolumeMounts()) {
            if (value.startsWith(mount.getMountPath() + "/")) {
                Path volume = Files.createDirectories(folder.resolve("volumes").resolve(mount.getName()));
                return volume + value.substring(mount.getMountPath().length());
            }
        }
        return value;
    }
}
