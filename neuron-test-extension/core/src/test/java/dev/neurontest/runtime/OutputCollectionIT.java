package dev.neurontest.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.NeffScript;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.output.ExecutedModel;
import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputExpectation;
import dev.neurontest.internal.output.OutputExpectations;
import dev.neurontest.internal.output.OutputRecord;
import dev.neurontest.internal.output.OutputSeries;
import dev.neurontest.tensor.Tolerance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the outputs that executions fill and hand over to the collector of a test. */
class OutputCollectionIT {

    private static final float[] A = {1, 2, 3, 4};
    private static final float[] B = {10, 20, 30, 40};

    @TempDir
    private Path folder;

    private RuntimeFixture fixture;

    private NeuronRuntime runtime;

    private LoadedModel model;

    private NeuronCore core;
    private Runnable end = () -> {};
    private final OutputCollector collector = new OutputCollector(OutputExpectations.read(List.of()));

    @BeforeEach
    void start() throws IOException {
        fixture = new RuntimeFixture();
        core = fixture.cores().get(0);
        runtime = fixture.builder().open();
        model = runtime.load(core, fixture.add(folder));
        end = runtime.collect(List.of(core), collector, thread -> true);
    }

    @AfterEach
    void stop() {
        runtime.close();
        fixture.close();
    }

    private NeffScript script() {
        return fixture.fake().runtime().neff(RuntimeFixture.ADD);
    }

    private Execution bound() {
        return model.bind().input("a", A).input("b", B);
    }

    private OutputRecord last() {
        assertThat(collector.collected().series()).hasSize(1);
        return collector.collected().series().get(0).last().orElseThrow();
    }

    @Test
    void takesOutputOfEachExecutionThatIsRead() {
        // when
        model.execute(Map.of("a", A, "b", B));
        model.execute(Map.of("a", A, "b", B));

        // then
        assertThat(collector.collected().series())
                .singleElement()
                .extracting(OutputSeries::examined, OutputSeries::faulty)
                .containsExactly(2L, 0L);
        assertThat(last().values().most()).hasValue(44);
    }

    @Test
    void takesLastOfManyExecutionsOnce() {
        // when
        try (Execution execution = bound()) {
            execution.runMany(10);
            execution.outputs();
        }

        // then
        assertThat(collector.collected().series())
                .singleElement()
                .extracting(OutputSeries::examined)
                .isEqualTo(1L);
        assertThat(last().origin().execution()).isEqualTo(10);
    }

    @Test
    void takesNothingThatTestDoesNotRead() {
        // when
        try (Execution execution = bound()) {
            execution.run();
        }

        // then
        assertThat(collector.collected().series()).isEmpty();
        assertThat(collector.collected().executed())
                .singleElement()
                .extracting(ExecutedModel::executions)
                .isEqualTo(1L);
    }

    @Test
    void takesNothingOfFailedExecution() {
        // given
        script().status(NrtStatus.of("NRT_EXEC_OOB"));

        // when
        model.tryExecute(Map.of("a", A, "b", B));
        try (Execution execution = bound()) {
            execution.runMany(3);
            execution.outputs();
        }

        // then
        assertThat(collector.collected().series()).isEmpty();
        assertThat(collector.collected().executed())
                .singleElement()
                .extracting(ExecutedModel::executions, ExecutedModel::completed, ExecutedModel::lastFailure)
                .containsExactly(4L, 0L, "NRT_EXEC_OOB (1006)");
    }

    @Test
    void findsThatLastOfManyExecutionsWroteNothing() {
        // given
        try (Execution execution = bound()) {
            execution.run();
            script().output("c", "unwritten");

            // when
            execution.runMany(3);
        }

        // then
        assertThat(last().found()).isEqualTo("unwritten in all 4 elements");
    }

    private OutputExpectations demand() {
        end.run();
        return OutputExpectations.read(List.of(new OutputExpectation(
                "c", Optional.empty(), Tolerance.exact(), "", Set.of(), false, "@ExpectOutput(\"c\")")));
    }

    @Test
    void reportsThatLastOfManyExecutionsFailed() {
        // given
        OutputExpectations rules = demand();
        OutputCollector demanding = new OutputCollector(rules);
        runtime.collect(List.of(core), demanding, thread -> true);
        model.execute(Map.of("a", A, "b", B));
        script().status(NrtStatus.of("NRT_EXEC_OOB"));
        script().status(NrtStatus.of("NRT_SUCCESS")).output("c", "arange").times(2);

        // when
        try (Execution execution = bound()) {
            execution.runMany(3);
        }

        // then
        assertThat(rules.judge(demanding.collected()).undecided())
                .singleElement()
                .extracting(Undecided::reason)
                .isEqualTo("only the last execution of runMany is examined, and that ended with NRT_EXEC_OOB (1006)");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesOutputOfExecutionThatCompletedWithError(boolean isBound) {
        // given
        OutputExpectations rules = demand();
        OutputCollector demanding = new OutputCollector(rules);
        runtime.collect(List.of(core), demanding, thread -> true);
        model.execute(Map.of("a", A, "b", B));
        script().status(NrtStatus.of("NRT_EXEC_COMPLETED_WITH_NUM_ERR")).output("c", "arange@1=NaN");

        // when
        try (Execution execution = bound()) {
            assertThatExceptionOfType(NrtException.class).isThrownBy(() -> {
                if (isBound) {
                    execution.run();
                } else {
                    model.execute(Map.of("a", A, "b", B));
                }
            });
        }

        // then
        assertThat(rules.judge(demanding.collected()).violations())
                .singleElement()
                .extracting(Violation::actual)
                .isEqualTo("NaN in 1 of 4 values, first at [0, 1]");
    }

    @Test
    void keepsOutputThatTestWrote() {
        // given
        script().output("c", "first:4:ones");
        try (Execution execution = bound()) {
            execution.outputTensor("c").write(B);

            // when
            execution.runMany(2);

            // then
            assertThat(execution.outputs().tensor("c").toFloats()).containsExactly(1, 20, 30, 40);
        }
        assertThat(last().whyNotFilled()).isEqualTo("the test wrote to its tensor");
    }

    @Test
    void keepsOutputThatIsInputToo() {
        // given
        try (Execution execution = model.bind().input("b", B)) {
            DeviceTensor c = execution.outputTensor("c").write(A);
            execution.input("a", c);

            // when
            execution.runMany(3);

            // then
            assertThat(execution.outputs().tensor("c").toFloats()).containsExactly(31, 62, 93, 124);
        }
        assertThat(last().whyNotFilled()).isEqualTo("its tensor is an input too");
    }

    @Test
    void keepsOutputThatAnotherExecutionReads() {
        // given
        try (Execution first = bound();
                Execution second =
                        model.bind().input("a", first.outputTensor("c")).input("b", B)) {
            first.run();

            // when
            second.runMany(3);

            // then
            assertThat(second.outputs().tensor("c").toFloats()).containsExactly(21, 42, 63, 84);
        }
    }

    @Test
    void attributesExecutionToTestOfItsThreadOnSharedCore() {
        // given
        Thread thread = Thread.currentThread();
        OutputCollector own = new OutputCollector(OutputExpectations.read(List.of()));
        OutputCollector other = new OutputCollector(OutputExpectations.read(List.of()));
        end.run();
        runtime.collect(List.of(core), other, each -> false);
        runtime.collect(List.of(core), own, each -> each == thread);

        // when
        model.execute(Map.of("a", A, "b", B));
        CompletableFuture.runAsync(() -> model.execute(Map.of("a", A, "b", B))).join();

        // then
        assertThat(own.collected().executed())
                .singleElement()
                .extracting(ExecutedModel::executions)
                .isEqualTo(1L);
        assertThat(other.collected().executed()).isEmpty();
        assertThat(collector.collected().executed()).isEmpty();
    }
}
