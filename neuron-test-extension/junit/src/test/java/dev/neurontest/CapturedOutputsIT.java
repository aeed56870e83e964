package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.profile.Profiler;
import dev.neurontest.tensor.Npy;
import dev.neurontest.tensor.TensorView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of expectations on the outputs of executions that the profiler captured. */
class CapturedOutputsIT {

    private static final String FOLDER = "target/captured-outputs/";
    private static final String MODEL = FOLDER + "model.neff";
    private static final String GOLDEN = FOLDER + "y.npy";
    private static final String HALF = FOLDER + "half.npy";
    private static final String X = "x=" + FOLDER + "x.npy";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Files.createDirectories(Path.of(FOLDER));
        FakeNeff.builder()
                .name("model")
                .time(Duration.ofMillis(2))
                .input("x", "float32", 2, 4)
                .output("y", "float32", 2, 4)
                .write(Path.of(MODEL));
        write(TensorView.of(new float[] {0, 1, 2, 3, 4, 5, 6, 7}, 2, 4), GOLDEN);
        write(TensorView.of(new float[] {0, 1, 2, 3}, 2, 2), HALF);
        write(TensorView.of(new float[] {9, 8, 7, 6, 5, 4, 3, 2}, 2, 4), FOLDER + "x.npy");
    }

    private static void write(TensorView tensor, String file) throws IOException {
        try (OutputStream out = Files.newOutputStream(Path.of(file))) {
            Npy.write(tensor, out);
        }
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private List<Throwable> failures(String method) {
        return NeuronTestKit.failures(kit().run(CapturesFixture.class, method));
    }

    private String evidence() throws IOException {
        try (Stream<Path> files = Files.walk(output)) {
            return Files.readString(
                    files.filter(file -> file.getFileName().toString().contains("neuron-outputs")
                                    && file.toString().endsWith(".txt"))
                            .findFirst()
                            .orElseThrow());
        }
    }

    @NeuronTest
    static class CapturesFixture {

        private static void script(FakeNeuronHost fake, String fill) {
            fake.runtime().reset();
            fake.runtime().neff("model").output("y", fill);
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @MaxLatency("5 ms")
        @ExpectOutput(value = "y", golden = GOLDEN)
        void right(FakeNeuronHost fake) {
            script(fake, "arange");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @MaxLatency("5 ms")
        @ExpectOutput
        void zeros(FakeNeuronHost fake) {
            script(fake, "zeros");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(dtype = "float32")
        void constant(FakeNeuronHost fake) {
            script(fake, "fill:2.5");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(dtype = "float32")
        void nan(FakeNeuronHost fake) {
            script(fake, "arange@3=NaN");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(value = "y", golden = GOLDEN)
        void transposed(FakeNeuronHost fake) {
            script(fake, "hex:0000000000008040" + "0000803f0000a040" + "000000400000c040" + "000040400000e040");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(value = "y", golden = GOLDEN)
        void lastTileMissing(FakeNeuronHost fake) {
            script(fake, "first:16:arange");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(value = "y", golden = GOLDEN)
        void onlyFirstIsRight(FakeNeuronHost fake) {
            script(fake, "ones");
            fake.runtime().neff("model").output("y", "arange").times(1);
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(value = "y", golden = HALF)
        void otherSize(FakeNeuronHost fake) {
            script(fake, "arange");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput("z")
        void otherName(FakeNeuronHost fake) {
            script(fake, "arange");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput
        void unknownType(FakeNeuronHost fake) {
            script(fake, "arange");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        @ExpectOutput(dtype = "float32")
        void unknownWhetherWritten(FakeNeuronHost fake) {
            script(fake, "arange");
        }

        @Test
        @ProfileNeff(MODEL)
        @ExpectOutput(dtype = "float32")
        void zerosOfZeros(FakeNeuronHost fake) {
            script(fake, "copy:x");
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X, singleIo = true)
        @ExpectOutput(value = "y", golden = GOLDEN)
        void sharedBuffer(FakeNeuronHost fake) {
            script(fake, "arange");
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void inCode(NeuronCore core, Profiler profiler, FakeNeuronHost fake) {
            script(fake, "ones");
            profiler.capture(Path.of(MODEL))
                    .input("x", Path.of(FOLDER + "x.npy"))
                    .run();
        }

        @Test
        @ExpectOutput(value = "y", golden = GOLDEN)
        void onSeveralCores(@Count(2) List<NeuronCore> cores, Profiler profiler, FakeNeuronHost fake) {
            script(fake, "arange");
            profiler.capture(Path.of(MODEL))
                    .input("x", Path.of(FOLDER + "x.npy"))
                    .run();
        }

        @Test
        @ProfileNeff(value = MODEL, inputs = X)
        void noticed(FakeNeuronHost fake) {
            script(fake, "zeros");
        }

        @Test
        @ProfileNeff(MODEL)
        void unnoticed(FakeNeuronHost fake) {
            script(fake, "zeros");
        }
    }

    @Test
    void rightOutputOfTracedExecutionPasses() throws IOException {
        assertThat(NeuronTestKit.failures(
                        kit().with("neuron.test.evidence", "always").run(CapturesFixture.class, "right")))
                .isEmpty();
        assertThat(kit().events(RunEvent.Recorded.class))
                .filteredOn(recorded -> recorded.kind().equals(Measurement.OUTPUTS))
                .singleElement()
                .satisfies(recorded ->
                        assertThat(recorded.recording().toString()).contains("\"output\":\"y\"", "\"execution\":2"));
        assertThat(evidence()).contains("traced").doesNotContain("not those of the executions by the profiler");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zeros                 | output \"y\" of model.neff on neuron0/neuron_core0, execution 2, which was traced: expected values other than zero, was zero in all 32 bytes",
                "constant              | was 2.5 in all 8 values",
                "nan                   | was NaN in 1 of 8 values, first at [3]",
                "transposed            | was different in 6 of 8 values: equal to the golden transposed",
                "lastTileMissing       | was different in 4 of 8 values: only the last ones, which are all zero",
                "onlyFirstIsRight      | was different in 7 of 8 values: 1.0 in all 8 values",
                "otherSize             | expected the bytes of float32 values of shape (2, 2), was 32 bytes",
                "otherName             | expected an output of an executed model, was none: model.neff has \"y\"",
                "unknownType           | undecided: the tool saves bytes without a dtype. Set dtype in the annotation, or give a golden.",
                "unknownWhetherWritten | undecided: whether it was written is unknown, because the profiler tool allocates its buffer",
                "zerosOfZeros          | undecided: zero in all 8 values, which may be right because all inputs were zeros",
                "sharedBuffer          | undecided: all tensors share one buffer (--single-io), which makes outputs wrong",
                "inCode                | was different in 7 of 8 values",
                "onSeveralCores        | undecided: the tool saves the outputs of one rank",
            })
    void wrongOrUnknownOutputFailsDespiteGoodLatency(String method, String expected) {
        assertThat(failures(method))
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining(expected));
    }

    @Test
    void zerosFromGivenInputsAreNoticed() {
        kit().run(CapturesFixture.class, "noticed");

        assertThat(notices()).anyMatch(notice -> notice.contains("zero in all 32 bytes"));
    }

    @Test
    void zerosFromZerosAreNotNoticed() {
        kit().run(CapturesFixture.class, "unnoticed");

        assertThat(notices()).noneMatch(notice -> notice.contains("zero"));
    }

    private List<String> notices() {
        return kit().events(RunEvent.Noticed.class).stream()
                .map(RunEvent.Noticed::notice)
                .toList();
    }
}
