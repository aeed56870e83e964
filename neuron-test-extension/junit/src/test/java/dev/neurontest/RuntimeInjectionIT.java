package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.Comparisons;
import dev.neurontest.baseline.Stack;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.RecordReader;
import dev.neurontest.patience.Patience;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.Workloads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.assertj.core.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.opentest4j.AssertionFailedError;

/** Tests of the runtime in the JVM of the tests, with the stand-in library of a fake host. */
class RuntimeInjectionIT {

    private static final String ADD = "target/runtime-injection/add.neff";
    private static final String TILES = "target/runtime-injection/tiles.neff";
    private static final String CUT = "target/runtime-injection/cut.neff";

    @TempDir
    private Path output;

    @BeforeAll
    static void compile() throws IOException {
        Assumptions.assumeThat(FakeRuntime.unavailable()).isEmpty();
        Files.createDirectories(Path.of(ADD).getParent());
        FakeNeff.builder()
                .name("add")
                .input("a", "float32", 2)
                .output("c", "float32", 2)
                .write(Path.of(ADD));
        FakeNeff.builder().name("tiles").output("y", "float32", 4).write(Path.of(TILES));
        Files.write(Path.of(CUT), Arrays.copyOf(Files.readAllBytes(Path.of(ADD)), 700));
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private List<String> attachments() throws IOException {
        try (Stream<Path> files = Files.walk(output.resolve("junit"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static byte[] doubled(Map<String, byte[]> inputs) {
        ByteBuffer in = ByteBuffer.wrap(inputs.get("a")).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        return out.putFloat(2 * in.getFloat()).putFloat(2 * in.getFloat()).array();
    }

    private static void execute(LoadedModel tiles, FakeNeuronHost fake, FakePrint print) {
        fake.runtime().neff("tiles").print(print);
        tiles.execute(Map.of());
    }

    private EngineExecutionResults passing(NeuronTestKit kit, Class<?>... fixtures) {
        EngineExecutionResults results = kit.run(fixtures);
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        return results;
    }

    /** Tests of the properties of the runtime in the stack of a comparison. */
    @Nested
    class ComparisonStack {

        private static Path run = Path.of("");

        @NeuronTest
        static class WithoutRuntimeFixture {
            @Test
            void test(NeuronCore core, Comparisons comparisons) {
                comparisons.latency("p50").compare(() -> 0.016);
            }
        }

        @NeuronTest
        static class WithRuntimeFixture {
            @Test
            void test(@Neff(ADD) LoadedModel add, Comparisons comparisons) {
                comparisons.latency("p50").compare(() -> 0.016);
            }
        }

        @NeuronTest
        static class WaitsForTheCoresFixture {
            @Test
            void test(@Neff(ADD) LoadedModel add) {}
        }

        @NeuronTest
        static class HasAllCoresFixture {
            @Test
            void test(@Count(2) List<NeuronCore> cores, Comparisons comparisons) {
                await().until(() -> new NeuronTestKit(run)
                        .events(RunEvent.Requested.class).stream()
                                .anyMatch(request -> request.test().equals(TestId.RUNTIME)));
                comparisons.latency("p50").compare(() -> 0.016);
            }
        }

        private List<Stack> stacks(Class<?>... fixtures) {
            passing(kit(), fixtures);
            return kit().events(RunEvent.Compared.class).stream()
                    .map(event -> RecordReader.OPEN
                            .read(event.comparison(), Comparison.class)
                            .stack())
                    .toList();
        }

        @Test
        void namesRuntimeWhenTestUsesIt() {
            assertThat(stacks(WithRuntimeFixture.class))
                    .singleElement()
                    .satisfies(stack -> assertThat(stack.parts()).containsKey("runtime"));
        }

        @Test
        void omitsRuntimeUsedByEarlierTest() {
            assertThat(stacks(Models.AddFixture.class, WithoutRuntimeFixture.class))
                    .singleElement()
                    .satisfies(stack -> assertThat(stack.parts()).doesNotContainKey("runtime"));
        }

        @Test
        void isReadWhileRuntimeWaitsForCores() {
            // given
            run = output;

            // then
            passing(
                    kit().inParallel().with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s"),
                    HasAllCoresFixture.class,
                    WaitsForTheCoresFixture.class);
        }
    }

    @Nested
    class Models {

        @NeuronTest
        static class AddFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 1)
            void test(@Neff(ADD) LoadedModel add, FakeNeuronHost fake) {
                fake.runtime().neff("add").output("c", RuntimeInjectionIT::doubled);
                assertThat(add.execute(Map.of("a", new float[] {1, 2}))
                                .tensor("c")
                                .toFloats())
                        .containsExactly(2, 4);
            }
        }

        @NeuronTest
        static class OneForTheClassFixture {

            private static LoadedModel add;

            @BeforeAll
            static void load(@Neff(ADD) LoadedModel loaded) {
                add = loaded;
            }

            @Test
            void first() {
                assertThat(add.tryExecute(Map.of("a", new float[2])).status()).isEqualTo(RuntimeStatus.of(0));
            }

            @Test
            @ExpectPrint(prefix = "acc")
            void second(DevicePrints prints, FakeNeuronHost fake) {
                fake.runtime().neff("add").print(FakePrint.of("acc", "int32", 4).arange());
                add.execute(Map.of("a", new float[2]));
                assertThat(prints.prefixes()).containsExactly(Map.entry("acc", 1));
            }
        }

        @NeuronTest
        static class ParameterizedFixture {
            @ParameterizedTest
            @ValueSource(floats = {1, 2, 3})
            void test(float value, @Neff(ADD) LoadedModel add) {
                add.execute(Map.of("a", new float[] {value, value}));
            }
        }

        @NeuronTest
        static class OnEachOfTwoCoresFixture {
            @Test
            @ExpectCounter(value = "inference_count", delta = 1, each = true)
            void test(
                    @Count(2) List<NeuronCore> cores,
                    @Neff(ADD) LoadedModel first,
                    @Neff(value = ADD, core = 1) LoadedModel second) {
                first.execute(Map.of("a", new float[2]));
                second.execute(Map.of("a", new float[2]));
            }
        }

        @NeuronTest
        static class BesideAModelOfTheClassFixture {
            @BeforeAll
            static void load(@NeuronIndex(0) NeuronCore core, @Neff(ADD) LoadedModel add) {
                assertThat(add.core()).isEqualTo(core);
            }

            @Test
            void test(@NeuronIndex(1) NeuronCore core, @Neff(ADD) LoadedModel add) {
                assertThat(add.core()).isEqualTo(core);
            }
        }

        @Test
        void areLoadedOntoCoresOfTheirClassOrTest() {
            passing(kit().with("neuron.test.runtime.cores", "2"), BesideAModelOfTheClassFixture.class);
        }

        @NeuronTest
        static class OnACoreThatIsNotThereFixture {
            @Test
            void test(@Neff(value = ADD, core = 1) LoadedModel add) {}
        }

        @NeuronTest
        static class CutFixture {
            @Test
            void test(@Neff(CUT) LoadedModel cut) {}
        }

        @NeuronTest
        static class OutOfBoundsFixture {
            @Test
            void test(@Neff(ADD) LoadedModel add, FakeNeuronHost fake) {
                fake.runtime().neff("add").status(NrtStatus.of("NRT_EXEC_OOB"));
                add.execute(Map.of("a", new float[2]));
            }
        }

        @NeuronTest
        static class BrokenHardwareFixture {
            @Test
            void test(@Neff(ADD) LoadedModel add, FakeNeuronHost fake) {
                fake.runtime().neff("add").status(NrtStatus.of("NRT_EXEC_HW_ERR_NC_UE"));
                add.tryExecute(Map.of("a", new float[2]));
            }
        }

        @NeuronTest
        static class ExpectedOutOfBoundsFixture {
            @Test
            @AllowCounter("oob_error")
            void test(@Neff(ADD) LoadedModel add, FakeNeuronHost fake) {
                fake.runtime().neff("add").status(NrtStatus.of("NRT_EXEC_OOB"));
                assertThat(add.tryExecute(Map.of("a", new float[2])).status()).isEqualTo(RuntimeStatus.of(1006));
            }
        }

        @Test
        void areLoadedAndExecutedInTheJvmOfTheTest() {
            // when
            EngineExecutionResults results = passing(kit(), AddFixture.class);

            // then
            results.testEvents().assertStatistics(statistics -> statistics.succeeded(1));
            assertThat(kit().events(RunEvent.Noticed.class))
                    .anySatisfy(notice -> assertThat(notice.notice())
                            .startsWith("libnrt ")
                            .contains(" runs in this JVM on neuron0/neuron_core0"));
        }

        @Test
        void canBeLoadedOnceForAllTestsOfAClass() {
            passing(kit(), OneForTheClassFixture.class)
                    .testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(2));
        }

        @Test
        void areGivenToEveryParameterizedInvocation() {
            passing(kit(), ParameterizedFixture.class)
                    .testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(3));
        }

        @Test
        void leaveNoPrintEvidenceWithoutPrints() throws IOException {
            // when
            kit().run(OutOfBoundsFixture.class);

            // then
            assertThat(attachments()).contains("neuron-counters.txt").noneMatch(name -> name.contains("prints"));
        }

        @Test
        void areLoadedOntoRequestedCore() {
            passing(kit().with("neuron.test.runtime.cores", "2"), OnEachOfTwoCoresFixture.class);
        }

        @Test
        void areRefusedOnCoreNotLeasedByTest() {
            assertThat(onlyFailure(kit().run(OnACoreThatIsNotThereFixture.class)))
                    .hasRootCauseInstanceOf(ExtensionConfigurationException.class)
                    .hasStackTraceContaining("@Neff(value = \"" + ADD + "\", core = 1): ")
                    .hasStackTraceContaining("test(LoadedModel) has 1 core, and cores are counted from 0.");
        }

        @Test
        void areRefusedWhenNeffIsTruncated() {
            assertThat(onlyFailure(kit().run(CutFixture.class)))
                    .hasStackTraceContaining("cut.neff")
                    .hasStackTraceContaining("1024");
        }

        @Test
        void failTestWithStatusAndCounters() {
            // when
            Throwable failure = onlyFailure(kit().run(OutOfBoundsFixture.class));

            // then
            assertThat(failure).hasMessageContaining("1006").hasMessageContaining("NRT_EXEC_OOB");
            assertThat(failure.getSuppressed())
                    .anySatisfy(counters -> assertThat(counters).hasMessageContaining("oob_error"));
        }

        @Test
        void quarantineCoreAfterHardwareFailure() {
            // when
            NeuronTestKit kit = kit().with("neuron.test.quarantine.reset", "false");
            kit.run(BrokenHardwareFixture.class);

            // then
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .anySatisfy(event ->
                            assertThat(event.reason()).contains("nrt_execute of add.neff got NRT_EXEC_HW_ERR_NC_UE"));
        }

        @Test
        void mayFailWhereThatIsExpected() {
            passing(kit(), ExpectedOutOfBoundsFixture.class);
        }
    }

    @Nested
    class Prints {

        @NeuronTest
        static class FourTilesFixture {
            @Test
            @ExpectPrint(prefix = "acc", count = 4)
            void test(@Neff(TILES) LoadedModel tiles, FakeNeuronHost fake) {
                execute(
                        tiles,
                        fake,
                        FakePrint.of("acc", "float32", 2, 2).arange().times(4));
            }
        }

        @NeuronTest
        static class ThreeTilesFixture {
            @Test
            @ExpectPrint(prefix = "acc", count = 4)
            void test(@Neff(TILES) LoadedModel tiles, FakeNeuronHost fake) {
                execute(tiles, fake, FakePrint.of("acc", "float32", 2, 2).nan(3).times(3));
            }
        }

        @NeuronTest
        static class NobodyAskedFixture {
            @Test
            void test(@Neff(TILES) LoadedModel tiles, FakeNeuronHost fake) {
                execute(tiles, fake, FakePrint.of("acc", "float32", 2, 2).nan(3));
            }
        }

        @NeuronTest
        static class LooksElsewhereFixture {
            @Test
            void test(@Neff(TILES) LoadedModel tiles, FakeNeuronHost fake) {
                execute(tiles, fake, FakePrint.of("acc", "float32", 2, 2).nan(3));
                throw new AssertionError("the output is wrong");
            }
        }

        @NeuronTest
        static class AtTheSameTimeFixture {
            @BeforeAll
            static void script(FakeNeuronHost fake) {
                fake.runtime()
                        .neff("tiles")
                        .print(FakePrint.of("acc", "int32", 4).arange());
            }

            @RepeatedTest(8)
            void test(RepetitionInfo repetition, @Neff(TILES) LoadedModel tiles, DevicePrints prints) {
                for (int i = 0; i < 5; i++) {
                    tiles.execute(Map.of());
                }
                assertThat(prints.doubts()).isEmpty();
                assertThat(prints.size()).isEqualTo(5);
            }
        }

        @NeuronTest
        static class WithoutDebugStreamFixture {
            @Test
            void nothingIsDemanded(@Neff(TILES) LoadedModel tiles) {
                tiles.execute(Map.of());
            }

            @Test
            @ExpectPrint(prefix = "acc")
            void something(@Neff(TILES) LoadedModel tiles) {
                tiles.execute(Map.of());
            }

            @BeforeAll
            static void old(FakeNeuronHost fake) {
                fake.runtime().release("2.28.23.0");
            }
        }

        @NeuronTest
        static class NothingPrintsFixture {
            @Test
            @ExpectPrint(prefix = "acc")
            void test(NeuronCore core) {}
        }

        @NeuronTest
        static class ContradictionFixture {
            @Test
            @ExpectPrint(prefix = "acc", count = 4, min = 1)
            void test(@Neff(TILES) LoadedModel tiles) {}
        }

        @Test
        void areCounted() {
            passing(kit(), FourTilesFixture.class);
        }

        @Test
        void failTestWhenTooFewArrive() throws IOException {
            // when
            Throwable failure = onlyFailure(kit().run(ThreeTilesFixture.class));

            // then
            assertThat(failure)
                    .isInstanceOf(AssertionFailedError.class)
                    .hasMessageContaining("@ExpectPrint(prefix = \"acc\", count = 4)")
                    .hasMessageContaining("exactly 4");
            assertThat(kit().attachment("neuron-prints.txt")).contains("acc");
            assertThat(attachments()).filteredOn(name -> name.endsWith(".npy")).hasSize(3);
        }

        @Test
        void withNaNCauseNotice() {
            // when
            passing(kit(), NobodyAskedFixture.class);

            // then
            assertThat(kit().events(RunEvent.Noticed.class))
                    .anySatisfy(notice ->
                            assertThat(notice.notice()).contains("acc").contains("NaN"));
        }

        @Test
        void withNaNAreAddedToUnrelatedFailure() {
            // when
            Throwable failure = onlyFailure(kit().run(LooksElsewhereFixture.class));

            // then
            assertThat(failure).hasMessage("the output is wrong");
            assertThat(failure.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly(
                            "Among the device prints of this test:\n  \"acc\" has NaN in 1 of 1 prints, first in print 0 at [1, 1] (1 of 4 values)");
        }

        @Test
        void areKeptApartForParallelTests() {
            passing(
                    kit().inParallel().on("fake:inf2.24xlarge").with("neuron.test.runtime.cores", "4"),
                    AtTheSameTimeFixture.class);
        }

        @Test
        void cannotBeDemandedOfARuntimeWithoutDebugStreams() {
            // when
            EngineExecutionResults results = kit().run(WithoutDebugStreamFixture.class);

            // then
            assertThat(onlyFailure(results))
                    .hasMessageContaining("undecided")
                    .hasMessageContaining("nrt_debug_client_connect");
            results.testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(1).failed(1));
        }

        @Test
        void cannotBeDemandedWhereNothingPrints() {
            assertThat(onlyFailure(kit().run(NothingPrintsFixture.class)))
                    .hasStackTraceContaining("expects device prints, but none of its parameters can print");
        }

        @Test
        void refuseCountTogetherWithMin() {
            assertThat(onlyFailure(kit().run(ContradictionFixture.class)))
                    .hasStackTraceContaining(
                            "@ExpectPrint(prefix = \"acc\", count = 4, min = 1): sets count together with min or max: set either count, or min and max");
        }
    }

    @Nested
    class Cores {

        @NeuronTest
        static class TwoCoresFixture {
            @Test
            void test(@Count(2) List<NeuronCore> cores, NeuronRuntime runtime) {}
        }

        @NeuronTest
        static class OthersFixture {
            @Test
            void ofTheRuntime(NeuronCore core, NeuronRuntime runtime) {
                assertThat(runtime.cores()).containsExactly(core);
            }

            @Test
            void ofAWorkload(NeuronCore core, FakeNeuronHost fake) {
                fake.openProcess(fake.core(core)).close();
            }
        }

        @NeuronTest
        static class AllOfTheHostFixture {
            @Test
            void test(@Count(2) List<NeuronCore> cores) {}
        }

        @NeuronTest
        static class ThreeForCollectivesFixture {
            @Test
            void test(@Count(value = 3, collectives = true) List<NeuronCore> cores, NeuronRuntime runtime) {}
        }

        @NeuronTest
        static class ForEachCoreFixture {
            @ForEachCore
            void test(NeuronCore core, @Neff(ADD) LoadedModel add) {
                assertThat(add.core()).isEqualTo(core);
            }
        }

        @NeuronTest
        @ForEachCore
        static class ClassForEachCoreFixture {
            @Test
            void test(NeuronCore core, @Neff(ADD) LoadedModel add) {
                assertThat(add.core()).isEqualTo(core);
            }
        }

        @NeuronTest
        static class WithWorkloadsFixture {
            @Test
            void test(NeuronCore core, NeuronRuntime runtime, Workloads workloads) {}
        }

        @NeuronTest
        static class WithoutNeffFixture {
            @Test
            void test(LoadedModel model) {}
        }

        @Test
        void ofRuntimeAreLimitedBySetting() {
            assertThat(onlyFailure(kit().run(TwoCoresFixture.class)))
                    .hasStackTraceContaining("requests 2 cores in a row, but here there is only neuron0/neuron_core0.")
                    .hasStackTraceContaining(
                            "The runtime in this JVM has the cores set by neuron.test.runtime.cores, which is 1 (default). Set it to");
        }

        @Test
        void areRefusedWhenCollectivesCannotRunOnThem() {
            assertThat(onlyFailure(kit().on("fake:inf2.24xlarge").run(ThreeForCollectivesFixture.class)))
                    .hasMessageContaining("collectives of Inf2 run on 1, 2, 4 or 8 cores here, not on 3.")
                    .hasMessageNotContaining("neuron.test.runtime.cores");
        }

        @Test
        void ofRuntimeCanBeNamedBySetting() {
            // when
            passing(kit().with("neuron.test.runtime.cores", "1-1"), Models.AddFixture.class);

            // then
            assertThat(kit().events(RunEvent.Leased.class))
                    .allSatisfy(lease -> assertThat(lease.cores()).containsExactly("neuron0/neuron_core1"));
        }

        @Test
        void ofOtherTestsAreNotThoseOfRuntime() {
            passing(kit(), OthersFixture.class);
        }

        @Test
        void ofUnusedRuntimeAreReleasedForTestThatNeedsAll() {
            passing(kit(), OthersFixture.class, AllOfTheHostFixture.class, Models.AddFixture.class);
        }

        @Test
        void ofRuntimeAreReleasedAfterItsLastUser() {
            passing(kit().inParallel(), Models.OneForTheClassFixture.class, AllOfTheHostFixture.class);
        }

        @NeuronTest
        static class ManyThatUseItFixture {
            @RepeatedTest(20)
            void test(@Neff(ADD) LoadedModel add) {
                add.execute(Map.of("a", new float[2]));
            }
        }

        @NeuronTest
        static class ManyOnAllOfTheHostFixture {
            @RepeatedTest(5)
            void test(@Count(2) List<NeuronCore> cores) {}
        }

        @Test
        void releasedByRuntimeAreNotTakenBackTooEarly() {
            passing(
                    kit().inParallel().with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s"),
                    ManyThatUseItFixture.class,
                    ManyOnAllOfTheHostFixture.class);
        }

        @NeuronTest
        static class AllOfTheHostBesideTheRuntimeFixture {
            @BeforeAll
            static void use(NeuronCore core, NeuronRuntime runtime) {}

            @Test
            void test(@Count(2) List<NeuronCore> cores) {}
        }

        @Test
        void heldByClassInRuntimeFailRequestForAll() {
            assertThat(onlyFailure(kit().run(AllOfTheHostBesideTheRuntimeFixture.class)))
                    .hasMessageContaining(
                            "requests 2 cores in a row, which cannot be met while its class or its session holds");
        }

        private static CountDownLatch over = new CountDownLatch(1);

        @NeuronTest
        static class HolderFixture {
            @Test
            void holds(NeuronCore core) throws InterruptedException {
                assertThat(over.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            }
        }

        @NeuronTest
        static class WantsBothFixture {
            @BeforeAll
            static void waitForTheHolder() {
                await().until(() -> holderHolds.getAsBoolean());
            }

            @Test
            void test(NeuronCore core, NeuronRuntime runtime) {}
        }

        @NeuronTest
        static class WantsOneFixture {
            @BeforeAll
            static void waitForTheRuntime() {
                await().until(() -> runtimeWaits.getAsBoolean());
            }

            @Test
            void test(NeuronCore core) {}
        }

        private static BooleanSupplier holderHolds = () -> true;
        private static BooleanSupplier runtimeWaits = () -> true;

        /**
         * Verifies that other requests proceed. A thread that waits for a lock has no timeout and cannot be
         * interrupted.
         */
        @Test
        void awaitedByRuntimeDoNotBlockOtherRequests() {
            // given
            over = new CountDownLatch(1);
            NeuronTestKit kit = kit().on("fake:inf2.24xlarge")
                    .inParallel()
                    .with("neuron.test.runtime.cores", "0-1")
                    .with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s");
            holderHolds = () -> !kit.events(RunEvent.Leased.class).isEmpty();
            runtimeWaits = () -> kit.events(RunEvent.Requested.class).size() == 2;
            CompletableFuture<Void> allHaveAsked = CompletableFuture.runAsync(() -> await().until(
                                    () -> kit.events(RunEvent.Requested.class).size() == 3))
                    .whenComplete((none, late) -> over.countDown());

            // when
            passing(kit, HolderFixture.class, WantsBothFixture.class, WantsOneFixture.class);

            // then
            assertThat(allHaveAsked).succeedsWithin(Patience.LIMIT);
        }

        @Test
        void ofRuntimeAreUsedByForEachCoreTests() {
            passing(
                            kit().on("fake:inf2.24xlarge").with("neuron.test.runtime.cores", "3"),
                            ForEachCoreFixture.class,
                            ClassForEachCoreFixture.class)
                    .testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(6));
        }

        @Test
        void ofRuntimeAreRefusedToWorkloads() {
            assertThat(onlyFailure(kit().run(WithWorkloadsFixture.class)))
                    .hasStackTraceContaining(
                            "takes a Workloads and the runtime in this JVM. The runtime owns the cores");
        }

        @Test
        void modelWithoutNeffAnnotationIsRefused() {
            assertThat(onlyFailure(kit().run(WithoutNeffFixture.class)))
                    .hasStackTraceContaining("no annotation selects the model. Annotate it with @Neff(\"model.neff\")");
        }
    }

    @Nested
    class Leaks {

        @NeuronTest
        static class LeftOpenFixture {
            @Test
            void test(NeuronCore core, NeuronRuntime runtime) {
                runtime.allocate(core, "forgotten", 64);
            }
        }

        @Test
        void failTheTestAndAreClosed() {
            // when
            Throwable failure = onlyFailure(kit().run(LeftOpenFixture.class));

            // then
            assertThat(failure)
                    .hasMessageContaining("test(NeuronCore, NeuronRuntime) left open on the runtime in this JVM:")
                    .hasMessageContaining("tensor forgotten (64 bytes) on neuron0/neuron_core0")
                    .hasMessageContaining("RuntimeInjectionIT.java:")
                    .hasMessageContaining("try-with-resources");
        }

        @NeuronTest
        static class CannotBeClosedFixture {
            @Test
            @ExpectPrint(prefix = "acc", count = 1)
            void test(@Neff(ADD) LoadedModel add, NeuronCore core, NeuronRuntime runtime, FakeNeuronHost fake) {
                runtime.allocate(core, "first", 64);
                runtime.load(core, Path.of(ADD));
                runtime.allocate(core, "last", 64);
                fake.processes().forEach(FakeProcess::kill);
            }
        }

        @Test
        void areJudgedWhenOneCannotBeClosed() {
            // when
            NeuronTestKit kit = kit().with("neuron.test.quarantine.reset", "false");
            EngineExecutionResults results = kit.run(CannotBeClosedFixture.class);

            // then
            assertThat(onlyFailure(results))
                    .hasMessageContaining("tensor first (64 bytes)")
                    .hasMessageContaining("model add.neff")
                    .hasMessageContaining("tensor last (64 bytes)")
                    .hasMessageContaining("@ExpectPrint(prefix = \"acc\", count = 1)");
            assertThat(kit.events(RunEvent.Noticed.class))
                    .anySatisfy(event -> assertThat(event.notice()).startsWith("A model could not be unloaded: "))
                    .anySatisfy(event ->
                            assertThat(event.notice()).startsWith("Resources that it left open could not be closed: "));
            assertThat(kit.events(RunEvent.Quarantined.class)).isNotEmpty();
        }

        @Test
        void areJudgedWhenRuntimeCannotBeClosed() {
            // when
            NeuronTestKit kit =
                    kit().with("neuron.test.quarantine.reset", "false").with("neuron.test.runtime.close", "test");
            EngineExecutionResults results = kit.run(CannotBeClosedFixture.class);

            // then
            assertThat(onlyFailure(results))
                    .hasMessageContaining("model add.neff")
                    .hasMessageContaining("@ExpectPrint(prefix = \"acc\", count = 1)");
            assertThat(kit.notices())
                    .anyMatch(notice -> notice.startsWith("The runtime in this JVM could not be closed: "));
        }

        @Test
        void areOnlyNoticedWhenConfigured() {
            // when
            passing(kit().with("neuron.test.runtime.leaks", "notice"), LeftOpenFixture.class);

            // then
            assertThat(kit().notices())
                    .anyMatch(notice -> notice.contains("left open on the runtime: tensor forgotten"));
        }
    }

    @Nested
    class OnDriversThatCountAtProcessEnd {

        @Test
        void defaultRulesPassWhileRuntimeIsOpen() {
            passing(kit().on("fake:trn1.2xlarge@driver-2.29"), Models.ParameterizedFixture.class);
        }

        @Test
        void anExplicitDemandIsUndecided() {
            assertThat(onlyFailure(kit().on("fake:trn1.2xlarge@driver-2.29").run(Models.AddFixture.class)))
                    .hasMessageContaining("undecided");
        }

        @Test
        void explicitDemandIsDecidedWhenRuntimeClosesPerTest() {
            passing(
                    kit().on("fake:trn1.2xlarge@driver-2.29").with("neuron.test.runtime.close", "test"),
                    Models.AddFixture.class,
                    Models.AddFixture.class);
        }
    }

    @Nested
    class Hanging {

        @NeuronTest
        static class HangingFixture {
            @Test
            @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
            void test(@Neff(TILES) LoadedModel tiles, FakeNeuronHost fake) {
                fake.runtime()
                        .neff("tiles")
                        .print(FakePrint.of("last", "int32", 4).arange())
                        .hangs();
                tiles.execute(Map.of());
            }
        }

        @NeuronTest
        static class NextFixture {
            @Test
            void test(@Neff(ADD) LoadedModel add) {
                assertThat(add.core().name()).isEqualTo("neuron0/neuron_core1");
            }
        }

        @Test
        void callQuarantinesCoreAndAttachesLastPrints() throws IOException {
            // given
            NeuronTestKit kit =
                    kit().with("neuron.test.runtime.cores", "2").with("neuron.test.runtime.timeout", "14 s");

            // when
            EngineExecutionResults results = kit.run(HangingFixture.class, NextFixture.class);

            // then
            results.testEvents()
                    .assertStatistics(statistics -> statistics.succeeded(1).failed(1));
            assertThat(kit().attachment("neuron-prints.txt")).contains("last");
            assertThat(kit().attachment("neuron-timeout.txt")).contains("nrt_execute");
            assertThat(kit.events(RunEvent.Quarantined.class))
                    .anySatisfy(event -> assertThat(event.cores()).containsExactly("neuron0/neuron_core0"));
        }
    }

    @Nested
    class Missing {

        @Test
        void libraryFailsTestNamingItsPath() {
            assertThat(onlyFailure(kit().with("neuron.test.runtime.library", "/nowhere/libnrt.so.1")
                            .run(Models.AddFixture.class)))
                    .hasMessageContaining("/nowhere/libnrt.so.1");
        }

        @Test
        void libraryAbortsTestWhenMissingIsSkip() {
            assertThat(kit().with("neuron.test.runtime.library", "/nowhere/libnrt.so.1")
                            .with("neuron.test.missing", "skip")
                            .run(Models.AddFixture.class)
                            .testEvents()
                            .assertStatistics(
                                    statistics -> statistics.aborted(1).failed(0))
                            .aborted()
                            .list())
                    .singleElement()
                    .satisfies(
                            event -> assertThat(event.getPayload().orElseThrow().toString())
                                    .contains(
                                            "neuron.test.missing is skip (",
                                            "); with fail such a test fails; neuron.test.runtime.library sets a library.",
                                            "/nowhere/libnrt.so.1"));
        }
    }
}
