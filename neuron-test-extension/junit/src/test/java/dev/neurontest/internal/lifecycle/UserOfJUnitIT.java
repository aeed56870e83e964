package dev.neurontest.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.UserOfJUnitFixture;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import dev.neurontest.jvm.JvmCommand;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with versions of JUnit that a project may use. A version that is too old affects only Neuron tests. */
class UserOfJUnitIT {

    /** The folder of JUnit's console, which has the rest of its version in one jar. */
    private static final Path BUILT = Path.of(System.getProperty("junit.build", "target"));

    @TempDir
    private Path folder;

    private record Ended(int status, String out) {}

    private Ended run(String junit, Class<?>... testClasses) throws Exception {
        return run(junit, List.of(), Map.of(), testClasses);
    }

    private Ended run(String junit, List<String> options, Map<String, String> environment, Class<?>... testClasses)
            throws Exception {
        Path console = BUILT.resolve("consoles").resolve("junit-platform-console-standalone-" + junit + ".jar");
        assertThat(console).exists();
        List<String> command = JvmCommand.java(
                "-Dneuron.test.platform=fake:trn1.2xlarge",
                "-classpath",
                console.toAbsolutePath() + File.pathSeparator + withoutJUnit(),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                // A project may enable extension detection, which would find Neuron Test.
                "--config=junit.jupiter.extensions.autodetection.enabled=true");
        Stream.of(testClasses).map(each -> "--select-class=" + each.getName()).forEach(command::add);
        command.addAll(options);
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .directory(folder.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the class path without the JUnit of this build and the libraries that depend on it. */
    private static String withoutJUnit() {
        return String.join(
                File.pathSeparator,
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry ->
                                !Path.of(entry).getFileName().toString().matches("(junit|allure)-.*\\.jar"))
                        .toList());
    }

    private static Class<?>[] all() {
        return new Class<?>[] {
            UserOfJUnitFixture.WithoutNeuron.class,
            UserOfJUnitFixture.AnnotatedClass.class,
            UserOfJUnitFixture.AnnotatedMethod.class,
            UserOfJUnitFixture.Template.class,
            UserOfJUnitFixture.TemplateOfAClass.class,
            UserOfJUnitFixture.RegisteredByAField.class
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.10.5", "1.12.2", "1.13.4", "1.14.4", "6.1.3"})
    void runsTestsWithoutNeuron(String junit) throws Exception {
        // when
        Ended run = run(junit, UserOfJUnitFixture.WithoutNeuron.class);

        // then
        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out())
                .contains("1 tests successful")
                .doesNotContain("Neuron Test")
                .doesNotContain("Exception")
                .doesNotContain("Error")
                .doesNotContainIgnoringCase("warning");
        assertThat(folder).isDirectoryNotContaining(file -> !file.endsWith("out"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.10.5", "1.12.2", "1.13.4"})
    void failsNeuronTestsNamingRequiredJUnit(String junit) throws Exception {
        // when
        Ended run = run(junit, all());

        // then
        String message = new OldJUnit("junit-platform-console-standalone " + junit).message();
        assertThat(run.status()).as(run.out()).isOne();
        assertThat(run.out())
                .contains("2 tests successful")
                // JUnit counts a method that runs for each core as a container too.
                .contains("4 containers failed")
                .contains("1 tests failed")
                .doesNotContain("Neuron Test:");
        assertThat(run.out().split(Pattern.quote(message), -1)).as(run.out()).hasSize(5 + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.14.4", "6.1.3"})
    void runsNeuronTests(String junit) throws Exception {
        // when
        Ended run = run(junit, all());

        // then
        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out())
                .contains("9 tests successful")
                .contains("Neuron Test: 7 tests: 7 passed", "trn1.2xlarge (fake)");
    }

    /**
     * Verifies the filter with the oldest and the newest JUnit, because it uses nothing that only newer versions have.
     */
    @ParameterizedTest
    @ValueSource(strings = {"1.10.5", "1.14.4", "6.1.3"})
    void runsOneShardByAVariable(String junit) throws Exception {
        // when
        Ended first = run(junit, List.of(), Map.of("NEURON_TEST_SHARD", "1/2"), UserOfJUnitFixture.WithoutNeuron.class);
        Ended second =
                run(junit, List.of(), Map.of("NEURON_TEST_SHARD", "2/2"), UserOfJUnitFixture.WithoutNeuron.class);

        // then
        assertThat(first.status()).as(first.out()).isZero();
        assertThat(second.status()).as(second.out()).isZero();
        assertThat(first.out()).contains("0 tests successful");
        assertThat(second.out()).contains("1 tests successful");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.14.4", "6.1.3"})
    void runsOneShardByAConfigurationParameter(String junit) throws Exception {
        // when
        Ended first = run(junit, List.of("--config=neuron.test.shard=1/2"), Map.of(), all());
        Ended second = run(junit, List.of("--config=neuron.test.shard=2/2"), Map.of(), all());

        // then
        assertThat(first.out()).contains("0 tests successful");
        assertThat(second.out()).contains("9 tests successful", "Neuron Test: 7 tests: 7 passed");
    }

    /** Verifies that no test runs, instead of all tests on each node. */
    @ParameterizedTest
    @ValueSource(strings = {"1.10.5", "1.12.2", "1.13.4", "1.14.4", "6.1.3"})
    void runsNoTestWhereTheShardIsNotKnown(String junit) throws Exception {
        // when
        Ended auto = run(junit, List.of(), Map.of("NEURON_TEST_SHARD", "auto"), UserOfJUnitFixture.WithoutNeuron.class);

        // then
        assertThat(auto.status()).as(auto.out()).isNotZero();
        assertThat(auto.out())
                .contains(
                        "neuron.test.shard is \"auto\" (from environment variable NEURON_TEST_SHARD): no engine provides the"
                                + " number of this shard: looked for SLURM_ARRAY_TASK_ID")
                .doesNotContain("tests successful");
    }

    private List<RunEvent> events() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("run"))) {
            List<RunEvent> events = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                RunLog.read(file).lines().stream().map(RunLine::event).forEach(events::add);
            }
            return events;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.14.4", "6.1.3"})
    void writesThatJUnitGaveUp(String junit) throws Exception {
        // when
        Ended run = run(
                junit,
                List.of("--config=neuron.test.output=run"),
                Map.of(),
                UserOfJUnitFixture.OutOfMemory.class,
                UserOfJUnitFixture.AnnotatedClass.class);

        // then
        assertThat(run.status()).as(run.out()).isNotZero();
        assertThat(events())
                .hasSize(6)
                .contains(new RunEvent.PlanGivenUp(List.of("UserOfJUnitFixture$OutOfMemory > fills()")))
                .hasAtLeastOneElementOfType(RunEvent.Planned.class)
                .doesNotHaveAnyElementsOfTypes(RunEvent.PlanFinished.class, RunEvent.TestFinished.class);
    }

    @Test
    void recordsNoEndForTestsSkippedByFailFast() throws Exception {
        // when
        Ended run = run(
                "6.1.3",
                List.of("--config=neuron.test.output=run", "--fail-fast"),
                Map.of(),
                UserOfJUnitFixture.Failing.class,
                UserOfJUnitFixture.AnnotatedClass.class);

        // then
        assertThat(run.status()).as(run.out()).isNotZero();
        assertThat(events())
                .hasAtLeastOneElementOfType(RunEvent.Planned.class)
                .hasAtLeastOneElementOfType(RunEvent.PlanFinished.class)
                .doesNotHaveAnyElementsOfTypes(RunEvent.PlanGivenUp.class, RunEvent.TestFinished.class);
    }
}
