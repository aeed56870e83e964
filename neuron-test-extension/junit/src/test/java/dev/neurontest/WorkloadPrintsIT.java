package dev.neurontest;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.print.PrintOrigin;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorView;
import dev.neurontest.tensor.Tolerance;
import dev.neurontest.workload.WorkloadResult;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of prints of kernels in the programs of a test. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class WorkloadPrintsIT {

    private static final String NEFF = "target/workload-prints/tiles.neff";

    @TempDir
    private Path output;

    private EngineExecutionResults passing(NeuronTestKit kit, Class<?> fixture) {
        EngineExecutionResults results = kit.run(fixture);
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        results.testEvents().assertStatistics(statistics -> statistics.succeeded(1));
        return results;
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    @NeuronTest
    static class WritesFilesFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            workloads
                    .command(
                            "sh",
                            "-c",
                            "mkdir -p \"$NEURON_RT_DEBUG_OUTPUT_DIR/acc/core_0/0\" && cd \"$NEURON_RT_DEBUG_OUTPUT_DIR/acc/core_0/0\""
                                    + " && printf 'dtype = int32\nshape = (2,)\ndata_size = 8\n' > metadata.txt"
                                    + " && printf '\\1\\0\\0\\0\\2\\0\\0\\0' > tensor_data.bin"
                                    + " && echo 'acc dtype: int32 shape: (2,)' && echo '[1 2]'")
                    .run();
            assertThat(prints).withPrefix("acc").onlyTensor().isEqualTo(new int[] {1, 2});
            assertThat(prints.get(0).origin()).isEqualTo(PrintOrigin.FILES);
        }
    }

    /** A test with a program that numbers its core like the host. */
    @NeuronTest
    static class BesideAServerFixture {
        @BeforeAll
        static void server(@NeuronIndex(0) NeuronCore core) {}

        @Test
        void test(@NeuronIndex(1) NeuronCore core, Workloads workloads, DevicePrints prints) {
            workloads
                    .command(
                            "sh",
                            "-c",
                            "mkdir -p \"$NEURON_RT_DEBUG_OUTPUT_DIR/acc/core_1/0\" && cd \"$NEURON_RT_DEBUG_OUTPUT_DIR/acc/core_1/0\""
                                    + " && printf 'dtype = int32\nshape = (2,)\ndata_size = 8\n' > metadata.txt"
                                    + " && printf '\\1\\0\\0\\0\\2\\0\\0\\0' > tensor_data.bin")
                    .run();
            assertThat(prints).withPrefix("acc").onlyTensor().isEqualTo(new int[] {1, 2});
            assertThat(prints.toText()).doesNotContain("neuron0/neuron_core0");
        }
    }

    @NeuronTest
    static class SimulationFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            workloads
                    .command(
                            "printf",
                            "acc dtype: float32 shape: (2,)\\n[1.5 2]\\nacc dtype: float32 shape: (2,)\\n[3 4]\\n")
                    .run();
            assertThat(prints).withPrefix("acc").tensor(1).isEqualTo(new float[] {3, 4});
            assertThat(prints.get(0).origin()).isEqualTo(PrintOrigin.TEXT);
        }
    }

    @NeuronTest
    static class PythonFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 3)
        void test(NeuronCore core, Workloads workloads, DevicePrints prints, FakeNeuronHost fake) {
            fake.runtime()
                    .neff("tiles")
                    .print(FakePrint.of("acc", "float32", 2, 2).arange().times(3));
            workloads.command("python3", "-c", """
                            import ctypes, os, sys, time
                            def unread():
                                for descriptor in os.listdir("/proc/self/fdinfo"):
                                    try:
                                        for line in open("/proc/self/fdinfo/" + descriptor):
                                            if line.startswith("eventfd-count:"):
                                                yield int(line.split()[1], 16)
                                    except FileNotFoundError:
                                        pass
                            nrt = ctypes.CDLL("libnrt.so.1")
                            assert nrt.nrt_init(1, b"", b"") == 0
                            neff = open(sys.argv[1], "rb").read()
                            model, inputs, outputs = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
                            assert nrt.nrt_load(neff, ctypes.c_size_t(len(neff)), 0, 1, ctypes.byref(model)) == 0
                            nrt.nrt_allocate_tensor_set(ctypes.byref(inputs))
                            nrt.nrt_allocate_tensor_set(ctypes.byref(outputs))
                            while not list(unread()):
                                time.sleep(0.01)
                            assert nrt.nrt_execute(model, inputs, outputs) == 0
                            while any(unread()):
                                time.sleep(0.01)
                            nrt.nrt_unload(model)
                            nrt.nrt_close()
                            """, NEFF).run();
            assertThat(prints).withPrefix("acc").tensor(2).hasShape(2, 2).isEqualTo(new float[] {0, 1, 2, 3});
            assertThat(prints.get(0).origin()).isEqualTo(PrintOrigin.FORWARDED);
        }
    }

    /** A test with two programs: the first writes files, the second only text. */
    @NeuronTest
    static class BothWaysFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            new WritesFilesFixture().test(core, workloads, prints);
            workloads
                    .command(
                            "printf",
                            "acc dtype: float32 shape: (2,)\\n[nan 2]\\nacc dtype: float32 shape: (2,)\\n[1 2]\\n")
                    .run();
        }
    }

    /** A test with a program that prints text but does not report the end of its prints. */
    @NeuronTest
    static class LeavesEarlyFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            workloads
                    .command(
                            "python3",
                            "-c",
                            "import os; print('acc dtype: float32 shape: (2,)\\n[1.5 2]', flush=True); os._exit(0)")
                    .run();
        }
    }

    /** A test with a program that uses a module of the fake host. */
    @NeuronTest
    static class FindsModuleFixture {
        @Test
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            workloads
                    .command("python3", "-c", "import importlib.util as u; print(u.find_spec('nrtpy').origin)")
                    .run();
        }
    }

    @NeuronTest
    static class PrintsNothingFixture {
        @Test
        @ExpectPrint(prefix = "acc")
        void test(NeuronCore core, Workloads workloads) {
            workloads.command("true").run();
        }
    }

    /** A simulated kernel that prints a tile four times, abbreviated by NumPy, between other lines. No core is taken. */
    @NeuronTest
    static class SimulatedTilesFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 4)
        void test(Workloads workloads, DevicePrints prints) {
            WorkloadResult result =
                    workloads.command("sh", "-c", """
                            echo "$NKI_SIMULATOR $NEURON_PLATFORM_TARGET_OVERRIDE [$NEURON_RT_VISIBLE_CORES]"
                            for tile in 0 1 2 3; do
                                echo "INFO tile $tile"
                                echo 'acc [[0. 1. 2. ... 509. 510. 511.]'
                                echo 'WARNING to stderr' >&2
                                echo ' [0. 1. 2. ... 509. 510. 511.]'
                                echo ' ...'
                                echo ' [0. 1. 2. ... 509. 510. 511.]]'
                            done
                            """).simulated().run();
            assertThat(result.stdout()).startsWith("1 trn1 []\n");
            assertThat(result.simulated()).isTrue();
            assertThat(result.toString()).startsWith("Workload sh (simulated) ended with exit code 0");
            assertThat(result.prints("acc")).hasSize(4);
            assertThat(prints).withPrefix("acc").hasSize(4);
        }
    }

    @NeuronTest
    static class SimulatedNaNFixture {
        @Test
        @ExpectPrint(prefix = "acc", noNaN = true)
        void test(Workloads workloads) {
            workloads
                    .command("echo", "acc [0. 1. 2. ... nan 998. 999.]")
                    .simulated()
                    .run();
        }
    }

    /** A test with a device program that prints nothing. The prints of the simulation must not count for it. */
    @NeuronTest
    static class OnlySimulationPrintsFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads) {
            workloads.command("echo", "acc [1 2]").simulated().run();
            workloads.command("true").run();
        }
    }

    /** A test that asks for prints while its program on the device has not printed yet. */
    @NeuronTest
    static class DeviceProgramRunsFixture {
        @Test
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            workloads.command("echo", "acc int32 (2,) [1 2]").simulated().run();
            assertThat(prints.size()).isEqualTo(1);
            workloads.command("sleep", "60").endedByTest().start();
            assertThat(prints.size()).isZero();
        }
    }

    /** A test that forgot the program on the device. */
    @NeuronTest
    static class ComparedWithItselfFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) {
            WorkloadResult simulated =
                    workloads.command("echo", "acc [1 2]").simulated().run();
            assertThat(prints).sameAs(simulated.prints("acc"), Tolerance.exact());
        }
    }

    /** A test that compares the prints of two simulations. */
    @NeuronTest
    static class TwoSimulationsFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 2)
        void test(Workloads workloads) {
            DevicePrints first = simulated(workloads);
            assertThat(simulated(workloads)).sameAs(first, Tolerance.exact());
        }

        private static DevicePrints simulated(Workloads workloads) {
            return workloads.command("echo", "acc [1 2]").simulated().run().prints("acc");
        }
    }

    /** A test with a simulated program that saves an array, and a program that writes files as frameworks do. */
    @NeuronTest
    static class SimulatedAndOnDeviceFixture {
        @Test
        @ExpectPrint(prefix = "acc", count = 1)
        void test(NeuronCore core, Workloads workloads, DevicePrints prints) throws IOException {
            Path array = Path.of("target/workload-prints/simulated.npy");
            Files.createDirectories(array.getParent());
            try (OutputStream out = Files.newOutputStream(array)) {
                Npy.write(TensorView.of(new int[] {1, 3}), out);
            }
            WorkloadResult simulated = workloads
                    .command(
                            "sh",
                            "-c",
                            "mkdir -p $NEURON_RT_DEBUG_OUTPUT_DIR/acc/core_0/0 && cp %s $NEURON_RT_DEBUG_OUTPUT_DIR/acc/core_0/0/tensor.npy"
                                    .formatted(array))
                    .environment("NKI_SIMULATOR", "1")
                    .run();
            new WritesFilesFixture().test(core, workloads, prints);
            assertThat(simulated.prints()).withPrefix("acc").onlyTensor().isEqualTo(new int[] {1, 3});
        }
    }

    @Test
    void readsPrintsFromFilesAndNotAgainFromOutput() {
        passing(kit(), WritesFilesFixture.class);
    }

    @Test
    void namesCoreOfTestDespiteServerOfClass() {
        passing(kit(), BesideAServerFixture.class);
    }

    @Test
    void readsPrintsFromOutputOfSimulation() {
        passing(kit(), SimulationFixture.class);
    }

    @Test
    void forwardsPrintsOfPythonProgram() throws IOException {
        // given
        Assumptions.assumeThat(FakeRuntime.unavailable()).isEmpty();
        Assumptions.assumeThat(python()).as("python3 in the PATH").isTrue();
        Files.createDirectories(Path.of(NEFF).getParent());
        FakeNeff.builder().name("tiles").write(Path.of(NEFF));

        // then
        passing(kit().with("neuron.test.print.workloads", "python"), PythonFixture.class);
    }

    @Test
    void leavesModulesOfHostOnThePath() {
        Assumptions.assumeThat(python()).as("python3 in the PATH").isTrue();

        passing(kit().with("neuron.test.print.workloads", "python"), FindsModuleFixture.class);
    }

    @Test
    void mixOfFilesAndTextIsInDoubt() {
        // when
        List<Throwable> failures = NeuronTestKit.failures(kit().run(BothWaysFixture.class));

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure)
                                .hasMessageContaining(
                                        "Standard output of the workloads has 3 prints of \"acc\", but only 1 arrived as files or in the debug stream"));
    }

    @Test
    void textOfProgramWithoutCleanEndIsInDoubt() {
        // given
        Assumptions.assumeThat(python()).as("python3 in the PATH").isTrue();

        // when
        List<Throwable> failures = NeuronTestKit.failures(
                kit().with("neuron.test.print.workloads", "python").run(LeavesEarlyFixture.class));

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("ended without confirming that it had forwarded everything"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "python"})
    void countsAbbreviatedPrintsOfSimulationWithoutCore(String way) {
        passing(kit().with("neuron.test.print.workloads", way), SimulatedTilesFixture.class);
    }

    @Test
    void visibleNaNOfSimulationFailsTest() {
        assertThat(NeuronTestKit.failures(kit().run(SimulatedNaNFixture.class)))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining(
                                "NaN in 1 of 1 prints, first in print 0 at [-3] (1 of 6 written values)"));
    }

    @Test
    void simulationDoesNotReplacePrintsOfDevice() {
        assertThat(NeuronTestKit.failures(kit().run(OnlySimulationPrintsFixture.class)))
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("0 arrived"));
    }

    @Test
    void simulationDoesNotReplacePrintsOfRunningProgram() {
        passing(kit(), DeviceProgramRunsFixture.class);
    }

    @Test
    void simulationComparedWithItselfFailsTest() {
        assertThat(NeuronTestKit.failures(kit().run(ComparedWithItselfFixture.class)))
                .singleElement()
                .satisfies(failure -> assertThat(failure)
                        .hasMessageContaining("compared with themselves")
                        .hasMessageContaining("Start the program a second time"));
    }

    @Test
    void comparesPrintsOfTwoSimulations() {
        passing(kit(), TwoSimulationsFixture.class);
    }

    @Test
    void separatesPrintsOfSimulationFromThoseOfDevice() {
        passing(kit(), SimulatedAndOnDeviceFixture.class);
    }

    @Test
    void missingPrintFailsTest() {
        // when
        List<Throwable> failures = NeuronTestKit.failures(kit().run(PrintsNothingFixture.class));

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("@ExpectPrint(prefix = \"acc\")"));
    }

    private static boolean python() {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3")));
    }
}
