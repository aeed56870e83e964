package dev.neurontest.internal.folder;

import static dev.neurontest.patience.Patience.await;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.internal.fuse.FuseMount;
import dev.neurontest.jvm.JvmCommand;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the files from which native libraries are loaded. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeLibrariesIT {

    @TempDir
    Path folder;

    private Path home;
    private Path temporary;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void makeFolders() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
        temporary = Files.createDirectory(folder.resolve("temporary"));
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
        FuseMount.left(true);
    }

    private Process jvm(String... launcher) throws IOException {
        return start(words(launcher));
    }

    private List<String> words(String... launcher) throws IOException {
        List<String> words = new ArrayList<>(List.of(launcher));
        words.addAll(JvmCommand.program(
                List.of("-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home),
                NativeLibrariesJvm.class,
                Files.createTempDirectory(folder, "jvm").toString()));
        return words;
    }

    private Process start(List<String> words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
        Process process = builder.start();
        started.add(process);
        return process;
    }

    /** Returns the output of the JVM before everything was loaded. */
    private static List<String> untilLoaded(Process jvm) throws IOException {
        List<String> lines = new ArrayList<>();
        BufferedReader out = jvm.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals("loaded")) {
                return lines;
            }
            lines.add(line);
        }
        throw new AssertionError("The JVM ended early: " + lines);
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder)).toList();
        }
    }

    @Test
    void areDeletedOnceLoaded() throws Exception {
        // given
        Process jvm = jvm();
        assertThat(untilLoaded(jvm)).isEmpty();

        // when
        jvm.destroyForcibly().waitFor();

        // then
        assertThat(filesIn(temporary)).isEmpty();
        assertThat(filesIn(home)).isEmpty();
    }

    @Test
    void areUnpackedIntoConfiguredFolder() throws Exception {
        // given
        Path wanted = folder.resolve("jna");

        // when
        untilLoaded(jvm("env", "JAVA_TOOL_OPTIONS=-Djna.tmpdir=" + wanted));

        // then
        assertThat(wanted).isEmptyDirectory();
    }

    @Test
    void areRemovedByNextJvmAfterKillDuringLoad() throws Exception {
        // given
        Process killed = jvm();
        await().untilAsserted(() -> assertThat(filesIn(temporary)).isNotEmpty());
        killed.destroyForcibly().waitFor();

        // when
        untilLoaded(jvm());

        // then
        assertThat(filesIn(temporary)).isEmpty();
    }

    @Test
    void areNamedIfJnaIsMissing() throws Exception {
        // given
        assumeThat(FakeRuntime.unavailable()).isEmpty();
        List<String> words = words();
        words.replaceAll(word -> Stream.of(word.split(File.pathSeparator))
                .filter(entry -> !entry.contains("/jna-"))
                .collect(joining(File.pathSeparator)));

        // then
        assertThat(untilLoaded(start(words)))
                .isNotEmpty()
                .allSatisfy(refusal ->
                        assertThat(refusal).contains("JNA", "is not on the class path", "net.java.dev.jna:jna"));
    }

    @Test
    void areRefusedWithAdviceInNoexecFolder() throws Exception {
        // given
        String mount = "mount -t tmpfs -o noexec tmpfs " + temporary;
        Process probe = new ProcessBuilder("unshare", "--mount", "sh", "-c", mount)
                .redirectErrorStream(true)
                .start();
        String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(probe.waitFor() == 0, "only root can mount in a namespace: " + output);

        // when
        List<String> refusals = untilLoaded(jvm("unshare", "--mount", "sh", "-c", mount + " && exec \"$0\" \"$@\""));

        // then
        assertThat(refusals)
                .isNotEmpty()
                .allSatisfy(refusal -> assertThat(refusal)
                        .contains("the temporary folder " + temporary + " is mounted noexec", "-Djava.io.tmpdir=DIR"));
        assertThat(filesIn(home)).isEmpty();
    }
}
