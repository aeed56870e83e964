package dev.neurontest.internal.baseline.history;

import static dev.neurontest.internal.baseline.history.BaselineFixture.INF2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.LATENCY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.entry;
import static dev.neurontest.internal.baseline.history.BaselineFixture.instructions;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BaselineStoreTest {

    @TempDir
    Path folder;

    private Path directory;
    private BaselineStore store;

    @BeforeEach
    void open() {
        directory = folder.resolve("src").resolve("neuron-baselines");
        store = BaselineStore.in(directory);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static BaselineEntry recorded(BaselineEntry entry, Stack stack, String date) {
        return new BaselineEntry(
                entry.key(),
                entry.metric(),
                stack,
                entry.sample(),
                entry.neff(),
                LocalDate.parse(date),
                entry.commit(),
                entry.note(),
                entry.history());
    }

    @Nested
    class Found {

        @Test
        void isEmptyWithoutFolderAndCreatesNone() {
            // then
            assertThat(store.find(KEY, TRN2)).isEmpty();
            assertThat(store.nearest(KEY, TRN2)).isEmpty();
            assertThat(store.entries()).isEmpty();
            assertThat(directory.getParent()).doesNotExist();
        }

        @Test
        void baselineMatchesMetricAndStack() {
            // given
            BaselineFixture.write(
                    store, List.of(latency(17), latency("other()", 3), entry(KEY, LATENCY, INF2, around(40))));

            // then
            assertThat(store.find(KEY, TRN2)).contains(latency(17));
        }

        @Test
        void excludesBaselineOfOtherStack() {
            // given
            BaselineFixture.write(store, List.of(entry(KEY, LATENCY, INF2, around(40))));

            // then
            assertThat(store.find(KEY, TRN2)).isEmpty();
        }

        @Test
        void entriesIncludeAllClasses() throws IOException {
            // given
            BaselineEntry other =
                    entry(new BaselineKey("com.acme.Outer$Inner", "test()", "total_time"), LATENCY, TRN2, around(1));
            BaselineFixture.write(store, List.of(other, latency(17)));

            // then
            assertThat(store.entries()).containsExactly(latency(17), other);
            assertThat(files()).containsExactly("com.acme.BertTest.json", "com.acme.Outer$Inner.json");
        }

        @Test
        void contentsReportBrokenFileAndKeepReadableOne() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Files.writeString(directory.resolve("com.acme.Broken.json"), "{");

            // then
            assertThat(store.contents().entries()).containsExactly(latency(17));
            assertThat(store.contents().problems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.file()).hasFileName("com.acme.Broken.json"));
            assertThatThrownBy(store::entries).isInstanceOf(BaselineException.class);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "{",
                    "null",
                    "\0",
                    "{\"version\": NaN}",
                    "{\"version\": 1, \"kind\": \"baselines\", \"testClass\": \"com.acme.Broken\", \"entries\": [[]]}",
                    "{\"version\": 1, \"kind\": \"baselines\", \"testClass\": \"\ud800\"}"
                })
        void contentsKeepReadableFileNextToMalformedOne(String content) throws IOException {
            assertOnlyBroken(content.getBytes(StandardCharsets.UTF_8));
        }

        @Test
        void contentsKeepReadableFileNextToOversizedOne() throws IOException {
            assertOnlyBroken("[".repeat(10_000).getBytes(StandardCharsets.UTF_8));
            assertOnlyBroken("{\"a\":".repeat(10_000).getBytes(StandardCharsets.UTF_8));
            assertOnlyBroken(("{\"version\": " + "9".repeat(10_000) + "}").getBytes(StandardCharsets.UTF_8));
            assertOnlyBroken("{\"version\": \"größe\"}".getBytes(StandardCharsets.ISO_8859_1));
            assertOnlyBroken(new byte[20 << 20]);
        }

        private void assertOnlyBroken(byte[] content) throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Files.write(directory.resolve("com.acme.Broken.json"), content);
            Files.createDirectories(directory.resolve("com.acme.Folder.json"));

            // then
            assertThat(store.contents().entries()).containsExactly(latency(17));
            assertThat(store.contents().problems())
                    .extracting(problem -> problem.file().getFileName().toString())
                    .containsExactly("com.acme.Broken.json", "com.acme.Folder.json");
        }

        @Test
        void baselineInFileOfOtherClassIsRefused() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Files.move(directory.resolve("com.acme.BertTest.json"), directory.resolve("com.acme.GptTest.json"));

            // then
            assertThatThrownBy(store::entries)
                    .isInstanceOf(BaselineException.class)
                    .hasMessage(directory.resolve("com.acme.GptTest.json")
                            + " names the class com.acme.BertTest. Rename it to com.acme.BertTest.json.");
        }
    }

    @Nested
    class Nearest {

        private static final Stack OLD_DRIVER =
                Stack.of(Map.of("instance", "trn2.48xlarge", "lnc", "2", "driver", "2.29", "runtime", "2.33"));
        private static final Stack OLD_RUNTIME =
                Stack.of(Map.of("instance", "trn2.48xlarge", "lnc", "2", "driver", "2.30", "runtime", "2.32"));

        @Test
        void hasTheMostEqualParts() {
            // given
            BaselineFixture.write(
                    store,
                    List.of(
                            recorded(latency(40), INF2, "2026-11-20"),
                            recorded(latency(17), OLD_DRIVER, "2026-01-01")));

            // then
            assertThat(store.nearest(KEY, TRN2)).contains(OLD_DRIVER);
        }

        @Test
        void isLatestOfEquallySimilarStacks() {
            // given
            BaselineFixture.write(
                    store,
                    List.of(
                            recorded(latency(18), OLD_DRIVER, "2026-03-01"),
                            recorded(latency(17), OLD_RUNTIME, "2026-02-01")));

            // then
            assertThat(store.nearest(KEY, TRN2)).contains(OLD_DRIVER);
        }

        @Test
        void excludesSameStackAndOtherMetrics() {
            // given
            BaselineFixture.write(store, List.of(latency(17), recorded(instructions(7), INF2, "2026-11-20")));

            // then
            assertThat(store.nearest(KEY, TRN2)).isEmpty();
        }
    }

    @Nested
    class Orphans {

        @Test
        void areUnmeasuredMetricsOfClassesInRun() {
            // given
            BaselineEntry gone = latency("gone()", 3);
            BaselineEntry otherClass =
                    entry(new BaselineKey("com.acme.GptTest", "test()", "total_time"), LATENCY, TRN2, around(1));
            BaselineEntry otherStack = entry(KEY, LATENCY, INF2, around(40));
            BaselineFixture.write(store, List.of(latency(17), otherStack, gone, otherClass));

            // then
            assertThat(store.orphans(Set.of(KEY))).containsExactly(gone);
        }
    }

    @Nested
    class Pointer {

        @Test
        void namesFileAndEntry() {
            // given
            BaselineFixture.write(store, List.of(latency("a()", 1), latency(17)));

            // then
            assertThat(store.pointer(KEY, TRN2)).isEqualTo(directory.resolve("com.acme.BertTest.json") + " /entries/1");
        }

        @Test
        void namesFileAloneWithoutEntry() {
            // then
            assertThat(store.pointer(KEY, TRN2))
                    .isEqualTo(directory.resolve("com.acme.BertTest.json").toString());
        }
    }

    @Nested
    class Written {

        @Test
        void replacesFormerBaselineWithoutLeftovers() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17), instructions(7)));

            // when
            BaselineFixture.write(store, List.of(latency(16)));

            // then
            assertThat(store.entries()).containsExactly(instructions(7), latency(16));
            assertThat(files()).containsExactly("com.acme.BertTest.json");
        }

        @Test
        void removesLeftoversOfKilledProcess() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Files.writeString(directory.resolve(".5c0f0d52.tmp"), "half of a fi");
            Files.writeString(directory.resolve(".gitignore"), "");

            // when
            BaselineFixture.write(store, List.of(latency(16)));

            // then
            assertThat(files()).containsExactly(".gitignore", "com.acme.BertTest.json");
        }

        @Test
        void doesNotTouchUnchangedFile() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Path file = directory.resolve("com.acme.BertTest.json");
            String withOwnLayout = Files.readString(file).replace("\n", "\r\n");
            Files.writeString(file, withOwnLayout);

            // when
            BaselineFixture.write(store, List.of(latency(17)));

            // then
            assertThat(file).content().isEqualTo(withOwnLayout);
        }

        @Test
        void lastBaselineIsRemovedWithItsFile() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17), instructions(7)));

            // when
            store.remove(KEY, TRN2);

            // then
            assertThat(store.entries()).containsExactly(instructions(7));

            // when
            store.remove(instructions(7).key(), TRN2);

            // then
            assertThat(files()).isEmpty();
        }

        @Test
        void neverReplacesUnreadableFile() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Path file = directory.resolve("com.acme.BertTest.json");
            String newer = Files.readString(file).replace("\"version\": 1", "\"version\": 2");
            for (String content : List.of(newer, newer.substring(0, 100), "")) {
                Files.writeString(file, content);

                // then
                assertThatThrownBy(() -> BaselineFixture.write(store, List.of(latency(16))))
                        .isInstanceOf(BaselineException.class);
                assertThatThrownBy(() -> store.remove(KEY, TRN2)).isInstanceOf(BaselineException.class);
                assertThat(file).content().isEqualTo(content);
                assertThat(files()).containsExactly("com.acme.BertTest.json");
            }
        }

        @Test
        void staysInFolderForHostileClassName() throws IOException {
            // given
            BaselineKey hostile = new BaselineKey("../../outside", "test()", "total_time");

            // when
            BaselineFixture.write(store, List.of(entry(hostile, LATENCY, TRN2, around(1))));

            // then
            assertThat(store.find(hostile, TRN2)).isPresent();
            assertThat(files()).containsExactly("%2E.%2F..%2Foutside.json");
        }
    }

    @Nested
    class Refused {

        private void assertUnusable(Path path, String problem) {
            assertThatThrownBy(() -> BaselineFixture.write(store, List.of(latency(16))))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageStartingWith(path + " " + problem);
        }

        @Test
        void refusesLinkInPlaceOfFolder() throws IOException {
            // given
            Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
            Files.createDirectories(directory.getParent());
            Files.createSymbolicLink(directory, elsewhere);

            // then
            assertUnusable(directory, "is a symbolic link, which is not followed");
            assertThatThrownBy(() -> store.find(KEY, TRN2)).isInstanceOf(BaselineException.class);
            assertThat(elsewhere).isEmptyDirectory();
        }

        @Test
        void refusesLinkInPlaceOfFile() throws IOException {
            // given
            BaselineFixture.write(store, List.of(instructions(7)));
            Path file = directory.resolve("com.acme.BertTest.json");
            Path elsewhere = folder.resolve("elsewhere.json");
            Files.move(file, elsewhere);
            String before = Files.readString(elsewhere);
            Files.createSymbolicLink(file, elsewhere);

            // then
            assertUnusable(file, "is a symbolic link, which is not followed");
            assertThat(elsewhere).content().isEqualTo(before);
            assertThat(file).isSymbolicLink();
        }

        @Test
        void refusesDanglingLinkInPlaceOfFile() throws IOException {
            // given
            BaselineFixture.write(store, List.of(instructions(7)));
            Path file = directory.resolve("com.acme.BertTest.json");
            Files.delete(file);
            Files.createSymbolicLink(file, folder.resolve("nothing"));

            // then
            assertUnusable(file, "is a symbolic link, which is not followed");
            assertThat(folder.resolve("nothing")).doesNotExist();
        }

        @Test
        void refusesLinkInPlaceOfLock() throws IOException {
            // given
            Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "precious");
            Files.createDirectories(directory);
            Files.createSymbolicLink(directory.resolve(".lock"), elsewhere);

            // then
            assertUnusable(directory.resolve(".lock"), "is not a file. Remove it.");
            assertThat(elsewhere).content().isEqualTo("precious");
        }

        @Test
        void refusesDirectoryInPlaceOfFile() throws IOException {
            // given
            Path file = directory.resolve("com.acme.BertTest.json");
            Files.createDirectories(file);

            // then
            assertUnusable(file, "is not a file. Remove it.");
        }

        @Test
        void refusesFileInPlaceOfFolder() throws IOException {
            // given
            Files.createDirectories(directory.getParent());
            Files.writeString(directory, "");

            // then
            assertUnusable(
                    directory, "is not a folder. Remove it, or set neuron.test.baseline.directory to another folder.");
        }

        @Test
        void reportsFolderThatCannotBeCreated() throws IOException {
            // given
            Files.writeString(directory.getParent(), "");

            // then
            assertUnusable(directory, "cannot be written: ");
        }

        @Test
        void refusesWritingInReadOnlyFolderButReads() throws IOException {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
            try {
                assumeThat(Files.isWritable(directory))
                        .as("root may write everywhere")
                        .isFalse();

                // then
                assertUnusable(
                        directory, "cannot be written: access is denied. Free disk space, or allow this user to write");
                assertThat(store.find(KEY, TRN2)).contains(latency(17));
            } finally {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }
}
