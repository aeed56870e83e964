package dev.neurontest;

import static dev.neurontest.NeuronTestKit.onlyFailure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.lease.ImpossibleRequestException;
import dev.neurontest.patience.Patience;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

/** Tests of the scope of leases. */
class ScopeTest {

    private static final List<NeuronCore> GIVEN = new CopyOnWriteArrayList<>();
    private static final Set<NeuronCore> IN_USE = ConcurrentHashMap.newKeySet();
    private static final Set<String> SHARED = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path output;

    @BeforeEach
    void forgetWhatWasGiven() {
        GIVEN.clear();
        IN_USE.clear();
        SHARED.clear();
    }

    private NeuronTestKit kit() {
        return new NeuronTestKit(output);
    }

    private static void use(NeuronCore core) {
        if (!IN_USE.add(core)) {
            SHARED.add(core.name());
        }
        GIVEN.add(core);
        Thread.yield();
        IN_USE.remove(core);
    }

    @NeuronTest
    static class SessionFixture {
        @RepeatedTest(3)
        void test(@LeasedPer(LeaseScope.SESSION) NeuronCore core) {
            use(core);
        }
    }

    @NeuronTest
    static class OtherSessionFixture {
        @RepeatedTest(3)
        void test(@LeasedPer(LeaseScope.SESSION) NeuronCore ofAll, NeuronCore own) {
            assertThat(own).isNotEqualTo(ofAll);
            use(ofAll);
        }
    }

    @NeuronTest
    static class SessionInBeforeAllFixture {
        @BeforeAll
        static void beforeAll(@LeasedPer(LeaseScope.SESSION) NeuronCore core) {
            use(core);
        }

        @Test
        void test() {}
    }

    private static void useForAWhile(NeuronCore core) {
        if (!IN_USE.add(core)) {
            SHARED.add(core.name());
        }
        long since = System.nanoTime();
        while (System.nanoTime() - since < 100_000_000) {
            Thread.onSpinWait();
        }
        IN_USE.remove(core);
    }

    @NeuronTest
    static class SessionForAllItsTestsFixture {
        private static NeuronCore shared;

        @BeforeAll
        static void beforeAll(@LeasedPer(LeaseScope.SESSION) NeuronCore core) {
            shared = core;
            useForAWhile(core);
        }

        @RepeatedTest(2)
        void test() {
            useForAWhile(shared);
        }
    }

    @NeuronTest
    static class OtherSessionForAllItsTestsFixture extends SessionForAllItsTestsFixture {}

    @NeuronTest
    static class ClassFixture {
        @RepeatedTest(3)
        void test(@LeasedPer(LeaseScope.CLASS) NeuronCore core) {
            use(core);
        }

        @Nested
        class InnerFixture {
            @Test
            void test(@LeasedPer(LeaseScope.CLASS) NeuronCore core) {
                assertThat(core).isNotEqualTo(GIVEN.get(0));
            }
        }
    }

    @NeuronTest
    static class ClassAndBeforeAllFixture {
        private static NeuronCore ofClass;

        @BeforeAll
        static void beforeAll(NeuronCore core) {
            ofClass = core;
        }

        @Test
        void test(@LeasedPer(LeaseScope.CLASS) NeuronCore core) {
            assertThat(core).isEqualTo(ofClass);
        }
    }

    @NeuronTest
    static class TestScopeInBeforeAllFixture {
        @BeforeAll
        static void beforeAll(@LeasedPer(LeaseScope.TEST) NeuronCore core) {}

        @Test
        void test() {}
    }

    @NeuronTest
    static class NothingLeasedFixture {
        @Test
        void test(@LeasedPer(LeaseScope.CLASS) dev.neurontest.device.NeuronHost host) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class NamesWhatTheSessionHoldsFixture {
        @Test
        @Order(1)
        void takes(@LeasedPer(LeaseScope.SESSION) @NeuronIndex(0) NeuronCore core) {}

        @Test
        @Order(2)
        void leasesCoreExclusively(@NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class SessionWantsMoreThanItLeavesFixture {
        @Test
        @Order(1)
        void takes(@LeasedPer(LeaseScope.SESSION) NeuronCore core) {}

        @Test
        @Order(2)
        void leasesAll(@LeasedPer(LeaseScope.SESSION) @Count(2) List<NeuronCore> cores) {}
    }

    @NeuronTest
    static class SessionWantsWhatTheClassHoldsFixture {
        @BeforeAll
        static void beforeAll(@NeuronIndex(0) NeuronCore core) {}

        @Test
        void test(@LeasedPer(LeaseScope.SESSION) @NeuronIndex(0) NeuronCore core) {}
    }

    @NeuronTest
    static class FailingAfterEachFixture {
        @AfterEach
        void afterEach() {
            throw new IllegalStateException("afterEach of another extension");
        }

        @Test
        void test(NeuronCore core) {}
    }

    @NeuronTest
    static class FailingBeforeAllFixture {
        @BeforeAll
        static void beforeAll(NeuronCore core) {
            throw new IllegalStateException("beforeAll");
        }

        @Test
        void test() {}
    }

    @NeuronTest
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class FailingConstructorOfAllTestsFixture {
        FailingConstructorOfAllTestsFixture(NeuronCore core) {
            throw new IllegalStateException("constructor");
        }

        @Test
        void test() {}
    }

    @NeuronTest
    static class FailingConstructorFixture {
        FailingConstructorFixture(NeuronCore core) {
            throw new IllegalStateException("constructor");
        }

        @Test
        void test() {}
    }

    @Nested
    class OfASession {

        @Test
        void isOneLeaseForAllClasses() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results =
                    kit.run(SessionFixture.class, OtherSessionFixture.class, SessionInBeforeAllFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(GIVEN).hasSize(7).containsOnly(GIVEN.get(0));
            assertThat(kit.events(RunEvent.Leased.class))
                    .filteredOn(leased -> leased.cores().contains(GIVEN.get(0).name()))
                    .hasSize(1);
        }

        @Test
        void endsWithTheSession() {
            // given
            NeuronTestKit kit = kit();

            // when
            kit.run(SessionFixture.class);

            // then
            assertThat(kit.events()).last().isInstanceOf(RunEvent.Released.class);
            assertThat(kit.events(RunEvent.Released.class)).hasSize(1);
        }

        @Test
        void isNeverSharedByParallelTests() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").inParallel();

            // when
            EngineExecutionResults results = kit.run(SessionFixture.class, OtherSessionFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(SHARED).isEmpty();
        }

        @Test
        void isNeverSharedByParallelClasses() {
            // given
            NeuronTestKit kit = kit().on("fake:trn1.32xlarge").inParallel();

            // when
            EngineExecutionResults results = kit.run(
                    SessionForAllItsTestsFixture.class, OtherSessionForAllItsTestsFixture.class, SessionFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(SHARED).isEmpty();
        }

        @Test
        void refusesItsCoreToTestNamingIt() {
            // when
            EngineExecutionResults results = kit().run(NamesWhatTheSessionHoldsFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results))
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .contains("core 0", "neuron0/neuron_core0");
        }
    }

    @Nested
    class SessionRequestWithoutEnoughCores {

        @Test
        void isRefusedAtOnce() {
            for (Class<?> fixture :
                    List.of(SessionWantsMoreThanItLeavesFixture.class, SessionWantsWhatTheClassHoldsFixture.class)) {
                // given
                NeuronTestKit kit = new NeuronTestKit(output.resolve(fixture.getSimpleName()))
                        .with("neuron.test.lease.timeout", Patience.LIMIT.toSeconds() + " s");

                // when
                EngineExecutionResults results = kit.run(fixture);

                // then
                assertThat(onlyFailure(results))
                        .isInstanceOf(ImpossibleRequestException.class)
                        .hasMessageContaining("while its class or its session holds neuron0/neuron_core0");
            }
        }
    }

    @Nested
    class OfAClass {

        @Test
        void isOneLeaseForAllTests() {
            // given
            NeuronTestKit kit = kit();

            // when
            EngineExecutionResults results = kit.run(ClassFixture.class);

            // then
            assertThat(NeuronTestKit.failures(results)).isEmpty();
            assertThat(GIVEN).hasSize(3).containsOnly(GIVEN.get(0));
            assertThat(kit.events(RunEvent.Leased.class)).hasSize(2);
        }

        @Test
        void isTheLeaseOfBeforeAllForEqualParameters() {
            assertThat(NeuronTestKit.failures(kit().run(ClassAndBeforeAllFixture.class)))
                    .isEmpty();
        }
    }

    @Nested
    class MisplacedScope {

        @Test
        void isRefusedForTestScopeInBeforeAll() {
            assertThat(NeuronTestKit.failures(kit().run(TestScopeInBeforeAllFixture.class)))
                    .isNotEmpty()
                    .allSatisfy(failure ->
                            assertThat(failure).hasMessageContaining("it is called once for all tests of the class"));
        }

        @Test
        void isRefusedForUnleasedParameter() {
            assertThat(NeuronTestKit.failures(kit().run(NothingLeasedFixture.class)))
                    .singleElement()
                    .satisfies(
                            failure -> assertThat(failure).hasMessageContaining("@LeasedPer is for cores and devices"));
        }
    }

    @Nested
    class WhenSomethingFails {

        @Test
        void everyLeaseIsGivenBackOnce() {
            for (Class<?> fixture : List.of(
                    FailingAfterEachFixture.class,
                    FailingConstructorFixture.class,
                    FailingConstructorOfAllTestsFixture.class,
                    FailingBeforeAllFixture.class)) {
                // given
                NeuronTestKit kit = new NeuronTestKit(output.resolve(fixture.getSimpleName()));

                // when
                kit.run(fixture);

                // then
                assertThat(Collections.frequency(
                                kit.events().stream().map(Object::getClass).toList(), RunEvent.Leased.class))
                        .isEqualTo(1);
                assertThat(kit.events(RunEvent.Released.class)).hasSize(1);
            }
        }

        @Test
        void classWithoutStartedTestsIsRecordedAsFailed() {
            for (Class<?> fixture : List.of(FailingBeforeAllFixture.class, FailingConstructorOfAllTestsFixture.class)) {
                // given
                NeuronTestKit kit = new NeuronTestKit(output.resolve(fixture.getSimpleName()));

                // when
                kit.launch(fixture);

                // then
                assertThat(kit.events(RunEvent.TestFinished.class))
                        .filteredOn(finished -> !finished.test().id().contains("[method:"))
                        .singleElement()
                        .satisfies(finished -> {
                            assertThat(finished.outcome()).isEqualTo(Outcome.FAILED);
                            assertThat(finished.cores()).containsExactly("neuron0/neuron_core0");
                            assertThat(finished.reason()).startsWith("java.lang.IllegalStateException: ");
                        });
            }
        }
    }
}
