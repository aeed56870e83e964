package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.internal.AssumptionViolatedException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.api.extension.TestInstancePreDestroyCallback;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Tests of every lifecycle in which an error counter moves in one place and the test ends in the same or another.
 * JUnit, report and gate agree on each, and a counter that moved on a leased core never passes.
 */
class FalseGreenLifecyclesTest {

    @TempDir
    private Path output;

    private enum Place {
        NOWHERE,
        CONSTRUCTOR,
        INSTANCE,
        BEFORE_ALL,
        BEFORE_EACH,
        ARGUMENTS,
        BODY,
        PART,
        CONTAINER,
        AFTER_EACH,
        OTHERS_AFTER_EACH,
        PRE_DESTROY,
        STORE_OF_TEST,
        AFTER_ALL,
        OTHERS_AFTER_ALL,
        STORE_OF_CLASS
    }

    private enum Ending {
        PASS,
        FAIL,
        ERROR,
        ABORT,
        ABORT_BY_JUNIT_4,
        SKIP
    }

    /** The script of the running fixture; runs are sequential. */
    private static final class World {
        private static Place move = Place.NOWHERE;
        private static Place end = Place.NOWHERE;
        private static Ending ending = Ending.PASS;
        private static boolean moved;
        private static boolean failed;

        static void at(Place place, FakeNeuronHost fake, NeuronCore leased) {
            if (place == move) {
                FakeCore core = fake.core(leased);
                try (FakeProcess process = fake.openProcess("workload", core)) {
                    process.execute(core, NrtStatus.of("NRT_TIMEOUT"), 1);
                }
                moved = true;
            }
            at(place);
        }

        static void at(Place place) {
            if (place != end) {
                return;
            }
            switch (ending) {
                case PASS, SKIP -> {}
                case FAIL -> {
                    failed = true;
                    throw new AssertionError("not equal");
                }
                case ERROR -> {
                    failed = true;
                    throw new IllegalStateException("broken");
                }
                case ABORT -> {
                    failed = closesStore(place);
                    assumeTrue(false);
                }
                case ABORT_BY_JUNIT_4 -> {
                    failed = closesStore(place);
                    throw new AssumptionViolatedException("false");
                }
            }
        }
    }

    /** Returns whether the place closes a store, where JUnit fails a test or class for any exception. */
    private static boolean closesStore(Place place) {
        return place == Place.STORE_OF_TEST || place == Place.STORE_OF_CLASS;
    }

    /** An extension registered before Neuron Test: its callbacks after a test or class are called later. */
    static final class OthersFixture
            implements BeforeAllCallback,
                    BeforeEachCallback,
                    AfterEachCallback,
                    AfterAllCallback,
                    ExecutionCondition,
                    TestInstancePostProcessor,
                    TestInstancePreDestroyCallback {

        private static final Namespace NAMESPACE = Namespace.create(OthersFixture.class);

        @Override
        public void beforeAll(ExtensionContext context) {
            AutoCloseable closing = () -> World.at(Place.STORE_OF_CLASS);
            context.getStore(NAMESPACE).put("of the class", closing);
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            AutoCloseable closing = () -> World.at(Place.STORE_OF_TEST);
            context.getStore(NAMESPACE).put("of the test", closing);
        }

        @Override
        public void preDestroyTestInstance(ExtensionContext context) {
            World.at(Place.PRE_DESTROY);
        }

        @Override
        public void afterEach(ExtensionContext context) {
            World.at(Place.OTHERS_AFTER_EACH);
        }

        @Override
        public void afterAll(ExtensionContext context) {
            World.at(Place.OTHERS_AFTER_ALL);
        }

        @Override
        public void postProcessTestInstance(Object testInstance, ExtensionContext context) {
            World.at(Place.INSTANCE);
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            boolean here = context.getTestMethod().isPresent()
                    ? World.end == Place.BODY
                    : World.end == Place.BEFORE_ALL && context.getTestClass().isPresent();
            return World.ending == Ending.SKIP && here
                    ? ConditionEvaluationResult.disabled("not tonight")
                    : ConditionEvaluationResult.enabled("");
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class PerMethodFixture {

        private final FakeNeuronHost fake;
        private final NeuronCore core;

        PerMethodFixture(FakeNeuronHost fake, NeuronCore core) {
            this.fake = fake;
            this.core = core;
            World.at(Place.CONSTRUCTOR, fake, core);
        }

        @BeforeAll
        static void beforeAll() {
            World.at(Place.BEFORE_ALL);
        }

        @BeforeEach
        void beforeEach() {
            World.at(Place.BEFORE_EACH, fake, core);
        }

        @Test
        void body() {
            World.at(Place.BODY, fake, core);
        }

        @AfterEach
        void afterEach() {
            World.at(Place.AFTER_EACH, fake, core);
        }

        @AfterAll
        static void afterAll() {
            World.at(Place.AFTER_ALL);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class LeasedPerClassFixture {

        @BeforeAll
        static void beforeAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BEFORE_ALL, fake, core);
        }

        @Test
        void body(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }

        @AfterAll
        static void afterAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.AFTER_ALL, fake, core);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClassFixture {

        PerClassFixture(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.CONSTRUCTOR, fake, core);
        }

        @BeforeAll
        void beforeAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BEFORE_ALL, fake, core);
        }

        @BeforeEach
        void beforeEach() {
            World.at(Place.BEFORE_EACH);
        }

        @Test
        void body(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }

        @AfterEach
        void afterEach() {
            World.at(Place.AFTER_EACH);
        }

        @AfterAll
        void afterAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.AFTER_ALL, fake, core);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class NestedFixture {

        @BeforeAll
        static void beforeAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BEFORE_ALL, fake, core);
        }

        @Nested
        class Inner {

            Inner(FakeNeuronHost fake, NeuronCore core) {
                World.at(Place.CONSTRUCTOR, fake, core);
            }

            @Test
            void body(FakeNeuronHost fake, NeuronCore core) {
                World.at(Place.BODY, fake, core);
            }
        }

        @AfterAll
        static void afterAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.AFTER_ALL, fake, core);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class RepeatedFixture {

        @RepeatedTest(2)
        void body(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }

        @AfterEach
        void afterEach(FakeNeuronHost fake) {
            World.at(Place.AFTER_EACH);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class ParameterizedFixture {

        static Stream<Integer> batches() {
            World.at(Place.ARGUMENTS);
            return Stream.of(1, 2);
        }

        @ParameterizedTest
        @MethodSource("batches")
        void body(int batch, FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    static class ParameterizedClassFixture {

        @Parameter
        private int batch;

        @BeforeAll
        static void beforeAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BEFORE_ALL, fake, core);
        }

        @Test
        void body(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }

        @AfterAll
        static void afterAll(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.AFTER_ALL, fake, core);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class EachCoreFixture {

        @ForEachCore
        void body(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }

        @AfterEach
        void afterEach(FakeNeuronHost fake) {
            World.at(Place.AFTER_EACH);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class FactoryFixture {

        @TestFactory
        List<DynamicNode> parts(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
            return List.of(
                    dynamicTest("first", () -> {}),
                    dynamicTest("part", () -> World.at(Place.PART, fake, core)),
                    dynamicContainer("container", Stream.of(1).map(number -> {
                        World.at(Place.CONTAINER, fake, core);
                        return dynamicTest("last", () -> {});
                    })));
        }

        @AfterEach
        void afterEach(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.AFTER_EACH, fake, core);
        }
    }

    @ExtendWith(OthersFixture.class)
    @NeuronTest
    static class RetriedFixture {

        @BeforeEach
        void beforeEach(FakeNeuronHost fake, @NeuronIndex(0) NeuronCore core) {
            World.at(Place.BEFORE_EACH);
        }

        @RetryOnAnotherCore
        void body(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BODY, fake, core);
        }

        @AfterEach
        void afterEach() {
            World.at(Place.AFTER_EACH);
        }
    }

    @ExtendWith(OthersFixture.class)
    static class RegisteredFixture {

        @RegisterExtension
        final NeuronExtension neuron = NeuronExtension.builder().build();

        RegisteredFixture() {
            World.at(Place.CONSTRUCTOR);
        }

        @BeforeAll
        static void beforeAll() {
            World.at(Place.BEFORE_ALL);
        }

        @BeforeEach
        void beforeEach(FakeNeuronHost fake, NeuronCore core) {
            World.at(Place.BEFORE_EACH, fake, core);
        }

        @Test
        void body(FakeNeuronHost fake) {
            World.at(Place.BODY);
        }

        @Test
        void other() {}

        @AfterAll
        static void afterAll() {
            World.at(Place.AFTER_ALL);
        }
    }

    static class MethodFixture {

        @NeuronTest
        @Test
        void body(FakeNeuronHost fake, NeuronCore core, TestInfo info) {
            World.at(Place.BODY, fake, core);
        }

        @AfterEach
        void afterEach() {
            World.at(Place.AFTER_EACH);
        }
    }

    private static Stream<Arguments> worlds() {
        List<Arguments> worlds = new ArrayList<>();
        table(
                worlds,
                PerMethodFixture.class,
                List.of(Place.CONSTRUCTOR, Place.BEFORE_EACH, Place.BODY, Place.AFTER_EACH),
                List.of(
                        Place.BEFORE_ALL,
                        Place.CONSTRUCTOR,
                        Place.INSTANCE,
                        Place.BEFORE_EACH,
                        Place.BODY,
                        Place.AFTER_EACH,
                        Place.OTHERS_AFTER_EACH,
                        Place.STORE_OF_TEST,
                        Place.AFTER_ALL,
                        Place.OTHERS_AFTER_ALL,
                        Place.STORE_OF_CLASS,
                        Place.PRE_DESTROY));
        table(
                worlds,
                LeasedPerClassFixture.class,
                List.of(Place.BEFORE_ALL, Place.BODY, Place.AFTER_ALL),
                List.of(
                        Place.BEFORE_ALL,
                        Place.BODY,
                        Place.AFTER_ALL,
                        Place.OTHERS_AFTER_ALL,
                        Place.STORE_OF_CLASS,
                        Place.PRE_DESTROY));
        table(
                worlds,
                PerClassFixture.class,
                List.of(Place.CONSTRUCTOR, Place.BEFORE_ALL, Place.BODY, Place.AFTER_ALL),
                List.of(
                        Place.CONSTRUCTOR,
                        Place.INSTANCE,
                        Place.BEFORE_ALL,
                        Place.BEFORE_EACH,
                        Place.BODY,
                        Place.AFTER_EACH,
                        Place.AFTER_ALL,
                        Place.OTHERS_AFTER_ALL,
                        Place.STORE_OF_CLASS,
                        Place.PRE_DESTROY));
        table(
                worlds,
                NestedFixture.class,
                List.of(Place.BEFORE_ALL, Place.CONSTRUCTOR, Place.BODY, Place.AFTER_ALL),
                List.of(
                        Place.BEFORE_ALL,
                        Place.CONSTRUCTOR,
                        Place.BODY,
                        Place.AFTER_ALL,
                        Place.OTHERS_AFTER_ALL,
                        Place.STORE_OF_CLASS,
                        Place.PRE_DESTROY));
        table(worlds, RepeatedFixture.class, List.of(Place.BODY), List.of(Place.BODY, Place.AFTER_EACH));
        table(worlds, ParameterizedFixture.class, List.of(Place.BODY), List.of(Place.ARGUMENTS, Place.BODY));
        table(
                worlds,
                ParameterizedClassFixture.class,
                List.of(Place.BEFORE_ALL, Place.BODY, Place.AFTER_ALL),
                List.of(
                        Place.BEFORE_ALL,
                        Place.BODY,
                        Place.AFTER_ALL,
                        Place.OTHERS_AFTER_ALL,
                        Place.STORE_OF_CLASS,
                        Place.PRE_DESTROY));
        table(worlds, EachCoreFixture.class, List.of(Place.BODY), List.of(Place.BODY, Place.AFTER_EACH));
        table(
                worlds,
                FactoryFixture.class,
                List.of(Place.BODY, Place.PART, Place.CONTAINER, Place.AFTER_EACH),
                List.of(
                        Place.BODY,
                        Place.PART,
                        Place.CONTAINER,
                        Place.AFTER_EACH,
                        Place.OTHERS_AFTER_EACH,
                        Place.STORE_OF_TEST,
                        Place.STORE_OF_TEST));
        table(
                worlds,
                RetriedFixture.class,
                List.of(Place.BODY),
                List.of(
                        Place.BEFORE_EACH,
                        Place.BODY,
                        Place.AFTER_EACH,
                        Place.OTHERS_AFTER_EACH,
                        Place.STORE_OF_TEST,
                        Place.STORE_OF_TEST));
        table(
                worlds,
                RegisteredFixture.class,
                List.of(Place.BEFORE_EACH),
                List.of(
                        Place.BEFORE_ALL,
                        Place.CONSTRUCTOR,
                        Place.INSTANCE,
                        Place.BEFORE_EACH,
                        Place.BODY,
                        Place.OTHERS_AFTER_EACH,
                        Place.STORE_OF_TEST,
                        Place.AFTER_ALL,
                        Place.OTHERS_AFTER_ALL,
                        Place.STORE_OF_CLASS,
                        Place.PRE_DESTROY));
        table(worlds, MethodFixture.class, List.of(Place.BODY), List.of(Place.BODY, Place.AFTER_EACH));
        return worlds.stream();
    }

    private static void table(List<Arguments> worlds, Class<?> fixture, List<Place> moves, List<Place> ends) {
        for (Place move :
                Stream.concat(Stream.of(Place.NOWHERE), moves.stream()).toList()) {
            for (Place end : ends) {
                worlds.add(Arguments.of(fixture, move, end, Ending.ABORT));
                if (move == Place.NOWHERE || move == end) {
                    worlds.add(Arguments.of(fixture, move, end, Ending.ABORT_BY_JUNIT_4));
                }
                worlds.add(Arguments.of(fixture, move, end, move == end ? Ending.FAIL : Ending.ERROR));
            }
            worlds.add(Arguments.of(fixture, move, Place.BODY, Ending.SKIP));
            worlds.add(Arguments.of(fixture, move, Place.BEFORE_ALL, Ending.SKIP));
            worlds.add(Arguments.of(fixture, move, Place.NOWHERE, Ending.PASS));
        }
    }

    /** JUnit's result of each test and container. */
    private static final class JUnitOutcomes implements TestExecutionListener {

        private final Map<String, TestOutcome> outcomes = new TreeMap<>();
        private boolean failed;

        private @Nullable TestPlan plan;

        @Override
        public void testPlanExecutionStarted(TestPlan started) {
            plan = started;
        }

        /** Records a skipped class as the outcome of its tests. */
        @Override
        public void executionSkipped(TestIdentifier skipped, String reason) {
            Set<TestIdentifier> children = plan.getChildren(skipped);
            children.forEach(child -> executionSkipped(child, reason));
            if (children.isEmpty()) {
                outcomes.put(skipped.getUniqueId(), TestOutcome.SKIPPED);
            }
        }

        @Override
        public void executionFinished(TestIdentifier ended, TestExecutionResult result) {
            TestOutcome outcome = switch (result.getStatus()) {
                case SUCCESSFUL -> TestOutcome.PASSED;
                case ABORTED -> TestOutcome.ABORTED;
                case FAILED -> TestOutcome.FAILED;
            };
            failed |= outcome == TestOutcome.FAILED;
            if (outcome != TestOutcome.PASSED) {
                // Tests that never began end like the container that prevented them.
                plan.getDescendants(ended).stream()
                        .filter(inside -> plan.getChildren(inside).isEmpty()
                                && !inside.getUniqueId().contains("/[dynamic-"))
                        .forEach(inside -> outcomes.putIfAbsent(inside.getUniqueId(), outcome));
            }
            String id = ended.getUniqueId();
            int dynamic = id.indexOf("/[dynamic-");
            if (dynamic >= 0 || ended.isTest() || id.contains("[test-factory:") || outcome != TestOutcome.PASSED) {
                // All dynamic tests belong to the test of their factory; the outcomes are in order of severity.
                outcomes.merge(
                        dynamic < 0 ? id : id.substring(0, dynamic),
                        outcome,
                        (one, other) -> one.compareTo(other) <= 0 ? one : other);
            }
        }
    }

    @ParameterizedTest(name = "{0}: counter in {1}, {3} in {2}")
    @MethodSource("worlds")
    void reportAndGateAgreeWithJUnit(Class<?> fixture, Place move, Place end, Ending ending) {
        // given
        World.move = move;
        World.end = end;
        World.ending = ending;
        World.moved = false;
        World.failed = false;
        JUnitOutcomes junit = new JUnitOutcomes();

        // when
        new NeuronTestKit(output).on("fake:trn1.2xlarge@driver-2.30").launch(junit, fixture);

        // then
        RunReport report = RunReports.merge(List.of(output.resolve("run")));
        Map<String, TestOutcome> reported = new TreeMap<>();
        report.tests().stream()
                .filter(test -> test.isTest() || test.outcome() != TestOutcome.PASSED)
                .forEach(test -> reported.put(test.id().id(), test.outcome()));
        Map<String, TestOutcome> expected = new TreeMap<>();
        // All attempts of a retried test are one test.
        junit.outcomes.forEach((id, outcome) -> expected.put(
                id.contains(RetriedFixture.class.getSimpleName()) ? new TestId(id, id).test() : id, outcome));
        assertThat(reported).as("report").isEqualTo(expected);
        assertThat(junit.failed).as("JUnit fails").isEqualTo(World.moved || World.failed);
        assertThat(refusals(report)).as("gate").isEqualTo(expectedRefusals(junit.outcomes.values()));
    }

    @Test
    void attemptOnSuspectCoreFailsInTestThatPassed() {
        // given
        JUnitOutcomes junit = new JUnitOutcomes();

        // when
        new NeuronTestKit(output).on("fake:trn1.2xlarge@driver-2.30").launch(junit, SuspectCoreFixture.class);

        // then
        RunReport report = RunReports.merge(List.of(output.resolve("run")));
        assertThat(report.tests())
                .singleElement()
                .satisfies(test -> assertThat(test.executions())
                        .extracting(
                                ReportedTest::outcome, each -> each.violations().isEmpty())
                        .containsExactly(tuple(TestOutcome.FAILED, false), tuple(TestOutcome.PASSED, true)));
        assertThat(junit.outcomes.values()).containsExactly(TestOutcome.ABORTED, TestOutcome.PASSED);
        assertThat(refusals(report)).containsExactly("flaky.max", "quarantined.max");
    }

    @NeuronTest
    static class SuspectCoreFixture {

        private static boolean moved;

        @RetryOnAnotherCore
        void body(FakeNeuronHost fake, NeuronCore leased) {
            FakeCore core = fake.core(leased);
            if (!moved) {
                moved = true;
                try (FakeProcess process = fake.openProcess("workload", core)) {
                    process.execute(core, NrtStatus.of("NRT_EXEC_HW_ERR_NC_UE"), 1);
                }
            }
        }
    }

    @Test
    void invocationsExcludedBySettingCountAsSkipped() {
        // given
        World.end = Place.NOWHERE;
        World.move = Place.NOWHERE;
        JUnitOutcomes junit = new JUnitOutcomes();

        // when
        new NeuronTestKit(output)
                .with("neuron.test.invocation", "2")
                .launch(junit, RepeatedFixture.class, ParameterizedFixture.class);

        // then
        RunReport report = RunReports.merge(List.of(output.resolve("run")));
        assertThat(report.tests())
                .extracting(ReportedTest::outcome)
                .containsExactly(TestOutcome.SKIPPED, TestOutcome.SKIPPED, TestOutcome.PASSED, TestOutcome.PASSED);
        assertThat(refusals(report)).containsExactly("skipped.max");
    }

    private static List<String> expectedRefusals(Collection<TestOutcome> outcomes) {
        return Stream.of(
                        outcomes.contains(TestOutcome.FAILED) ? "failed.max" : "",
                        outcomes.contains(TestOutcome.ABORTED) || outcomes.contains(TestOutcome.SKIPPED)
                                ? "skipped.max"
                                : "")
                .filter(gate -> !gate.isEmpty())
                .toList();
    }

    private static List<String> refusals(RunReport report) {
        return GateRules.ofDefaults().withAssignments(List.of("skipped.max=0")).decide(report).stream()
                .filter(Predicate.not(GateOutcome::passed))
                .map(GateOutcome::gate)
                .filter(gate -> !gate.equals("ran") && !gate.equals("errors.max"))
                .toList();
    }
}
