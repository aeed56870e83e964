package dev.neurontest.internal.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests of silent files. A pipe that is taken for a regular file represents an attribute with a hanging driver. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class SilentFilesTest {

    /** The limit for silent files. An ordinary file may take longer if its reader gets no processor. */
    private static final Duration LIMIT = Duration.ofMillis(300);

    @TempDir
    Path temporary;

    private Path root;
    private final List<Path> pipes = new ArrayList<>();
    private final Map<Integer, String> contents = new ConcurrentHashMap<>();
    private final Map<Integer, IOException> failures = new ConcurrentHashMap<>();

    /** The number of threads that other tests of this JVM have left behind. */
    private long others;

    @BeforeEach
    void makeHost() throws IOException {
        root = temporary.toRealPath();
        others = readers();
    }

    /** Releases the threads that were left behind. */
    @AfterEach
    void answerAll() throws IOException {
        for (Path pipe : pipes) {
            answer(pipe, "");
        }
        await().atMost(Patience.LIMIT).until(() -> readers() <= others);
    }

    private void pipe(String name) {
        pipes.add(Pipes.make(root.resolve(name)));
    }

    /** Answers a reader. A pipe opened for both does not block; its reader gets the text and the end of the file. */
    private static void answer(Path pipe, String text) throws IOException {
        try (SeekableByteChannel both = Files.newByteChannel(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            both.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
        }
    }

    private static long readers() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("neuron-test-reader"))
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().startsWith("dev.neurontest.internal.host.")))
                .count();
    }

    private FileTree hanging() throws IOException {
        return hanging(LIMIT);
    }

    private FileTree hanging(Duration limit) throws IOException {
        return FileTree.at(root, new SilentFiles(limit, path -> false));
    }

    private void read(HostTree.Batch batch) {
        contents.clear();
        failures.clear();
        batch.read(new HostTree.Sink() {
            @Override
            public void content(int index, byte[] buffer, int length) {
                assertThat(contents.put(index, new String(buffer, 0, length, UTF_8)))
                        .isNull();
            }

            @Override
            public void failed(int index, IOException cause) {
                assertThat(failures.put(index, cause)).isNull();
            }
        });
    }

    private List<String> files(int count) throws IOException {
        List<String> paths = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            paths.add("total" + index);
            Files.writeString(root.resolve("total" + index), index + "\n");
        }
        return paths;
    }

    @Test
    void failAfterLimitOfTree() throws IOException {
        // given
        pipe("total");
        FileTree tree = hanging();

        // then
        assertThatExceptionOfType(NoAnswerException.class)
                .isThrownBy(() -> tree.read("total"))
                .withMessage(root.resolve("total") + ": no response within 0.3s; the driver may hang (dmesg)");
    }

    @Test
    void failAfterLimitOfCaller() throws IOException {
        // given
        pipe("total");
        FileTree tree = hanging(Duration.ofDays(1));

        // then
        assertThatExceptionOfType(NoAnswerException.class)
                .isThrownBy(() -> tree.read("total", LIMIT))
                .withMessageContaining("no response within 0.3s");
    }

    @Test
    void pipeIsRefusedAsNoRegularFile() throws IOException {
        // given
        pipe("total");

        // then
        assertThatExceptionOfType(NoAnswerException.class)
                .isThrownBy(() -> FileTree.at(root).read("total"))
                .withMessage(root.resolve("total") + ": it is not a regular file, and reading it does not end");
    }

    @Test
    void areNotReadAgainBeforeTheyAnswer() throws IOException {
        // given
        pipe("total");
        FileTree tree = hanging();
        assertThatThrownBy(() -> tree.read("total")).hasMessageContaining("no response");
        long threads = readers();

        // when
        for (int again = 0; again < 20; again++) {
            assertThatThrownBy(() -> tree.read("total")).hasMessageContaining("is not read again until it responds");
        }

        // then no more threads are left behind: those of other files end, a thread at the pipe would not
        await().atMost(Patience.LIMIT).until(() -> readers() <= threads);

        // when
        answer(root.resolve("total"), "7\n");

        // then
        await().atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThatThrownBy(() -> tree.read("total")).hasMessageContaining("no response within"));
    }

    @Test
    void areAwaitedInInterruptedThreadToo() throws IOException {
        // given a test after its timeout
        Files.writeString(root.resolve("total"), "7\n");
        pipe("silent");
        FileTree patient = hanging(Duration.ofDays(1));
        FileTree tree = hanging();
        Thread.currentThread().interrupt();

        try {
            // when, then
            assertThat(patient.read("total")).asString(UTF_8).isEqualTo("7\n");
            assertThatThrownBy(() -> tree.read("silent")).isInstanceOf(NoAnswerException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void doNotPreventOtherReadsOfBatch() throws IOException {
        // given a first file, one in the middle, the last of a chunk, and the last of all
        List<String> paths = new ArrayList<>(files(1000));
        List<Integer> silent = List.of(0, 300, 383, 999);
        for (int index : silent) {
            Files.delete(root.resolve(paths.get(index)));
            pipe(paths.get(index));
        }
        HostTree.Batch batch = hanging(Duration.ofSeconds(2)).prepare(paths);

        // when
        read(batch);

        // then
        assertThat(failures.keySet()).containsExactlyInAnyOrderElementsOf(silent);
        assertThat(failures)
                .allSatisfy((index, cause) -> assertThat(cause)
                        .isInstanceOf(NoAnswerException.class)
                        .hasMessageStartingWith(root.resolve(paths.get(index)) + ": no response within"));
        assertThat(failures.values())
                .extracting(cause -> cause.getMessage().replaceAll(".* within (.*);.*", "$1"))
                .as(
                        "two are waited for in full, and the others as long as a busy machine may need for an ordinary file")
                .containsExactlyInAnyOrder("2s", "2s", "1s", "1s");
        assertThat(contents)
                .hasSize(996)
                .allSatisfy((index, content) -> assertThat(content).isEqualTo(index + "\n"));

        // when it is read again
        read(batch);

        // then
        assertThat(contents).hasSize(996);
        assertThat(failures.values())
                .hasSize(4)
                .allSatisfy(cause -> assertThat(cause).hasMessageContaining("is not read again"));
    }

    @Test
    void areAwaitedUpToLimitButAtLeastOneSecond() {
        // given
        Duration limit = Duration.ofSeconds(5);

        // then
        assertThat(FileBatch.patience(limit, Duration.ofSeconds(10))).isEqualTo(limit);
        assertThat(FileBatch.patience(limit, Duration.ofSeconds(3))).hasSeconds(3);
        assertThat(FileBatch.patience(limit, Duration.ofMillis(500))).hasSeconds(1);
        assertThat(FileBatch.patience(limit, Duration.ZERO)).hasSeconds(1);
        assertThat(FileBatch.patience(limit, Duration.ofSeconds(-1))).hasSeconds(1);
        assertThat(FileBatch.patience(LIMIT, Duration.ZERO)).isEqualTo(LIMIT);
    }

    @Test
    void lateAnswerIsIgnoredByItsBatch() throws IOException {
        // given
        pipe("total");
        HostTree.Batch batch = hanging().prepare(List.of("total"));
        read(batch);
        assertThat(failures).hasSize(1);
        assertThat(readers()).isGreaterThan(others);

        // when
        answer(root.resolve("total"), "7\n");
        await().atMost(Patience.LIMIT).until(() -> readers() <= others);

        // then
        assertThat(contents).isEmpty();
    }

    @Test
    void sixtyFourSilentFilesStopFurtherReads() throws IOException {
        // given
        Files.writeString(root.resolve("total"), "7\n");
        FileTree tree = hanging(Duration.ofDays(1));
        for (int other = 0; other < 64; other++) {
            tree.silent().add("other" + other, () -> false);
        }

        // then
        assertThatThrownBy(() -> tree.read("total"))
                .isInstanceOf(NoAnswerException.class)
                .hasMessageContaining("64 other files of this host do not respond");

        // when one of the files answers
        tree.silent().add("other7", () -> true);

        // then
        assertThatCode(() -> tree.read("total")).doesNotThrowAnyException();
    }
}
