package dev.neurontest.fake.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
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

/** What killed JVMs leave behind, and who removes it. */
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

    /** A JVM with a host in the place, for as long as it lives. */
    static final class HostFixture {

        private HostFixture() {}

        public static void main(String[] arguments) throws IOException {
            FakeNeuronHost host =
                    FakeNeuronHost.builder().folder(Path.of(arguments[0])).start();
            System.out.println(host.directory());
            System.in.read();
        }
    }

    private Process jvm() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HostFixture.class.getName(),
                        place.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    /** The root of the host of a JVM, once all of it is there. */
    private static Path rootOf(Process jvm) throws IOException {
        return Path.of(jvm.inputReader().readLine());
    }

    private void sweep() throws IOException {
        PrivateFolder.sweep(place, Files.getOwner(outside));
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
    void theHostOfAKilledJvmIsRemovedByTheNextOne() throws Exception {
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
    void theHostOfAKilledJvmIsListedUntilItIsRemoved() throws Exception {
        // given
        Process killed = jvm();
        Path left = rootOf(killed).getParent();
        assertThat(PrivateFolder.left(place)).isEmpty();
        assertThat(PrivateFolder.removeLeft(place)).isEmpty();

        // when
        killed.destroyForcibly().waitFor();

        // then
        assertThat(PrivateFolder.left(place)).containsExactly(left);
        assertThat(left.resolve("host/env.sh")).exists();
        assertThat(PrivateFolder.removeLeft(place)).containsExactly(left);
        assertThat(left).doesNotExist();
    }

    @Test
    void theHostOfALiveJvmIsNot() throws Exception {
        Path root = rootOf(jvm());

        sweep();
        rootOf(jvm());

        assertThat(root.resolve("env.sh")).exists();
    }

    @Test
    void theHostOfAStoppedJvmIsNot() throws Exception {
        Process stopped = jvm();
        Path root = rootOf(stopped);
        signal("STOP", stopped);

        sweep();

        assertThat(root.resolve("env.sh")).exists();
        signal("CONT", stopped);
    }

    @Test
    void theFoldersOfThisJvmAreNot() throws Exception {
        // given: it has looked itself, which must not cost it the lock
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
    void whatWasLeftInTheMiddleOfDeletingIsRemoved() throws IOException {
        Path left = left("fake-neuron-1-1-abcdef");
        Files.createDirectories(left.resolve(".host-closing-1/sys/devices"));
        Files.createSymbolicLink(left.resolve("link"), outside);

        sweep();

        assertThat(left).doesNotExist();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatOthersHaveMadeIsLeftAlone() throws Exception {
        // given: names of others; one that has no lock yet; links; and a pipe, which to open would take for ever
        left("fake-neuron-1234567890");
        left("fake-neuron-1-1-abcdef.old");
        Files.createDirectory(place.resolve("fake-neuron-1-1-nolock"));
        Files.createSymbolicLink(place.resolve("fake-neuron-1-1-alink1"), outside);
        Path linked = Files.createDirectory(place.resolve("fake-neuron-1-1-alink2"));
        Files.createSymbolicLink(linked.resolve(PrivateFolder.LOCK), outside.resolve("lock"));
        pipe(place.resolve("fake-neuron-1-1-apipe1"));
        pipe(Files.createDirectory(place.resolve("fake-neuron-1-1-apipe2")).resolve(PrivateFolder.LOCK));
        List<Path> before = folders();

        // when
        sweep();

        // then
        assertThat(before).hasSize(7);
        assertThat(folders()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void whatAnotherUserHasMadeIsLeftAlone() throws IOException {
        Path left = left("fake-neuron-1-1-abcdef");
        UserPrincipal other;
        try {
            other = place.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
            Files.setOwner(left, other);
        } catch (IOException e) {
            assumeTrue(false, "only root can give a folder to another user, and only to one there is: " + e);
            return;
        }

        sweep();

        assertThat(left).exists();
        PrivateFolder.sweep(place, other);
        assertThat(left).doesNotExist();
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
