package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the script that starts the runnable jar. */
class NeuronTestScriptIT {

    private static final Path BUILT =
            Path.of(System.getProperty("command.build", "target")).toAbsolutePath();

    @TempDir
    private Path folder;

    private final Map<String, String> environment =
            new HashMap<>(Map.of("JAVA_HOME", System.getProperty("java.home"), "PATH", System.getenv("PATH")));

    private record Ended(int status, String out) {}

    private Ended run(Path launcher, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("/bin/sh", launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Returns the script in a folder with copies of both files, as a user may have it. */
    private Path copied() throws IOException {
        Path tools = Files.createDirectories(folder.resolve("my tools"));
        Files.createSymbolicLink(tools.resolve("neuron-test.jar"), BUILT.resolve("neuron-test.jar"));
        return Files.copy(BUILT.resolve("neuron-test"), tools.resolve("neuron-test"));
    }

    @Test
    void isBuiltExecutable() {
        assertThat(BUILT.resolve("neuron-test")).isExecutable();
    }

    @Test
    void startsJarThroughLinkWithUnchangedArguments() throws Exception {
        // given
        Path link = Files.createSymbolicLink(folder.resolve("nt"), copied());

        // when
        Ended ended = run(link, "report", "no such * folder");

        // then
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.out()).contains("no such * folder");
    }

    @Test
    void enablesOptimizingCompilerOnlyForRunCommand() throws Exception {
        // given
        environment.put("JDK_JAVA_OPTIONS", "-Xmx77m -XX:+PrintFlagsFinal");

        // when
        Ended version = run(BUILT.resolve("neuron-test"), "--version");
        Ended help = run(BUILT.resolve("neuron-test"), "run", "--help");

        // then
        assertThat(version.out())
                .containsPattern("TieredStopAtLevel += 1 ")
                .containsPattern("MaxHeapSize += " + 78 * 1024 * 1024 + " ")
                .contains("neuron-test ");
        assertThat(help.out()).containsPattern("TieredStopAtLevel += 4 ").contains("--scan-class-path");
    }

    @Test
    void usesJavaFromPathWithoutJavaHome() throws Exception {
        // given
        environment.remove("JAVA_HOME");
        environment.put("PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH"));

        // then
        assertThat(run(BUILT.resolve("neuron-test"), "--version").out())
                .contains("in " + System.getProperty("java.home"));
    }

    /** Verifies the end of commands that write to a closed pipe. {@code snapshot} prints more than a pipe holds. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "generate-completion",
                "doctor --platform fake:trn1.2xlarge",
                "snapshot --platform fake:trn1.32xlarge",
                "record --platform fake:trn1.32xlarge",
                "fake list"
            })
    void exitsQuietlyWhenPipeIsClosed(String words) throws Exception {
        // given
        Path script = Files.writeString(
                folder.resolve("closed-pipe"),
                "{ %s %s 2> said; echo $? > ended; } | { read line; }".formatted(BUILT.resolve("neuron-test"), words));

        // when
        run(script);

        // then
        assertThat(folder.resolve("said")).isEmptyFile();
        assertThat(folder.resolve("ended")).hasContent("0");
    }

    /** Verifies the progress in a terminal, which {@code script} provides. */
    @Test
    void showsProgressOnTerminal() throws Exception {
        // given
        assumeThat(Path.of("/usr/bin/script")).isExecutable();
        environment.put("TERM", "xterm");
        Path script = Files.writeString(
                folder.resolve("on-a-terminal"),
                "script -qec 'stty cols 60; %s record -o x --for 2s --platform fake:trn1.2xlarge' /dev/null"
                        .formatted(BUILT.resolve("neuron-test")));

        // when
        Ended ended = run(script);

        // then
        assertThat(ended.status()).as(ended.out()).isZero();
        assertThat(ended.out())
                .containsPattern("\rrecording: [0-9] s of 2.0 s\u001b\\[K")
                .containsPattern("\r\u001b\\[K[0-9]+ files of fake:trn1.2xlarge");
    }

    @Test
    void showsNoProgressWithoutTerminal() throws Exception {
        // when
        Ended ended = run(
                BUILT.resolve("neuron-test"),
                "record",
                "-o",
                folder.resolve("x").toString(),
                "--for",
                "1s",
                "--platform",
                "fake:trn1.2xlarge");

        // then
        assertThat(ended.out()).matches("[0-9]+ files of fake:trn1.2xlarge.*\n");
    }

    @Test
    void reportsMissingJarOrJava() throws Exception {
        // given
        Path launcher = BUILT.resolve("neuron-test");
        Path alone = Files.copy(launcher, folder.resolve("neuron-test"));

        // then
        assertThat(run(alone, "--version"))
                .isEqualTo(new Ended(
                        2,
                        "neuron-test: there is no " + folder.toRealPath()
                                + "/neuron-test.jar: keep the jar and this file in one folder\n"));

        // and
        environment.put("JAVA_HOME", "/nowhere");
        assertThat(run(launcher, "--version"))
                .isEqualTo(
                        new Ended(
                                2,
                                "neuron-test: JAVA_HOME is /nowhere, which has no bin/java: correct it, or unset it to use the java of the PATH\n"));

        // and
        environment.remove("JAVA_HOME");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("readlink"), Path.of("/usr/bin/readlink"));
        environment.put("PATH", bin.toString());
        assertThat(run(launcher, "--version"))
                .isEqualTo(new Ended(2, "neuron-test: there is no java: install Java 17 or later, or set JAVA_HOME\n"));
    }
}
