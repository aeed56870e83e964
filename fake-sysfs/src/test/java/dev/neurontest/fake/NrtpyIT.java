package dev.neurontest.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that use the documented calls of nrtpy on a fake host. */
class NrtpyIT {

    private static final String IMPORTS = """
            import nrtpy
            import numpy as np
            from nrtpy import NrtError, NrtpyError, NrtpyModel, NrtpyTensor
            """;

    private static final String LOADED = IMPORTS + """
            model = NrtpyModel.load_from_neff("add.neff")
            inputs = {
                "a": NrtpyTensor.from_numpy(np.array([[1, 2], [3, 4]], np.float32), name="a"),
                "b": NrtpyTensor.from_numpy(np.ones((2, 2), np.float32), name="b"),
            }
            """;

    @TempDir
    private Path folder;

    private FakeNeuronHost host;

    @BeforeAll
    static void requireLibraryAndNumpy() throws Exception {
        RuntimeProgramFixture.requireLibrary();
        assumeThat(run(Path.of("."), Map.of(), "import numpy"))
                .as("python3 with numpy is there")
                .isEmpty();
    }

    @BeforeEach
    void start() throws IOException {
        host = FakeNeuronHost.builder().instance("trn1.2xlarge").start();
        FakeNeff.builder()
                .name("add")
                .input("a", "float32", 2, 2)
                .input("b", "float32", 2, 2)
                .output("c", "float32", 2, 2)
                .write(folder.resolve("add.neff"));
        host.runtime().neff("add").output("c", NrtpyIT::sum).latency(Duration.ofMillis(2));
    }

    @AfterEach
    void close() {
        host.close();
    }

    private long executions(int core) throws IOException {
        Path count = host.directory()
                .resolve("sys/class/neuron_device/neuron0/neuron_core" + core + "/stats/status/success/total");
        return Long.parseLong(Files.readString(count).strip());
    }

    private static byte[] sum(Map<String, byte[]> inputs) {
        ByteBuffer a = ByteBuffer.wrap(inputs.get("a")).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer b = ByteBuffer.wrap(inputs.get("b")).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer sum = ByteBuffer.allocate(a.remaining()).order(ByteOrder.LITTLE_ENDIAN);
        while (a.hasRemaining()) {
            sum.putFloat(a.getFloat() + b.getFloat());
        }
        return sum.array();
    }

    private String run(String program) throws Exception {
        return run(folder, host.environment(), program);
    }

    private static String run(Path folder, Map<String, String> variables, String program) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("python3", "-c", program);
        builder.environment().keySet().removeIf(name -> name.startsWith("NEURON_"));
        builder.environment().putAll(variables);
        Process python =
                builder.directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        python.waitFor();
        return output;
    }

    @Test
    void executesModelWithArraysOfNumpy() throws Exception {
        assertThat(run(LOADED + """
                print(model.input_tensors_info["a"].shape, model.input_tensors_info["a"].size)
                print(list(model.output_tensors_info), model.name)
                outputs = model(inputs=inputs)
                print(outputs["c"].numpy().tolist(), outputs["c"].dtype, outputs["c"].shape)
                inputs["b"].write_from_numpy(np.full((2, 2), 10, np.float32))
                print(model(inputs=inputs, outputs=outputs), outputs["c"].numpy().tolist())
                """)).isEqualTo("""
                [2, 2] 16
                ['c'] add
                [[2.0, 3.0], [4.0, 5.0]] float32 (2, 2)
                None [[11.0, 12.0], [13.0, 14.0]]
                """);
        assertThat(executions(0)).isEqualTo(2);
    }

    @Test
    void measuresTimesOnTheDevice() throws Exception {
        assertThat(run(LOADED + """
                stats = model.benchmark(inputs, warmup_iter=2, benchmark_iter=3)
                print(stats.durations_ms, stats.iterations, stats.warmup_iterations)
                print(stats.mean_ms, stats.min_ms, stats.max_ms, stats.std_dev_ms)
                """)).isEqualTo("""
                [2.0, 2.0, 2.0] 3 2
                2.0 2.0 2.0 0.0
                """);
        assertThat(executions(0)).isEqualTo(5);
    }

    @Test
    void measuresTimesOnTheHost() throws Exception {
        assertThat(run(LOADED + """
                stats = model.benchmark(inputs, mode="host")
                print(stats.iterations, stats.warmup_iterations, all(each >= 2 for each in stats.durations_ms))
                """)).isEqualTo("5 5 True\n");
    }

    @Test
    void writesTraceNextToNeff() throws Exception {
        assertThat(run(LOADED + """
                model(inputs, save_trace=True)
                model(inputs, save_trace=True, ntff_name="other.ntff")
                """)).isEmpty();

        assertThat(folder.resolve("add.ntff")).isNotEmptyFile();
        assertThat(folder.resolve("other.ntff")).isNotEmptyFile();
    }

    @Test
    void raisesStatusOfFailedExecution() throws Exception {
        host.runtime().neff("add").status(NrtStatus.of("NRT_EXEC_OOB"));

        assertThat(run(LOADED + """
                try:
                    model(inputs)
                except NrtError as error:
                    print(isinstance(error, RuntimeError), error)
                """)).endsWith("True NRT Error NRT_EXEC_OOB(1006): Failed to execute model\n");
    }

    @ParameterizedTest
    @CsvSource({
        "load_from_neff('none.neff'), NRT_FAILURE(1): Failed to load model",
        "load_from_neff('other.neff'), NRT_FAILURE(6): Failed to load model",
    })
    void raisesStatusOfFailedLoad(String call, String expected) throws Exception {
        FakeNeff.builder().name("other").write(folder.resolve("other.neff"));
        host.runtime().neff("other").failsToLoad(NrtStatus.of("NRT_HW_ERROR"));

        assertThat(run(IMPORTS + """
                try:
                    NrtpyModel.%s
                except NrtError as error:
                    print(error)
                """.formatted(call))).endsWith("NRT Error " + expected + "\n");
    }

    @Test
    void selectsCoresBeforeTheRuntimeStarts() throws Exception {
        assertThat(run("""
                import nrtpy
                nrtpy.configure(visible_cores=[1])
                """ + LOADED + """
                model(inputs)
                try:
                    nrtpy.configure(visible_cores=[0])
                except NrtpyError as error:
                    print(error)
                nrtpy.reset()
                try:
                    inputs["a"].numpy()
                except NrtpyError as error:
                    print(error)
                nrtpy.configure(visible_cores=[0])
                print(NrtpyTensor.from_numpy(np.ones(2, np.int8)).numpy())
                """)).isEqualTo("""
                the runtime is active: call nrtpy.reset() before nrtpy.configure()
                tensor a was freed, or its runtime was reset
                [1 1]
                """);
        assertThat(executions(1)).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nrtpy.configure(2)                       | TypeError visible_cores is a number, 2; give it as [2]",
                "nrtpy.configure(['0'])                   | TypeError visible_cores contains '0', which is not a whole number",
                "nrtpy.configure([-1])                    | ValueError visible_cores contains -1; the number of a core is at least 0",
                "model.benchmark(inputs, mode='wall')     | ValueError mode is \"wall\"; it must be \"device\" or \"host\"",
                "model.benchmark(inputs, benchmark_iter=0)| ValueError benchmark_iter is 0; it must be at least 1",
                "inputs['a'].write_from_numpy(np.ones(3)) | ValueError tensor a has 16 bytes, but the array has 24",
                "nrtpy.attach_debug_stream                | AttributeError The fake Neuron host's nrtpy has no attach_debug_stream; it has",
                "inputs['a'].slice                        | AttributeError NrtpyTensor of the fake Neuron host's nrtpy has no slice",
                "model({'a': inputs['a']})                | NrtError NRT Error NRT_EXEC_BAD_INPUT(1002): Failed to execute model",
            })
    void refusesWrongUse(String call, String expected) throws Exception {
        assertThat(run(LOADED + """
                try:
                    %s
                except Exception as error:
                    print(type(error).__name__, error)
                """.formatted(call))).contains(expected);
    }

    @Test
    void hasNoTypeOfNumpyForHalfFloats() throws Exception {
        FakeNeff.builder()
                .name("half")
                .output("h", "float16", 2)
                .output("b", "bfloat16", 2)
                .output("e", "float8e4m3", 2)
                .write(folder.resolve("half.neff"));
        host.runtime().neff("half").output("h", "fill:1.5");

        assertThat(run(IMPORTS + """
                outputs = NrtpyModel.load_from_neff("half.neff")({})
                print([outputs[name].dtype.str for name in "hbe"])
                print(outputs["h"].numpy().view(np.float16))
                """)).isEqualTo("""
                ['|V2', '|V2', '|i1']
                [1.5 1.5]
                """);
    }

    @Test
    void breaksNoContractOfTheHeaders() throws Exception {
        host.runtime().strict();

        assertThat(run(LOADED + """
                outputs = model(inputs)
                model.benchmark(inputs)
                model(inputs, save_trace=True)
                nrtpy.get_nrtpy_singleton().free_tensor(outputs["c"])
                del model
                nrtpy.reset()
                model = NrtpyModel.load_from_neff("add.neff")
                print("done")
                """)).isEqualTo("done\n");
    }

    @Test
    void isNotThereForRuntimesWithoutIt() throws Exception {
        host.runtime().release("2.33.10.0");

        assertThat(run("import nrtpy"))
                .endsWith("ImportError: nrtpy exists since runtime 2.34 (SDK 2.32), but this fake host has runtime"
                        + " 2.33.10.0. Use a driver from 2.30 on, or set another runtime.\n");
    }

    @Test
    void isFoundByShellsThatSourceEnvSh() throws Exception {
        String script = host.directory().resolve("env.sh").toString();
        Process shell = new ProcessBuilder(
                        "sh", "-c", ". \"$1\"; python3 -c 'import nrtpy; print(nrtpy.__file__)'", "sh", script)
                .redirectErrorStream(true)
                .start();

        assertThat(shell.inputReader().lines())
                .containsExactly(host.directory()
                        .resolve("opt/aws/neuron/python/nrtpy/__init__.py")
                        .toString());
    }
}
