package dev.neurontest.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** inotify on a plain directory. On other systems Java reads again and again instead, which is slow and proves nothing. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FileWatchTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir
    private Path root;

    private FileTree tree;

    @BeforeEach
    void fill() throws IOException {
        for (String counter : List.of("success", "failure")) {
            Files.createDirectories(root.resolve("status/" + counter));
            Files.writeString(root.resolve("status/" + counter + "/total"), "0\n");
        }
        tree = FileTree.at(root);
    }

    @Test
    void isWokenWhenAFileIsWrittenInPlace() throws Exception {
        // given
        try (HostTree.Watch watch = tree.watch(List.of("status/success/total", "status/failure/total"))) {
            // when
            Files.write(root.resolve("status/failure/total"), "1\n".getBytes(UTF_8), StandardOpenOption.WRITE);

            // then
            assertThat(watch.await(LONG)).isTrue();
        }
    }

    @Test
    void isWokenWhenAFileIsReplaced() throws Exception {
        // given
        Path replacement = Files.writeString(root.resolve("new"), "1\n");
        try (HostTree.Watch watch = tree.watch(List.of("status/success/total"))) {
            // when
            Files.move(replacement, root.resolve("status/success/total"), StandardCopyOption.ATOMIC_MOVE);

            // then
            assertThat(watch.await(LONG)).isTrue();
        }
    }

    @Test
    void isWokenByWhatCameBeforeItWaits() throws Exception {
        // given
        try (HostTree.Watch watch = tree.watch(List.of("status/success/total"))) {
            Files.writeString(root.resolve("status/success/total"), "1\n");
            assertThat(watch.await(LONG)).isTrue();

            // when
            Files.writeString(root.resolve("status/success/total"), "2\n");

            // then
            assertThat(watch.await(LONG)).isTrue();
        }
    }

    @Test
    void isNotWokenByWhatItDoesNotWatch() throws Exception {
        // given
        try (HostTree.Watch watch = tree.watch(List.of("status/success/total"))) {
            // when
            Files.writeString(root.resolve("status/failure/total"), "1\n");

            // then
            assertThat(watch.await(SHORT)).isFalse();
        }
    }

    @Test
    void listensToAnInterrupt() throws Exception {
        // given
        try (HostTree.Watch watch = tree.watch(List.of("status/success/total"))) {
            Thread.currentThread().interrupt();

            // when, then
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> watch.await(LONG));
        }
    }

    @Test
    void holdsFilesOpenSoThatTheKernelKeepsThemInMind() throws Exception {
        // given
        Path file = root.resolve("status/success/total").toRealPath();
        assertThat(open(file)).isZero();

        // when
        HostTree.Watch watch = tree.watch(List.of("status/success/total"));
        long during = open(file);
        watch.close();

        // then
        assertThat(during).isEqualTo(1);
        assertThat(open(file)).isZero();
    }

    @Test
    void refusesFileSystemsThatDoNotReportWhatTheirServerChanges() throws IOException {
        // given
        FileWatch.requireReports("sysfs");

        // when, then
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> FileWatch.requireReports("fuse.neuron-fake"))
                .withMessage("a file system of the kind fuse.neuron-fake reports no changes of its own");
    }

    @Test
    void refusesWhatIsNotThere() throws Exception {
        // when, then
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> tree.watch(List.of("status/success/total", "status/timeout/total")));
        assertThat(open(root.resolve("status/success/total").toRealPath())).isZero();
    }

    private static long open(Path file) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(each -> leadsTo(each, file)).count();
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
