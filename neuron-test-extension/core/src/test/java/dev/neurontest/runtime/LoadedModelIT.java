package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.NeffScript;
import dev.neurontest.fake.NrtStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of loading and executing with the stand-in library. */
class LoadedModelIT {

    private static final Map<String, float[]> INPUTS =
            Map.of("a", new float[] {1, 2, 3, 4}, "b", new float[] {10, 20, 30, 40});

    private static RuntimeFixture fixture;
    private static NeuronRuntime runtime;

    @TempDir
    Path folder;

    private Path neff;
    private NeuronCore core;

    @BeforeAll
    static void start() throws IOException {
        fixture = new RuntimeFixture();
        runtime = fixture.builder().executionTimeout(Duration.ofSeconds(1)).open();
    }

    @AfterAll
    static void stop() {
        if (runtime != null) {
            runtime.close();
        }
        if (fixture != null) {
            fixture.close();
        }
    }

    @BeforeEach
    void model() throws IOException {
        fixture.fake().runtime().reset();
        neff = fixture.add(folder);
        core = fixture.cores().get(0);
    }

    private static NeffScript script() {
        return fixture.fake().runtime().neff(RuntimeFixture.ADD);
    }

    @Test
    void returnsOutputsOfExecution() {
        // given
        try (LoadedModel model = runtime.load(core, neff)) {
            // when
            Outputs outputs = model.execute(INPUTS);

            // then
            assertThat(outputs.tensor("c").toFloats()).containsExactly(11, 22, 33, 44);
            assertThat(outputs.tensor("c").shape()).containsExactly(2L, 2L);
            assertThat(outputs.tensor("c").dtypeName()).isEqualTo("float32");
        }
    }

    @Test
    void keepsOutputsAfterClose() {
        // given
        Outputs outputs;
        try (LoadedModel model = runtime.load(core, neff)) {
            outputs = model.execute(INPUTS);
        }

        // then
        assertThat(outputs.tensor("c").toFloats()).containsExactly(11, 22, 33, 44);
    }

    @Test
    void namesOutputsWhenOneIsUnknown() {
        // given
        try (LoadedModel model = runtime.load(core, neff)) {
            Outputs outputs = model.execute(INPUTS);

            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> outputs.tensor("d"))
                    .withMessage("add.neff has no output \"d\"; it has: c");
        }
    }

    @Test
    void reportsInputsAndOutputs() {
        // given
        try (LoadedModel model = runtime.load(core, neff)) {
            // then
            assertThat(model.inputs())
                    .containsExactly(
                            new TensorInfo("a", TensorInfo.Usage.INPUT, 10, "float32", List.of(2L, 2L), 16),
                            new TensorInfo("b", TensorInfo.Usage.INPUT, 10, "float32", List.of(2L, 2L), 16));
            assertThat(model.outputs()).map(TensorInfo::toString).containsExactly("c (float32 2x2, 16 bytes)");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "uint64, 1",
        "int8, 2",
        "uint8, 3",
        "int16, 4",
        "uint16, 5",
        "bfloat16, 6",
        "float16, 7",
        "int32, 8",
        "uint32, 9",
        "float32, 10",
        "int64, 12"
    })
    void mapsDtypesToNumbers(String dtype, int number) throws IOException {
        // given
        Path typed = FakeNeff.builder().name("typed.neff").input("x", dtype, 3).write(folder.resolve("typed.neff"));

        // then
        try (LoadedModel model = runtime.load(core, typed)) {
            assertThat(model.inputs()).singleElement().satisfies(input -> {
                assertThat(input.dtypeCode()).isEqualTo(number);
                assertThat(input.dtype()).isEqualTo(dtype);
                assertThat(input.shape()).containsExactly(3L);
            });
        }
    }

    @Test
    void failsWithStatusOfOutOfBoundsAccess() {
        // given
        script().status(NrtStatus.NRT_EXEC_OOB);
        long before = runtime.executionsEnded(List.of(0));
        try (LoadedModel model = runtime.load(core, neff)) {
            // when
            NrtException failure = catchThrowableOfType(NrtException.class, () -> model.execute(INPUTS));

            // then
            assertThat(failure.status()).isEqualTo(RuntimeStatus.of(1006));
            assertThat(failure).hasMessage("""
                            nrt_execute of add.neff on neuron0/neuron_core0 returned NRT_EXEC_OOB (1006): an access out of bounds. Possible causes: the kernel or model, or its inputs. Check the indices of the kernel and its inputs; NEURON_RT_DBG_DUMP_INPUTS_ON_ERR=1006 writes the inputs to files.
                              runtime: %s (%s)""".formatted(
                            runtime.version(), runtime.library().path()));
            assertThat(runtime.executionsEnded(List.of(0))).isEqualTo(before + 1);
        }
    }

    @Test
    void returnsFailedStatusFromTryExecute() {
        // given
        script().status(NrtStatus.NRT_EXEC_OOB);
        try (LoadedModel model = runtime.load(core, neff)) {
            // when
            ExecutionResult result = model.tryExecute(INPUTS);

            // then
            assertThat(result.status()).isEqualTo(RuntimeStatus.of("NRT_EXEC_OOB"));
            assertThatThrownBy(result::outputs)
                    .isInstanceOf(NrtException.class)
                    .hasMessageContaining("NRT_EXEC_OOB (1006)");
        }
    }

    @Test
    void returnsOutputsWhenCompletedWithNumericalErrors() {
        // given
        script().status(NrtStatus.NRT_EXEC_COMPLETED_WITH_NUM_ERR);
        try (LoadedModel model = runtime.load(core, neff)) {
            // when
            ExecutionResult result = model.tryExecute(INPUTS);

            // then
            assertThat(result.status().code()).isEqualTo(1003);
            assertThat(result.outputs().bytes("c").size()).isEqualTo(16);
        }
    }

    @Test
    void refusesUnfitInputsBeforeExecution() {
        // given
        long before = runtime.executionsEnded(List.of(0));
        float[] four = new float[4];
        try (LoadedModel model = runtime.load(core, neff)) {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.execute(Map.of("a", four, "x", four)))
                    .withMessage(
                            "add.neff has no input \"x\"; it has: a (float32 2x2, 16 bytes), b (float32 2x2, 16 bytes)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.execute(Map.of("a", new float[3])))
                    .withMessage("input a (float32 2x2, 16 bytes) of add.neff was given as float[] of 12 bytes");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.execute(Map.of("a", four)))
                    .withMessage(
                            "add.neff on neuron0/neuron_core0 was not given every input; missing: b (float32 2x2, 16 bytes)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.execute(Map.of("a", "four numbers")))
                    .withMessageStartingWith(
                            "input a (float32 2x2, 16 bytes) of add.neff was given as String: java.lang.String cannot be written to a tensor: use a byte[],");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.execute(Map.of("a", new int[] {1, 2, 3, 4})))
                    .withMessage(
                            "input a (float32 2x2, 16 bytes) of add.neff was given as int[], but its bits are not float32. Use a float[], or pass the bits as a byte[] or ByteBuffer.");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> model.execute(Map.of("a", new double[] {1, 2})))
                    .withMessageStartingWith(
                            "input a (float32 2x2, 16 bytes) of add.neff was given as double[], but its bits are not float32.");
        }
        assertThat(runtime.executionsEnded(List.of(0))).isEqualTo(before);
    }

    @Test
    void executesAModelWithoutTensors() throws IOException {
        // given
        Path plain = FakeNeff.builder().name("plain.neff").write(folder.resolve("plain.neff"));
        try (LoadedModel model = runtime.load(core, plain)) {
            // then
            assertThat(model.tryExecute(Map.of()).status()).isEqualTo(RuntimeStatus.of(0));
        }
    }

    @Test
    void refusesFileThatIsNoNeff() throws IOException {
        // given
        Path text = Files.writeString(folder.resolve("text.neff"), "This is a text and no compiled model.");

        // then
        assertThatThrownBy(() -> runtime.load(core, text))
                .isInstanceOf(NeffException.class)
                .hasMessageStartingWith(text + " is not a NEFF: it begins with ");
    }

    @Test
    void refusesANeffThatIsMissing() {
        // then
        assertThatThrownBy(() -> runtime.load(core, folder.resolve("none.neff")))
                .isInstanceOf(NeffException.class)
                .hasMessageStartingWith(folder.resolve("none.neff") + " does not exist");
    }

    @Test
    void refusesNeffCutAtAnyLength() throws IOException {
        // given
        byte[] whole = Files.readAllBytes(neff);

        // then
        for (int length : new int[] {1, 15, 16, 1023, 1024, 1025, whole.length - 1}) {
            Path cut = Files.write(folder.resolve("cut.neff"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> runtime.load(core, cut))
                    .as("%d bytes", length)
                    .isInstanceOf(NeffException.class)
                    .hasMessageContaining(" is truncated: it has ");
        }
    }

    @Test
    void survivesNeffWithDamagedBody() throws IOException {
        // given
        byte[] damaged = Files.readAllBytes(neff);
        Arrays.fill(damaged, 1024 + 10, damaged.length, (byte) 0x5a);

        // then
        assertThatThrownBy(() -> runtime.load(core, Files.write(neff, damaged)))
                .isInstanceOf(NrtException.class)
                .hasMessageStartingWith("nrt_load of add.neff on neuron0/neuron_core0 returned NRT_");
        assertThat(runtime.leaksSince(runtime.mark())).isEmpty();
    }

    @Test
    void reportsWhyModelIsNotLoaded() {
        // given
        script().failsToLoad(NrtStatus.NRT_UNSUPPORTED_NEFF_VERSION);

        // then
        assertThatThrownBy(() -> runtime.load(core, neff))
                .isInstanceOf(NrtException.class)
                .hasMessageStartingWith(
                        "nrt_load of add.neff on neuron0/neuron_core0 returned NRT_UNSUPPORTED_NEFF_VERSION (10): the compiler of the NEFF and the runtime do not fit together. Cause: the environment. Install compiler and runtime of one release; the newest of both is simplest.");
    }

    @Test
    void reportsModelCompiledForOtherLogicalCoreSize() throws IOException {
        // given
        Path paired = FakeNeff.builder().name("paired.neff").lnc(2).write(folder.resolve("paired.neff"));

        // then
        assertThatThrownBy(() -> runtime.load(core, paired))
                .isInstanceOf(NrtException.class)
                .hasMessageStartingWith(
                        "nrt_load of paired.neff (compiled with --lnc 2, run with 1: compile it with --lnc 1, or set neuron.test.lnc=2) on neuron0/neuron_core0 returned ");
    }

    @Test
    void reusesItsTensors() {
        // given
        try (LoadedModel model = runtime.load(core, neff);
                Execution execution =
                        model.bind().input("a", new float[] {1, 1, 1, 1}).input("b", new float[4])) {
            long used = runtime.memory(core).usedBytes();
            execution.run();

            // when
            execution.input("b", new float[] {1, 2, 3, 4}).run();

            // then
            assertThat(execution.outputs().tensor("c").toFloats()).containsExactly(2, 3, 4, 5);
            assertThat(runtime.memory(core).usedBytes()).isEqualTo(used);
        }
    }

    @Test
    void usesTensorsOfTheTest() {
        // given
        try (LoadedModel model = runtime.load(core, neff);
                DeviceTensor sum = runtime.allocate(core, "sum", 16).write(new float[4]);
                DeviceTensor one = runtime.allocate(core, "one", 16).write(new float[] {1, 2, 3, 4})) {
            long used = runtime.memory(core).usedBytes();
            try (Execution execution = model.bind().input("b", new float[4])) {
                // when
                execution.input("a", sum).input("b", one).output("c", sum);
                IntStream.range(0, 5).forEach(run -> execution.run());

                // then
                assertThat(execution.outputs().tensor("c").toFloats()).containsExactly(5, 10, 15, 20);
                assertThat(execution.outputTensor("c")).isSameAs(sum);
                assertThat(runtime.memory(core).usedBytes()).isEqualTo(used);
            }
        }
    }

    @Test
    void keepsClosedTensorWhileExecutionUsesIt() {
        // given
        long used = runtime.memory(core).usedBytes();
        try (LoadedModel model = runtime.load(core, neff)) {
            long loaded = runtime.memory(core).usedBytes();
            DeviceTensor a = runtime.allocate(core, "a", 16).write(new float[] {1, 2, 3, 4});
            Execution execution = model.bind().input("a", a).input("b", new float[4]);
            a.close();

            // then
            assertThatCode(execution::run).doesNotThrowAnyException();
            assertThatIllegalStateException().isThrownBy(a::read).withMessageContaining("was closed by thread");

            // when
            execution.close();

            // then
            assertThat(runtime.memory(core).usedBytes()).isEqualTo(loaded);
        }
        assertThat(runtime.memory(core).usedBytes()).isEqualTo(used);
    }

    @Test
    void refusesATensorOfAnotherCore() {
        // given
        NeuronCore other = fixture.cores().get(1);
        try (LoadedModel model = runtime.load(core, neff);
                DeviceTensor tensor = runtime.allocate(other, "t", 16);
                Execution execution = model.bind()) {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> execution.input("a", tensor))
                    .withMessage(
                            "tensor t (16 bytes) on neuron0/neuron_core1 is not on the core of model add.neff on neuron0/neuron_core0");
        }
    }

    @Test
    void refusesRunAfterModelIsClosed() {
        // given
        LoadedModel model = runtime.load(core, neff);
        try (Execution execution = model.bind().input("a", new float[4]).input("b", new float[4])) {
            model.close();
            model.close();

            // then
            assertThatIllegalStateException()
                    .isThrownBy(execution::run)
                    .withMessageStartingWith("model add.neff on neuron0/neuron_core0 was closed by thread ");
        }
    }

    @Test
    void measuresManyExecutionsAndCountsFailures() {
        // given
        script().status(NrtStatus.NRT_EXEC_COMPLETED_WITH_NUM_ERR).times(3);
        try (LoadedModel model = runtime.load(core, neff);
                Execution execution = model.bind().input("a", new float[4]).input("b", new float[4])) {
            // when
            ExecutionStatistics statistics = execution.runMany(30);

            // then
            assertThat(statistics.executions()).isEqualTo(30);
            assertThat(statistics.failures()).isEqualTo(Map.of(RuntimeStatus.of(1003), 3L));
            assertThat(statistics.percentile(100)).isGreaterThanOrEqualTo(statistics.percentile(50));
            assertThat(statistics.toString())
                    .startsWith("30 of 30 executions, p50 ")
                    .endsWith(", failed: NRT_EXEC_COMPLETED_WITH_NUM_ERR (1003) x3");
        }
    }

    @Test
    void measuresLatencyOfModel() {
        // given
        script().latency(Duration.ofMillis(20));
        try (LoadedModel model = runtime.load(core, neff);
                Execution execution = model.bind().input("a", new float[4]).input("b", new float[4])) {
            // then
            assertThat(execution.runMany(5).percentile(0)).isGreaterThan(Duration.ofMillis(19));
        }
    }

    @ParameterizedTest
    @CsvSource({"NRT_TIMEOUT", "NRT_EXEC_HW_ERR_HBM_UE", "NRT_EXEC_UNIT_UNRECOVERABLE"})
    void stopsWhenCoreIsUnusable(String status) {
        // given
        script().status(NrtStatus.of(status));
        try (LoadedModel model = runtime.load(core, neff);
                Execution execution = model.bind().input("a", new float[4]).input("b", new float[4])) {
            // when
            ExecutionStatistics statistics = execution.runMany(100);

            // then
            assertThat(statistics.executions()).isEqualTo(1);
            assertThat(statistics.toString()).startsWith("1 of 100 executions");
            assertThat(statistics.failures()).hasSize(1);
        }
    }

    @Test
    void executesOnSeveralThreadsAtOnce() {
        // given
        try (LoadedModel first = runtime.load(core, neff);
                LoadedModel second = runtime.load(fixture.cores().get(1), neff)) {
            // when
            List<CompletableFuture<float[]>> runs = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                LoadedModel model = thread % 2 == 0 ? first : second;
                float[] a = {thread, thread, thread, thread};
                runs.add(CompletableFuture.supplyAsync(() -> {
                    float[] last = {};
                    for (int run = 0; run < 5; run++) {
                        last = model.execute(Map.of("a", a, "b", new float[4]))
                                .tensor("c")
                                .toFloats();
                    }
                    return last;
                }));
            }

            // then
            for (int thread = 0; thread < runs.size(); thread++) {
                assertThat(runs.get(thread).join()).containsOnly(thread);
            }
        }
    }
}
