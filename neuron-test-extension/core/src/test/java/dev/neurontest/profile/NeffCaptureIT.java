package dev.neurontest.profile;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.process.ProcessFixture;
import dev.neurontest.internal.process.ProgramLock;
import dev.neurontest.internal.profile.ProfilerObserver;
import dev.neurontest.runtime.NeffException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NeffCaptureIT {

    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path root;

    private ToolFixture tool;
    private Path neff;

    @BeforeEach
    void tool() {
        tool = new ToolFixture(root);
        neff = tool.neff("resnet 50.neff");
    }

    private NeffCapture capture() {
        return tool.profiler().capture(neff);
    }

    private Path made() {
        return tool.folder().resolve("profile-resnet_50.neff");
    }

    private static List<Doubt.Kind> doubts(Profile profile) {
        return profile.allDoubts().stream().map(Doubt::kind).toList();
    }

    private static CaptureException failure(NeffCapture capture) {
        return catchThrowableOfType(CaptureException.class, capture::run);
    }

    private static List<String> files(Profile profile) {
        return profile.executions().stream()
                .map(execution -> execution.ntff().getFileName().toString())
                .toList();
    }

    @Test
    void executesTwiceAndTracesTheSecond() {
        // when
        Profile profile = capture().run();

        // then
        Path ntff = made().resolve("capture/profile_exec_2.ntff");
        assertThat(tool.calls()).containsExactly("capture", "view");
        assertThat(tool.arguments("capture"))
                .containsExactly(
                        "capture",
                        "-n",
                        neff.toString(),
                        "-s",
                        made().resolve("capture/profile.ntff").toString(),
                        "--num-exec",
                        "2",
                        "--profile-nth-exec",
                        "2");
        assertThat(tool.arguments("view"))
                .containsExactly(
                        "view",
                        "-n",
                        neff.toString(),
                        "-s",
                        ntff.toString(),
                        "--output-format",
                        "summary-json",
                        "-F",
                        "ignore-nc-buf-usage=true");
        assertThat(profile.title()).isEqualTo("resnet 50.neff");
        assertThat(profile.capture()).isEqualTo(CaptureKind.REPLAY);
        assertThat(profile.tool()).isEqualTo("neuron-explorer 2.32.7.0");
        assertThat(profile.folder()).isEqualTo(made());
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.notices()).isEmpty();
        assertThat(profile.executions()).singleElement().satisfies(execution -> {
            assertThat(execution.neff()).isEqualTo(neff);
            assertThat(execution.ntff()).isEqualTo(ntff).isRegularFile();
            assertThat(execution.rank()).isEmpty();
            assertThat(execution.index()).isEqualTo(2);
            assertThat(execution.header().orElseThrow().neffUuid()).contains(ToolFixture.UUID);
            assertThat(execution.summary().number("total_time")).hasValue(0.001);
        });
    }

    @Test
    void reportsSlowToolAndItsDeadline() {
        // given a tool that continues after its notification
        String waits = "for each in $(seq 300); do [ -f \"$here/told-of-$1\" ] || sleep 0.1; done";
        List<String> told = new ArrayList<>();
        tool.beforeCapture(waits.replace("$1", "capture")).beforeView(waits.replace("$1", "view"));
        tool.observer(new ProfilerObserver() {
            @Override
            public void takesLong(String sentence) {
                told.add(sentence);
                tool.write("opt/aws/neuron/bin/told-of-" + sentence.split(" ")[1], new byte[0]);
            }
        });

        // when
        capture().run();

        // then
        assertThat(told)
                .satisfiesExactly(
                        sentence -> assertThat(sentence)
                                .matches(
                                        "the capture of resnet 50\\.neff by neuron-explorer 2\\.32\\.7\\.0 \\(pid \\d+\\)"
                                                + " has taken \\d+ s so far, and is ended after 15 min\\."),
                        sentence -> assertThat(sentence)
                                .matches(
                                        "the view of profile_exec_2\\.ntff of resnet 50\\.neff by neuron-explorer 2\\.32\\.7\\.0"
                                                + " \\(pid \\d+\\) has taken \\d+ s so far, and is ended after 15 min\\."));
    }

    @Test
    void startsTheToolWithTheLocksOfItsLease() {
        // given
        List<List<NeuronCore>> locked = new ArrayList<>();
        tool.observer(new ProfilerObserver() {
            @Override
            public List<ProgramLock> locks(List<NeuronCore> cores) {
                locked.add(cores);
                return List.of();
            }
        });

        // when
        capture().run();

        // then
        assertThat(locked).hasSize(1);
    }

    @Test
    void keepsCommandAndLogOfTool() {
        // given
        tool.beforeCapture("echo captured; echo password=hunter2 >&2");
        tool.beforeView("echo 'WARN[0000] {noise}'; echo later >&2");

        // when
        Profile profile = capture().run();

        // then
        assertThat(profile.runs()).hasSize(2);
        assertThat(profile.runs().get(0).command())
                .startsWith(tool.tool("neuron-explorer").toString(), "capture");
        assertThat(profile.runs().get(0).end()).isEqualTo("exit code 0");
        assertThat(profile.runs().get(0).log()).isEqualTo("captured\npassword=***\n");
        assertThat(profile.runs().get(1).log()).isEqualTo("WARN[0000] {noise}\nlater\n");
        assertThat(made().resolve("capture/stderr.log")).hasContent("password=***");
    }

    @Test
    void passesCoresButNoOtherRuntimeVariables() {
        // given
        tool.environment(Map.of("NEURON_FAKE_ROOT", "/fake"));

        // when
        capture().on(tool.host().cores().get(1)).run();

        // then
        assertThat(tool.environmentOf("capture"))
                .contains("NEURON_RT_VISIBLE_CORES=1", "NEURON_LOGICAL_NC_CONFIG=1", "NEURON_FAKE_ROOT=/fake")
                .anyMatch(variable -> variable.matches("HOME=.+"));
        assertThat(tool.environmentOf("capture").stream().filter(variable -> variable.startsWith("NEURON_RT_")))
                .containsExactly("NEURON_RT_VISIBLE_CORES=1");
        assertThat(tool.environmentOf("view"))
                .contains("NEURON_FAKE_ROOT=/fake")
                .noneMatch(variable -> variable.startsWith("NEURON_RT_"));
    }

    @Test
    void createsNewFolderForEachCall() {
        // when
        capture().run();
        Path first = tool.directoryOf("view");
        capture().run();

        // then
        assertThat(tool.directoryOf("capture")).isEqualTo(tool.folder().resolve("profile-resnet_50.neff-2/capture"));
        assertThat(first).isEqualTo(made().resolve("capture/view-profile_exec_2.ntff"));
        assertThat(tool.directoryOf("view")).isNotEqualTo(first);
    }

    @Test
    void passesEveryOptionToTool() throws IOException {
        // given
        Path image = Files.writeString(root.resolve("an image\n.npy"), "x");

        // when
        capture()
                .input("x: 0\n", image)
                .ignoreExecErrors(true)
                .singleIo()
                .dgeNotifications()
                .option("--exec-mode", "async")
                .run();

        // then
        assertThat(String.join("\n", tool.arguments("capture")))
                .endsWith(
                        "--num-exec\n2\n--profile-nth-exec\n2\n--ignore-exec-errors\n--single-io\n--enable-dge-notifs\n--exec-mode\nasync\nx: 0\n\n"
                                + image);
    }

    @Test
    void measuresAfterWarmup() {
        // then
        assertThat(files(capture().warmup(1).measured(2).run()))
                .containsExactly("profile_exec_2.ntff", "profile_exec_3.ntff");
        assertThat(files(capture().warmup(4).run())).containsExactly("profile_exec_5.ntff");
        assertThat(files(capture().measured(1).run())).containsExactly("profile_exec_2.ntff");
        assertThat(files(capture().warmup(0).run())).containsExactly("profile.ntff");
    }

    @Test
    void doubtsTheTimesOfTheFirstExecution() {
        // when
        Profile profile = capture().warmup(0).measured(2).run();

        // then
        assertThat(profile.executions().get(0).doubts())
                .singleElement()
                .satisfies(doubt -> assertThat(doubt.kind()).isEqualTo(Doubt.Kind.FIRST_EXECUTION));
        assertThat(profile.executions().get(1).doubts()).isEmpty();
    }

    @Test
    void capturesSeveralTimesInFreshFolders() {
        // when
        Profile profile = capture().captures(3).run();

        // then
        assertThat(profile.executions().stream()
                        .map(execution -> made().relativize(execution.ntff()).toString()))
                .containsExactly(
                        "capture/profile_exec_2.ntff",
                        "capture-2/profile_exec_2.ntff",
                        "capture-3/profile_exec_2.ntff");
    }

    @Test
    void findsTheTracesOfAllRanks() {
        // when
        Profile profile = capture().collectives(Collectives.of(2)).warmup(1).run();
        Profile one = capture().collectives(Collectives.of(2).profiling(1)).run();

        // then
        assertThat(files(profile)).containsExactly("profile_rank_0_exec_2.ntff", "profile_rank_1_exec_2.ntff");
        assertThat(profile.executions().stream()
                        .map(execution -> execution.rank().orElseThrow()))
                .containsExactly(0, 1);
        assertThat(files(one)).containsExactly("profile_rank_1_exec_2.ntff");
    }

    @Test
    void ordersExecutionsByRank() {
        // when
        Profile profile = capture()
                .collectives(Collectives.of(2))
                .warmup(1)
                .measured(2)
                .captures(2)
                .run();

        // then
        assertThat(profile.executions().stream()
                        .map(execution -> execution.rank().orElseThrow() + "/" + execution.index()))
                .containsExactly("0/2", "0/3", "0/2", "0/3", "1/2", "1/3", "1/2", "1/3");
    }

    @Test
    void doubtsProfileWithMissingRank() {
        // given
        tool.afterCapture("rm \"${session}_rank_1_exec_2.ntff\"");

        // when
        Profile profile = capture().collectives(Collectives.of(2)).run();

        // then
        assertThat(profile.doubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.INCOMPLETE_TRACE);
            assertThat(doubt.reason()).startsWith("Rank 1 left no trace: neuron-explorer exit code 0.");
        });
        assertThat(files(profile)).containsExactly("profile_rank_0_exec_2.ntff");
    }

    /** Makes the tool choose the workers of a NEFF with collectives. */
    private void toolChoosesRanks(int... ranks) {
        StringBuilder lines = new StringBuilder();
        for (int rank : ranks) {
            lines.append(
                    "for file in \"${session}\"_exec_?.ntff; do cp \"$file\" \"${session}_rank_%s_exec_${file##*_exec_}\"; done\n"
                            .formatted(rank));
        }
        tool.afterCapture(lines + "rm \"${session}\"_exec_?.ntff\n");
    }

    private List<String> reasons(Profile profile) {
        return profile.doubts().stream().map(Doubt::reason).toList();
    }

    @Test
    void acceptsAsManyRanksAsCoresWithoutWorkers() {
        // given
        toolChoosesRanks(0, 1);

        // then
        assertThat(capture().run().doubts()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, Rank 0 left a trace", "1, Rank 0 left no trace", "2, 'Rank 0, 1 left no trace'"})
    void doubtsFewerRanksThanCoresWithoutWorkers(int rank, String reason) {
        // given
        toolChoosesRanks(rank);

        // when
        Profile profile = capture().run();

        // then
        assertThat(profile.doubts()).extracting(Doubt::kind).containsExactly(Doubt.Kind.INCOMPLETE_TRACE);
        assertThat(reasons(profile).get(0)).startsWith(reason).contains(": neuron-explorer exit code 0.");
    }

    @Test
    void doubtsTwoRanksOnFourCoresWithoutWorkers() {
        // given
        tool.holding(tool.host().cores());
        toolChoosesRanks(0, 1);

        // then
        assertThat(reasons(capture().run()).get(0))
                .startsWith("Rank 0, 1 left a trace. There may be other ranks")
                .contains("the capture had 4 cores");
    }

    @Test
    void acceptsRanksThatMatchParticipantsOfSummary() {
        // given
        tool.holding(tool.host().cores());
        tool.summary("{\"n_1\": {\"total_time\": 0.001, \"cc_participant_count\": 2}}");
        toolChoosesRanks(0, 1);

        // then
        assertThat(capture().run().doubts()).isEmpty();
    }

    @Test
    void doubtsFewerRanksThanParticipants() {
        // given
        tool.holding(tool.host().cores());
        tool.summary("{\"n_1\": {\"total_time\": 0.001, \"cc_participant_count\": 4}}");
        toolChoosesRanks(0, 2);

        // then
        assertThat(reasons(capture().run()).get(0)).startsWith("Rank 1, 3 left no trace");
    }

    @Test
    void doubtsTraceWithoutRankOfSeveralParticipants() {
        // given
        tool.summary("{\"n_1\": {\"total_time\": 0.001, \"cc_participant_count\": 2}}");

        // then
        assertThat(reasons(capture().run()).get(0)).startsWith("Rank 0, 1 left no trace");
    }

    @Test
    void acceptsTraceOfNeffWithoutCollectivesOnSeveralCores() {
        // given
        tool.summary("{\"n_1\": {\"total_time\": 0.001, \"cc_participant_count\": 1}}");

        // then
        assertThat(capture().run().doubts()).isEmpty();
    }

    @Test
    void doubtsRankThatLeftFewerExecutions() {
        // given
        tool.afterCapture("rm \"${session}_rank_1_exec_3.ntff\"");

        // when
        Profile profile =
                capture().collectives(Collectives.of(2)).warmup(1).measured(2).run();

        // then
        assertThat(reasons(profile).get(0)).startsWith("Execution 3 of rank 1 left no NTFF");
    }

    @Test
    void doubtsRankMissingInSecondCapture() {
        // given
        tool.afterCapture(
                "if [ -f \"$here/again\" ]; then rm \"${session}_rank_1_exec_2.ntff\"; fi; touch \"$here/again\"");

        // when
        Profile profile = capture().collectives(Collectives.of(2)).captures(3).run();

        // then
        assertThat(reasons(profile)).hasSize(1);
        assertThat(reasons(profile).get(0)).startsWith("Rank 1 left no trace");
    }

    @Test
    void refusesNonNeffAndMissingFile() throws IOException {
        // given
        Path text = Files.writeString(root.resolve("text.neff"), "no");

        // then
        assertThatExceptionOfType(NeffException.class)
                .isThrownBy(() -> tool.profiler().capture(text).run());
        assertThatExceptionOfType(NeffException.class)
                .isThrownBy(() ->
                        tool.profiler().capture(root.resolve("missing.neff")).run());
        assertThat(tool.calls()).isEmpty();
    }

    @Test
    void refusesANeffThatIsCut() throws IOException {
        // given
        byte[] whole = Files.readAllBytes(neff);
        Files.write(neff, Arrays.copyOf(whole, whole.length - 1));

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> capture().run())
                .withMessage(
                        neff
                                + " is cut: its header declares 10 bytes after it, and not all of them exist. Copy or compile it again.");
    }

    @Test
    void refusesUnfitNeffWorkersAndInput() {
        // given
        NeffCapture ofOne = capture();
        neff = tool.write("two.neff", ToolFixture.neff("two.neff", ToolFixture.UUID, 2));
        Path input = root.resolve("no.npy");

        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> capture().run())
                .withMessage(
                        "%s was compiled for logical cores of 2 physical cores, those of this host have 1. Compile it with --lnc=1, or set neuron.test.lnc=2."
                                .formatted(neff));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ofOne.collectives(Collectives.of(4)).run())
                .withMessage("4 workers need as many cores, the capture has 2 (0-1). Request more with @Count.");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ofOne.collectives(Collectives.of(2)).input("x", input).run())
                .withMessage("The file of input \"x\" cannot be read: %s does not exist. Correct the path."
                        .formatted(input));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-s", "--output"})
    void refusesInputNameThatLooksLikeFlag(String name) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> capture().input(name, neff))
                .withMessageContaining("\"%s\" cannot be the name of an input".formatted(name));
    }

    @ParameterizedTest
    @CsvSource({
        "-s",
        "--session-file",
        "--session-file=/etc/x",
        "-s/etc/x",
        "--neff",
        "x",
        "--num-exec",
        "--profile-nth-exec=3",
        "--ignore-exec-errors",
        "-r",
        "-r4",
        "--collectives-worker-count",
        "-m",
        "-t",
        "--disable-profile"
    })
    void refusesFlagsThatChangeFilesOrTrace(String flag) {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> capture().option(flag))
                .withMessageContaining("\"%s\" cannot be passed to capture".formatted(flag));
    }

    @Test
    void refusesCoresThatTheTestDoesNotHold() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> capture().on(tool.host().cores().get(2)))
                .withMessageContaining("The test does not hold neuron1/neuron_core0");
        tool.holding(List.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> capture().run())
                .withMessageContaining("There are no cores to execute");
    }

    private NeuronHost ownedHost() {
        return new HostFixture(root.resolve("owned"))
                .devices(HostFixture.Kind.TRN1, 0)
                .link("proc/4711/fd/5", "/dev/neuron0")
                .file("proc/4711/comm", "python3\n")
                .host();
    }

    @Test
    void waitsUntilOwnerReleasesCores() {
        // given
        tool.on(ownedHost());

        // when
        CompletableFuture<Profile> profile =
                CompletableFuture.supplyAsync(() -> capture().run());
        assertThat(profile).isNotDone();
        assertThat(root.resolve("owned/proc/4711/fd/5").toFile().delete()).isTrue();

        // then
        assertThat(profile.join().allDoubts()).isEmpty();
    }

    @Test
    void namesProcessThatDoesNotReleaseCores() {
        // given
        tool.on(ownedHost());

        // when
        CaptureException failure = failure(capture().coresFreeWithin(Duration.ofMillis(60)));

        // then
        assertThat(failure)
                .hasMessage(
                        "resnet 50.neff was not profiled. The cores were not free within 60 ms: neuron0 by python3 (pid 4711). A capture executes the NEFF in its own process, so other processes on the cores must end first: close the workload, and wait for its end.");
        assertThat(doubts(failure.profile())).containsExactly(Doubt.Kind.NOT_CAPTURED);
        assertThat(tool.calls()).isEmpty();
    }

    @Test
    void waitsOnlyForProcessesOfTestOnSharedDevice() {
        // given
        NeuronHost host = ownedHost();
        List<NeuronCore> first = host.cores().subList(0, 1);

        // then
        assertThat(tool.on(host).holding(first).profiler().capture(neff).run().allDoubts())
                .isEmpty();
        assertThat(failure(tool.startedByTest(4711).profiler().capture(neff).coresFreeWithin(Duration.ZERO)))
                .hasMessageContaining("python3 (pid 4711)");
    }

    @Test
    void namesOwnerWhenRuntimeFindsCoresTaken() {
        // given
        NeuronHost host = ownedHost();
        tool.on(host).holding(host.cores().subList(0, 1));
        tool.beforeCapture(
                "echo 'ERROR NRT:nrt_allocate_neuron_cores   Logical Neuron Core(s) not available - Requested:1 Available:0' >&2; exit 1");

        // then
        assertThat(failure(capture()))
                .hasMessage(
                        "resnet 50.neff was not profiled. No trace of %s was completed: neuron-explorer exit code 1. It printed \"ERROR NRT:nrt_allocate_neuron_cores Logical Neuron Core(s) not available - Requested:1 Available:0\". The runtime reported NRT_FAILURE (1), cores that another process has. Find the process with neuron-ls, and end it or wait for its end. A pod that is just ending may keep the cores for some seconds. Its output is in %s. Open at that moment: neuron0 by python3 (pid 4711)."
                                .formatted(neff, made().resolve("capture")));
    }

    @Test
    void keepsLogsOfFailedCapture() {
        // given
        tool.beforeCapture("echo 'no space left on device'; exit 3");

        // when
        CaptureException failure = failure(capture());

        // then
        assertThat(failure.profile().runs())
                .singleElement()
                .satisfies(run -> assertThat(run.log()).isEqualTo("no space left on device\n"));
        assertThat(failure)
                .hasMessageContaining("It printed \"no space left on device\"")
                .hasMessageContaining("The disk is full: free disk space in the folder of the output.");
        assertThat(made().resolve("capture/stdout.log")).hasContent("no space left on device");
    }

    @Test
    void listsFailedCaptureAmongProfiles() {
        // given
        Profiler profiler = tool.beforeCapture("exit 3").profiler();

        // when
        failure(profiler.capture(neff));

        // then
        assertThat(profiler.profiles())
                .singleElement()
                .satisfies(profile -> assertThat(doubts(profile)).containsExactly(Doubt.Kind.NOT_CAPTURED));
    }

    @Test
    void namesCoreGroupUnfitForCollectives() {
        // given three cores of Inf2
        NeuronHost inf2 = new HostFixture(root.resolve("inf2"))
                .devices(HostFixture.Kind.INF2, 0, 1)
                .host();
        tool.on(inf2).holding(inf2.cores().subList(0, 3));
        tool.beforeCapture("echo 'NRT:nrt_load_collectives  Unsupported topology'; exit 1");

        // when
        CaptureException failure = failure(capture());

        // then
        assertThat(failure)
                .hasMessageContaining(
                        "Collectives of Inf2 run on 1, 2 or 4 cores, and this program had 3 (cores 0-2).");
        assertThat(failure(capture().collectives(Collectives.of(2)))).hasMessageNotContaining("Collectives of Inf2");
    }

    @Test
    void killsHangingToolAndItsChildren() throws IOException {
        // given
        tool.beforeCapture(
                "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > '\"$here\"'/pid; sleep 600' & echo started; wait");

        // when
        CaptureException failure = failure(capture().deadline(SOON));

        // then
        assertThat(failure)
                .hasMessageContaining("neuron-explorer took longer than 10 s and was ended")
                .hasMessageContaining(
                        "if this run needs longer, call deadline(...) or set neuron.test.profile.deadline");
        assertThat(ProcessFixture.isGone(
                        Long.parseLong(Files.readString(tool.tool("pid")).strip())))
                .isTrue();
    }

    @Test
    void failsDespiteTraceWhenToolIsKilled() {
        // given
        tool.afterCapture("kill -9 $$");

        // when
        CaptureException failure = failure(capture());

        // then
        assertThat(failure)
                .hasMessageContaining("exit code 137 (128 + 9: SIGKILL)")
                .hasMessageContaining("Another process or the kernel ended it");
        assertThat(failure.profile().executions())
                .singleElement()
                .satisfies(execution -> assertThat(execution.ntff()).isRegularFile());
    }

    @Test
    void endsWhenItsTestIsInterrupted() {
        // given
        tool.beforeCapture("sleep 600");
        CompletableFuture<CaptureException> failure = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread test = new Thread(() -> {
            failure.complete(failure(capture()));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        test.start();
        await().until(() -> tool.calls().contains("capture"));

        // when
        test.interrupt();

        // then
        assertThat(failure.join()).hasMessageContaining("was ended because its test was interrupted");
        assertThat(interrupted.join()).isTrue();
    }

    @Test
    void doubtsCaptureWithFailedExecution() {
        // given
        tool.afterCapture("echo 'execution completed with numerical error (NaN)'; exit 1");

        // when
        Profile profile = capture().run();

        // then
        assertThat(profile.allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.EXECUTION_ERRORS);
            assertThat(doubt.reason())
                    .isEqualTo(
                            "An execution of %s failed: neuron-explorer exit code 1. It printed \"execution completed with numerical error (NaN)\". The runtime reported NRT_EXEC_COMPLETED_WITH_NUM_ERR (1003), numerical errors such as NaN. Set real inputs with input(name, file), or call ignoreExecErrors(true), since the trace is complete. Run it with the same inputs on the CPU or on another core. Zero inputs often give NaN. Its output is in %s."
                                    .formatted(neff, made().resolve("capture")));
        });
        assertThat(profile.executions().get(0).summary().number("total_time")).hasValue(0.001);
    }

    @Test
    void acceptsNanWhenErrorsAreIgnored() {
        // given
        tool.afterCapture("echo 'execution completed with numerical error (NaN)'; exit 1");

        // when
        Profile profile = capture().ignoreExecErrors(true).run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.notices())
                .singleElement()
                .asString()
                .startsWith("Errors of executions are ignored. An execution of");
    }

    @Test
    void doubtsBrokenDeviceWhenErrorsAreIgnored() {
        // given
        tool.afterCapture("echo 'nrt_execute status=1202'; exit 1");

        // when
        Profile profile = capture().ignoreExecErrors(true).run();

        // then
        assertThat(profile.allDoubts()).singleElement().satisfies(doubt -> {
            assertThat(doubt.kind()).isEqualTo(Doubt.Kind.EXECUTION_ERRORS);
            assertThat(doubt.reason()).contains("Replace the instance");
        });
    }

    @Test
    void doubtsBrokenDeviceWhenToolExitsWithZero() {
        // given
        tool.afterCapture("echo 'nrt_execute status=1202'");

        // then
        assertThat(doubts(capture().ignoreExecErrors(true).run())).containsExactly(Doubt.Kind.EXECUTION_ERRORS);
        assertThat(doubts(capture().run())).containsExactly(Doubt.Kind.EXECUTION_ERRORS);
    }

    @Test
    void ignoresOnlyKnownExecutionErrors() {
        // given
        tool.afterCapture("echo 'panic: runtime error: index out of range' >&2; exit 2");

        // then
        assertThat(doubts(capture().ignoreExecErrors(true).run()))
                .containsExactly(Doubt.Kind.EXECUTION_ERRORS, Doubt.Kind.DROPPED_NOTIFICATIONS);
    }

    @Test
    void doubtsProfileWithMissingExecution() {
        // given
        tool.afterCapture("rm \"${session}_exec_3.ntff\"");

        // when
        Profile profile = capture().warmup(1).measured(3).run();

        // then
        assertThat(files(profile)).containsExactly("profile_exec_2.ntff", "profile_exec_4.ntff");
        assertThat(profile.doubts())
                .containsExactly(new Doubt(
                        Doubt.Kind.INCOMPLETE_TRACE,
                        "Execution 3 left no NTFF in %s. The missing part may be the slowest: see the log of the capture, and capture it again."
                                .formatted(made().resolve("capture"))));
    }

    @Test
    void keepsCaptureThatCannotBeViewed() {
        // given
        tool.afterCapture("rm \"$here/neuron-explorer\"");

        // when
        Profile profile = capture().also(TraceExport.PERFETTO).run();

        // then
        assertThat(files(profile)).containsExactly("profile_exec_2.ntff");
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.UNREADABLE);
        assertThat(profile.runs()).hasSize(1);
        assertThat(profile.notices()).singleElement().asString().contains("profile_exec_2.pftrace was not made");
    }

    @Test
    void keepsEarlierCapturesWhenNextCannotStart() {
        // given
        tool.beforeView("rm -r \"${5%/capture/*}\"; touch \"${5%/capture/*}\"");

        // when
        CaptureException failure = failure(capture().captures(2));

        // then
        assertThat(failure.profile().runs()).hasSize(2);
        assertThat(failure.profile().executions()).hasSize(1);
        assertThat(failure).hasMessageContaining("cannot be made in " + made());
    }

    @Test
    void reportsFolderThatCannotBeCreated() throws IOException {
        // given
        Path file = Files.createFile(tool.folder());

        // then
        assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> tool.profiler().view(neff))
                .withMessageContaining(
                        "was not profiled. The folder profile-given for a profile cannot be made in " + file)
                .withMessageEndingWith("Free disk space, or choose another folder.");
    }

    @Test
    void followsNoLinkAtPathOfOtherFormat() throws IOException {
        // given
        Path secret = Files.writeString(root.resolve("secret"), "mine");
        tool.afterCapture("ln -s '%s' \"${session}_exec_2.pftrace\"".formatted(secret));
        tool.beforeView(
                "while [ $# -gt 0 ]; do [ \"$1\" != --output-file ] || { echo made > \"$2\"; exit 0; }; shift; done");

        // when
        Profile profile = capture().also(TraceExport.PERFETTO).run();

        // then
        assertThat(secret).hasContent("mine");
        assertThat(profile.notices())
                .containsExactly(made().resolve("capture/profile_exec_2.pftrace")
                        + " was not made: the path already exists, and is not overwritten.");
    }

    @Test
    void reportsKilledToolToObserver() {
        // given
        List<Boolean> killed = new ArrayList<>();
        tool.observer(new ProfilerObserver() {
            @Override
            public void ended(ProcessHandle process, boolean wasKilled, List<Long> survivors, List<String> stillOwned) {
                killed.add(wasKilled);
            }
        });

        // when
        capture().run();
        tool.beforeCapture("kill -KILL $$");
        failure(capture());

        // then
        assertThat(killed).containsExactly(false, true);
    }

    @Test
    void doubtsAnEmptyTraceWithoutViewingIt() {
        // given
        tool.traces(new byte[0]);

        // then
        assertThat(doubts(capture().run())).containsExactly(Doubt.Kind.INCOMPLETE_TRACE);
        assertThat(tool.calls()).containsExactly("capture");
    }

    @Test
    void doubtsATraceOfAnotherNeff() {
        // given
        tool.traces(ToolFixture.ntff(ToolFixture.OTHER_UUID));

        // then
        assertThat(doubts(capture().run())).containsExactly(Doubt.Kind.OTHER_NEFF);
    }

    @Test
    void doubtsLostEventsReportedByCaptureOrView() {
        // given
        String line = "echo 'Warning: 5 trace events were dropped' >&2";

        // then
        assertThat(doubts(tool.beforeView(line).profiler().capture(neff).run()))
                .containsExactly(Doubt.Kind.DROPPED_NOTIFICATIONS);
        assertThat(doubts(tool.beforeView("")
                        .beforeCapture(line)
                        .profiler()
                        .capture(neff)
                        .run()))
                .containsExactly(Doubt.Kind.DROPPED_NOTIFICATIONS);
    }

    private static String throttled(String limiter, double share) {
        return "{\"n_1\": {\"total_time\": 0.001, \"throttle_%s_active_time_nc0_percent\": %s}}"
                .formatted(limiter, share);
    }

    @Test
    void capturesAgainWhileTheDeviceIsThrottled() {
        // given
        tool.summary(throttled("periodic", 0.9))
                .beforeView(
                        "case $(grep -c capture \"$here/calls\") in 1) ;; 2) echo '%s' > \"$here/summary\" ;; *) echo '{\"n_1\": {\"total_time\": 0.001}}' > \"$here/summary\" ;; esac"
                                .formatted(throttled("periodic", 0.4)));

        // when
        Profile profile = capture().recaptures(5).run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.executions())
                .singleElement()
                .satisfies(execution ->
                        assertThat(execution.ntff()).isEqualTo(made().resolve("capture-3/profile_exec_2.ntff")));
        assertThat(profile.notices())
                .singleElement()
                .asString()
                .startsWith(
                        "2 of 3 captures were left out. The device was throttled: 90 % of the time by periodic on nc0");
    }

    @Test
    void capturesOnceWhenActivityLimiterThrottles() {
        // given
        tool.summary(throttled("activity_1", 0.9));

        // when
        Profile profile = capture().recaptures(2).run();

        // then
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.THROTTLED);
        assertThat(tool.calls()).containsExactly("capture", "view");
        assertThat(profile.notices()).isEmpty();
    }

    @Test
    void stopsRecapturingWhenThrottledAlike() {
        // given
        tool.summary(throttled("periodic", 0.9));

        // when
        Profile profile = capture().recaptures(5).run();

        // then
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.THROTTLED);
        assertThat(tool.calls()).containsExactly("capture", "view", "capture", "view");
        assertThat(profile.executions()).hasSize(2);
        assertThat(profile.notices()).isEmpty();
    }

    @Test
    void reportsStartAndEndToObserver() {
        // given
        List<String> heard = new ArrayList<>();
        tool.observer(new ProfilerObserver() {
            @Override
            public void started(ProcessHandle process, List<NeuronCore> cores) {
                heard.add("started on " + cores.size());
            }

            @Override
            public void ended(ProcessHandle process, boolean killed, List<Long> survivors, List<String> stillOwned) {
                heard.add("ended " + survivors + stillOwned);
            }
        });

        // when
        Profile profile = capture().run();

        // then
        assertThat(heard).containsExactly("started on 2", "ended [][]");
        assertThat(tool.kept).containsExactly(profile);
    }

    @Test
    void writesOtherFormatsNextToEachTrace() throws IOException {
        // given
        tool.beforeView(
                "while [ $# -gt 0 ]; do [ \"$1\" != --output-file ] || { echo made > \"$2\"; exit 0; }; shift; done");

        // when
        Profile profile =
                capture().also(TraceExport.PERFETTO, TraceExport.FULL_JSON).run();

        // then
        assertThat(profile.notices()).isEmpty();
        assertThat(made().resolve("capture/profile_exec_2.pftrace")).hasContent("made");
        assertThat(profile.executions().get(0).fullJson().orElseThrow())
                .isEqualTo(made().resolve("capture/profile_exec_2.json"))
                .hasContent("made");
        assertThat(tool.calls()).containsExactly("capture", "view", "view", "view");
    }

    @Test
    void givesNoticeWhenOtherFormatFails() {
        // given
        tool.beforeView("case \"$*\" in *perfetto*) echo 'no idea' >&2; exit 2 ;; esac");

        // when
        Profile profile = capture().also(TraceExport.PERFETTO).run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(made().resolve("capture/profile_exec_2.pftrace")).doesNotExist();
        assertThat(profile.notices())
                .singleElement()
                .asString()
                .startsWith(made().resolve("capture/profile_exec_2.pftrace")
                        + " was not made: neuron-explorer exit code 2. It printed \"no idea\".");
    }

    @Test
    void treatsEachGraphOfTraceAsExecution() {
        // given
        tool.summary("{\"n_1\": {\"total_time\": 1}, \"n_2\": {\"total_time\": 2}}");

        // when
        Profile profile = capture().run();

        // then
        assertThat(profile.executions().stream()
                        .map(execution -> execution.summary().key()))
                .containsExactly("n_1", "n_2");
        assertThat(files(profile)).containsExactly("profile_exec_2.ntff", "profile_exec_2.ntff");
    }
}
