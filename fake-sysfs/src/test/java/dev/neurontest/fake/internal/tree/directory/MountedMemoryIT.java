package dev.neurontest.fake.internal.tree.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.jvm.JvmCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Tests of hosts on machines with other file systems in memory, each mounted for one JVM alone. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class MountedMemoryIT {

    private static final Path MEMORY = Path.of("/dev/shm");

    // This folder is not in memory, because the tests mount over memory.
    @TempDir(factory = TempDirFactory.Standard.class)
    private Path temporary;

    @BeforeEach
    void requireTheRightToMount() throws IOException, InterruptedException {
        Process mount;
        try {
            mount = mounted("size=1m", "true");
        } catch (IOException e) {
            assumeTrue(false, "there is no program unshare: " + e);
            return;
        }
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(mount.waitFor() == 0, "a file system can be mounted by root alone: " + said);
    }

    /** Runs a program with a file system in memory of the given options. */
    private static Process mounted(String options, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "unshare", "-m", "sh", "-c", "mount -t tmpfs -o \"$0\" tmpfs /dev/shm && exec \"$@\"", options));
        words.addAll(List.of(command));
        return new ProcessBuilder(words).redirectErrorStream(true).start();
    }

    private List<String> lines(String options, Class<?> program) throws IOException, InterruptedException {
        Process process = mounted(
                options,
                JvmCommand.program(List.of("-Djava.io.tmpdir=" + temporary), program)
                        .toArray(String[]::new));
        List<String> lines = process.inputReader().lines().toList();
        assertThat(process.waitFor()).as("%s", lines).isZero();
        assertThat(temporary).isEmptyDirectory();
        return lines;
    }

    /** A program that prints the place of its host, the journal, and the files in memory before and after its end. */
    static final class HostFixture {

        private HostFixture() {}

        public static void main(String[] arguments) throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
                System.out.println("root " + host.directory());
                host.journal().forEach(System.out::println);
                print("with it");
            }
            print("without it");
        }

        private static void print(String when) throws IOException {
            try (Stream<Path> entries = Files.list(MEMORY)) {
                System.out.println("entries " + when + " " + entries.count());
            }
        }
    }

    /** A program that chooses memory that is too small, and prints the error message. */
    static final class ChosenFixture {

        private ChosenFixture() {}

        public static void main(String[] arguments) throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().folder(MEMORY).start()) {
                System.out.println(host.directory());
            } catch (UncheckedIOException e) {
                System.out.println(e.getMessage());
            }
            HostFixture.print("without it");
        }
    }

    /** A program that fills the file system of its host, starts a process, and prints the journal. */
    static final class FilledFixture {

        private FilledFixture() {}

        public static void main(String[] arguments) throws IOException {
            try (FakeNeuronHost host = FakeNeuronHost.builder().start()) {
                System.out.println("root " + host.directory());
                Path filler = MEMORY.resolve("filler");
                try (OutputStream out = Files.newOutputStream(filler)) {
                    while (true) {
                        out.write(new byte[4096]);
                    }
                } catch (IOException full) {
                    System.out.println("filled");
                }
                FakeProcess process = host.openProcess(host.device(0).core(0));
                host.awaitPublished();
                host.journal().forEach(System.out::println);
                Files.delete(filler);
                await().until(() -> Files.exists(host.directory().resolve("proc/" + process.pid() + "/comm")));
                System.out.println("published");
            }
            HostFixture.print("without it");
        }
    }

    @Test
    void memoryWithRoomIsUsed() throws Exception {
        assertThat(lines("size=64m", HostFixture.class))
                .anyMatch(line -> line.startsWith("root /dev/shm/"))
                .noneMatch(line -> line.contains("cannot be used"))
                .contains("entries with it 1", "entries without it 0");
    }

    @Test
    void unlimitedMemoryIsUsed() throws Exception {
        assertThat(lines("size=0", HostFixture.class)).anyMatch(line -> line.startsWith("root /dev/shm/"));
    }

    @Test
    void tooSmallMemoryIsNotUsed() throws Exception {
        assertNotUsed(lines("size=1m", HostFixture.class), "1024 KiB are free");
    }

    @Test
    void noexecMemoryIsNotUsed() throws Exception {
        assertNotUsed(lines("noexec", HostFixture.class), "mounted noexec");
    }

    @Test
    void readOnlyMemoryIsNotUsed() throws Exception {
        assertNotUsed(lines("ro", HostFixture.class), "not writable");
    }

    @Test
    void memoryFilledDuringCreationIsNotUsed() throws Exception {
        // A file system without free inodes reports that no space is left too.
        assertNotUsed(lines("nr_inodes=100", HostFixture.class), "No space left on device");
    }

    private void assertNotUsed(List<String> lines, String reason) throws IOException {
        String root = "root " + temporary.toRealPath() + "/";
        assertThat(lines).anyMatch(line -> line.startsWith(root)).contains("entries with it 0", "entries without it 0");
        assertThat(lines)
                .filteredOn(line -> line.contains("/dev/shm cannot be used"))
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).contains(reason).contains("neuron.test.fake.folder"));
    }

    @Test
    void chosenMemoryFilledDuringCreationIsRefused() throws Exception {
        assertThat(lines("size=512k", ChosenFixture.class))
                .anySatisfy(line -> assertThat(line)
                        .contains("/dev/shm")
                        .contains("No space left on device")
                        .contains("neuron.test.fake.folder"))
                .contains("entries without it 0");
    }

    @Test
    void memoryFilledLaterIsReported() throws Exception {
        assertThat(lines("size=16m", FilledFixture.class))
                .anyMatch(line -> line.startsWith("root /dev/shm/"))
                .contains("filled", "published", "entries without it 0")
                .anySatisfy(line -> assertThat(line)
                        .contains("cannot be published and will be retried")
                        .contains("No space left on device")
                        .contains("neuron.test.fake.folder"));
    }
}
