package dev.neurontest;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.NeffScript;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.runtime.DeviceTensor;
import dev.neurontest.runtime.Execution;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.Outputs;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of expectations on outputs: an output that is wrong in any of twelve ways never passes. */
class WrongOutputsIT {

    private static final String FOLDER = "target/wrong-outputs/";
    private static final String MODEL = FOLDER + "model.neff";
    private static final String SAME_NAME = FOLDER + "other/model.neff";
    private static final String HALF = FOLDER + "half.neff";
    private static final String GOLDEN = FOLDER + "y.npy";
    private static final String OTHER_SHAPE = FOLDER + "row.npy";
    private static final String ZEROS = FOLDER + "zeros.npy";
    private static final String WRITTEN = FOLDER + "written.npy";
    private static final float[] RIGHT = {1, 2, 3, 4, 5, 6, 7, 8};
    private static final Map<String, ?> INPUTS = Map.of("x", RIGHT);

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Assumptions.assumeThat(FakeRuntime.unavailable()).isEmpty();
        Files.createDirectories(Path.of(FOLDER, "other"));
        FakeNeff.builder()
                .name("model")
                .input("x", "float32", 2, 4)
                .output("y", "float32", 2, 4)
                .write(Path.of(MODEL));
        FakeNeff.builder()
                .name("other")
                .uuid(UUID.randomUUID())
                .input("x", "float32", 2, 4)
                .output("y", "float32", 2, 4)
                .write(Path.of(SAME_NAME));
        FakeNeff.builder()
                .name("half")
                .input("x", "float32", 2, 4)
                .output("y", "float16", 2, 4)
                .write(Path.of(HALF));
        write(TensorView.of(RIGHT, 2, 4), GOLDEN);
        write(TensorView.of(RIGHT), OTHER_SHAPE);
        write(TensorView.of(new float[8], 2, 4), ZEROS);
    }

    private static void write(TensorView tensor, String file) {
        try (OutputStream out = Files.newOutputStream(Path.of(file))) {
            Npy.write(tensor, out);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static NeffScript script(FakeNeuronHost fake) {
        return fake.runtime().neff("model");
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output).with("neuron.test.runtime.cores", "2");
    }

    /** Runs one method of a fixture and returns why it did not pass; empty if it passed. */
    private String whyNotGreen(Class<?> fixture, String method) {
        EngineExecutionResults results = kit().run(fixture, method);
        return results.testEvents().finished().stream()
                .flatMap(event -> event.getPayload(TestExecutionResult.class).stream())
                .filter(result -> result.getStatus() != TestExecutionResult.Status.SUCCESSFUL)
                .map(result -> String.valueOf(
                        result.getThrowable().map(Throwable::getMessage).orElse("")))
                .collect(Collectors.joining("\n"));
    }

    private List<String> notices() {
        return kit().events(RunEvent.Noticed.class).stream()
                .map(RunEvent.Noticed::notice)
                .toList();
    }

    @NeuronTest
    static class WrongFixture {

        @Test
        @ExpectOutput
        void zeros(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput
        void constant(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "fill:2.5");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput
        void nan(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "arange@3=NaN");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput
        void infinity(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "arange@3=inf");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput
        void untouched(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "unwritten");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void otherType(@Neff(HALF) LoadedModel model, FakeNeuronHost fake) {
            fake.runtime().neff("half").output("y", "arange");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void transposed(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            model.execute(Map.of("x", new float[] {1, 5, 2, 6, 3, 7, 4, 8}));
        }

        @Test
        @ExpectOutput
        void lastTileUnwritten(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "first:16:copy:x");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void lastTileZero(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            model.execute(Map.of("x", new float[] {1, 2, 3, 4, 0, 0, 0, 0}));
        }

        @Test
        @ExpectOutput
        void staleBuffer(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "unwritten");
            script(fake).output("y", "copy:x").times(1);
            try (Execution execution = model.bind().input("x", RIGHT)) {
                execution.run();
                execution.run();
            }
        }

        @Test
        @ExpectOutput
        void staleInTimedExecutions(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "unwritten");
            script(fake).output("y", "copy:x").times(1);
            try (Execution execution = model.bind().input("x", RIGHT)) {
                execution.runMany(3);
            }
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void staleContent(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "arange");
            model.execute(Map.of("x", new float[8]));
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void rightOnOneOfTwoCores(
                @Count(2) List<NeuronCore> cores,
                @Neff(MODEL) LoadedModel first,
                @Neff(value = MODEL, core = 1) LoadedModel second,
                FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            first.execute(INPUTS);
            second.execute(Map.of("x", new float[] {1, 2, 3, 4, 5, 6, 7, 9}));
        }

        @Test
        @ExpectOutput(value = "y", golden = OTHER_SHAPE)
        void otherShape(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = FOLDER + "none.npy")
        void missingGolden(@Neff(MODEL) LoadedModel model) {
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = ZEROS)
        void zeroGolden(@Neff(MODEL) LoadedModel model) {
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", golden = WRITTEN)
        void goldenOfTheTestItself(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            write(model.execute(INPUTS).tensor("y"), WRITTEN);
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN, tolerance = "100 %")
        void zerosWithinTolerance(@Neff(MODEL) LoadedModel model) {
            model.execute(INPUTS);
        }

        @Test
        void comparedWithItself(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            Outputs outputs = model.execute(INPUTS);
            assertThat(outputs.tensor("y")).isEqualTo(outputs.tensor("y"));
        }

        @Test
        @ExpectOutput
        void withoutExecution(@Neff(MODEL) LoadedModel model) {}

        @Test
        @ExpectOutput("z")
        void unknownOutput(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput
        void ownTensor(@Neff(MODEL) LoadedModel model, NeuronRuntime runtime, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            try (DeviceTensor tensor = runtime.allocate(model.core(), "mine", 32);
                    Execution execution = model.bind().input("x", RIGHT).output("y", tensor)) {
                execution.run();
            }
        }

        @Test
        @ExpectOutput(value = "y", same = true)
        void notDeterministic(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "arange@0=7");
            script(fake).output("y", "arange").times(1);
            model.execute(INPUTS);
            model.execute(INPUTS);
        }

        @Test
        @ExpectOutput(value = "y", same = true)
        void executedOnce(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
            script(fake).output("y", "copy:x");
            model.execute(INPUTS);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            zeros                  | output "y" of model.neff on neuron0/neuron_core0, execution 1: expected values other than zero, was zero in all 8 values
            constant               | expected different values, was 2.5 in all 8 values
            nan                    | expected no NaN, was NaN in 1 of 8 values, first at [0, 3]
            infinity               | expected no infinity, was infinite in 1 of 8 values, first at [0, 3]
            untouched              | expected every element written, was unwritten in all 8 elements
            otherType              | expected dtype float32, was dtype float16
            transposed             | was different in 6 of 8 values: equal to the golden transposed
            lastTileUnwritten      | was unwritten in the last 4 of 8 elements
            lastTileZero           | was different in 4 of 8 values: only the last ones, which are all zero
            staleBuffer            | execution 2: expected every element written, was unwritten in all 8 elements
            staleInTimedExecutions | execution 3: expected every element written, was unwritten in all 8 elements
            staleContent           | execution 1: expected the values of target/wrong-outputs/y.npy exactly, was different in 8 of 8 values (and in 1 later execution with the same bytes)
            rightOnOneOfTwoCores   | output "y" of model.neff on neuron0/neuron_core1, execution 1: expected the values of target/wrong-outputs/y.npy exactly, was different in 1 of 8 values
            otherShape             | expected shape (8,) of target/wrong-outputs/row.npy, was shape (2, 4)
            missingGolden          | @ExpectOutput(value = "y", golden = "target/wrong-outputs/none.npy"): golden target/wrong-outputs/none.npy does not exist in
            zeroGolden             | golden target/wrong-outputs/zeros.npy is no reference: zero in all 8 values
            zerosWithinTolerance   | expected values other than zero, was zero in all 8 values
            comparedWithItself     | tensor was compared with itself, which proves nothing
            withoutExecution       | undecided: No model was executed in the JVM of the test
            unknownOutput          | output "z": expected an output of an executed model, was none: model.neff has "y"
            ownTensor              | undecided: whether it was written is unknown, because the test provided its tensor
            notDeterministic       | expected the bytes of execution 1 on neuron0/neuron_core0, which had the same inputs, was other bytes
            executedOnce           | undecided: no two executions with the same inputs were examined
            """)
    void isNeverGreen(String method, String reason) {
        assertThat(whyNotGreen(WrongFixture.class, method)).contains(reason);
    }

    @Test
    void isNotGreenWithGoldenWrittenByTestItself() {
        // given
        write(TensorView.of(RIGHT, 2, 4), WRITTEN);

        // then
        assertThat(whyNotGreen(WrongFixture.class, "goldenOfTheTestItself"))
                .contains(
                        "golden target/wrong-outputs/written.npy: expected a file from before the test, was one that was written");
    }

    /** Tests of demands next to other expectations and settings. */
    @Nested
    class BesidesOthers {

        @NeuronTest
        @ExpectOutput
        static class OfClassFixture {

            @Test
            void zeros(@Neff(MODEL) LoadedModel model) {
                model.execute(INPUTS);
            }

            @Test
            @ExpectOutput(value = "y", allow = ExpectOutput.Allowed.ZEROS)
            void zerosByRight(@Neff(MODEL) LoadedModel model) {
                model.execute(INPUTS);
            }

            @Test
            void aborted(@Neff(MODEL) LoadedModel model) {
                abort("no inputs");
            }

            @Test
            void zerosBeforeAbort(@Neff(MODEL) LoadedModel model) {
                model.execute(INPUTS);
                abort("enough");
            }
        }

        @Test
        void ofClassAppliesToEachTest() {
            assertThat(whyNotGreen(OfClassFixture.class, "zeros")).contains("zero in all 8 values");
            assertThat(whyNotGreen(OfClassFixture.class, "zerosByRight")).isEmpty();
        }

        @Test
        void abortedBodyIsFreeToExecuteNothing() {
            assertThat(whyNotGreen(OfClassFixture.class, "aborted")).isEqualTo("no inputs");
            assertThat(whyNotGreen(OfClassFixture.class, "zerosBeforeAbort")).contains("zero in all 8 values");
        }

        @ParameterizedTest
        @CsvSource({"fail, FAILED", "abort, ABORTED", "pass, SUCCESSFUL"})
        void undecidedIsHandledAsConfigured(String policy, TestExecutionResult.Status status) {
            EngineExecutionResults results = kit().with("neuron.test.undecided", "outputs=" + policy)
                    .run(WrongFixture.class, "withoutExecution");

            assertThat(results.testEvents().finished().stream())
                    .singleElement()
                    .extracting(event ->
                            event.getRequiredPayload(TestExecutionResult.class).getStatus())
                    .isEqualTo(status);
        }

        @Test
        void summaryOfNothingSaysSo() throws IOException {
            whyNotGreen(WrongFixture.class, "withoutExecution");

            try (Stream<Path> files = Files.walk(output.resolve("junit"))) {
                assertThat(files.filter(file -> file.endsWith("neuron-outputs.txt")))
                        .singleElement()
                        .satisfies(file -> assertThat(file)
                                .hasContent("No model was executed in the JVM of the test or by the profiler."));
            }
        }

        @Test
        void summaryIsInRunFile() {
            whyNotGreen(WrongFixture.class, "lastTileUnwritten");

            assertThat(kit().events(RunEvent.Recorded.class))
                    .filteredOn(recorded -> recorded.kind().equals("outputs"))
                    .singleElement()
                    .extracting(recorded -> recorded.recording().toString())
                    .asString()
                    .contains("\"executions\":1", "\"size\":8", "\"unwritten\":4")
                    .contains("\"found\":\"unwritten in the last 4 of 8 elements\"");
        }
    }

    /** Tests of outputs that are right, or that a test does not judge. */
    @Nested
    class WithoutDemand {

        @NeuronTest
        static class SilentFixture {

            @Test
            void zeros(@Neff(MODEL) LoadedModel model) {
                model.execute(INPUTS);
            }

            @Test
            void constant(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "fill:2.5");
                model.execute(INPUTS);
            }

            @Test
            void nan(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "arange@3=NaN");
                model.execute(INPUTS);
            }

            @Test
            void untouched(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "unwritten");
                model.execute(INPUTS);
            }

            @Test
            void lastTileUnwritten(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "first:16:copy:x");
                model.execute(INPUTS);
            }

            @Test
            void staleInTimedExecutions(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "unwritten");
                script(fake).output("y", "copy:x").times(1);
                try (Execution execution = model.bind().input("x", RIGHT)) {
                    execution.runMany(3);
                }
            }

            @Test
            void sound(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "copy:x");
                model.execute(INPUTS);
            }
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(delimiter = '|', textBlock = """
                zeros                  | Output "y" of model.neff on neuron0/neuron_core0, execution 1: zero in all 8 values.
                constant               | Output "y" of model.neff on neuron0/neuron_core0, execution 1: 2.5 in all 8 values.
                nan                    | Output "y" of model.neff on neuron0/neuron_core0, execution 1: NaN in 1 of 8 values, first at [0, 3].
                untouched              | Output "y" of model.neff on neuron0/neuron_core0, execution 1: unwritten in all 8 elements.
                lastTileUnwritten      | Output "y" of model.neff on neuron0/neuron_core0, execution 1: unwritten in the last 4 of 8 elements.
                staleInTimedExecutions | Output "y" of model.neff on neuron0/neuron_core0, execution 3: unwritten in all 8 elements.
                """)
        void isOnlyNoticed(String method, String notice) {
            assertThat(whyNotGreen(SilentFixture.class, method)).isEmpty();
            assertThat(notices()).contains(notice);
        }

        @Test
        void causesNoNoticeWhenSound() {
            assertThat(whyNotGreen(SilentFixture.class, "sound")).isEmpty();
            assertThat(notices()).noneMatch(notice -> notice.startsWith("Output "));
        }
    }

    /** Tests of right outputs with a demand. */
    @Nested
    class RightOutputs {

        @NeuronTest
        static class RightFixture {

            @Test
            @ExpectOutput(value = "y", golden = GOLDEN, tolerance = "1e-3 + 1 %", same = true)
            void matchesGolden(@Neff(MODEL) LoadedModel model, FakeNeuronHost fake) {
                script(fake).output("y", "copy:x");
                model.execute(INPUTS);
                model.execute(Map.of("x", new float[] {1, 2, 3, 4, 5, 6, 7, 8.01f}));
                try (Execution execution = model.bind().input("x", RIGHT)) {
                    execution.runMany(3);
                }
            }

            @Test
            @ExpectOutput(value = "y", same = true)
            void isOfAnotherModelWithSameFileName(
                    @Neff(MODEL) LoadedModel model, @Neff(SAME_NAME) LoadedModel other, FakeNeuronHost fake) {
                script(fake).output("y", "copy:x");
                fake.runtime().neff("other").output("y", "arange");
                for (LoadedModel each : List.of(model, other, model, other)) {
                    each.execute(INPUTS);
                }
            }

            @Test
            @ExpectOutput(allow = {ExpectOutput.Allowed.ZEROS})
            void isZeroByRight(@Neff(MODEL) LoadedModel model) {
                model.execute(INPUTS);
            }

            @Test
            @ExpectOutput(value = "y", golden = GOLDEN, dtype = "float16")
            void hasNamedType(@Neff(HALF) LoadedModel model, FakeNeuronHost fake) {
                fake.runtime().neff("half").output("y", "arange@0=1@1=2@2=3@3=4@4=5@5=6@6=7@7=8");
                model.execute(INPUTS);
            }

            @Test
            @ExpectOutput(value = "y", golden = GOLDEN)
            void matchesInTensorOfTheTest(@Neff(MODEL) LoadedModel model, NeuronRuntime runtime, FakeNeuronHost fake) {
                script(fake).output("y", "copy:x");
                try (DeviceTensor tensor = runtime.allocate(model.core(), "mine", 32);
                        Execution execution = model.bind().input("x", RIGHT).output("y", tensor)) {
                    execution.run();
                }
            }

            @Test
            @ExpectOutput(allow = ExpectOutput.Allowed.UNWRITTEN)
            void keepsContentOfAlias(@Neff(MODEL) LoadedModel model, NeuronRuntime runtime, FakeNeuronHost fake) {
                script(fake).output("y", "unwritten");
                try (DeviceTensor tensor =
                                runtime.allocate(model.core(), "cache", 32).write(RIGHT);
                        Execution execution = model.bind().input("x", tensor).output("y", tensor)) {
                    execution.run();
                    assertThat(execution.outputs().tensor("y")).isEqualTo(RIGHT);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "matchesGolden",
                    "isOfAnotherModelWithSameFileName",
                    "isZeroByRight",
                    "hasNamedType",
                    "matchesInTensorOfTheTest",
                    "keepsContentOfAlias"
                })
        void areGreen(String method) {
            assertThat(whyNotGreen(RightFixture.class, method)).isEmpty();
        }
    }
}
