package dev.neurontest.internal.lifecycle;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.Count;
import dev.neurontest.ForEachCore;
import dev.neurontest.ForEachDevice;
import dev.neurontest.LeaseScope;
import dev.neurontest.LeasedPer;
import dev.neurontest.NeuronIndex;
import dev.neurontest.NeuronTest;
import dev.neurontest.NeuronTestKit;
import dev.neurontest.Placement;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of the parameters that a test may have, and of their values. */
class InjectionTest {

    @TempDir
    private Path output;

    private NeuronTestKit kit() {
        SEEN.clear();
        return new NeuronTestKit(output);
    }

    private static final List<Object> SEEN = new ArrayList<>();

    private static void allPass(EngineExecutionResults results, long tests) {
        assertThat(NeuronTestKit.failures(results)).isEmpty();
        results.testEvents().assertStatistics(stats -> stats.started(tests).succeeded(tests));
    }

    @Nested
    class Values {

        @NeuronTest
        static class EverythingFixture {
            @Test
            void takes(
                    NeuronCore any,
                    @NeuronIndex(3) NeuronCore third,
                    @Count(2) List<NeuronCore> inARow,
                    @NeuronIndex({9, 7}) List<NeuronCore> these,
                    @NeuronIndex(15) NeuronDevice device,
                    NeuronHost host,
                    Counters counters,
                    FakeNeuronHost fake,
                    Optional<FakeNeuronHost> maybe) {
                SEEN.addAll(List.of(any.index(), third.index()));
                SEEN.add(indices(inARow));
                SEEN.add(indices(these));
                SEEN.add(device.index());
                SEEN.add(host.devices().size());
                SEEN.add(fake.instanceType());
                SEEN.add(maybe.orElseThrow() == fake);
                assertThat(counters.snapshot()).isNotNull();
            }
        }

        @Test
        void arriveAsAskedFor() {
            EngineExecutionResults results = kit().on("fake:trn1.32xlarge").run(EverythingFixture.class);

            allPass(results, 1);
            assertThat(SEEN).containsExactly(2, 3, List.of(0, 1), List.of(9, 7), 15, 16, "trn1.32xlarge", true);
        }

        @NeuronTest
        static class TwoOfOneKindFixture {
            @Test
            void takes(NeuronCore one, NeuronCore other) {
                assertThat(one).isNotEqualTo(other);
            }
        }

        @Test
        void areDistinctWithinOneMethod() {
            allPass(kit().run(TwoOfOneKindFixture.class), 1);
        }

        @NeuronTest
        static class PlacedFixture {
            @Test
            void onOneDevice(@Count(value = 2, placement = Placement.ONE_DEVICE) List<NeuronCore> cores) {
                assertThat(cores)
                        .extracting(NeuronCore::device)
                        .containsOnly(cores.get(0).device());
            }

            @Test
            void onConnectedDevices(@Count(value = 3, placement = Placement.CONNECTED_DEVICES) List<NeuronCore> cores) {
                NeuronDevice first = cores.get(0).device();
                NeuronDevice last = cores.get(2).device();
                assertThat(first.connectedDevices()).contains(last.index());
            }

            @Test
            void scattered(@Count(value = 5, placement = Placement.SCATTERED) List<NeuronCore> cores) {
                assertThat(cores).doesNotHaveDuplicates().hasSize(5);
            }
        }

        @Test
        void followPlacement() {
            allPass(kit().on("fake:trn1.32xlarge").run(PlacedFixture.class), 3);
        }

        @NeuronTest
        static class LogicalFixture {
            @Test
            void takes(@Count(4) List<NeuronCore> cores) {
                SEEN.add(cores.stream()
                        .flatMap(core -> core.physicalCores().stream())
                        .map(Object::toString)
                        .toList());
            }
        }

        @Test
        void areLogicalCoresWithPermutedPhysicalCores() {
            allPass(kit().on("fake:trn2.48xlarge").run(LogicalFixture.class), 1);

            assertThat(SEEN)
                    .containsExactly(Stream.of(4, 5, 6, 7, 2, 3, 0, 1)
                            .map(core -> "neuron0/neuron_core" + core)
                            .toList());
        }

        @Test
        void followTheLogicalCoreSize() {
            allPass(kit().on("fake:trn2.48xlarge").with("neuron.test.lnc", "1").run(LogicalFixture.class), 1);

            assertThat(SEEN)
                    .containsExactly(Stream.of(4, 5, 6, 7)
                            .map(core -> "neuron0/neuron_core" + core)
                            .toList());
        }

        @NeuronTest
        static class ShownFixture {
            @ParameterizedTest
            @ValueSource(ints = 1)
            void takes(int value, NeuronCore core, NeuronHost host) {
                SEEN.add(core + " " + core.device() + " " + host);
            }
        }

        @Test
        void haveSameTextOnEveryCore() {
            allPass(kit().run(ShownFixture.class), 1);
            Object first = SEEN.get(0);

            allPass(kit().run(ShownFixture.class), 1);

            assertThat(SEEN.get(0)).isEqualTo(first);
            assertThat(first.toString()).doesNotContain("0");
        }
    }

    @Nested
    class Parameters {

        @NeuronTest
        static class LifecycleFixture {
            private final NeuronCore ofConstructor;
            private NeuronCore ofBeforeEach;
            private static NeuronCore ofClass;

            LifecycleFixture(NeuronCore core) {
                ofConstructor = core;
            }

            @BeforeAll
            static void beforeAll(NeuronCore core) {
                ofClass = core;
            }

            @BeforeEach
            void beforeEach(NeuronCore core) {
                ofBeforeEach = core;
            }

            @Test
            void test(NeuronCore core) {
                assertThat(core)
                        .isEqualTo(ofConstructor)
                        .isEqualTo(ofBeforeEach)
                        .isNotEqualTo(ofClass);
            }

            @AfterEach
            void afterEach(NeuronCore core) {
                assertThat(core).isEqualTo(ofBeforeEach);
            }

            @AfterAll
            static void afterAll(NeuronCore core) {
                assertThat(core).isEqualTo(ofClass);
            }
        }

        @Test
        void ofOneTestShareCoreButNotWithClass() {
            allPass(kit().run(LifecycleFixture.class), 1);
        }

        @NeuronTest
        static class NamedFixture {
            @BeforeAll
            static void beforeAll(@NeuronIndex(0) NeuronCore core) {}

            @Test
            void test(@NeuronIndex(0) NeuronCore core) {
                assertThat(core.index()).isZero();
            }
        }

        @Test
        void mayNameACoreThatTheClassHolds() {
            allPass(kit().run(NamedFixture.class), 1);
        }

        @NeuronTest
        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        static class OneInstanceFixture {
            private final NeuronCore ofInstance;

            OneInstanceFixture(NeuronCore core) {
                ofInstance = core;
            }

            @Test
            void one(NeuronCore core) {
                assertThat(core).isNotEqualTo(ofInstance);
            }

            @Test
            void other(NeuronCore core) {
                assertThat(core).isNotEqualTo(ofInstance);
            }
        }

        @Test
        void ofASharedInstanceBelongToTheClass() {
            allPass(kit().run(OneInstanceFixture.class), 2);
            assertThat(kit().events(RunEvent.Leased.class)).hasSize(3);
        }

        @NeuronTest
        static class OuterFixture {
            private NeuronCore outer;

            @BeforeEach
            void beforeEach(NeuronCore core) {
                outer = core;
            }

            @Nested
            class InnerFixture {
                @Test
                void test(NeuronCore core) {
                    assertThat(core).isEqualTo(outer);
                }
            }
        }

        @Test
        void ofNestedTestShareCoreWithEnclosingBeforeEach() {
            allPass(kit().run(OuterFixture.class), 1);
        }

        @NeuronTest
        static class ManyTimesFixture {
            @RepeatedTest(3)
            void repeated(NeuronCore core) {
                SEEN.add(core.index());
            }

            @ParameterizedTest
            @ValueSource(strings = {"a", "b"})
            void parameterized(String value, NeuronCore core) {
                SEEN.add(core.index());
            }

            @TestFactory
            Stream<DynamicTest> dynamic(NeuronCore core) {
                return Stream.of("a", "b").map(name -> DynamicTest.dynamicTest(name, () -> SEEN.add(core.index())));
            }
        }

        @Test
        void ofEachInvocationAreLeasedAndReleased() {
            NeuronTestKit kit = kit();

            assertThat(kit.launch(ManyTimesFixture.class).getTestsSucceededCount())
                    .isEqualTo(7);

            assertThat(SEEN).hasSize(7).containsOnly(0);
            assertThat(kit.events(RunEvent.Leased.class)).hasSize(6);
            assertThat(kit.events(RunEvent.Released.class)).hasSize(6);
            assertThat(kit.events(RunEvent.TestFinished.class)).hasSize(6);
        }

        @NeuronTest
        @ParameterizedClass
        @ValueSource(ints = {1, 2})
        static class ParameterizedClassFixture {
            @Parameter
            private int value;

            @Test
            void test(NeuronCore core) {
                SEEN.add(value + " " + core.index());
            }
        }

        @Test
        void ofAParameterizedClassAreLeasedForEachTest() {
            allPass(kit().run(ParameterizedClassFixture.class), 2);
            assertThat(SEEN).containsExactly("1 0", "2 0");
        }
    }

    @Nested
    class Templates {

        static class CoresFixture {
            @ForEachCore
            void test(NeuronCore core) {
                SEEN.add(core.index());
            }
        }

        @Test
        void runATestForEachCore() {
            allPass(kit().on("fake:inf1.xlarge").run(CoresFixture.class), 4);
            assertThat(SEEN).containsExactly(0, 1, 2, 3);
        }

        @ForEachDevice
        static class DevicesFixture {
            private final NeuronDevice ofConstructor;

            DevicesFixture(NeuronDevice device) {
                ofConstructor = device;
            }

            @Test
            void test(NeuronDevice device, NeuronCore core) {
                assertThat(device).isEqualTo(ofConstructor);
                assertThat(core.device()).isEqualTo(device);
                SEEN.add(device.index());
            }
        }

        @Test
        void runAClassForEachDevice() {
            allPass(kit().on("fake:inf2.24xlarge").run(DevicesFixture.class), 6);
            assertThat(SEEN).containsExactly(0, 1, 2, 3, 4, 5);
        }

        @ForEachDevice
        static class DeviceCoresFixture {
            @Test
            void test(NeuronDevice device, NeuronCore one, NeuronCore other) {
                assertThat(List.of(one, other)).doesNotHaveDuplicates().isEqualTo(device.cores());
            }
        }

        @Test
        void giveEachParameterAnotherCore() {
            allPass(kit().run(DeviceCoresFixture.class), 1);
        }

        static class ConstructorFixture {
            ConstructorFixture(NeuronCore core) {}

            @ForEachCore
            void test(NeuronCore core) {}
        }

        @Test
        void refuseCoreInConstructorOfForEachCore() {
            EngineExecutionResults results = kit().run(ConstructorFixture.class);

            assertThat(NeuronTestKit.failures(results))
                    .isNotEmpty()
                    .allSatisfy(
                            failure -> assertThat(failure).rootCause().hasMessageContaining("not of the constructor"));
        }
    }

    @Nested
    class Groups {

        @NeuronTest
        static class BesideCoreZeroFixture {
            @BeforeAll
            static void beforeAll(@NeuronIndex(0) NeuronCore core) {}

            @Test
            void test(@Count(8) List<NeuronCore> cores) {
                SEEN.add(indices(cores));
            }
        }

        @Test
        void startAtAMultipleOfTheirSize() {
            allPass(kit().on("fake:trn2.48xlarge").run(BesideCoreZeroFixture.class), 1);
            assertThat(SEEN).containsExactly(List.of(8, 9, 10, 11, 12, 13, 14, 15));
        }

        @NeuronTest
        static class SixForCollectivesFixture {
            @Test
            void test(@Count(value = 6, collectives = true) List<NeuronCore> cores) {
                SEEN.add(indices(cores));
            }
        }

        @NeuronTest
        static class SixForCollectivesOfAClassFixture {
            @BeforeAll
            static void beforeAll(@Count(value = 6, collectives = true) List<NeuronCore> cores) {
                SEEN.add(indices(cores));
            }

            @Test
            void test() {
                SEEN.add("test");
            }
        }

        @ParameterizedTest
        @ValueSource(classes = {SixForCollectivesFixture.class, SixForCollectivesOfAClassFixture.class})
        void areRefusedBeforeBodyWhenCollectivesCannotRun(Class<?> testClass) {
            assertThat(onlyFailure(kit().on("fake:trn2.48xlarge").run(testClass)))
                    .isInstanceOf(ImpossibleRequestException.class)
                    .hasMessageEndingWith(" requests 6 cores for collectives, and collectives of Trn2 run on"
                            + " 1, 2, 4, 8, 16, 32 or 64 cores here, not on 6. Request one of these numbers, or leave"
                            + " out collectives = true if the program uses no collectives.");
            assertThat(SEEN).isEmpty();
        }

        @Test
        void areAllowedWhenCollectiveSizesAreUndocumented() {
            allPass(kit().on("fake:trn3.48xlarge").run(SixForCollectivesFixture.class), 1);
            assertThat(SEEN).containsExactly(List.of(0, 1, 2, 3, 4, 5));
        }

        static class ThreeOfADeviceFixture {
            @ForEachDevice
            void test(@Count(value = 3, collectives = true) List<NeuronCore> cores) {
                SEEN.add(indices(cores));
            }
        }

        @Test
        void ofForEachDeviceAreRefusedWhenCollectivesCannotRun() {
            assertThat(onlyFailure(kit().on("fake:trn2.3xlarge").run(ThreeOfADeviceFixture.class)))
                    .hasMessageContaining("collectives of Trn2 run on 1, 2 or 4 cores here, not on 3");
            assertThat(SEEN).isEmpty();
        }

        static class PairOfADeviceFixture {
            @ForEachDevice
            void test(NeuronCore one, @Count(value = 2, collectives = true) List<NeuronCore> cores) {
                SEEN.addAll(List.of(one.index(), indices(cores)));
            }
        }

        @Test
        void ofForEachDeviceStartAtMultipleOfTheirSize() {
            allPass(kit().on("fake:trn2.3xlarge").run(PairOfADeviceFixture.class), 1);
            assertThat(SEEN).containsExactly(0, List.of(2, 3));
        }

        @NeuronTest
        static class ScatteredForCollectivesFixture {
            @Test
            void test(@Count(value = 4, placement = Placement.SCATTERED, collectives = true) List<NeuronCore> cores) {}
        }

        @Test
        void forCollectivesAreNeverScattered() {
            assertThat(onlyFailure(kit().on("fake:trn2.3xlarge").run(ScatteredForCollectivesFixture.class)))
                    .isInstanceOf(ExtensionConfigurationException.class)
                    .hasMessageContaining("@Count(collectives = true) requires consecutive cores");
        }
    }

    @Nested
    class Mistakes {

        @NeuronTest
        static class TooManyFixture {
            @Test
            void takes(@Count(64) List<NeuronCore> cores) {}
        }

        @Test
        void tooManyCoresFailNamingAvailableOnes() {
            EngineExecutionResults results = kit().run(TooManyFixture.class);

            assertThat(onlyFailure(results)).hasMessageContaining("64").hasMessageContaining("2");
        }

        @NeuronTest
        static class WithoutCountFixture {
            @Test
            void takes(List<NeuronCore> cores) {}
        }

        @NeuronTest
        static class CountOnOneFixture {
            @Test
            void takes(@Count(2) NeuronCore core) {}
        }

        @NeuronTest
        static class WrongInClassFixture {
            @BeforeAll
            static void beforeAll(List<NeuronCore> cores) {}

            @Test
            void test() {}
        }

        @NeuronTest
        static class InnocentFixture {
            @Test
            void test(NeuronCore core) {}
        }

        @Test
        void inOneClassDoNotAffectOthers() {
            EngineExecutionResults results = kit().run(WrongInClassFixture.class, InnocentFixture.class);

            results.testEvents().assertStatistics(stats -> stats.succeeded(1));
            assertThat(onlyFailure(results)).hasMessageContaining("@Count(4)");
        }

        @NeuronTest
        static class BesideItsClassFixture {
            @BeforeAll
            static void beforeAll(NeuronCore core) {}

            @Test
            void test(@Count(2) List<NeuronCore> cores) {}
        }

        @Test
        void requestMadeImpossibleByClassFailsAtOnce() {
            assertThat(onlyFailure(kit().run(BesideItsClassFixture.class)))
                    .isInstanceOf(ImpossibleRequestException.class)
                    .hasMessageContaining("while its class or its session holds neuron0/neuron_core");
        }

        static class TwoForOneFixture {
            @ForEachCore
            void test(NeuronCore one, NeuronCore other) {}
        }

        @Test
        void secondCoreInForEachCoreIsRefused() {
            assertThat(NeuronTestKit.failures(kit().run(TwoForOneFixture.class)))
                    .hasSize(2)
                    .allSatisfy(failure -> assertThat(failure).hasMessageContaining("This run has only"));
        }

        @NeuronTest
        static class CountOfDeviceFixture {
            @Test
            void takes(@Count(2) NeuronDevice device) {}
        }

        @NeuronTest
        static class NegativeFixture {
            @Test
            void takes(@NeuronIndex(-1) NeuronCore core) {}
        }

        @NeuronTest
        static class IndexOfCountersFixture {
            @Test
            void takes(NeuronCore core, @NeuronIndex(1) Counters counters) {}
        }

        @NeuronTest
        static class LeasedPerOnHostFixture {
            @Test
            void takes(@LeasedPer(LeaseScope.CLASS) NeuronHost host) {}
        }

        @Test
        void coreAnnotationsOnOtherParametersAreRefused() {
            assertThat(onlyFailure(kit().run(IndexOfCountersFixture.class)))
                    .isInstanceOf(ExtensionConfigurationException.class)
                    .hasMessageContaining("@NeuronIndex is for cores and devices");
            assertThat(onlyFailure(kit().run(LeasedPerOnHostFixture.class)))
                    .hasMessageContaining("@LeasedPer is for cores and devices");
        }

        @Test
        void inParametersNameTheParameter() {
            assertThat(onlyFailure(kit().run(CountOfDeviceFixture.class))).hasMessageContaining("take a list");
            assertThat(onlyFailure(kit().run(NegativeFixture.class)))
                    .hasMessageContaining("Parameter")
                    .hasMessageContaining("takes(");
            assertThat(onlyFailure(kit().run(WithoutCountFixture.class))).hasMessageContaining("@Count(4)");
            assertThat(onlyFailure(kit().run(CountOnOneFixture.class)))
                    .isInstanceOf(ExtensionConfigurationException.class)
                    .hasMessageContaining("take a list");
        }
    }

    private static List<Integer> indices(List<NeuronCore> cores) {
        return cores.stream().map(NeuronCore::index).toList();
    }
}
