package dev.neurontest.fake.internal.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the users that can have a mount, and of the error messages for all others. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FuseAccessIT {

    private static final List<String> WITHOUT_CAPABILITIES = List.of("setpriv", "--bounding-set=-all", "--");
    private static final List<String> AS_NOBODY = List.of("runuser", "-u", "nobody", "--");

    @TempDir
    private Path temporary;

    @BeforeEach
    void requireRootWithFuse() {
        FuseFixture.requireFuse();
        assumeThat(System.getProperty("user.name"))
                .as("only root can become another user")
                .isEqualTo("root");
    }

    /** Returns the class path of copies that every user can read. */
    private String classPath() throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            boolean needed = Files.isDirectory(from)
                    || Stream.of("fake-sysfs", "jna", "picocli", "jspecify", "apiguardian")
                            .anyMatch(name -> from.getFileName().toString().startsWith(name));
            if (!needed || !Files.exists(from)) {
                continue;
            }
            Path to = temporary.resolve("lib" + copies.size() + (Files.isDirectory(from) ? "" : ".jar"));
            try (Stream<Path> all = Files.walk(from)) {
                for (Path each : (Iterable<Path>) all::iterator) {
                    Files.copy(
                            each, to.resolve(from.relativize(each).toString()).normalize());
                }
            }
            copies.add(to.toString());
        }
        return String.join(File.pathSeparator, copies);
    }

    private Process serve(List<String> as, Path root, String... options) throws IOException {
        Files.setPosixFilePermissions(temporary, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> command = new ArrayList<>(as);
        command.addAll(JvmCommand.java(
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                classPath(),
                "dev.neurontest.fake.internal.command.FakeSysfsCommand",
                "serve",
                "--instance",
                "trn1.2xlarge",
                "--root",
                root.toString()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .directory(temporary.toFile())
                .redirectError(temporary.resolve("err").toFile())
                .start();
    }

    @Test
    void anOrdinaryUserMountsByFusermount() throws Exception {
        FuseFixture.require("fusermount3", "runuser");
        FuseFixture.requireFuseForAll();
        Path root = temporary.resolve("host");
        Process server = serve(AS_NOBODY, root, "--view", "fuse", "--require-view");
        try (BufferedReader words = server.inputReader()) {
            assertThat(words.readLine())
                    .as(Files.readString(temporary.resolve("err")))
                    .isEqualTo("ready " + root);
            Path device = root.resolve("sys/devices/virtual/neuron_device/neuron0");

            assertThat(FuseFixture.mounts())
                    .anyMatch(mount -> mount.point().equals(root.resolve("sys").toString()));
            assertThat(asUserNobody("echo 0 > %1$s/info/notify_delay; cat %1$s/info/notify_delay".formatted(device)))
                    .isEqualTo("0\n");
            assertThat(asUserNobody("cat %s/core_count".formatted(device))).isEqualTo("2");
            server.outputWriter().close();
            assertThat(server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            server.destroy();
            server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(root).doesNotExist();
        assertThat(FuseFixture.mounts()).noneMatch(mount -> mount.point().startsWith(root.toString()));
    }

    private String asUserNobody(String script) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(AS_NOBODY);
        command.addAll(List.of("sh", "-c", script));
        Process process = new ProcessBuilder(command).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return output;
    }

    @Test
    void forbiddenMountFallsBackToFilesWithReason() throws Exception {
        FuseFixture.require("setpriv");
        Path root = temporary.resolve("host");
        Process server = serve(WITHOUT_CAPABILITIES, root, "--view", "fuse");
        try (BufferedReader words = server.inputReader()) {
            assertThat(words.readLine()).isEqualTo("ready " + root);

            assertThat(root.resolve("sys/devices/virtual/neuron_device/neuron0/core_count"))
                    .hasContent("2");
            assertThat(Files.readString(temporary.resolve("err")).lines())
                    .containsExactly("no FUSE view, ordinary files are used instead: mount(2) at " + root.resolve("sys")
                            + " is refused: Operation not permitted (no CAP_SYS_ADMIN)");
        } finally {
            server.destroy();
            server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void requiredViewIsNotReplaced() throws Exception {
        FuseFixture.require("setpriv");
        Path root = temporary.resolve("host");
        Process server = serve(WITHOUT_CAPABILITIES, root, "--view", "fuse", "--require-view");

        assertThat(server.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isEqualTo(2);
        assertThat(Files.readString(temporary.resolve("err")))
                .contains("cannot make the directory of trn1.2xlarge@driver-2.30: there is no FUSE view: mount(2) at "
                        + root.resolve("sys") + " is refused: Operation not permitted (no CAP_SYS_ADMIN)\n");
        assertThat(root).doesNotExist();
    }

    @Test
    void missingFusermountNamesThePackage() {
        assertThatThrownBy(() -> MountProgram.find("/nowhere", List.of("/nowhere-else")))
                .isInstanceOf(FuseUnavailableException.class)
                .hasMessage("fusermount3 is not installed (package fuse3); users other than root need it");
    }

    @Test
    void outputOfFusermountIsTheReason() throws Exception {
        FuseFixture.require("fusermount3");
        Path file = Files.createFile(temporary.resolve("file"));

        assertThatThrownBy(() -> MountProgram.find("").mount(file.resolveSibling("nothing"), MountOwner.current()))
                .isInstanceOf(FuseUnavailableException.class)
                .hasMessageMatching("/.*fusermount3? did not mount .*/nothing: .*No such file or directory.*");
    }

    @Test
    void missingDeviceOrUnsupportedPlatformIsNamed() {
        assertThatThrownBy(() -> FuseMount.requireDevice(temporary.resolve("fuse")))
                .hasMessage(
                        temporary.resolve("fuse") + " does not exist: the kernel has no FUSE, or the container does not"
                                + " pass it on (docker run --device /dev/fuse)");
        assertThatThrownBy(() -> FuseMount.requireLinux("Mac OS X", "aarch64"))
                .hasMessage("FUSE requires Linux, but this is Mac OS X");
        assertThatThrownBy(() -> FuseMount.requireLinux("Linux", "x86"))
                .hasMessage("FUSE is supported on x86-64 and aarch64 only, but this is x86");
    }
}
