package dev.neurontest.profile;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.device.runtime.RuntimeVariables;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.process.ChildEnvironment;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.internal.profile.tool.ProfilerTool;
import dev.neurontest.patience.Patience;
import dev.neurontest.workload.ChildEnd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of captures by the stand-in tools of a fake host, which open its cores. */
class ProfilerOfFakeHostIT {

    @AutoClose
    private static FakeNeuronHost fake;

    private static NeuronHost host;

    @TempDir
    Path root;

    private Path neff;

    @BeforeAll
    static void start() throws IOException {
        fake = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        host = NeuronHost.discover(FileTree.at(fake.directory()));
    }

    @BeforeEach
    void neff() throws IOException {
        fake.profiler().reset();
        neff = FakeNeff.builder()
                .name("model.neff")
                .uuid(new UUID(0x123456789abcdef0L, 1))
                .time(Duration.ofMillis(17))
                .input("x", 4)
                .write(root.resolve("model.neff"));
    }

    private static ProfilerTool tool(Duration deadline) {
        return ProfilerTool.find(new ProfilerTool.Search(fake.directory(), Optional.empty(), "", Map.of(), deadline));
    }

    private Profiler profiler() {
        return ToolFixture.ofFakeHost(fake.directory(), host, root.resolve("out"), Map.of());
    }

    private NeffCapture capture() {
        return profiler().capture(neff).on(host.cores().get(1));
    }

    private static List<Doubt.Kind> doubts(Profile profile) {
        return profile.allDoubts().stream().map(Doubt::kind).toList();
    }

    @Test
    void measuresAModel() {
        // when
        Profile profile = capture().measured(2).run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.executions()).hasSize(2).allSatisfy(execution -> {
            assertThat(execution.summary().number("total_time")).hasValue(0.017);
            assertThat(execution.header().orElseThrow().graphs().get(0).duration())
                    .contains(Duration.ofMillis(17));
        });
        assertThat(profile.executions().stream().map(TracedExecution::index)).containsExactly(2, 3);
    }

    @Test
    void printsNoCommandOfRemovedTool() {
        // when
        Profile profile = capture().run();
        ProfileFailure failure = ProfileFailure.judged(
                ProfileExpectations.builder()
                        .expect(MetricExpectation.of("total_time", "1 ms", "", "median"))
                        .build(),
                profile);

        // then
        assertThat(failure.text()).contains("\nTrace: ").doesNotContain(" view -n ");
        assertThat(profile.toText()).contains("\nExecutions").doesNotContain("To open it in the viewer");
        assertThat(profile.toJson()).contains("\"ntff\":").doesNotContain("\"view\":");
    }

    @Test
    void releasesItsCores() {
        // when
        capture().run();

        // then
        await().untilAsserted(() -> assertThat(host.owners()).isEmpty());
        fake.openProcess(fake.device(0).core(1)).close();
    }

    @Test
    void namesProcessThatHasItsCores() {
        // given
        try (FakeProcess other = fake.openProcess("python3", fake.device(0).core(1))) {
            fake.awaitPublished();

            // when
            CaptureException failure = catchThrowableOfType(
                    CaptureException.class,
                    () -> capture().coresFreeWithin(Duration.ZERO).run());

            // then
            assertThat(failure).hasMessageContaining("neuron0 by python3 (pid %s)".formatted(other.pid()));
        }
    }

    @Test
    void usesOldToolWhenOnlyThatWorks() {
        // given
        fake.profiler().tool("neuron-explorer", "stub");
        fake.profiler().tool("neuron-profile", "working 2.25.145.0");
        try {
            // when
            Profile profile = capture().run();

            // then
            assertThat(profile.tool()).isEqualTo("neuron-profile 2.25.145.0");
            assertThat(profile.allDoubts()).isEmpty();
        } finally {
            fake.profiler().tool("neuron-explorer", "working 2.32.7.0");
            fake.profiler().tool("neuron-profile", "stub");
        }
    }

    @Test
    void acceptsNanWhenErrorsAreIgnored() {
        // given
        fake.profiler().script("status", NrtStatus.of(1003));

        // then
        assertThat(doubts(capture().run())).contains(Doubt.Kind.EXECUTION_ERRORS);
        assertThat(doubts(capture().ignoreExecErrors(true).run())).isEmpty();
    }

    @Test
    void capturesOnceWhenActivityLimiterThrottles() {
        // given
        fake.profiler().script("throttle", 0.4, "times", 2);

        // when
        Profile profile = capture().recaptures(3).run();

        // then
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.THROTTLED);
        assertThat(profile.notices()).isEmpty();
    }

    @Test
    void doubtsForeignEmptyAndCutTraces() {
        // given
        fake.profiler().script("wrong-uuid", "times", 1);
        Profile other = capture().run();
        fake.profiler().script("ntff-bytes", 0, "times", 1);
        Profile empty = capture().run();
        fake.profiler().script("ntff-bytes", 200, "times", 1);
        Profile cut = capture().run();

        // then
        assertThat(doubts(other)).contains(Doubt.Kind.OTHER_NEFF);
        assertThat(doubts(empty)).contains(Doubt.Kind.INCOMPLETE_TRACE);
        assertThat(doubts(cut)).contains(Doubt.Kind.INCOMPLETE_TRACE);
    }

    @Test
    void doubtsLostNotifications() {
        // given
        fake.profiler().script("dropped", 12);

        // then
        assertThat(doubts(capture().run())).contains(Doubt.Kind.DROPPED_NOTIFICATIONS);
    }

    @Test
    void endsHangingTool() {
        // given
        fake.profiler().script("hang", "view");

        // then
        assertThat(doubts(capture().deadline(Duration.ofSeconds(10)).run())).contains(Doubt.Kind.UNREADABLE);
    }

    @Test
    void advisesSingleIoWhenMemoryIsFull() {
        // given
        fake.profiler().script("status", NrtStatus.of("NRT_RESOURCE"));
        fake.profiler()
                .script("log", "capture", "ERROR  NRT:nrt_tensor_allocate  Failed to allocate tensor: out of memory");

        // then
        assertThat(catchThrowableOfType(CaptureException.class, () -> capture().run()))
                .hasMessageContaining("singleIo()");
    }

    @Test
    void acceptsNamesWithSpacesAndNewlines() throws IOException {
        // given
        Path odd = Files.move(neff, root.resolve("my model\n(v2) 'x'.neff"));
        Path input = Files.write(root.resolve("in put\n.bin"), new byte[4]);

        // when
        Profile profile = profiler()
                .capture(odd)
                .on(host.cores().get(1))
                .input("x", input)
                .run();

        // then
        assertThat(profile.allDoubts()).isEmpty();
        assertThat(profile.executions())
                .singleElement()
                .extracting(TracedExecution::neff)
                .isEqualTo(odd);
    }

    @Test
    void keepsNoSecretOfADumpedEnvironment() {
        // given
        fake.profiler().script("status", NrtStatus.of("NRT_FAILURE"));
        fake.profiler().script("log", "capture", "ERROR   NRT:nrt_infodump   API_TOKEN=abcdefghijklmnop");
        Profiler profiler = ToolFixture.ofFakeHost(
                fake.directory(), host, root.resolve("out"), Map.of("API_TOKEN", "abcdefghijklmnop"));

        // when
        CaptureException failure = catchThrowableOfType(
                CaptureException.class,
                () -> profiler.capture(neff).on(host.cores().get(1)).run());

        // then
        assertThat(failure.profile().toText()).contains("API_TOKEN").doesNotContain("abcdefghijklmnop");
        assertThat(failure).hasMessageNotContaining("API_TOKEN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"capture", "view"})
    void reportsKilledTool(String call) {
        // given
        fake.profiler().script("killed", call);

        // when
        Profile profile = attempted();

        // then
        assertThat(profile.allDoubts().stream().map(Doubt::reason))
                .anySatisfy(reason -> assertThat(reason).contains("SIGKILL"));
        assertThat(profile.runs()).isNotEmpty();
    }

    private Profile attempted() {
        try {
            return capture().run();
        } catch (CaptureException nothing) {
            return nothing.profile();
        }
    }

    @Test
    void leavesNoProcessOfAToolThatHangs() {
        // given
        fake.profiler().script("hang", "capture");

        // when
        catchThrowableOfType(
                CaptureException.class,
                () -> capture().deadline(Duration.ofSeconds(10)).run());

        // then
        await().until(() -> host.owners().isEmpty());
        await().untilAsserted(
                        () -> assertThat(ProcessHandle.current().descendants()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"NaN, true", "Infinity, true", "-1, true", "1.7, false"})
    void reportsInvalidNumbersWithoutUsingThem(String written, boolean absent) {
        // given
        fake.profiler().script("metric", "mbu_estimated_percent", written);

        // when
        ProfileSummary summary = capture().run().executions().get(0).summary();

        // then
        assertThat(summary.number("mbu_estimated_percent").isEmpty()).isEqualTo(absent);
        assertThat(summary.values().containsKey("mbu_estimated_percent")
                        || summary.oddity("mbu_estimated_percent").isPresent())
                .isTrue();
    }

    @Test
    void profilesRunningWorkload() throws IOException {
        // given
        Path helper = FakeNeff.builder()
                .uuid(new UUID(0x0123456789abcdefL, 1))
                .time(Duration.ofNanos(20_000))
                .profile("vector")
                .write(root.resolve("helper.neff"));
        InspectCapture inspect = profiler().inspect(InspectCapture.Mode.MODEL);
        ChildEnd end = ChildProcess.command(List.of(
                        fake.directory().resolve("bin/run-neff").toString(), helper.toString(), neff.toString()))
                .environment(ChildEnvironment.INHERITED
                        .without(RuntimeVariables::isOfRuntime)
                        .with(inspect.environment()))
                .directory(root)
                .start()
                .await(Patience.LIMIT);

        // when
        Profile profile = inspect.collect();

        // then
        assertThat(end.exitCode().orElseThrow().isZero()).isTrue();
        assertThat(profile.executions())
                .singleElement()
                .satisfies(execution ->
                        assertThat(execution.ntff().getFileName()).hasToString("1311768467463790320_vnc_0.ntff"));
        assertThat(profile.helpers()).hasSize(1);
        assertThat(doubts(profile)).containsExactly(Doubt.Kind.FIRST_EXECUTION);
    }
}
