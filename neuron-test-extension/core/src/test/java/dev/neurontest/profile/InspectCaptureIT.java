package dev.neurontest.profile;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.neurontest.internal.process.ProgramFiles;
import dev.neurontest.patience.Patience;
import dev.neurontest.profile.InspectCapture.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InspectCaptureIT {

    private static final String LEADING_ZERO = "00112233445566778899aabbccddeeff";

    private static final String PROCESS = "i-0123456789abcdef0_pid_4711/";
    private static final String WORKING = "{\"n_1\": {\"total_time\": 0.001, \"matmul_instruction_count\": 3}}";
    private static final String COPYING = "{\"n_1\": {\"total_time\": 0.00105, \"hardware_flops\": 0}}";

    @TempDir
    Path root;

    private ToolFixture tool;
    private InspectCapture inspect;
    private Path written;

    @BeforeEach
    void tool() {
        tool = new ToolFixture(root);
        inspect(Mode.MODEL);
    }

    private void inspect(Mode mode) {
        inspect = tool.profiler().inspect(mode).settlesWithin(Patience.LIMIT);
        written = Path.of(inspect.environment().get("NEURON_RT_INSPECT_OUTPUT_DIR"));
    }

    private Path file(String path, byte[] content) throws IOException {
        Path file = written.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private Path pair(String hash, String name, String uuid) throws IOException {
        file(PROCESS + "neff_" + hash + ".neff", ToolFixture.neff(name, uuid, 1));
        return file(PROCESS + hash + "_vnc_0.ntff", ToolFixture.ntff(uuid));
    }

    private CaptureException failure() {
        return catchThrowableOfType(
                CaptureException.class,
                () -> inspect.settlesWithin(Duration.ofMillis(200)).collect());
    }

    private static List<Doubt.Kind> doubts(Profile profile) {
        return profile.allDoubts().stream().map(Doubt::kind).toList();
    }

    private static List<String> names(List<TracedExecution> executions) {
        return executions.stream()
                .map(execution -> execution.ntff().getFileName().toString())
                .toList();
    }

    @Test
    void environmentRequestsDeviceTraceOnly() {
        // then
        assertThat(tool.profiler().inspect(Mode.SESSION).environment())
                .hasSize(4)
                .containsEntry("NEURON_RT_INSPECT_ENABLE", "1")
                .containsEntry("NEURON_RT_INSPECT_DEVICE_PROFILE", "session")
                .containsEntry("NEURON_RT_INSPECT_SYSTEM_PROFILE", "0");
        assertThat(tool.profiler().inspect(Mode.MODEL).environment())
                .containsEntry("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP", "1");
        assertThat(tool.profiler().inspect(Mode.MODEL).warmup(3).environment())
                .containsEntry("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP", "3");
        assertThat(tool.profiler().inspect(Mode.MODEL).warmup(0).environment())
                .doesNotContainKey("NEURON_RT_INSPECT_DEVICE_PROFILE_NUM_WARMUP");
        assertThat(tool.profiler().inspect(Mode.MODEL).environment().get("NEURON_RT_INSPECT_OUTPUT_DIR"))
                .as("a folder for each capture")
                .startsWith(tool.folder().toString())
                .isNotEqualTo(written.toString());
    }

    @Nested
    class OfSeveralHosts {

        private final List<ProgramFiles> programs = new ArrayList<>();

        /** Adds a program with a trace on each of its cores that is given. */
        private void program(int rank, String host, int cores, int... traced) throws IOException {
            Path folder = root.resolve("brought").resolve("rank-" + rank);
            Path ofProcess = folder.resolve(PROCESS);
            Files.createDirectories(ofProcess);
            for (int core : traced) {
                Files.write(
                        ofProcess.resolve("neff_7_vnc_%s.neff".formatted(core)),
                        ToolFixture.neff("model", ToolFixture.UUID, 1));
                Files.write(
                        ofProcess.resolve("7_vnc_%s.ntff".formatted(core)),
                        ToolFixture.ntff(ToolFixture.UUID, "2.35.30"));
            }
            programs.add(new ProgramFiles(rank, host, rank * cores, cores, Optional.of(folder), Optional.empty()));
        }

        private Profile collect() {
            inspect.ofPrograms().receiver().accept(programs);
            return inspect.collect();
        }

        private List<String> workers(Profile profile) {
            return profile.executions().stream().map(TracedExecution::worker).toList();
        }

        @Test
        void tracesHaveRankAndHost() throws IOException {
            // given
            program(0, "n1", 1, 0);
            program(1, "n2", 1, 0);

            // when
            Profile profile = collect();

            // then
            assertThat(workers(profile)).containsExactly("rank 0 on n1", "rank 1 on n2");
            assertThat(profile.allDoubts()).isEmpty();
        }

        @Test
        void coresOfProgramAreCountedAfterThoseOfEarlierPrograms() throws IOException {
            // given
            program(0, "n1", 4, 0, 1, 3);
            program(1, "n2", 4, 1, 2);

            // when
            Profile profile = collect();

            // then
            assertThat(workers(profile))
                    .containsExactly("rank 0 on n1", "rank 1 on n1", "rank 3 on n1", "rank 5 on n2", "rank 6 on n2");
        }

        @Test
        void coresThatHostNumbersAreCountedInTheirOrder() throws IOException {
            // given
            program(0, "n1", 2, 4, 5);
            program(1, "n2", 2, 4, 5);

            // when
            Profile profile = collect();

            // then
            assertThat(workers(profile))
                    .containsExactly("rank 0 on n1", "rank 1 on n1", "rank 2 on n2", "rank 3 on n2");
        }

        @Test
        void programWithoutTraceIsDoubt() throws IOException {
            // given
            program(0, "n1", 1, 0);
            program(1, "n2", 1);

            // when
            Profile profile = collect();

            // then
            assertThat(profile.doubts()).singleElement().satisfies(doubt -> {
                assertThat(doubt.kind()).isEqualTo(Doubt.Kind.INCOMPLETE_TRACE);
                assertThat(doubt.reason())
                        .isEqualTo(
                                "rank 1 on n2 left no trace: its runtime executed nothing, or was killed. The missing part may be the slowest.");
            });
        }

        @Test
        void tracesThatWereNotBroughtOverAreDoubt() throws IOException {
            // given
            program(0, "n1", 1, 0);
            programs.add(
                    new ProgramFiles(1, "n2", 1, 1, Optional.empty(), Optional.of("the connection to n2 has ended")));

            // when
            Profile profile = collect();

            // then
            assertThat(profile.doubts())
                    .extracting(Doubt::reason)
                    .containsExactly(
                            "Traces are missing. rank 1 on n2: the connection to n2 has ended. The missing part may be the slowest.");
        }

        @Test
        void programsWithoutAnyTraceAreNoProfile() throws IOException {
            // given
            program(0, "n1", 1);

            // then
            inspect.ofPrograms().receiver().accept(programs);
            assertThat(failure()).hasMessageContaining("is empty");
        }
    }

    @Test
    void createsProfileFromRuntimeTrace() throws IOException {
        // given
        Path ntff = pair("1008222525555404", "model.neff", ToolFixture.UUID);

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(profile.capture()).isEqualTo(CaptureKind.INLINE);
        assertThat(profile.title()).isEqualTo("model.neff (neff_1008222525555404.neff)");
        assertThat(profile.executions()).singleElement().satisfies(execution -> {
            assertThat(execution.ntff()).isEqualTo(ntff);
            assertThat(execution.neff()).hasFileName("neff_1008222525555404.neff");
            assertThat(execution.rank()).isEmpty();
            assertThat(execution.summary().number("total_time")).hasValue(0.001);
        });
        assertThat(doubts(profile))
                .as("only the first execution is traced")
                .containsExactly(Doubt.Kind.FIRST_EXECUTION);
    }

    @ParameterizedTest
    @CsvSource({"2.34.10, INLINE, 1", "2.35.30, INLINE_WARM, 2", "3.0.1, INLINE_WARM, 2"})
    void reportsWhetherRuntimeSkippedFirstExecution(String runtime, CaptureKind kind, int index) throws IOException {
        // given
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID, runtime));

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(profile.capture()).isEqualTo(kind);
        assertThat(profile.executions().get(0).index()).isEqualTo(index);
        assertThat(doubts(profile))
                .isEqualTo(kind == CaptureKind.INLINE ? List.of(Doubt.Kind.FIRST_EXECUTION) : List.of());
    }

    @Test
    void reportsFirstExecutionTracedWithoutWarmup() throws IOException {
        // given
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID, "2.35.30"));

        // when
        Profile profile = inspect.warmup(0).collect();

        // then
        assertThat(profile.capture()).isEqualTo(CaptureKind.INLINE);
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.FIRST_EXECUTION);
    }

    @Test
    void findsFilesInFolderOfFramework() throws IOException {
        // given
        file(PROCESS + "20260817_120000/neff_7_vnc_0.neff", ToolFixture.neff("a", ToolFixture.UUID, 1));
        file(PROCESS + "20260817_120000/7_instid_0_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID));
        file("other/7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID));

        // then
        assertThat(names(inspect.collect().executions())).containsExactly("7_instid_0_vnc_0.ntff");
    }

    @Test
    void pairsSessionTraceWithNeffOfSameUuid() throws IOException {
        // given
        inspect(Mode.SESSION);
        file(PROCESS + "neff_1.neff", ToolFixture.neff("helper", ToolFixture.OTHER_UUID, 1));
        file(PROCESS + "neff_2.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "profile_nc_0_session_1.ntff", ToolFixture.ntff(ToolFixture.UUID));

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(profile.executions().get(0).neff()).hasFileName("neff_2.neff");
        assertThat(profile.allDoubts()).isEmpty();
    }

    private static byte[] withoutUuid() {
        return ToolFixture.ntff("00", "2.35.30");
    }

    @Test
    void acceptsTraceWithoutUuidWhenHashHasOneNeff() throws IOException {
        // given
        file(PROCESS + "neff_1_vnc_0.neff", ToolFixture.neff("model", LEADING_ZERO, 1));
        file(PROCESS + "neff_1_vnc_1.neff", ToolFixture.neff("model", LEADING_ZERO, 1));
        file(PROCESS + "neff_2.neff", ToolFixture.neff("helper", ToolFixture.OTHER_UUID, 1));
        file(PROCESS + "1_vnc_0.ntff", withoutUuid());
        file(PROCESS + "1_vnc_1.ntff", withoutUuid());

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.notices()).anyMatch(notice -> notice.contains("keeps 0 of the 16 bytes"));
    }

    @Test
    void doubtsTraceWithoutUuidWhenHashHasTwoNeffs() throws IOException {
        // given
        file(PROCESS + "neff_1_vnc_0.neff", ToolFixture.neff("model", LEADING_ZERO, 1));
        file(PROCESS + "neff_1_vnc_1.neff", ToolFixture.neff("other", ToolFixture.OTHER_UUID, 1));
        file(PROCESS + "1_vnc_0.ntff", withoutUuid());

        // then
        assertThat(doubts(inspect.collect())).containsExactly(Doubt.Kind.UNPROVEN_NEFF);
    }

    @Test
    void doubtsTraceOfSessionWithoutUuid() throws IOException {
        // given
        inspect(Mode.SESSION);
        file(PROCESS + "neff_1.neff", ToolFixture.neff("model", LEADING_ZERO, 1));
        file(PROCESS + "profile_nc_0_session_1.ntff", withoutUuid());

        // then
        assertThat(doubts(inspect.collect())).containsExactly(Doubt.Kind.UNPROVEN_NEFF);
    }

    @Test
    void leavesOutCoreUnusedInSession() throws IOException {
        // given
        inspect(Mode.SESSION);
        file(PROCESS + "neff_2.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "profile_nc_0_session_1.ntff", ToolFixture.ntff(ToolFixture.UUID));
        Path unused = file(PROCESS + "profile_nc_1_session_1.ntff", new byte[0]);

        // when
        Profile profile = inspect.settlesWithin(Duration.ofMillis(200)).collect();

        // then
        assertThat(names(profile.executions())).containsExactly("profile_nc_0_session_1.ntff");
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.notices())
                .containsExactly(unused + " is empty and left out: its core was opened and never used.");
    }

    @Test
    void distinguishesNeffsOfSameHashByUuid() throws IOException {
        // given
        file(PROCESS + "neff_7_vnc_0.neff", ToolFixture.neff("other", ToolFixture.OTHER_UUID, 1));
        file(PROCESS + "neff_7_vnc_1.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID));

        // then
        assertThat(inspect.collect().executions().get(0).neff()).hasFileName("neff_7_vnc_1.neff");
    }

    @Test
    void doubtsPairWithDifferentUuids() throws IOException {
        // given
        file(PROCESS + "neff_7.neff", ToolFixture.neff("other", ToolFixture.OTHER_UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID));

        // then
        assertThat(doubts(inspect.collect())).contains(Doubt.Kind.OTHER_NEFF);
    }

    @Test
    void leavesGraphsWithoutMatmulsOut() throws IOException {
        // given
        pair("1", "copy", ToolFixture.OTHER_UUID);
        pair("2", "model", ToolFixture.UUID);
        tool.beforeView("case \"$*\" in *neff_1.neff*) echo '%s'; exit 0 ;; *) echo '%s'; exit 0 ;; esac"
                .formatted(COPYING, WORKING));

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(names(profile.executions())).containsExactly("2_vnc_0.ntff");
        assertThat(names(profile.helpers())).containsExactly("1_vnc_0.ntff");
        assertThat(profile.notices()).containsExactly("Other graphs ran too and are not judged: neff_1.neff.");
        assertThat(profile.doubts()).isEmpty();
    }

    @Test
    void doubtsCoreThatLeftNoTraceOfItsNeff() throws IOException {
        // given
        file(PROCESS + "neff_7_vnc_0.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "neff_7_vnc_1.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID, "2.35.30"));

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(profile.doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.INCOMPLETE_TRACE);
            assertThat(doubt.reason()).startsWith("There is no trace for " + PROCESS + "neff_7_vnc_1.neff in ");
        });
    }

    @Test
    void doubtsProcessThatLeftNoTraceOfItsNeff() throws IOException {
        // given
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID, "2.35.30"));
        file("i-0123456789abcdef0_pid_4712/neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));

        // then
        assertThat(inspect.collect().doubts())
                .extracting(Doubt::reason)
                .singleElement()
                .asString()
                .startsWith("There is no trace for i-0123456789abcdef0_pid_4712/neff_7.neff in ");
    }

    @Test
    void doubtsProcessWithEmptySessions() throws IOException {
        // given
        inspect(Mode.SESSION);
        String killed = "i-0123456789abcdef0_pid_4712/";
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "profile_nc_0_session_1.ntff", ToolFixture.ntff(ToolFixture.UUID));
        file(killed + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(killed + "profile_nc_1_session_1.ntff", new byte[0]);

        // then
        assertThat(inspect.settlesWithin(Duration.ofMillis(200)).collect().doubts())
                .extracting(Doubt::reason)
                .singleElement()
                .asString()
                .startsWith("There is no trace for " + killed + "neff_7.neff in ");
    }

    @Test
    void acceptsHelperWithoutTrace() throws IOException {
        // given
        pair("2", "model", ToolFixture.UUID);
        file(PROCESS + "neff_1_vnc_0.neff", ToolFixture.neff("helper", ToolFixture.OTHER_UUID, 1));

        // then
        assertThat(inspect.collect().doubts()).isEmpty();
    }

    @Test
    void reportsSeveralGraphsAsAmbiguous() throws IOException {
        // given
        pair("1", "one", ToolFixture.OTHER_UUID);
        pair("2", "two", ToolFixture.UUID);

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(profile.doubts())
                .containsExactly(new Doubt(
                        Doubt.Kind.AMBIGUOUS_GRAPH,
                        "Several graphs match: one (neff_1.neff), two (neff_2.neff). Choose one with graph(\"...\")."));
        assertThat(names(profile.executions())).containsExactly("1_vnc_0.ntff", "2_vnc_0.ntff");
    }

    @Test
    void viewsOnlyNamedGraph() throws IOException {
        // given
        pair("1", "one", ToolFixture.OTHER_UUID);
        pair("2", "resnet50", ToolFixture.UUID);

        // when
        Profile profile = inspect.graph("resnet").collect();

        // then
        assertThat(names(profile.executions())).containsExactly("2_vnc_0.ntff");
        assertThat(names(profile.helpers())).containsExactly("1_vnc_0.ntff");
        assertThat(tool.calls()).containsExactly("view");
    }

    @Test
    void listsGraphsWhenNamedGraphIsUnknown() throws IOException {
        // given
        pair("1", "one", ToolFixture.UUID);
        inspect.graph("resnet");

        // then
        assertThat(failure())
                .hasMessageContaining(
                        "No graph is named \"resnet\". The graphs are: one (neff_1.neff). Correct graph(...).");
    }

    @Test
    void countsRanksOverProcessesAndCores() throws IOException {
        // given
        for (String process : List.of("i-0_pid_9/", "i-0_pid_8/")) {
            file(process + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
            file(process + "7_vnc_10.ntff", ToolFixture.ntff(ToolFixture.UUID));
            file(process + "7_vnc_2.ntff", ToolFixture.ntff(ToolFixture.UUID));
        }

        // then
        assertThat(inspect.collect().executions().stream()
                        .map(execution -> execution.rank().orElseThrow() + " " + written.relativize(execution.ntff())))
                .containsExactly(
                        "0 i-0_pid_8/7_vnc_2.ntff",
                        "1 i-0_pid_8/7_vnc_10.ntff",
                        "2 i-0_pid_9/7_vnc_2.ntff",
                        "3 i-0_pid_9/7_vnc_10.ntff");
    }

    @Test
    void waitsUntilFilesAreComplete() throws IOException {
        // given
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        Path ntff = file(PROCESS + "7_vnc_0.ntff", new byte[0]);
        CompletableFuture<Profile> profile = CompletableFuture.supplyAsync(() -> inspect.collect());
        await().pollDelay(Duration.ofMillis(300)).until(() -> !profile.isDone());

        // when
        Files.write(ntff, ToolFixture.ntff(ToolFixture.UUID));

        // then
        assertThat(doubts(profile.join())).containsExactly(Doubt.Kind.FIRST_EXECUTION);
    }

    @Test
    void doubtsATraceThatStaysEmpty() throws IOException {
        // given
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));
        file(PROCESS + "7_vnc_0.ntff", new byte[0]);

        // when
        Profile profile = inspect.settlesWithin(Duration.ofMillis(200)).collect();

        // then
        assertThat(doubts(profile)).contains(Doubt.Kind.INCOMPLETE_TRACE);
    }

    @Test
    void reportsWhyTraceIsMissing() throws IOException {
        // then
        assertThat(failure()).hasMessageContaining(written + " is empty. The workload did not use the runtime");

        // when
        file(PROCESS + "ntrace.pb", new byte[] {1});

        // then
        assertThat(failure()).hasMessageContaining(written + " contains only system profiles. Set");

        // when
        file(PROCESS + "neff_7.neff", ToolFixture.neff("model", ToolFixture.UUID, 1));

        // then
        assertThat(failure()).hasMessageContaining(written + " contains 2 files, but no NTFF file");
    }

    @Test
    void namesPlacesOfMissingNeff() throws IOException {
        // given
        Path ntff = file(PROCESS + "7_vnc_0.ntff", ToolFixture.ntff(ToolFixture.UUID));

        // then
        assertThat(failure())
                .hasMessageContaining("There is no NEFF for " + ntff)
                .hasMessageContaining("TORCH_NEURONX_NEFF_CACHE_DIR");
    }

    @Test
    void reportsAmbiguityWhenOneGraphCannotBeViewed() throws IOException {
        // given
        pair("1", "model", ToolFixture.OTHER_UUID);
        pair("2", "helper", ToolFixture.UUID);
        tool.beforeView(
                "case \"$*\" in *neff_1.neff*) echo 'fatal: too large' >&2; exit 1 ;; *) echo '%s'; exit 0 ;; esac"
                        .formatted(WORKING));

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(doubts(profile)).contains(Doubt.Kind.AMBIGUOUS_GRAPH, Doubt.Kind.UNREADABLE);
    }

    @Test
    void ignoresUnviewableGraphWhenAnotherIsNamed() throws IOException {
        // given
        pair("1", "other", ToolFixture.OTHER_UUID);
        pair("2", "model", ToolFixture.UUID);
        tool.beforeView("case \"$*\" in *neff_1.neff*) exit 1 ;; *) echo '%s'; exit 0 ;; esac".formatted(WORKING));

        // then
        assertThat(doubts(inspect.graph("model").collect())).containsExactly(Doubt.Kind.FIRST_EXECUTION);
    }

    @Test
    void reportsFolderThatCannotBeListed() throws IOException {
        // given
        pair("2", "model", ToolFixture.UUID);
        Path closed = Files.createDirectories(written.resolve(PROCESS + "closed"));
        Files.setPosixFilePermissions(closed, Set.of());
        assumeFalse(Files.isReadable(closed), "root reads everything");

        // then
        assertThat(failure()).hasMessageContaining("cannot be listed");
    }

    @Test
    void followsNoLinks() throws IOException {
        // given
        Path elsewhere = Files.createDirectories(root.resolve("elsewhere").resolve(PROCESS));
        Files.write(elsewhere.resolve("7_vnc_0.ntff"), ToolFixture.ntff(ToolFixture.UUID));
        Files.createDirectories(written);
        Files.createSymbolicLink(written.resolve("i-0_pid_1"), elsewhere);

        // then
        assertThat(failure()).hasMessageContaining("is empty");
    }
}
