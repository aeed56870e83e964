package dev.neurontest.internal.evidence;

import static dev.neurontest.internal.evidence.EventsFixture.TEST;
import static dev.neurontest.internal.evidence.EventsFixture.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Judgement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunFileTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T09:30:00Z"), ZoneOffset.UTC);

    private final List<String> warnings = new ArrayList<>();

    @TempDir
    Path temp;

    private RunFile in(Path folder) {
        return new RunFile(folder, warnings::add);
    }

    private static List<RunEvent> events(RunLog log) {
        return log.lines().stream().map(RunLine::event).toList();
    }

    @Test
    void printsNoticeInOneLineWithoutSecrets() {
        // given
        RunFile file = in(temp.resolve("out"));

        // when
        file.printLine("it waits\u001b[2J\nfor TOKEN=hf_abcdefgh");

        // then
        assertThat(warnings).containsExactly("Neuron Test: it waits\\u001b[2J\\u000afor TOKEN=***");
        assertThat(temp).isEmptyDirectory();
    }

    @Nested
    class Folder {

        @Test
        void hasSafeNameNextToRunFile() {
            // given
            RunFile file = in(temp.resolve("out"));

            // when
            Path folder = file.folder(new TestId("id", "../../etc > t(\"a/b\")"));

            // then
            assertThat(folder).isDirectory();
            assertThat(folder.getParent().getParent()).isEqualTo(temp.resolve("out"));
            assertThat(folder.getFileName().toString()).startsWith(".._.._etc_t_a_b_-");
        }

        @Test
        void differsForEachTest() {
            // given
            RunFile file = in(temp.resolve("out"));

            // when, then
            assertThat(file.folder(new TestId("[1]", "t"))).isNotEqualTo(file.folder(new TestId("[2]", "t")));
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void isRemovedAtEndOnlyWhenEmpty(boolean empty) throws IOException {
            // given
            RunFile file = in(temp.resolve("out"));
            file.append(new RunEvent.Requested(TEST, "1 core"));
            Path folder = file.folder(TEST);
            if (empty) {
                Files.delete(folder);
            }

            // when
            file.finish();

            // then
            assertThat(Files.exists(folder.getParent())).isEqualTo(!empty);
        }

        @Test
        void isNotCreatedThroughLink() throws IOException {
            // given
            RunFile file = in(temp.resolve("out"));
            Path folder = file.folder(TEST);
            Files.delete(folder);
            Files.createSymbolicLink(folder, Files.createDirectory(temp.resolve("elsewhere")));

            // when, then
            assertThatThrownBy(() -> file.folder(TEST))
                    .hasMessageStartingWith("The folder %s of %s cannot be created (".formatted(folder, TEST.name()))
                    .hasMessageContaining("symbolic link")
                    .hasMessageEndingWith("Free disk space, or choose another folder with neuron.test.output.");
        }
    }

    @Nested
    class OtherRun {

        private final long pid = ProcessHandle.current().pid();

        private void died(RunEvent... events) {
            try (RunFile dead = in(temp)) {
                List.of(events).forEach(dead::append);
            }
        }

        private void makeOld() throws IOException {
            try (Stream<Path> files = Files.list(temp)) {
                for (Path file : files.toList()) {
                    Files.setLastModifiedTime(file, FileTime.from(Instant.EPOCH));
                }
            }
        }

        @Test
        void showsPhaseInWhichItDied() {
            // given
            RunEvent.PhaseStarted body = new RunEvent.PhaseStarted(TEST, Phase.BODY);
            died(
                    new RunEvent.PhaseStarted(TEST, Phase.SETUP),
                    body,
                    new RunEvent.PhaseStarted(new TestId("other", "other"), Phase.JUDGE));

            // when
            RunFile here = in(temp);

            // then
            assertThat(here.inFlight(pid, TEST.name())).contains(body);
            assertThat(here.inFlight(pid, "unknown")).isEmpty();
            assertThat(here.inFlight(pid + 1, TEST.name())).isEmpty();
        }

        @Test
        void showsRunningTestOfClassThatHeldCores() {
            // given
            TestId ended = new TestId("ended", "InferenceTest > ended()");
            RunEvent.PhaseStarted ofClass =
                    new RunEvent.PhaseStarted(new TestId("class", "InferenceTest"), Phase.SETUP);
            RunEvent.PhaseStarted running = new RunEvent.PhaseStarted(TEST, Phase.BODY);
            died(
                    ofClass,
                    new RunEvent.PhaseStarted(ended, Phase.BODY),
                    new RunEvent.TestFinished(ended, Outcome.PASSED, List.of(), null),
                    running);

            // then
            assertThat(in(temp).inFlight(pid, "InferenceTest")).contains(running);
            assertThat(in(temp).inFlight(pid, "Inference")).isEmpty();
        }

        @Test
        void isNewestWithSameProcessId() throws IOException {
            // given
            RunEvent.PhaseStarted now = new RunEvent.PhaseStarted(TEST, Phase.TEARDOWN);
            for (int run = 0; run < 5; run++) {
                died(new RunEvent.PhaseStarted(TEST, Phase.BODY));
            }
            makeOld();
            died(now);

            // then
            assertThat(in(temp).inFlight(pid, TEST.name())).contains(now);
        }

        @Test
        void isNotCurrentRun() throws IOException {
            // given
            died(new RunEvent.PhaseStarted(TEST, Phase.BODY));
            makeOld();
            RunFile here = in(temp);
            here.append(new RunEvent.PhaseStarted(TEST, Phase.SETTLE));

            // then
            assertThat(here.inFlight(pid, TEST.name()))
                    .map(RunEvent.PhaseStarted::phase)
                    .contains(Phase.BODY);
        }
    }

    @Test
    void createsNothingBeforeFirstEvent() {
        // given
        Path folder = temp.resolve("out");

        // when
        try (RunFile file = in(folder)) {
            // then
            assertThat(file.path()).isEmpty();
            assertThat(file.finish()).isEmpty();
            assertThat(folder).doesNotExist();
        }
    }

    @Test
    void emptyShardHasLastLineAndNoSummary() throws IOException {
        // given
        try (RunFile file = in(temp)) {
            file.append(new RunEvent.Sharded(8, 8, "", null, 0, "", false));
            Path path = file.path().orElseThrow();

            // then
            assertThat(file.finish()).isEmpty();
            assertThat(RunLog.read(path).lines())
                    .last()
                    .extracting(RunLine::event)
                    .isEqualTo(new RunEvent.RunFinished(0, 0, 0, 0, 0));
        }
    }

    @Test
    void isNamedAfterProcessAndBeginsWithRunStarted() throws IOException {
        // given
        Path folder = temp.resolve("target/neuron-test");

        try (RunFile file = in(folder)) {
            // when
            file.append(new RunEvent.Noticed(null, "first"));

            // then
            Path path = file.path().orElseThrow();
            assertThat(path.getParent()).isEqualTo(folder);
            assertThat(path.getFileName().toString())
                    .matches("run-" + ProcessHandle.current().pid() + "-[0-9a-f-]{36}\\.jsonl");
            assertThat(events(RunLog.read(path)).get(0)).isInstanceOfSatisfying(RunEvent.RunStarted.class, started -> {
                assertThat(started.version()).isEqualTo(3);
                assertThat(started.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(started.java()).isEqualTo(System.getProperty("java.runtime.version"));
                assertThat(started.os()).startsWith(System.getProperty("os.name") + " ");
                assertThat(started.module()).isNotEmpty();
                assertThat(started.directory()).isNotEmpty().doesNotContain("/");
            });
        }
    }

    @Test
    void holdsEventWhenAppendReturns() throws IOException {
        try (RunFile file = in(temp)) {
            for (RunEvent event : EventsFixture.one_of_each_type()) {
                // when
                file.append(event);

                // then
                assertThat(events(RunLog.read(file.path().orElseThrow()))).endsWith(event);
            }
            assertThat(RunLog.read(file.path().orElseThrow()).problems()).isEmpty();
        }
    }

    @Test
    void numbersItsLinesAndAddsTime() throws IOException {
        try (RunFile file = new RunFile(temp, warnings::add, CLOCK, Files::newOutputStream)) {
            // when
            file.append(new RunEvent.Noticed(null, "a"));
            file.append(new RunEvent.Noticed(null, "b"));

            // then
            assertThat(Files.readAllLines(file.path().orElseThrow()))
                    .element(2)
                    .isEqualTo("{\"seq\":3,\"time\":\"2026-11-21T09:30:00Z\",\"event\":\"noticed\",\"notice\":\"b\"}");
        }
    }

    @Test
    void splitsRecordingsAndJudgementsIntoEvents() throws IOException {
        try (RunFile file = in(temp)) {
            // when
            file.append(TEST, new EventsFixture.RecordingFixture("counters", "", "{ \"version\": 1 }"));
            file.append(
                    TEST,
                    new Judgement(
                            List.of(EventsFixture.VIOLATION), List.of(EventsFixture.UNDECIDED), List.of("a notice")));

            // then
            assertThat(events(RunLog.read(file.path().orElseThrow())).stream().skip(1))
                    .containsExactly(
                            new RunEvent.Recorded(TEST, "counters", new JsonObject("{\"version\":1}")),
                            new RunEvent.Violated(TEST, EventsFixture.VIOLATION),
                            new RunEvent.LeftUndecided(TEST, EventsFixture.UNDECIDED),
                            new RunEvent.Noticed(TEST, "a notice"));
        }
    }

    @Test
    void endsWithCountsAndReturnsSummary() throws IOException {
        // given
        RunFile file = in(temp);
        file.append(finished("a", Outcome.PASSED));
        Path path = file.path().orElseThrow();

        // when
        String summary = file.finish();

        // then
        assertThat(summary).contains("1 passed").endsWith("  run file: " + path + "\n");
        assertThat(events(RunLog.read(path))).endsWith(new RunEvent.RunFinished(1, 0, 0, 0, 0));
    }

    @Test
    void isNotClosedByInterrupt() throws IOException {
        try (RunFile file = in(temp)) {
            file.append(new RunEvent.Noticed(null, "before"));

            // when
            Thread.currentThread().interrupt();
            file.append(new RunEvent.Noticed(null, "interrupted"));
            boolean stillInterrupted = Thread.interrupted();
            file.append(new RunEvent.Noticed(null, "after"));

            // then
            assertThat(stillInterrupted).isTrue();
            assertThat(warnings).isEmpty();
            assertThat(RunLog.read(file.path().orElseThrow()).lines()).hasSize(4);
        }
    }

    @Test
    void keepsCountingAfterClose() throws IOException {
        // given
        RunFile file = in(temp);
        file.append(finished("a", Outcome.PASSED));
        Path path = file.path().orElseThrow();
        file.close();

        // when
        file.append(finished("b", Outcome.PASSED));
        file.close();

        // then
        assertThat(file.finish()).contains("2 passed");
        assertThat(RunLog.read(path).lines()).hasSize(2);
    }

    @Test
    void keepsLinesOfManyThreadsWholeAndInSequence() throws Exception {
        // given
        int threads = 8;
        int each = 10_000;
        ExecutorService pool = Executors.newFixedThreadPool(threads);

        try (RunFile file = in(temp)) {
            // when
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                TestId test = new TestId("[thread:" + thread + "]", "thread " + thread);
                running.add(pool.submit(() -> IntStream.range(0, each)
                        .forEach(index -> file.append(new RunEvent.Requested(test, "request " + index)))));
            }
            for (Future<?> one : running) {
                one.get();
            }

            // then
            RunLog log = RunLog.read(file.path().orElseThrow());
            assertThat(log.problems()).isEmpty();
            assertThat(log.lines().stream().mapToLong(RunLine::sequence))
                    .containsExactlyElementsOf(LongStream.rangeClosed(1, threads * each + 1)
                            .boxed()
                            .toList());
            assertThat(log.lines()).extracting(RunLine::time).isSorted();
            assertThat(log.lines().stream()
                            .map(RunLine::event)
                            .filter(RunEvent.Requested.class::isInstance)
                            .map(RunEvent.Requested.class::cast)
                            .filter(requested -> requested.test().name().equals("thread 3"))
                            .map(RunEvent.Requested::request))
                    .containsExactlyElementsOf(IntStream.range(0, each)
                            .mapToObj(index -> "request " + index)
                            .toList());
        } finally {
            pool.shutdownNow();
        }
    }

    @Nested
    class BadFolders {

        @Test
        void linkAsFolderIsNotFollowed() throws IOException {
            // given
            Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
            Path folder = Files.createSymbolicLink(temp.resolve("out"), elsewhere);

            // when
            try (RunFile file = in(folder)) {
                file.append(finished("a", Outcome.PASSED));

                // then
                assertThat(file.path()).isEmpty();
                assertThat(elsewhere).isEmptyDirectory();
                assertThat(warnings).singleElement().asString().contains("symbolic link, which is not followed");
            }
        }

        @Test
        void danglingLinkIsNotFollowed() throws IOException {
            // given
            Path nowhere = temp.resolve("nowhere");
            Path folder = Files.createSymbolicLink(temp.resolve("out"), nowhere);

            // when
            try (RunFile file = in(folder.resolve("deeper"))) {
                file.append(finished("a", Outcome.PASSED));

                // then
                assertThat(nowhere).doesNotExist();
                assertThat(warnings).singleElement().asString().contains("symbolic link, which is not followed");
            }
        }

        @Test
        void projectBehindLinkIsAccepted() throws IOException {
            // given
            Path project = Files.createDirectory(temp.resolve("project"));
            Path link = Files.createSymbolicLink(temp.resolve("link"), project);

            // when
            try (RunFile file = in(link.resolve("target/neuron-test"))) {
                file.append(finished("a", Outcome.PASSED));

                // then
                assertThat(warnings).isEmpty();
                assertThat(project.resolve("target/neuron-test")).isNotEmptyDirectory();
            }
        }

        @Test
        void uncreatableFolderIsReportedOnceAndSummaryIsComplete() throws IOException {
            // given
            Path notADirectory = Files.createFile(temp.resolve("out"));

            // when
            RunFile file = in(notADirectory.resolve("neuron-test"));
            file.append(finished("a", Outcome.PASSED));
            file.append(finished("b", Outcome.FAILED));

            // then
            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .startsWith("The run file " + notADirectory.resolve("neuron-test/run-"))
                    .contains("cannot be written: ")
                    .contains("it is not a directory")
                    .endsWith("Tests continue, but reports made from it will lack events."
                            + " Free disk space, or choose another folder with neuron.test.output.");
            assertThat(file.finish()).contains("1 passed, 1 failed").contains("incomplete: ");
            try (Stream<Path> left = Files.list(temp)) {
                assertThat(left).containsExactly(notADirectory);
            }
        }

        @Test
        void folderCanBeCreatedByConcurrentRuns() throws Exception {
            // given
            Path folder = temp.resolve("a/b/c");
            ExecutorService pool = Executors.newFixedThreadPool(4);
            try {
                // when
                List<Future<Path>> paths = new ArrayList<>();
                for (int index = 0; index < 16; index++) {
                    paths.add(pool.submit(() -> {
                        try (RunFile file = in(folder)) {
                            file.append(new RunEvent.Noticed(null, "here"));
                            return file.path().orElseThrow();
                        }
                    }));
                }

                // then
                for (Future<Path> path : paths) {
                    assertThat(RunLog.read(path.get()).lines()).hasSize(2);
                }
            } finally {
                pool.shutdownNow();
            }
        }
    }

    @Nested
    class FullDisk {

        private final DiskFixture disk = new DiskFixture();

        private RunFile onDisk() {
            return new RunFile(temp, warnings::add, CLOCK, path -> disk);
        }

        private RunLog read() throws IOException {
            return RunLog.read(Files.write(temp.resolve("copy.jsonl"), disk.written.toByteArray()));
        }

        @Test
        void isReportedOnceAndSummaryKeepsAllTests() {
            // given
            RunFile file = onDisk();
            file.append(finished("a", Outcome.PASSED));

            // when
            disk.room = 0;
            file.append(finished("b", Outcome.PASSED));
            file.append(finished("c", Outcome.PASSED));

            // then
            assertThat(warnings).singleElement().asString().contains("No space left on device");
            assertThat(file.finish())
                    .contains("3 passed")
                    .contains("incomplete: ")
                    .contains("No space left on device");
        }

        @Test
        void tearsAtMostOneLineAndLaterLinesAreWhole() throws IOException {
            // given
            RunFile file = onDisk();
            file.append(new RunEvent.Noticed(null, "before"));

            // when
            disk.room = 20;
            file.append(new RunEvent.Noticed(null, "torn"));
            file.append(new RunEvent.Noticed(null, "lost"));
            disk.room = Integer.MAX_VALUE;
            file.append(new RunEvent.Noticed(null, "after"));
            file.append(new RunEvent.Noticed(null, "and on"));

            // then
            RunLog log = read();
            assertThat(events(log).stream().skip(1))
                    .containsExactly(
                            new RunEvent.Noticed(null, "before"),
                            new RunEvent.Noticed(null, "after"),
                            new RunEvent.Noticed(null, "and on"));
            assertThat(log.problems())
                    .satisfiesExactly(
                            torn -> assertThat(torn).endsWith("line 3 is not an event and was skipped"),
                            gap -> assertThat(gap)
                                    .endsWith("line 4 is event 5, expected 3: the events between were not written"));
        }
    }

    @Test
    void masksSecretsInOutcomeReasons() throws IOException {
        // given
        RunFile file = in(temp);

        // when
        file.append(new RunEvent.TestFinished(
                TEST, Outcome.FAILED, List.of(), "IllegalStateException: no answer for --api-key abcdefghijkl in 3 s"));
        file.append(new RunEvent.TestFinished(TEST, Outcome.SKIPPED, List.of(), "password=hunter22"));

        // then
        assertThat(file.path().orElseThrow())
                .content()
                .contains("no answer for --api-key *** in 3 s")
                .doesNotContain("abcdefghijkl", "hunter22");
        assertThat(file.finish()).contains("password=***").doesNotContain("hunter22");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"api_key\":\"geheim\",\"n\":1}",
                "{\"log\":\"SECRET=geheim\\\\\",\"n\":1}",
                "{\"log\":\"DB_PASS='geheim\",\"n\":\"b'\"}",
                "{\"log\":\"PGPASSWORD=geheim\\nnext \\\"quoted\\\"\",\"n\":1}",
                "{\"list\":[\"a\",\"--token=geheim\"],\"n\":{\"m\":1.5}}",
                "{\"log\":\"--token\",\"n\":\"SECRET=geheim\"}"
            })
    void masksTextsOfObjectsWithoutBreakingThem(String object) throws IOException {
        // given
        RunFile file = in(temp);
        TestId test = new TestId("[a]", "a");

        // when
        file.append(new RunEvent.Recorded(test, "x", new JsonObject(object)));

        // then
        Path path = file.path().orElseThrow();
        assertThat(path).content().doesNotContain("geheim").contains("\"n\":");
        assertThat(RunLog.read(path).problems()).isEmpty();
    }

    @Test
    void masksSecretsInEveryEvent() throws IOException {
        // given
        RunFile file = in(temp);
        TestId test = new TestId("[invocation:login --password geheim1]", "LoginTest > PGPASSWORD=geheim2");

        // when
        file.append(new RunEvent.PhaseStarted(test, Phase.BODY));
        file.append(new RunEvent.Noticed(test, "curl -u me:geheim3 failed\nDB_PASS=geheim4"));
        file.append(new RunEvent.Noticed(
                test, "- name: API_TOKEN\n  value: geheim9\nos.environ[\"X_TOKEN\"] = 'geheim10'"));
        file.append(test, new Judgement(List.of(), List.of(), List.of("https://b/k?X-Amz-Signature=geheim5&n=1")));
        file.append(new RunEvent.Recorded(
                test, "x", new JsonObject("{\"command\":[\"SSHPASS=geheim6\"],\"token_ids\":[1]}")));
        file.append(new RunEvent.Quarantined(
                "PGPASSWORD=geheim7", List.of("neuron0/neuron_core0"), "GH_PAT=geheim8", 1, false));
        file.append(new RunEvent.TestFinished(test, Outcome.PASSED, List.of(), null));

        // then
        Path path = file.path().orElseThrow();
        assertThat(path).content().doesNotContain("geheim").contains("\"token_ids\":[1]", "DB_PASS=***");
        RunLog log = RunLog.read(path);
        assertThat(log.problems()).isEmpty();
        assertThat(log.lines()).noneMatch(line -> line.event() instanceof RunEvent.Unknown);
        assertThat(file.finish()).doesNotContain("geheim");
    }

    /** A disk with little free space. */
    private static final class DiskFixture extends OutputStream {

        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private int room = Integer.MAX_VALUE;

        @Override
        public void write(int each) throws IOException {
            write(new byte[] {(byte) each}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int fits = Math.min(room, length);
            written.write(bytes, offset, fits);
            room -= fits;
            if (fits < length) {
                throw new FileSystemException("run.jsonl", null, "No space left on device");
            }
        }
    }
}
