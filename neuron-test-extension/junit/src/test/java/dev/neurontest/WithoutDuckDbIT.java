package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.jvm.JvmCommand;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of expectations on tables in a JVM without DuckDB. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the tools are shell scripts")
class WithoutDuckDbIT {

    private static final String MISSING = "DuckDB, which reads the tables of a profile, is not on the class path.";

    @TempDir
    private Path folder;

    @NeuronTest
    static class NeedsTablesFixture {
        @Test
        @ProfileNeff("model.neff")
        @MaxLatency("1 h")
        @ExpectCleanProfile
        void test(NeuronCore core) {
            System.out.println("body");
        }
    }

    /** Runs the fixture with a policy for undecided expectations, and prints its failures. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) {
            NeuronTestKit.failures(new NeuronTestKit(Path.of(arguments[0]))
                            .with("neuron.test.undecided", arguments[1])
                            .run(NeedsTablesFixture.class))
                    .forEach(failure -> System.out.println("failure: " + failure.getMessage()));
        }
    }

    private String run(String policy) throws Exception {
        FakeNeff.builder().name("model").write(folder.resolve("model.neff"));
        String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("duckdb"))
                .collect(Collectors.joining(File.pathSeparator));
        Path out = folder.resolve("out");
        Process jvm = new ProcessBuilder(JvmCommand.java("-cp", classPath, Program.class.getName(), "neuron", policy))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(jvm.waitFor(2, TimeUnit.MINUTES)).isTrue();
            return Files.readString(out);
        } finally {
            jvm.destroyForcibly();
        }
    }

    @Test
    void expectationOnTablesFailsBeforeBody() throws Exception {
        assertThat(run("profile=fail"))
                .contains("@ExpectCleanProfile is undecided. " + MISSING)
                .doesNotContain("body");
    }

    @Test
    void missingReaderIsPrintedBeforeBodyOfTestThatMayPass() throws Exception {
        assertThat(run("profile=pass")).containsSubsequence(MISSING, "body").doesNotContain("failure:");
    }
}
