package dev.neurontest.fake.internal.command;

import static dev.neurontest.fake.internal.command.LauncherFixture.assumeRoot;
import static dev.neurontest.fake.internal.command.LauncherFixture.assumeRunnable;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Native;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.RecordingFixture;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests of programs that search for a Neuron host at its real paths, run as a user runs them. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExecCommandIT {

    private static final String CORE = "/sys/devices/virtual/neuron_device/neuron0/neuron_core1";

    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path root;
    private List<String> outside;

    @BeforeEach
    void lookOutside() throws IOException {
        assumeRunnable();
        root = folder.resolve("host");
        outside = outside();
    }

    @AfterEach
    void stop() throws Exception {
        ExecFixture.stop(started);
        assertThat(outside()).isEqualTo(outside);
    }

    /** Returns the mounts and directories that a leaking namespace would change. */
    private List<String> outside() throws IOException {
        List<String> found = new ArrayList<>(LauncherFixture.mounts(folder));
        for (String directory : List.of("/sys/devices/virtual", "/sys/class", "/sys/module", "/opt", "/dev")) {
            try (Stream<Path> entries = Files.list(Path.of(directory))) {
                entries.map(Path::toString)
                        .filter(entry -> entry.startsWith("/opt") || entry.contains("neuron"))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return found;
    }

    private List<String> words(String... command) {
        return ExecFixture.words(List.of("--instance", "inf2.xlarge", "--root", root.toString()), command);
    }

    private Process start(List<String> words) throws IOException {
        // Another user may have no access to the folder of the build.
        Process process = new ProcessBuilder(words)
                .directory(new File("/"))
                .redirectErrorStream(true)
                .start();
        started.add(process);
        return process;
    }

    private Process run(String... command) throws IOException {
        return start(words(command));
    }

    @Test
    void exitsWith125ForUnknownInstanceType() throws Exception {
        // given
        Process process = start(ExecFixture.words(List.of("--instance", "trn9.huge"), "true"));

        // then
        assertThat(process.inputReader().readLine()).startsWith("no instance type \"trn9.huge\"");
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(125);
    }

    private static void ended(Process process, int status) throws InterruptedException {
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(status);
    }

    @Test
    void programFindsRecordedHostAtTheRealPath() throws Exception {
        // given
        Path archive = folder.resolve("host.archive.txt");
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout("driver-2.29")
                .start()) {
            host.device(0).ecc("mem_uncorrected", 4);
            RecordingFixture.record(host, archive);
        }

        // when
        Process process = start(ExecFixture.words(
                List.of("--from", archive.toString(), "--root", root.toString()),
                "cat",
                "/sys/module/neuron/version",
                "/sys/devices/virtual/dmi/id/product_name",
                "/sys/class/neuron_device/neuron0/stats/hardware/mem_ecc_uncorrected"));

        // then
        assertThat(process.inputReader().lines()).containsExactly("2.29.0.0", "trn1.2xlarge", "4");
        ended(process, 0);
    }

    @Test
    void programFindsHostAtTheRealPath() throws Exception {
        Process process = run("sh", "-c", """
                cat /sys/module/neuron/version
                cat /sys/class/neuron_device/neuron0/neuron_core1/info/architecture/arch_type
                cat /sys/devices/virtual/neuron_device/neuron0/info/architecture/device_name
                cat /sys/devices/virtual/dmi/id/product_name
                grep neuron /proc/devices
                ls -d /dev/neuron*
                ls /opt/aws/neuron/bin
                echo $NEURON_FAKE_ROOT
                """);

        assertThat(process.inputReader().lines())
                .containsExactly(
                        "2.30.2.0",
                        "NCv2",
                        "Inferentia2",
                        "inf2.xlarge",
                        "512 neuron",
                        "/dev/neuron0",
                        "nccom-test",
                        "neuron-explorer",
                        "neuron-ls",
                        "neuron-monitor",
                        "neuron-profile",
                        root.toString());
        ended(process, 0);
    }

    @Test
    void launcherIsOutOfReachOfTheRootOwner() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"));
        Files.createDirectory(root);
        Files.setAttribute(root, "unix:uid", 65534);
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        List<String> words =
                words("sh", "-c", "find $0 $NEURON_FAKE_ROOT -name '*at-real-path*'", temporary.toString());
        words.add(words.indexOf("-cp"), "-Djava.io.tmpdir=" + temporary);

        Process process = start(words);

        String launcher = process.inputReader().readLine();
        assertThat(launcher).startsWith(temporary + "/");
        assertThat(process.inputReader().lines()).isEmpty();
        ended(process, 0);
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void programClearsCounterAtTheRealPath() throws Exception {
        Process process = run("sh", "-c", """
                read go
                cat CORE/stats/status/success/total
                echo 1 | tee CORE/stats/status/success/total
                until [ "$(cat CORE/stats/status/success/total)" = 0 ]; do :; done
                echo cleared
                """.replace("CORE", CORE));
        ExecFixture.tell(root, "open P neuron0/neuron_core1", "execute P neuron0/neuron_core1 NRT_SUCCESS 5");

        process.outputWriter().append("go\n").flush();

        assertThat(process.inputReader().lines()).containsExactly("5", "1", "cleared");
        ended(process, 0);
    }

    @Test
    void onlyTheProgramSeesTheFake() throws Exception {
        Process process = run("sh", "-c", "ls -d /sys/class/neuron_device; read go");

        assertThat(process.inputReader().readLine()).isEqualTo("/sys/class/neuron_device");

        assertThat(outside()).isEqualTo(outside);
        process.outputWriter().close();
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();
        assertThat(root).doesNotExist();
    }

    @Test
    void exitsWith137WhenProgramIsKilled() throws Exception {
        ended(run("sh", "-c", "kill -KILL $$"), 128 + 9);
    }

    @Test
    void programStartsWithNoBlockedSignals() throws Exception {
        Process process = run("grep", "SigBlk", "/proc/self/status");

        assertThat(process.inputReader().readLine()).matches("SigBlk:\\s+0+");
        ended(process, 0);
    }

    @Test
    void passesOptionsAndArgumentFilesToTheProgram() throws Exception {
        Path file = Files.writeString(folder.resolve("arguments"), "of another program");
        List<String> words = words();
        words.remove("--");
        words.addAll(List.of("printf", "%s,", "--instance", "--", "@" + file, "--help"));

        Process process = start(words);

        assertThat(process.inputReader().readLine()).isEqualTo("--instance,--,@" + file + ",--help,");
        ended(process, 0);
    }

    @ParameterizedTest
    @CsvSource({"HUP,51", "INT,52", "TERM,53"})
    void forwardsSignalsToTheProgram(String signal, int status) throws Exception {
        Process process = run(
                "sh",
                "-c",
                "trap 'echo heard; exit %s' %s; echo ready; while :; do sleep 0.05; done".formatted(status, signal));
        BufferedReader out = process.inputReader();
        assertThat(out.readLine()).isEqualTo("ready");

        LauncherFixture.call(List.of("kill", "-s", signal, String.valueOf(process.pid())));

        assertThat(out.readLine()).isEqualTo("heard");
        ended(process, status);
        assertThat(root).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"TERM,143", "KILL,137"})
    void endingTheCommandEndsProgramAndChildren(String signal, int status) throws Exception {
        // given
        Process process = run("sh", "-c", "setsid sleep 600 & echo $! $$; sleep 600; :");
        List<Long> pids = pids(process);

        // when
        LauncherFixture.call(List.of("kill", "-s", signal, String.valueOf(process.pid())));

        // then
        ended(process, status);
        Patience.await()
                .untilAsserted(() ->
                        assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
    }

    @Test
    void endOfProgramEndsItsChildren() throws Exception {
        // given
        Process process = run("sh", "-c", "setsid sh -c 'sleep 600 & echo $! $$; sleep 600; :' & read go; exit 3");
        List<Long> pids = pids(process);

        // when
        process.outputWriter().append("go\n").flush();

        // then
        ended(process, 3);
        assertThat(pids).noneMatch(pid -> ProcessHandle.of(pid).isPresent());
    }

    @Test
    void refusesNoexecTemporaryFolder() throws Exception {
        // given
        assumeRoot();
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        List<String> words = words("true");
        words.add(words.indexOf("-cp"), "-Djava.io.tmpdir=" + temporary);
        words.addAll(
                0,
                List.of(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o noexec tmpfs " + temporary + " && exec \"$0\" \"$@\""));

        // when
        Process process = start(words);

        // then
        assertThat(process.inputReader().readLine())
                .startsWith("fake-sysfs: the temporary folder " + temporary + " is mounted noexec")
                .contains("-Djava.io.tmpdir=DIR");
        ended(process, 125);
    }

    private static List<Long> pids(Process process) throws IOException {
        return Stream.of(process.inputReader().readLine().split(" "))
                .map(Long::valueOf)
                .toList();
    }

    @Test
    void typedInterruptReachesProgramOnce() throws Exception {
        assumeThat(Path.of("/usr/bin/script")).exists();
        Path words = Files.writeString(
                folder.resolve("words"),
                words("sh", "-c", "trap 'echo heard' INT; test -t 0 && echo ready; read a; sleep 0.3; echo $a; exit 7")
                        .stream()
                        .map(word -> "'" + word.replace("'", "'\\''") + "'")
                        .collect(Collectors.joining(" ", "exec ", "\n")));
        Process terminal =
                start(List.of("script", "--quiet", "--return", "--command", "exec sh " + words, "/dev/null"));
        BufferedReader out = terminal.inputReader();
        assertThat(out.readLine()).isEqualTo("ready");

        terminal.outputWriter().append('\003').flush();
        assertThat(out.readLine()).endsWith("heard");
        terminal.outputWriter().append("typed\n").flush();

        assertThat(out.lines().toList()).noneMatch(line -> line.contains("heard"));
        ended(terminal, 7);
    }

    @Test
    void runsProgramsForOrdinaryUsers() throws Exception {
        assumeRoot();
        Path classes = classesForAll();
        List<String> words = new ArrayList<>(List.of("runuser", "-u", "nobody", "--"));
        words.addAll(ExecFixture.java(classes + ":" + classes + "/*"));
        words.addAll(List.of("exec", "--instance", "inf2.xlarge", "--", "sh", "-c"));
        words.add("id -un; cat /sys/class/neuron_device/neuron0/core_count; ls $NEURON_FAKE_ROOT/env.sh; exit 5");

        Process process = start(words);

        List<String> out = process.inputReader().lines().toList();
        assumeThat(out.toString()).doesNotContain("The kernel refused");
        assertThat(out.get(0)).as(out.toString()).isEqualTo("nobody");
        assertThat(out.get(1)).startsWith("2").endsWith("/env.sh");
        ended(process, 5);
        assertThat(Path.of(out.get(1).substring(1)).getParent()).doesNotExist();
    }

    /** Returns a class path for the command that every user may read. */
    private Path classesForAll() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        for (Class<?> type : List.of(FakeSysfsCommand.class, CommandLine.class, Native.class, API.class)) {
            Path origin = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            String from = Files.isDirectory(origin) ? origin + "/." : origin.toString();
            assertThat(LauncherFixture.call(List.of("cp", "-R", from, classes.toString()))
                            .err())
                    .isEmpty();
        }
        return classes;
    }

    @Test
    void requiresACommand() throws Exception {
        Process process = run();

        assertThat(process.inputReader().readLine()).isEqualTo("Missing required parameter: 'COMMAND'");
        ended(process, 125);
        assertThat(root).doesNotExist();
    }
}
