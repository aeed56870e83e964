package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.Comparisons;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.command.NeuronTestCommand;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that run the commands of failure messages as a reader does: in a shell, after the JVM of the tests has ended. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the commands are for a POSIX shell")
class PrintedCommandsIT {

    private static final String NEFF = "target/printed-commands/it's resnet50.neff";

    private static double median;
    private static double slowdown;

    @TempDir
    private Path output;

    private record Ended(int status, String text) {}

    /** Writes a {@code neuron-test} that, like the runnable jar, has no DuckDB on its class path. */
    @BeforeEach
    void install() throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("duckdb_jdbc"))
                .collect(Collectors.joining(File.pathSeparator));
        String words = JvmCommand.java("-cp", classPath, NeuronTestCommand.class.getName()).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        Path program = Files.createDirectories(output.resolve("bin")).resolve("neuron-test");
        Files.createFile(program, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(program, "#!/bin/sh\nexec " + words + " \"$@\"\n");
    }

    private Ended run(String command) throws Exception {
        Path text = output.resolve("text");
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", command)
                .redirectErrorStream(true)
                .redirectOutput(text.toFile());
        shell.environment().merge("PATH", output.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        Process process = shell.start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(text));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String printed(Throwable failure, String before) {
        Matcher command =
                Pattern.compile("(?m)^" + before + "(neuron-test .*)$").matcher(failure.getMessage());
        assertThat(command.find()).as(failure.getMessage()).isTrue();
        return command.group(1);
    }

    private NeuronTestKit kit(String run) {
        return new NeuronTestKit(output.resolve(run))
                .with(
                        "neuron.test.baseline.directory",
                        output.resolve("baselines").toString());
    }

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("resnet50").time(Duration.ofMillis(16)).write(Path.of(NEFF));
    }

    @NeuronTest
    static class LatencyFixture {
        @Test
        void answers(NeuronCore core, Comparisons comparisons) {
            Random random = new Random(1);
            comparisons.latency("p50").margin("3 %").compare(() -> median * (1 + 0.003 * random.nextGaussian()));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0.016", "0.016, 0.018", "0.016, 0.014"})
    void acceptsMissingWorseOrBetterBaseline(double before, double now) throws Exception {
        // given
        if (before > 0) {
            median = before;
            kit("before").run(LatencyFixture.class);
            BaselineFixture.approve(output.resolve("baselines"), output.resolve("before/run"));
        }
        median = now;
        NeuronTestKit kit = kit("it's now").with("neuron.test.undecided", "fail");
        Throwable failure = onlyFailure(kit.run(LatencyFixture.class));

        // when
        Ended accepted = run(printed(failure, "  to accept    "));

        // then
        assertThat(accepted.status()).as(accepted.text()).isZero();
        assertThat(accepted.text()).startsWith("Written: ");
        assertThat(NeuronTestKit.failures(kit.run(LatencyFixture.class))).isEmpty();
    }

    @NeuronTest
    static class TablesFixture {
        @BeforeAll
        static void script(FakeNeuronHost fake) {
            fake.profiler().script("run-noise", 0.003, 7);
            fake.profiler().script("slowdown", slowdown);
        }

        @Test
        @ProfileNeff(value = NEFF, tables = true)
        @CompareToBaseline(metric = "total_time", margin = "3 %")
        void isNotSlower(NeuronCore core) {}
    }

    @Test
    void explainsSlowerProfileFromTables() throws Exception {
        // given
        slowdown = 1;
        kit("before").run(TablesFixture.class);
        BaselineFixture.approve(output.resolve("baselines"), output.resolve("before/run"));
        slowdown = 1.06;
        Throwable failure = onlyFailure(kit("it's now").run(TablesFixture.class));

        // when
        Ended explained = run(printed(failure, "  (?=neuron-test explain)"));

        // then
        assertThat(explained.status()).as(explained.text()).isZero();
        assertThat(explained.text()).startsWith("Slower by ");
        assertThat(failure)
                .hasMessageContaining(explained.text().lines().findFirst().orElseThrow());
    }
}
