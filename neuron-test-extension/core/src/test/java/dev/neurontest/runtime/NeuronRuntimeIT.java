package dev.neurontest.runtime;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.library.Libc;
import dev.neurontest.internal.runtime.watch.OpenResource;
import dev.neurontest.internal.runtime.watch.StuckCall;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of opening and closing the runtime with the stand-in library. */
class NeuronRuntimeIT {

    private static final Map<String, float[]> INPUTS = Map.of("a", new float[] {1, 2, 3, 4}, "b", new float[4]);

    @AutoClose
    private static RuntimeFixture fixture;

    @TempDir
    Path folder;

    private Path neff;
    private NeuronCore first;

    @BeforeAll
    static void start() throws IOException {
        fixture = new RuntimeFixture();
    }

    @BeforeEach
    void model() throws IOException {
        fixture.fake().runtime().reset();
        neff = fixture.add(folder);
        first = fixture.cores().get(0);
    }

    @Test
    void ownsItsCoresUntilItIsClosed() {
        // when
        NeuronRuntime runtime = fixture.builder().open();

        // then
        assertThat(fixture.fake().processes()).singleElement().satisfies(process -> {
            assertThat(process.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(process.cores()).hasSize(2);
        });

        // when
        runtime.close();

        // then
        assertThat(fixture.fake().processes()).isEmpty();
        assertThat(Libc.variable("NEURON_RT_VISIBLE_CORES")).isEmpty();
    }

    @Test
    void countsItsCoresFromZero() {
        // given
        NeuronCore second = fixture.cores().get(1);

        // when
        try (NeuronRuntime runtime = fixture.builder(List.of(second)).open();
                LoadedModel model = runtime.load(second, neff)) {
            model.execute(INPUTS);

            // then
            assertThat(runtime.cores()).containsExactly(second);
            assertThat(runtime.index(second)).isZero();
            assertThat(model.core()).isEqualTo(second);
            assertThat(fixture.fake().processes().get(0).cores())
                    .containsExactly(fixture.fake().device(0).core(1));
        }
    }

    @Test
    void refusesCoreThatItWasNotOpenedOn() {
        // given
        try (NeuronRuntime runtime = fixture.builder(List.of(first)).open()) {
            // then
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> runtime.load(fixture.cores().get(1), neff))
                    .withMessage(
                            "neuron0/neuron_core1 is not a core of this runtime, which was opened on neuron0/neuron_core0");
        }
    }

    @Test
    void reportsVersionOfLibrary() {
        // given
        try (NeuronRuntime runtime = fixture.builder().open()) {
            // then
            assertThat(runtime.version().toString()).matches("2\\.[0-9]+\\.[0-9]+\\.[0-9]+");
            assertThat(runtime.library().path())
                    .isEqualTo(fixture.fake().directory().resolve("opt/aws/neuron/lib/libnrt.so.1"));
        }
    }

    @Test
    void opensAgainAfterItWasClosed() {
        // given
        fixture.builder().open().close();

        // then
        try (NeuronRuntime runtime = fixture.builder().open();
                LoadedModel model = runtime.load(first, neff)) {
            assertThat(model.execute(INPUTS).tensor("c").toFloats()).containsExactly(1, 2, 3, 4);
        }
    }

    @Test
    void refusesSecondRuntimeInSameJvm() {
        // given
        try (NeuronRuntime runtime = fixture.builder(List.of(first)).open()) {
            // then
            assertThatIllegalStateException()
                    .isThrownBy(() -> fixture.builder().open())
                    .withMessageMatching(
                            "A Neuron runtime is already open in this JVM, on neuron0/neuron_core0. It was opened by thread \".+\" at NeuronRuntimeIT\\.java:[0-9]+ \\(NeuronRuntimeIT\\.refusesSecondRuntimeInSameJvm\\)\\. .*");
            assertThat(runtime.cores()).hasSize(1);
        }
    }

    @Test
    void refusesToOpenWhenLibraryIsAlreadyOpen() {
        // given
        fixture.builder().open().close();
        Libc.setVariable("NEURON_RT_VISIBLE_CORES", "0-1");
        byte[] empty = Libc.text("");
        assertThat(CoreCalls.nrt_init(1, empty, empty)).isZero();
        try {
            // then
            assertThatIllegalStateException()
                    .isThrownBy(() -> fixture.builder(List.of(first)).open())
                    .withMessage(
                            "The runtime shows 2 cores, but the tests requested 1 (neuron0/neuron_core0). Other code in this JVM has opened it before: let only the tests open it.");
            assertThat(fixture.fake().processes()).hasSize(1);
        } finally {
            CoreCalls.nrt_close();
            Libc.unsetVariable("NEURON_RT_VISIBLE_CORES");
        }
    }

    @Test
    void isNotOpenedWithoutCores() {
        // then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fixture.builder(List.of()).open())
                .withMessage("A runtime needs cores: without cores it would take all cores of the host.");
    }

    @Test
    void reportsTakenCoresWithLog() {
        // given
        try (FakeProcess other =
                fixture.fake().openProcess(fixture.fake().device(0).core(0))) {
            // when
            NrtException refused = catchThrowableOfType(
                    NrtException.class, () -> fixture.builder(List.of(first)).open());

            // then
            assertThat(refused.status().name()).isEqualTo("NRT_FAILURE");
            assertThat(refused)
                    .hasMessageContaining("NeuronCore(s) not available - Requested:")
                    .hasMessageStartingWith(
                            "nrt_init of neuron0/neuron_core0 returned NRT_FAILURE (1): cores that another process has. Cause: another process of the host. Find the process with neuron-ls");
            assertThat(Libc.variable("NEURON_RT_VISIBLE_CORES")).isEmpty();
            assertThat(other.alive()).isTrue();
        }
    }

    @Test
    void waitsUntilOwnerReleasesCores() {
        // given
        FakeProcess dying = fixture.fake().openProcess(fixture.fake().device(0).core(0));
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(dying::kill);

        // when
        try (NeuronRuntime runtime = fixture.builder().patience(Patience.LIMIT).open()) {
            // then
            assertThat(runtime.cores()).hasSize(2);
        }
    }

    @Test
    void isUnavailableWithoutDriver() throws IOException {
        // given
        Path lonely = folder.resolve("libnrt.so.1");
        Files.copy(fixture.fake().directory().resolve("opt/aws/neuron/lib/libnrt.so.1"), lonely);

        // when
        RuntimeUnavailableException unavailable = catchThrowableOfType(
                RuntimeUnavailableException.class,
                () -> NeuronRuntime.builder(fixture.cores()).library(lonely).open());

        // then
        assertThat(unavailable)
                .hasMessageStartingWith(
                        "nrt_init of neuron0/neuron_core0, neuron0/neuron_core1 returned NRT_INVALID (2): there is no Neuron device")
                .hasMessageContaining(lonely.toString());
        assertThat(Libc.variable("NEURON_RT_VISIBLE_CORES")).isEmpty();
    }

    @Test
    void refusesLibraryLoadedForAnotherRoot() {
        // given
        assumeThat(Path.of("/opt/aws/neuron/lib/libnrt.so.1")).doesNotExist();
        fixture.builder().open().close();

        // then
        assertThatThrownBy(() -> NeuronRuntime.builder(fixture.cores())
                        .root(Path.of("/"))
                        .open())
                .isInstanceOf(RuntimeUnavailableException.class)
                .hasMessageContaining(
                        "libnrt.so.1, as the loader finds it (LD_LIBRARY_PATH and its cache): the loader refuses it: it returns the library of ")
                .hasMessageContaining(", which this JVM has loaded for another root\n");
    }

    @Test
    void runsCloseHooksNewestFirstBeforeClosing() {
        // given
        NeuronRuntime runtime = fixture.builder().open();
        List<String> order = new ArrayList<>();
        runtime.onClose(() -> order.add("first"));
        runtime.onClose(() -> order.add("second, " + fixture.fake().processes().size() + " process"));
        LoadedModel model = runtime.load(first, neff);
        Execution execution = model.bind().input("a", new float[4]).input("b", new float[4]);
        DeviceTensor tensor = runtime.allocate(first, "t", 100);
        execution.run();

        // when
        runtime.close();

        // then
        assertThat(order).containsExactly("second, 1 process", "first");
        assertThat(fixture.fake().processes()).isEmpty();
        assertThatCode(() -> {
                    execution.close();
                    model.close();
                    tensor.close();
                    runtime.close();
                })
                .doesNotThrowAnyException();
    }

    @Test
    void closesAlthoughHookFails() {
        // given
        NeuronRuntime runtime = fixture.builder().open();
        List<String> order = new ArrayList<>();
        runtime.onClose(() -> order.add("done"));
        runtime.onClose(() -> {
            throw new IllegalStateException("a stream is broken");
        });

        // then
        assertThatIllegalStateException().isThrownBy(runtime::close).withMessage("a stream is broken");
        assertThat(order).containsExactly("done");
        assertThat(fixture.fake().processes()).isEmpty();
    }

    @Test
    void mayBeClosedBySeveralThreadsAtOnce() {
        // given
        NeuronRuntime runtime = fixture.builder().open();
        List<String> hooks = new CopyOnWriteArrayList<>();
        runtime.onClose(() -> hooks.add("hook"));
        runtime.onClose(runtime::close);

        // when
        List<CompletableFuture<Void>> closings = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            closings.add(CompletableFuture.runAsync(() -> {
                runtime.close();
                assertThat(fixture.fake().processes()).isEmpty();
            }));
        }

        // then
        closings.forEach(CompletableFuture::join);
        assertThat(hooks).containsExactly("hook");
    }

    @Test
    void namesCloserWhenUsedAfterClose() {
        // given
        NeuronRuntime runtime = fixture.builder().open();
        LoadedModel model = runtime.load(first, neff);
        DeviceTensor tensor = runtime.allocate(first, "t", 100);
        runtime.close();

        // then
        String message =
                "The Neuron runtime of this JVM was closed by thread \".+\" at NeuronRuntimeIT\\.java:[0-9]+ \\(NeuronRuntimeIT\\.namesCloserWhenUsedAfterClose\\)\\. Open it again before it is used\\.";
        assertThatIllegalStateException()
                .isThrownBy(() -> model.execute(INPUTS))
                .withMessageMatching(message);
        assertThatIllegalStateException().isThrownBy(model::bind).withMessageMatching(message);
        assertThatIllegalStateException().isThrownBy(tensor::read).withMessageMatching(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> tensor.write(new byte[100]))
                .withMessageMatching(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.load(first, neff))
                .withMessageMatching(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.allocate(first, "t", 1))
                .withMessageMatching(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.memory(first))
                .withMessageMatching(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> runtime.onClose(() -> {}))
                .withMessageMatching(message);
    }

    @Test
    void waitsForAnExecutionBeforeItCloses() {
        // given
        fixture.fake().runtime().neff(RuntimeFixture.ADD).latency(Duration.ofSeconds(2));
        NeuronRuntime runtime = fixture.builder().open();
        LoadedModel model = runtime.load(first, neff);
        Execution execution = model.bind().input("a", new float[4]).input("b", new float[4]);
        CompletableFuture<Duration> run = CompletableFuture.supplyAsync(execution::run);
        await().until(() -> runtime.executionsBegun(List.of(0)) == 1);

        // when
        runtime.close();

        // then
        assertThat(runtime.executionsEnded(List.of(0))).isEqualTo(1);
        assertThat(run)
                .succeedsWithin(Patience.LIMIT)
                .satisfies(latency -> assertThat(latency).isGreaterThanOrEqualTo(Duration.ofSeconds(2)));
    }

    @Test
    void reportsHangingExecutionOnce() {
        // given
        fixture.fake().runtime().neff(RuntimeFixture.ADD).hangs();
        List<StuckCall> stuck = new CopyOnWriteArrayList<>();
        try (NeuronRuntime runtime = fixture.builder()
                        .executionTimeout(Duration.ofSeconds(4))
                        .watchdog(Duration.ofSeconds(2))
                        .observer(stuck::add)
                        .open();
                LoadedModel model = runtime.load(first, neff)) {
            // when
            ExecutionResult result = model.tryExecute(INPUTS);

            // then
            assertThat(result.status().name()).isEqualTo("NRT_TIMEOUT");
            assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
            assertThat(stuck).singleElement().satisfies(call -> {
                assertThat(call.function()).isEqualTo("nrt_execute");
                assertThat(call.what()).isEqualTo(RuntimeFixture.ADD);
                assertThat(call.core()).contains(first);
                assertThat(call.stack()).isNotEmpty();
            });
        }
    }

    @Test
    void keepsCoresWhileCallIsStuck() {
        // given
        fixture.fake().runtime().neff(RuntimeFixture.ADD).hangs();
        List<String> hooks = new ArrayList<>();
        NeuronRuntime runtime = fixture.builder()
                .executionTimeout(Duration.ofSeconds(5))
                .watchdog(Duration.ofMillis(100))
                .observer(call -> {})
                .open();
        runtime.onClose(() -> hooks.add("hook"));
        LoadedModel model = runtime.load(first, neff);
        Execution execution = model.bind().input("a", new float[4]).input("b", new float[4]);
        CompletableFuture<?> run = CompletableFuture.supplyAsync(() -> execution.once(false));
        await().until(() -> runtime.executionsBegun(List.of(0)) == 1);

        // then
        assertThatIllegalStateException()
                .isThrownBy(runtime::close)
                .withMessageStartingWith(
                        "The Neuron runtime was not closed and keeps neuron0/neuron_core0, neuron0/neuron_core1. Close it again when these calls have returned; otherwise the cores are released when this process ends.\n  nrt_execute of add.neff on neuron0/neuron_core0 has not returned for ");
        assertThat(hooks).containsExactly("hook");
        assertThat(fixture.fake().processes()).hasSize(1);
        assertThatIllegalStateException().isThrownBy(() -> fixture.builder().open());

        // when
        run.join();
        runtime.close();

        // then
        assertThat(fixture.fake().processes()).isEmpty();
        assertThat(hooks).containsExactly("hook");
    }

    @Test
    void doesNotWaitAgainForOverdueCall() {
        // given
        fixture.fake().runtime().neff(RuntimeFixture.ADD).hangs();
        List<StuckCall> stuck = new CopyOnWriteArrayList<>();
        NeuronRuntime runtime = fixture.builder()
                .executionTimeout(Duration.ofSeconds(6))
                .watchdog(Duration.ofSeconds(2))
                .observer(stuck::add)
                .open();
        LoadedModel model = runtime.load(first, neff);
        CompletableFuture<?> run = CompletableFuture.supplyAsync(() -> model.tryExecute(INPUTS));
        await().until(() -> !stuck.isEmpty());

        // then
        assertThatIllegalStateException()
                .isThrownBy(runtime::close)
                .withMessageStartingWith("The Neuron runtime was not closed");
        run.join();
        runtime.close();
    }

    @Test
    void listsAndClosesResourcesLeftOpen() {
        // given
        try (NeuronRuntime runtime = fixture.builder().open()) {
            runtime.allocate(first, "of an earlier test", 10);
            long mark = runtime.mark();

            // when
            LoadedModel model = runtime.load(first, neff);
            model.execute(INPUTS);
            DeviceTensor tensor = runtime.allocate(first, "t", 100);
            runtime.allocate(first, "closed", 100).close();

            // then
            assertThat(runtime.leaksSince(mark).stream().map(OpenResource::toString))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .matches(
                                            "model add\\.neff on neuron0/neuron_core0, opened by thread \".+\" at NeuronRuntimeIT\\.java:[0-9]+ \\(NeuronRuntimeIT\\.listsAndClosesResourcesLeftOpen\\)"),
                            line -> assertThat(line)
                                    .startsWith("tensor t (100 bytes) on neuron0/neuron_core0, opened by "));

            // when
            runtime.leaksSince(mark).forEach(OpenResource::close);

            // then
            assertThat(runtime.leaksSince(mark)).isEmpty();
            assertThatIllegalStateException()
                    .isThrownBy(tensor::read)
                    .withMessageStartingWith("tensor t (100 bytes) on neuron0/neuron_core0 was closed by ");
            assertThatIllegalStateException()
                    .isThrownBy(() -> model.execute(INPUTS))
                    .withMessageStartingWith("model add.neff on neuron0/neuron_core0 was closed by ");
        }
    }

    @Test
    void countsTheMemoryOfACore() {
        // given
        try (NeuronRuntime runtime = fixture.builder().open()) {
            MemoryStatistics before = runtime.memory(first);

            // when
            DeviceTensor tensor = runtime.allocate(first, "t", 1 << 20);

            // then
            assertThat(runtime.memory(first).usedBytes()).isEqualTo(before.usedBytes() + (1 << 20));
            assertThat(runtime.memory(first).limitBytes()).isGreaterThan(1L << 30);

            // when
            tensor.close();

            // then
            assertThat(runtime.memory(first)).isEqualTo(before);
        }
    }
}
