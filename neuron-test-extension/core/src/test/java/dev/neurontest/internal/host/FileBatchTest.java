package dev.neurontest.internal.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileBatchTest {

    /** A number that is large enough to split the batch between threads. */
    private static final int MANY = 3000;

    @TempDir
    Path temporary;

    private Path root;
    private FileTree tree;

    @BeforeEach
    void makeHost() throws IOException {
        root = Files.createDirectory(temporary.resolve("host")).toRealPath();
        Files.createDirectories(root.resolve("core"));
        tree = FileTree.at(root);
    }

    /** A sink that stores the content of files, and fails at a second answer for one file. */
    private static final class SinkFixture implements HostTree.Sink {

        final Map<Integer, String> contents = new ConcurrentHashMap<>();
        final Map<Integer, IOException> failures = new ConcurrentHashMap<>();

        @Override
        public void content(int index, byte[] buffer, int length) {
            assertThat(contents.put(index, new String(buffer, 0, length, UTF_8)))
                    .isNull();
        }

        @Override
        public void failed(int index, IOException cause) {
            assertThat(failures.put(index, cause)).isNull();
        }
    }

    private static SinkFixture read(HostTree.Batch batch) {
        SinkFixture sink = new SinkFixture();
        batch.read(sink);
        return sink;
    }

    private List<String> files(int count) throws IOException {
        List<String> paths = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            paths.add("core/total" + index);
            Files.writeString(root.resolve("core/total" + index), index + "\n");
        }
        return paths;
    }

    @Test
    void keepsTheOrderOfItsPaths() throws IOException {
        // given
        List<String> paths = files(3);

        // when
        HostTree.Batch batch = tree.prepare(paths);

        // then
        assertThat(batch.size()).isEqualTo(3);
        assertThat(IntStream.range(0, 3).mapToObj(batch::path)).isEqualTo(paths);
    }

    @Test
    void readsAFewFiles() throws IOException {
        // when
        SinkFixture sink = read(tree.prepare(files(3)));

        // then
        assertThat(sink.contents).containsExactlyInAnyOrderEntriesOf(Map.of(0, "0\n", 1, "1\n", 2, "2\n"));
    }

    @Test
    void readsManyFilesEachOnce() throws IOException {
        // given
        HostTree.Batch batch = tree.prepare(files(MANY));

        for (int round = 0; round < 20; round++) {
            // when
            SinkFixture sink = read(batch);

            // then
            assertThat(sink.failures).isEmpty();
            assertThat(sink.contents)
                    .hasSize(MANY)
                    .allSatisfy((index, content) -> assertThat(content).isEqualTo(index + "\n"));
        }
    }

    @Test
    void readsNothingFromEmptyBatch() {
        // then
        assertThat(read(tree.prepare(List.of())).contents).isEmpty();
    }

    @Test
    void distinguishesEmptyFromMissingFile() throws IOException {
        // given
        Files.createFile(root.resolve("core/empty"));

        // when
        SinkFixture sink = read(tree.prepare(List.of("core/empty", "core/missing", "nowhere/at/all")));

        // then
        assertThat(sink.contents).containsExactly(Map.entry(0, ""));
        assertThat(sink.failures.get(1)).isInstanceOf(NoSuchFileException.class).hasMessageContaining("core/missing");
        assertThat(sink.failures.get(2)).isInstanceOf(NoSuchFileException.class).hasMessageContaining("nowhere/at/all");
    }

    @Test
    void readsFileThatAppearsLater() throws IOException {
        // given
        HostTree.Batch batch = tree.prepare(List.of("core/total", "neuron1/total"));
        assertThat(read(batch).failures).hasSize(2);

        // when
        Files.writeString(root.resolve("core/total"), "7\n");
        Files.writeString(Files.createDirectory(root.resolve("neuron1")).resolve("total"), "8\n");

        // then
        assertThat(read(batch).contents).containsExactlyInAnyOrderEntriesOf(Map.of(0, "7\n", 1, "8\n"));
    }

    @Test
    void readsReplacedFileAgain() throws IOException {
        // given
        HostTree.Batch batch = tree.prepare(files(1));
        read(batch);

        // when
        Path next = Files.writeString(root.resolve("next"), "18446744073709543424\n");
        Files.move(next, root.resolve("core/total0"), StandardCopyOption.REPLACE_EXISTING);

        // then
        assertThat(read(batch).contents).containsEntry(0, "18446744073709543424\n");
    }

    @Test
    void readsFilesLongerThanAPageWhole() throws IOException {
        // given
        List<String> contents =
                Stream.of(4096, 4097, 4098, 20_000).map("x"::repeat).toList();
        List<String> paths = new ArrayList<>();
        for (String content : contents) {
            paths.add("core/" + content.length());
            Files.writeString(root.resolve("core/" + content.length()), content);
        }

        // when
        SinkFixture sink = read(tree.prepare(paths));

        // then
        assertThat(IntStream.range(0, 4).mapToObj(sink.contents::get)).isEqualTo(contents);
    }

    @Test
    void refusesFileLongerThanAnyOfDriver() throws IOException {
        // given
        Files.write(root.resolve("core/garbage"), new byte[FileTree.LONGEST + 1]);

        // when
        SinkFixture sink = read(tree.prepare(List.of("core/garbage")));

        // then
        assertThat(sink.failures.get(0)).hasMessageContaining("longer than any file of the driver");
    }

    @Test
    void followsLinksOnlyInsideRoot() throws IOException {
        // given
        Path secret = Files.writeString(temporary.resolve("secret"), "secret");
        Files.writeString(root.resolve("core/total"), "7\n");
        Files.createSymbolicLink(root.resolve("core/inside"), Path.of("total"));
        Files.createSymbolicLink(root.resolve("core/outside"), secret);
        Files.createSymbolicLink(root.resolve("linked"), temporary);

        // when
        SinkFixture sink = read(tree.prepare(List.of("core/inside", "core/outside", "linked/secret")));

        // then
        assertThat(sink.contents).containsExactly(Map.entry(0, "7\n"));
        assertThat(sink.failures.values())
                .hasSize(2)
                .allSatisfy(cause -> assertThat(cause)
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("leads out of the host's root"));
    }

    @Test
    void doesNotFollowLinkPlantedAfterPrepare() throws IOException {
        // given
        Path secret = Files.writeString(temporary.resolve("secret"), "secret");
        HostTree.Batch batch = tree.prepare(files(1));

        // when
        Files.delete(root.resolve("core/total0"));
        Files.createSymbolicLink(root.resolve("core/total0"), secret);

        // then
        assertThat(read(batch).failures.get(0)).hasMessageContaining("leads out of the host's root");
    }

    @Test
    void propagatesExceptionOfSink() throws IOException {
        // given
        HostTree.Batch batch = tree.prepare(files(MANY));

        // then
        assertThatIllegalStateException()
                .isThrownBy(() -> batch.read(new HostTree.Sink() {
                    @Override
                    public void content(int index, byte[] buffer, int length) {
                        throw new IllegalStateException("enough");
                    }

                    @Override
                    public void failed(int index, IOException cause) {}
                }))
                .withMessage("enough");
        assertThat(read(batch).contents).hasSize(MANY);
    }

    @Test
    void readsInInterruptedThread() throws IOException {
        // given a test after its timeout
        HostTree.Batch batch = tree.prepare(files(MANY));
        Thread.currentThread().interrupt();

        SinkFixture sink;
        try {
            // when
            sink = read(batch);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        // then
        assertThat(sink.contents).hasSize(MANY);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void keepsNoDescriptorOpen() throws IOException {
        // given
        HostTree.Batch batch = tree.prepare(files(MANY));

        // when
        read(batch);

        // then
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(descriptors.toList())
                    .noneMatch(descriptor -> target(descriptor).startsWith(root.toString()));
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
