package dev.neurontest.fake.internal.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.jvm.JvmCommand;
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

/** Tests of folders that killed JVMs leave behind, and of their removal. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class PrivateFolderIT {

    @TempDir
    private Path place;

    private final List<Process> processes = new ArrayList<>();
    private Path outside;

    @BeforeEach
    void makeSomethingOutside() throws IOException {
        outside = Files.createDirectory(place.resolve("outside"));
        Files.createFile(outside.resolve("file"));
        Files.createFile(outside.resolve("lock"));
    }

    @AfterEach
    void kill() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        assertThat(outside.resolve("file")).exists();
        assertThat(outside.resolve("lock")).exists();
    }

    @Test
    void isRefusedInAMissingFolder() {
        // given
        Path absent = place.resolve("absent");

        // then
        assertThatIOException()
                .isThrownBy(() -> PrivateFolder.make(absent))
                .withMessageStartingWith(
                        "no temporary folder can be created in " + absent + ": there is no such folder. Set ");
    }

    /** A JVM with a host in the folder, as long as the JVM runs. */
    static final class HostFixture {

        private HostFixture() {}

        public static void main(String[] arguments) throws IOException {
            FakeNeuronHost host =
                    FakeNeuronHost.builder().folder(Path.of(arguments[0])).start();
            System.out.println(host.directory());
            System.in.read();
        }
    }

    private Process jvm(String... launcher) throws IOException {
        List<String> words = new ArrayList<>(List.of(launcher));
        words.addAll(JvmCommand.program(HostFixture.class, place.toString()));
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    /** Starts a JVM in a separate mount namespace with the boot id of another host. */
    private Process jvmOfAnotherHost() throws Exception {
        Path boot = Files.writeString(outside.resolve("boot_id"), "0b5e1c1e-6a0e-4d5f-9a53-3c0b2f0d9a11\n");
        String mount = "mount --bind " + boot + " /proc/sys/kernel/random/boot_id";
        Process probe = new ProcessBuilder("unshare", "--mount", "sh", "-c", mount)
                .redirectErrorStream(true)
                .start();
        String output = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(probe.waitFor() == 0, "a boot id can be faked only in a mount namespace, as root: " + output);
        return jvm("unshare", "--mount", "sh", "-c", mount + " && exec \"$0\" \"$@\"");
    }

    /** Returns the root of the host of a JVM after it has been created completely. */
    private static Path rootOf(Process jvm) throws IOException {
        return Path.of(jvm.inputReader().readLine());
    }

    private void sweep() throws IOException {
        PrivateFolder.left(place, true);
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> entries = Files.list(place)) {
            return entries.filter(entry -> !entry.equals(outside)).toList();
        }
    }

    @Test
    void nextJvmRemovesHostOfAKilledJvm() throws Exception {
        // given
        Process killed = jvm();
        Path left = rootOf(killed);
        assertThat(left).startsWith(place.toRealPath());
        killed.destroyForcibly().waitFor();
        assertThat(left.resolve("env.sh")).exists();

        // when
        Process next = jvm();
        Path root = rootOf(next);

        // then
        assertThat(left.getParent()).doesNotExist();
        assertThat(root.resolve("env.sh")).exists();
        next.getOutputStream().close();
        assertThat(next.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(folders()).isEmpty();
    }

    @Test
    void hostOfAKilledJvmIsListedUntilRemoved() throws Exception {
        // given
        Process killed = jvm();
        Path left = rootOf(killed).getParent();
        assertThat(PrivateFolder.left(place, false)).isEmpty();
        assertThat(PrivateFolder.left(place, true)).isEmpty();

        // when
        killed.destroyForcibly().waitFor();

        // then
        assertThat(PrivateFolder.left(place, false)).containsExactly(left);
        assertThat(left.resolve("host/env.sh")).exists();
        assertThat(PrivateFolder.left(place, true)).containsExactly(left);
        assertThat(left).doesNotExist();
    }

    @Test
    void leavesHostsOfAnotherMachineAlone() throws Exception {
        // given
        Process live = jvmOfAnotherHost();
        Path liveRoot = rootOf(live);
        Process killed = jvmOfAnotherHost();
        Path killedRoot = rootOf(killed);
        killed.destroyForcibly().waitFor();

        // when
        sweep();
        rootOf(jvm());

        // then
        assertThat(PrivateFolder.left(place, false)).isEmpty();
        assertThat(liveRoot.resolve("env.sh")).exists();
        assertThat(killedRoot.resolve("env.sh")).exists();

        // when
        rootOf(jvmOfAnotherHost());

        // then
        assertThat(killedRoot).doesNotExist();
        assertThat(liveRoot.resolve("env.sh")).exists();
    }

    @Test
    void hostOfALiveJvmIsKept() throws Exception {
        Path root = rootOf(jvm());

        sweep();
        rootOf(jvm());

        assertThat(root.resolve("env.sh")).exists();
    }

    @Test
    void hostOfAStoppedJvmIsKept() throws Exception {
        Process stopped = jvm();
        Path root = rootOf(stopped);
        signal("STOP", stopped);

        sweep();

        assertThat(root.resolve("env.sh")).exists();
        signal("CONT", stopped);
    }

    @Test
    void foldersOfThisJvmAreKept() throws Exception {
        // given: a JVM that has checked its own folder, which must not cost it the lock
        PrivateFolder own = PrivateFolder.make(place);
        sweep();
        assertThat(own.path()).exists();

        // when
        rootOf(jvm());

        // then
        assertThat(own.path()).exists();
        own.delete();
        assertThat(own.path()).doesNotExist();
    }

    @Test
    void partlyDeletedFolderIsRemoved() throws IOException {
        Path left = left(named("1-1-abcdef"));
        Files.createDirectories(left.resolve(".host-closing-1/sys/devices"));
        Files.createSymbolicLink(left.resolve("link"), outside);

        sweep();

        assertThat(left).doesNotExist();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void foreignEntriesAreLeftAlone() throws Exception {
        // given: names of others; one without a lock; links; and a pipe, which would block its opener forever
        left("fake-neuron-1234567890");
        Files.createFile(
                Files.createDirectory(place.resolve(named("1-1-nolock"))).resolve("unlocked"));
        Files.createSymbolicLink(place.resolve(named("1-1-alink1")), outside);
        Path linked = Files.createDirectory(place.resolve(named("1-1-alink2")));
        Files.createSymbolicLink(linked.resolve(PrivateFolder.LOCK), outside.resolve("lock"));
        pipe(place.resolve(named("1-1-apipe1")));
        List<Path> before = folders();

        // when
        sweep();

        // then
        assertThat(before).hasSize(5);
        assertThat(folders()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void folderOfAnotherUserIsLeftAlone() throws IOException {
        Path left = left(named("1-1-abcdef"));
        try {
            Files.setAttribute(left, "unix:uid", 65534);
        } catch (IOException e) {
            assumeTrue(false, "only root can give a folder to another user: " + e);
        }

        sweep();

        assertThat(left).exists();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void doesNotWaitForPipes() throws Exception {
        // given
        Path left = Files.createDirectory(place.resolve(named("1-1-apipe2")));
        pipe(left.resolve(PrivateFolder.LOCK));

        // when
        sweep();

        // then
        assertThat(left).doesNotExist();
    }

    @Test
    void removesFolderOfAJvmKilledBeforeLocking() throws IOException {
        // given
        Path empty = Files.createDirectory(place.resolve(named("1-1-nolock")));

        // when
        assertThat(PrivateFolder.left(place, true)).containsExactly(empty);

        // then
        assertThat(empty).doesNotExist();
    }

    /** Returns the name that a JVM of this boot would use. */
    private String named(String jvm) throws IOException {
        PrivateFolder own = PrivateFolder.make(place);
        own.delete();
        return own.path().getFileName().toString().replaceFirst("-[0-9]+-[^-]+-[^-]+$", "-" + jvm);
    }

    private Path left(String name) throws IOException {
        Path folder = Files.createDirectory(place.resolve(name));
        Files.createFile(folder.resolve(PrivateFolder.LOCK));
        Files.createDirectory(folder.resolve("host"));
        return folder;
    }

    private static void pipe(Path path) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", path.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }
}
