package dev.neurontest.fake.internal.profiler.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.fake.internal.neff.Neff;
import dev.neurontest.fake.internal.neff.NeffModel;
import dev.neurontest.fake.internal.profiler.ToolFixture;
import dev.neurontest.fake.internal.profiler.ToolFixture.Result;
import dev.neurontest.fake.internal.profiler.call.Call;
import dev.neurontest.fake.internal.profiler.call.Chip;
import dev.neurontest.fake.internal.profiler.ntff.Ntff;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code capture} on a trn1.2xlarge with two cores. */
class CaptureCommandIT {

    private static final String CORE = "neuron0/neuron_core0";
    private static final String EXECUTED = "other_info/inference_count";

    /** The idle time of the first execution on Trn1, in picoseconds. */
    private static final long START_UP = 2_080_000_000L;

    @TempDir
    private Path folder;

    @AutoClose
    private static FakeNeuronHost host;

    private ToolFixture tools;

    @BeforeAll
    static void startHost() {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
    }

    @BeforeEach
    void start() throws IOException {
        tools = new ToolFixture(host, folder);
        FakeNeff.builder()
                .name("resnet50.neff")
                .time(Duration.ofMillis(17))
                .input("x", 16)
                .output("out", 8)
                .write(folder.resolve("m.neff"));
    }

    private Result capture(String... more) {
        return tools.explorer(Stream.concat(Stream.of("capture", "-n", "m.neff"), Arrays.stream(more))
                .toArray(String[]::new));
    }

    private void captured(String... more) {
        Result result = capture(more);
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private void refused(Result result, String... words) {
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains(words);
    }

    private Ntff ntff(String name) throws IOException {
        return Ntff.read(folder.resolve(name));
    }

    @Nested
    class SavedOutputs {

        @BeforeEach
        void declareOutputs() throws IOException {
            FakeNeff.builder()
                    .output("raw", 8)
                    .output("logits", "float32", 2, 3)
                    .write(folder.resolve("m.neff"));
        }

        @Test
        void areZerosInFilesOfTheirNames() {
            Result result = capture("--save-output", "--num-exec", "2");

            assertThat(result.out().lines())
                    .containsExactlyInAnyOrder(
                            "saved output \"raw\" as \"raw\"",
                            "saved output \"logits\" as \"logits\"",
                            "saved output \"raw\" as \"raw.2\"",
                            "saved output \"logits\" as \"logits.2\"");
            assertThat(folder.resolve("logits.2")).hasBinaryContent(new byte[2 * 3 * 4]);
        }

        @Test
        void areThoseOfScriptsForEachExecution() throws IOException {
            FakeNeff.builder()
                    .name("pair")
                    .input("a", "int8", 4)
                    .input("b", "int8", 4)
                    .output("copied", "int8", 4)
                    .output("filled", "int8", 4)
                    .output("other", "int8", 4)
                    .write(folder.resolve("m.neff"));
            Files.write(folder.resolve("a.bin"), new byte[] {1, 2, 3, 4});
            Files.write(
                    folder.resolve("b.npy"),
                    "\u0093NUMPY\u0001\u0000\u0006\u0000{...}\n\5\6\7\b".getBytes(StandardCharsets.ISO_8859_1));
            host.runtime().neff("pair").output("copied", "copy:a").output("filled", "copy:b");
            host.runtime().neff("pair").output("filled", "fill:9").times(1);

            captured("--save-output", "--num-exec", "2", "a", "a.bin", "b", "b.npy");

            assertThat(folder.resolve("copied")).hasBinaryContent(new byte[] {1, 2, 3, 4});
            assertThat(folder.resolve("filled")).hasBinaryContent(new byte[] {9, 9, 9, 9});
            assertThat(folder.resolve("filled.2")).hasBinaryContent(new byte[] {5, 6, 7, 8});
            assertThat(folder.resolve("other")).hasBinaryContent(new byte[4]);
        }

        @Test
        void areComputedFromInputsOfZerosWithoutFiles() throws IOException {
            FakeNeff.builder()
                    .name("single")
                    .input("a", "int8", 4)
                    .output("y", "int8", 4)
                    .write(folder.resolve("m.neff"));
            host.runtime().neff("single").output("y", "copy:a");

            captured("--save-output");

            assertThat(folder.resolve("y")).hasBinaryContent(new byte[4]);
        }

        @Test
        void areInTheFolderWhateverTheirNames() throws IOException {
            FakeNeff.builder().output("../block/y", 8).write(folder.resolve("m.neff"));

            assertThat(capture("--save-output").out()).isEqualTo("saved output \"../block/y\" as \".._block_y\"\n");
            assertThat(folder.resolve(".._block_y")).hasSize(8);
        }

        @Test
        void areThoseOfEachNthExecution() {
            captured("--save-output", "--num-exec", "4", "--save-nth-output=2");

            assertThat(folder.resolve("raw")).doesNotExist();
            assertThat(folder.resolve("raw.2")).hasSize(8);
            assertThat(folder.resolve("raw.3")).doesNotExist();
            assertThat(folder.resolve("raw.4")).hasSize(8);
        }

        @Test
        void areNumpyArraysOfTheirType() throws Exception {
            captured("--save-output-npy", "--disable-profile");

            byte[] file = Files.readAllBytes(folder.resolve("logits.npy"));
            String text = new String(file, StandardCharsets.ISO_8859_1);
            assertThat(text)
                    .startsWith(
                            "\u0093NUMPY\u0001\u0000v\u0000{'descr': '<f4', 'fortran_order': False, 'shape': (2,3,), }");
            assertThat(text.indexOf('\n') + 1).isEqualTo(128);
            assertThat(file).hasSize(128 + 2 * 3 * 4);
            assertThat(folder.resolve("profile.ntff")).doesNotExist();
        }

        @Test
        void failAsNumpyArraysOfTypesThatNumpyLacks() throws Exception {
            FakeNeff.builder().output("out", "bfloat16", 4).write(folder.resolve("m.neff"));

            Result result = capture("--save-output-npy");

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err())
                    .endsWith("failed to save output out to file: unsupported type for npy output: bfloat16\n");
        }
    }

    @Nested
    class Names {

        @ParameterizedTest
        @CsvSource({
            "'', profile.ntff",
            "--num-exec 3, profile.ntff profile_exec_2.ntff profile_exec_3.ntff",
            "--num-exec 2 --profile-nth-exec 2, profile_exec_2.ntff",
            "--num-exec 5 --profile-nth-exec 2, profile_exec_2.ntff profile_exec_4.ntff",
            "--profile-nth-exec 3, profile_exec_3.ntff",
            "--profile-nth-exec 0, ''",
            "--disable-profile, ''",
            "-s other, other.ntff",
            "-s a.b.ntff --num-exec 2, a.b.ntff a.b_exec_2.ntff",
            "-r 2, profile_rank_0.ntff profile_rank_1.ntff",
            "-r 2 -i 1, profile_rank_1.ntff",
            "-r 2 --num-exec 2 --profile-nth-exec 2, profile_rank_0_exec_2.ntff profile_rank_1_exec_2.ntff",
            "-r 2 --collectives-worker-count 4 --collectives-worker-start-id 2, profile_rank_2.ntff profile_rank_3.ntff",
            "-r 2 --collectives-worker-count 4 --collectives-profile-id 3, ''"
        })
        void matchTheGenuineTool(String arguments, String names) throws Exception {
            captured(arguments.isEmpty() ? new String[0] : arguments.split(" "));

            assertThat(tools.traces())
                    .containsExactlyElementsOf(names.isEmpty() ? List.of() : List.of(names.split(" ")));
        }

        @Test
        void missingFolderIsCreated() {
            captured("-s", "new/and new/profile.ntff");

            assertThat(folder.resolve("new/and new/profile.ntff")).isNotEmptyFile();
        }
    }

    @Nested
    class Trace {

        @Test
        void matchesTheFacts() throws Exception {
            captured("--num-exec", "2");

            Ntff second = ntff("profile_exec_2.ntff");
            assertThat(second.version()).isEqualTo(7);
            assertThat(second.neffName()).isEqualTo("resnet50.neff");
            assertThat(second.isOf(Neff.read(folder.resolve("m.neff")))).isTrue();
            assertThat(second.instanceType()).isEqualTo("trn1.2xlarge");
            assertThat(second.graphs()).containsExactly(new Ntff.Graph("sg00", 0, 17_000_000_000L));
        }

        @Test
        void hasTheStartUpOfTrn1InTheFirstExecutionOnly() throws Exception {
            captured("--num-exec", "2");

            assertThat(ntff("profile.ntff").picoseconds()).isEqualTo(19_080_000_000L);
            assertThat(ntff("profile_exec_2.ntff").picoseconds()).isEqualTo(17_000_000_000L);
        }

        @Test
        void hasTwoGraphsForALogicalCoreOfTwo() throws Exception {
            try (FakeNeuronHost other =
                    FakeNeuronHost.builder().instance("trn2.3xlarge").start()) {
                ToolFixture trn2 = new ToolFixture(other, folder);
                trn2.environment("NEURON_RT_VISIBLE_CORES", "1");

                assertThat(trn2.explorer("capture", "-n", "m.neff").exitCode()).isZero();

                assertThat(ntff("profile.ntff").graphs())
                        .extracting(Ntff.Graph::name, Ntff.Graph::core)
                        .containsExactly(tuple("sg00", 6), tuple("sg01", 7));
                assertThat(trn2.counter("neuron0/neuron_core6", EXECUTED)).isEqualTo(1);
            }
        }

        @Test
        void versionFollowsTheTool() throws Exception {
            host.profiler().tool("neuron-profile", "working 2.25.145.0");

            assertThat(tools.profile("capture", "-n", "m.neff").exitCode()).isZero();

            assertThat(ntff("profile.ntff").version()).isEqualTo(5);
        }
    }

    @Nested
    class Device {

        @Test
        void countsExecutionsOnTheVisibleCore() throws Exception {
            tools.environment("NEURON_RT_VISIBLE_CORES", "1");

            captured("--num-exec", "5");

            assertThat(tools.counter("neuron0/neuron_core1", EXECUTED)).isEqualTo(5);
            assertThat(tools.counter("neuron0/neuron_core1", "other_info/model_load_count"))
                    .isEqualTo(1);
            assertThat(tools.counter(CORE, EXECUTED)).isZero();
        }

        @Test
        void isReleasedAfterTheCapture() {
            captured();

            try (FakeProcess next = tools.host.openProcess(tools.host.core(CORE))) {
                assertThat(next.alive()).isTrue();
            }
        }

        @Test
        void takenCoreFailsTheCaptureAsInTheRuntime() throws Exception {
            try (FakeProcess other = tools.host.openProcess(tools.host.core(CORE))) {
                Result result = capture();

                refused(result, "ERROR   NRT:nrt_allocate_neuron_cores      ");
                assertThat(result.err())
                        .contains("Logical Neuron Core(s) not available - Requested:2 Available:1 Logical Core size 1");
                assertThat(other.alive()).isTrue();
                assertThat(tools.traces()).isEmpty();
            }
        }

        @Test
        void twoWorkersExecuteOnOneCoreEach() throws Exception {
            captured("-r", "2", "--num-exec", "3");

            assertThat(tools.counter(CORE, EXECUTED)).isEqualTo(3);
            assertThat(tools.counter("neuron0/neuron_core1", EXECUTED)).isEqualTo(3);
        }

        @Test
        void threeWorkersOnTwoCoresAreRefused() {
            refused(capture("-r", "3"), "NRT_LOAD_NOT_ENOUGH_NC (9)");
        }

        @Test
        void unknownVisibleCoreIsRefused() {
            tools.environment("NEURON_RT_VISIBLE_CORES", "7");

            refused(capture(), "no logical core 7");
        }
    }

    @Nested
    class Neffs {

        @Test
        void missingFileIsRefused() {
            refused(tools.explorer("capture", "-n", "nix.neff"), "open nix.neff: no such file or directory");
        }

        @Test
        void textFileIsRefused() throws Exception {
            Files.writeString(folder.resolve("text.neff"), "not one".repeat(500));

            refused(tools.explorer("capture", "-n", "text.neff"), "text.neff", "not a NEFF");
        }

        @Test
        void truncatedNeffIsRefused() throws Exception {
            byte[] whole = Files.readAllBytes(folder.resolve("m.neff"));
            Files.write(folder.resolve("cut.neff"), Arrays.copyOf(whole, whole.length - 1));

            refused(tools.explorer("capture", "-n", "cut.neff"), "cut.neff", "unexpected EOF");
        }

        @Test
        void workerCountFollowsTheNeffAndFewerIsRefused() throws Exception {
            FakeNeff.builder().workers(2).write(folder.resolve("cc.neff"));

            assertThat(tools.explorer("capture", "-n", "cc.neff").exitCode()).isZero();
            assertThat(tools.traces()).containsExactly("profile_rank_0.ntff", "profile_rank_1.ntff");
            refused(
                    tools.explorer("capture", "-n", "cc.neff", "-r", "1"),
                    "NRT:nrt_load_collectives",
                    "Unsupported topology");
        }
    }

    @Nested
    class InputFiles {

        @Test
        void mayBeRawOrNumPy() throws Exception {
            Files.write(folder.resolve("x.raw"), new byte[16]);
            byte[] numpy = new byte[128 + 16];
            System.arraycopy(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0}, 0, numpy, 0, 10);
            Files.write(folder.resolve("x.npy"), numpy);

            captured("x", "x.raw");
            captured("x", "x.npy");
        }

        @ParameterizedTest
        @CsvSource({
            "x, \"x\" has no file",
            "y x.raw, \"y\" is not an input of the NEFF",
            "x nix.raw, open nix.raw: no such file or directory",
            "x m.neff, NRT_EXEC_BAD_INPUT (1002)",
            "-m nix.txt, open nix.txt: no such file or directory",
            "-m two.txt, two.txt has 2 lines for 1 workers",
            "-m two.txt x x.raw, inputs are given twice"
        })
        void areRefusedWhenMissingOrWrong(String arguments, String reason) throws Exception {
            Files.write(folder.resolve("x.raw"), new byte[16]);
            Files.writeString(folder.resolve("two.txt"), "x x.raw\nx x.raw\n");

            refused(capture(arguments.split(" ")), reason);
            assertThat(tools.traces()).isEmpty();
        }

        @Test
        void mayBeListedPerWorkerInAFile() throws Exception {
            Files.write(folder.resolve("x.raw"), new byte[16]);
            Files.writeString(folder.resolve("two.txt"), "x x.raw\nx x.raw\n");

            captured("-r", "2", "-m", "two.txt");
        }
    }

    @Test
    void acceptsEveryFlagOfTheGenuineTool() {
        captured(
                "-s=p.ntff",
                "-t",
                "profile",
                "--exec-mode=async-wait",
                "--enable-dge-notifs",
                "--single-io",
                "--single-io-threshold=4",
                "--check-output-determinism",
                "--save-output",
                "--io-from=runtime",
                "--write-tensors-per-exec=alias",
                "--systrace-event-filter=hardware");
    }

    @Test
    void needsAValueForWriteTensorsPerExec() {
        refused(
                capture("--write-tensors-per-exec", "--num-exec=2"),
                "expected argument for flag `--write-tensors-per-exec'");
    }

    @Test
    void refusesToTraceTheSystem() {
        refused(capture("-t", "systrace"), "by inspect");
    }

    @Test
    void refusesAGenuineNeff() throws Exception {
        byte[] neff = new byte[1024 + 10240];
        ByteBuffer.wrap(neff)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(2)
                .putLong(1024)
                .putLong(10240);
        try (OutputStream body = new GZIPOutputStream(new ByteArrayOutputStream() {
            @Override
            public void close() throws IOException {
                System.arraycopy(toByteArray(), 0, neff, 1024, size());
            }
        })) {
            body.write(new byte[1024]);
        }
        Files.write(folder.resolve("genuine.neff"), neff);

        refused(
                tools.explorer("capture", "-n", "genuine.neff"),
                "Failed to load NEFF genuine.neff: it is not one of fake-sysfs, and this stand-in invents no numbers");
    }

    @Nested
    class Scripts {

        private void script(String words) {
            tools.script(words);
        }

        private List<Long> times(int captures, String... arguments) throws IOException {
            List<Long> times = new ArrayList<>();
            for (int i = 0; i < captures; i++) {
                captured(arguments);
                for (String name : tools.traces()) {
                    times.add(ntff(name).picoseconds() - START_UP);
                }
            }
            return times;
        }

        @Test
        void makeExecutionsSlower() throws Exception {
            script("slowdown 1.04");

            captured();

            Ntff ntff = ntff("profile.ntff");
            assertThat(ntff.picoseconds()).isEqualTo(Math.round(17e9 * 1.04) + START_UP);
            assertThat(ntff.properties().number("base", 0)).isEqualTo(17_000_000_000L);
        }

        @Test
        void makeOneRankSlower() throws Exception {
            script("slowdown 2 rank 1");

            captured("-r", "2");

            assertThat(ntff("profile_rank_0.ntff").picoseconds()).isEqualTo(17_000_000_000L + START_UP);
            assertThat(ntff("profile_rank_1.ntff").picoseconds()).isEqualTo(34_000_000_000L + START_UP);
        }

        @Test
        void makeCapturesDiffer() throws Exception {
            script("run-noise 0.02 42");

            assertThat(times(2)).doesNotHaveDuplicates();
        }

        @Test
        void makeNoiseOfTheGivenDeviation() {
            long[] times = LongStream.rangeClosed(1, 400)
                    .map(number -> Execution.of(
                                    Call.parse(
                                            "call " + number
                                                    + " instance inf2.xlarge driver 2.30.2.0 lnc 1 runtime 2.34.10.0 | run-noise 0.02 42"),
                                    new NeffModel("model", 17_000_000_000L, 1, null, Map.of()),
                                    Chip.of("inf2"),
                                    0,
                                    1)
                            .picoseconds())
                    .toArray();

            double mean = LongStream.of(times).average().orElseThrow();
            double variance = LongStream.of(times)
                    .mapToDouble(time -> (time - mean) * (time - mean))
                    .average()
                    .orElseThrow();
            assertThat(mean).isBetween(16.9e9, 17.1e9);
            assertThat(Math.sqrt(variance) / mean).isBetween(0.018, 0.022);
        }

        @Test
        void makeTheSameNoiseForTheSameSeedAndCall() {
            Call call = Call.parse(
                    "call 3 instance trn1.2xlarge driver 2.30.2.0 lnc 1 runtime 2.34.10.0 | run-noise 0.02 42");

            assertThat(Execution.of(call, NeffModel.UNKNOWN, Chip.of("trn1"), 0, 2))
                    .isEqualTo(Execution.of(call, NeffModel.UNKNOWN, Chip.of("trn1"), 0, 2))
                    .isNotEqualTo(Execution.of(call, NeffModel.UNKNOWN, Chip.of("trn1"), 1, 2));
        }

        @Test
        void throttleTheNextCapturesOnly() throws Exception {
            script("throttle 0.5 times 2");

            List<Long> times = times(3);

            assertThat(times.get(0)).isEqualTo(times.get(1)).isGreaterThan(17_000_000_000L);
            assertThat(times.get(2)).isEqualTo(17_000_000_000L);
        }

        @Test
        void endExecutionsWithNaNAndLeaveACompleteTrace() throws Exception {
            tools.host.profiler().script("status", NrtStatus.NRT_EXEC_COMPLETED_WITH_NUM_ERR);

            Result result = capture("--num-exec", "2", "--profile-nth-exec", "2");

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.out()).contains("execution completed with numerical error (NaN)");
            assertThat(ntff("profile_exec_2.ntff").records()).isPositive();
            assertThat(tools.counter(CORE, "status/execute_completed_with_num_error"))
                    .isEqualTo(2);
            captured("--ignore-exec-errors");
        }

        @Test
        void endExecutionsWithAnotherStatusAndLeaveNothing() throws Exception {
            script("status NRT_EXEC_OOB");

            refused(capture("--num-exec", "3"), "NRT_EXEC_OOB");

            assertThat(tools.traces()).isEmpty();
            assertThat(tools.counter(CORE, "status/oob_error")).isEqualTo(1);
            captured("--ignore-exec-errors");
            assertThat(tools.traces()).containsExactly("profile.ntff");
        }

        @Test
        void writeTheUuidOfAnotherNeff() throws Exception {
            script("wrong-uuid");

            captured();

            assertThat(ntff("profile.ntff").isOf(Neff.read(folder.resolve("m.neff"))))
                    .isFalse();
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 5, 200})
        void cutTheTrace(long bytes) {
            tools.host.profiler().script("ntff-bytes", bytes);

            captured();

            assertThat(folder.resolve("profile.ntff")).hasSize(bytes);
        }
    }
}
