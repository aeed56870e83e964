package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the runnable jar as a user runs it: with Java and the user's class path alone. */
class NeuronTestJarIT {

    /** The folder of the built jar, and of JUnit's jars for the class paths of users. */
    private static final Path BUILT = Path.of(System.getProperty("command.build", "target"));

    @TempDir
    private Path folder;

    private record Ended(int status, String out) {}

    private Ended run(String... arguments) throws Exception {
        List<String> command =
                JvmCommand.java("-jar", BUILT.resolve("neuron-test.jar").toString());
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .directory(folder.toFile())
                .start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    private UserTestsFixture tests() throws IOException {
        return UserTestsFixture.with(folder, """
                        @Test @NeuronTest void infers(NeuronCore core) {
                            System.out.println("on " + core.name());
                        }
                        @Test void jupiter() {
                            System.out.println("JUnit of " + Test.class.getProtectionDomain().getCodeSource().getLocation());
                        }
                """);
    }

    private static String jars(String junit) throws IOException {
        try (Stream<Path> jars = Files.list(BUILT.resolve("users").resolve(junit))) {
            return String.join(
                    File.pathSeparator,
                    jars.map(jar -> jar.toAbsolutePath().toString()).sorted().toList());
        }
    }

    @ParameterizedTest
    @CsvSource({"junit-5, 5.14.4", "junit-6, 6.1.3"})
    void usesJUnitOfUserClassPath(String junit, String version) throws Exception {
        // given
        UserTestsFixture tests = tests();

        // when
        Ended run = run(
                "run",
                "-cp",
                tests + File.pathSeparator + jars(junit),
                "--scan-class-path",
                "--platform",
                "fake:trn1.2xlarge");

        // then
        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out())
                .containsPattern("JUnit of file:.*/users/" + junit + "/junit-jupiter-api-" + version + "\\.jar")
                .contains("on neuron0/neuron_core")
                .contains("2 tests: 2 passed");
    }

    @Test
    void providesJUnitWhenClassPathHasNone() throws Exception {
        // given
        UserTestsFixture tests = tests();

        // when
        Ended run =
                run("run", "-cp", tests.toString(), "-c", UserTestsFixture.CLASS, "--platform", "fake:trn1.2xlarge");

        // then
        assertThat(run.status()).as(run.out()).isZero();
        assertThat(run.out()).containsPattern("JUnit of file:.*/neuron-test\\.jar");
    }

    @Test
    void printsVersion() throws Exception {
        // when
        Ended version = run("--version");

        // then
        assertThat(version.status()).isZero();
        assertThat(version.out()).containsPattern("(?m)^neuron-test [0-9]+\\.[0-9]+\\.[0-9]+");
    }

    @Test
    void doctorExaminesFakeHost() throws Exception {
        // when
        Ended doctor = run("doctor", "--platform", "fake:trn2.48xlarge");

        // then
        assertThat(doctor.status()).as(doctor.out()).isZero();
        assertThat(doctor.out()).contains("trn2.48xlarge: 16 devices").contains("Tests can run here");
    }
}
