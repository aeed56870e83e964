package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tests of executions in which JUnit runs fewer tests than planned: JUnit's result, the lines of the report and the
 * gates that fail.
 */
class FalseGreenPlansIT {

    @TempDir
    private Path folder;

    // Plain classes that end JUnit's execution.

    static class OomFixture {
        @Test
        void fills() {
            throw new OutOfMemoryError("simulated");
        }
    }

    static class OomBeforeAllFixture {
        @BeforeAll
        static void fill() {
            throw new OutOfMemoryError("simulated");
        }

        @Test
        void never() {}
    }

    static class OomBeforeEachFixture {
        @BeforeEach
        void fill() {
            throw new OutOfMemoryError("simulated");
        }

        @Test
        void never() {}
    }

    static class OomConstructorFixture {
        OomConstructorFixture() {
            throw new OutOfMemoryError("simulated");
        }

        @Test
        void never() {}
    }

    static class OomDynamicFixture {
        @TestFactory
        DynamicTest fills() {
            return DynamicTest.dynamicTest("fills", () -> {
                throw new OutOfMemoryError("simulated");
            });
        }
    }

    static class OomTemplateFixture {
        @RepeatedTest(3)
        void fills() {
            throw new OutOfMemoryError("simulated");
        }
    }

    static class OomAfterAllFixture {
        @Test
        void passes() {}

        @AfterAll
        static void fill() {
            throw new OutOfMemoryError("simulated");
        }
    }

    static class OomNestedFixture {
        @Nested
        class A {
            @Test
            void fills() {
                throw new OutOfMemoryError("simulated");
            }
        }
    }

    static class OverflowFixture {
        @Test
        void recurses() {
            throw new StackOverflowError("simulated");
        }
    }

    static class HaltFixture {
        @Test
        void halts() {
            Runtime.getRuntime().halt(0);
        }
    }

    static class ExitFixture {
        @Test
        void exits() {
            System.exit(0);
        }
    }

    // Neuron tests that pass when they run.

    @NeuronTest
    static class NeuronFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    static class MethodFixture {
        @Test
        @NeuronTest
        void infers(NeuronCore core) {}

        @Test
        void plain() {}
    }

    @NeuronTest
    static class InnerFixture {
        @Nested
        class Large {
            @Test
            void infers(NeuronCore core) {}
        }
    }

    @NeuronTest
    static class TemplatesFixture {
        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void batch(int size, NeuronCore core) {}
    }

    @NeuronTest
    static class FactoryFixture {
        @TestFactory
        Stream<DynamicTest> makes(NeuronCore core) {
            return Stream.of(DynamicTest.dynamicTest("one", () -> {}));
        }
    }

    @NeuronTest
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    record ClassTemplateFixture(int size) {
        @Test
        void infers(NeuronCore core) {}
    }

    static class ParentFixture {
        @Nested
        class Inherited {
            @Test
            void infers(NeuronCore core) {}

            @Disabled("needs a trn2")
            @Test
            void infersMore(NeuronCore core) {}
        }
    }

    @NeuronTest
    static class ChildFixture extends ParentFixture {}

    @NeuronTest
    static class OuterFixture {
        @Test
        void infers(NeuronCore core) {}

        static class PlainFixture {
            @Test
            void adds() {}

            @Disabled("slow")
            @Test
            void addsMore() {}
        }
    }

    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    record PlainTemplateFixture(int size) {
        @Nested
        @NeuronTest
        class Large {
            @Test
            void infers(NeuronCore core) {}
        }
    }

    @Disabled("needs a trn2")
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    record SkippedTemplateFixture(int size) {
        @Nested
        @NeuronTest
        class Large {
            @Test
            void infers(NeuronCore core) {}
        }
    }

    // Neuron tests that do not all run.

    @NeuronTest
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class OomBodyFixture {
        @Test
        void a(NeuronCore core) {
            throw new OutOfMemoryError("simulated");
        }

        @Test
        void b(NeuronCore core) {}
    }

    @NeuronTest
    static class LosesInvocationsFixture {
        @RepeatedTest(3)
        void repeats(RepetitionInfo repetition, NeuronCore core) {
            if (repetition.getCurrentRepetition() == 2) {
                throw new OutOfMemoryError("simulated");
            }
        }
    }

    @NeuronTest
    static class BrokenBeforeAllFixture {
        @BeforeAll
        static void prepare() {
            throw new IllegalStateException("no model");
        }

        @Test
        void infers(NeuronCore core) {}

        @Nested
        class Inner {
            @ParameterizedTest
            @ValueSource(ints = {1, 2})
            void batch(int size, NeuronCore core) {}
        }
    }

    @NeuronTest
    static class AbortedBeforeAllFixture {
        @BeforeAll
        static void prepare() {
            assumeTrue(false, "no network");
        }

        @Test
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class BrokenAfterAllFixture {
        @Test
        void infers(NeuronCore core) {}

        @AfterAll
        static void clean() {
            throw new IllegalStateException("no model");
        }
    }

    @NeuronTest
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class BrokenConstructorFixture {
        BrokenConstructorFixture() {
            throw new IllegalStateException("no model");
        }

        @Test
        void infers(NeuronCore core) {}
    }

    static final class BrokenExtensionFixture implements ExecutionCondition {
        BrokenExtensionFixture() {
            throw new IllegalStateException("no condition");
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return ConditionEvaluationResult.enabled("");
        }
    }

    @ExtendWith(BrokenExtensionFixture.class)
    @NeuronTest
    static class NoExtensionFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class NoExtensionOfMethodFixture {
        @Test
        @ExtendWith(BrokenExtensionFixture.class)
        void infers(NeuronCore core) {}
    }

    @Disabled("needs a trn2")
    @NeuronTest
    static class SkippedFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class NoArgumentsFixture {
        static Stream<Integer> none() {
            return Stream.of();
        }

        @ParameterizedTest
        @MethodSource("none")
        void batch(int size, NeuronCore core) {}
    }

    @NeuronTest
    static class MayBeEmptyFixture {
        static Stream<Integer> none() {
            return Stream.of();
        }

        @ParameterizedTest(allowZeroInvocations = true)
        @MethodSource("none")
        void batch(int size, NeuronCore core) {}
    }

    @NeuronTest
    static class BrokenArgumentsFixture {
        static Stream<Integer> broken() {
            return Stream.of(1, 0).map(each -> 1 / each);
        }

        @ParameterizedTest
        @MethodSource("broken")
        void batch(int size, NeuronCore core) {}
    }

    /** A condition that skips a test with the reason that JUnit 6 gives after a cancellation. */
    static final class CancelledFixture implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return ConditionEvaluationResult.disabled("Execution cancelled");
        }
    }

    @ExtendWith(CancelledFixture.class)
    @NeuronTest
    static class LeftOutFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    /**
     * A test engine that runs out of memory. Engines run in the order of their registration, those of the class path
     * first.
     */
    static final class OomEngine implements TestEngine {
        @Override
        public String getId() {
            return "oom-engine";
        }

        @Override
        public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
            EngineDescriptor engine = new EngineDescriptor(id, "OOM engine");
            engine.addChild(new AbstractTestDescriptor(id.append("test", "fills"), "fills") {
                @Override
                public Type getType() {
                    return Type.TEST;
                }
            });
            return engine;
        }

        @Override
        public void execute(ExecutionRequest request) {
            TestDescriptor engine = request.getRootTestDescriptor();
            request.getEngineExecutionListener().executionStarted(engine);
            engine.getChildren().forEach(request.getEngineExecutionListener()::executionStarted);
            throw new OutOfMemoryError("simulated");
        }
    }

    /**
     * A scenario.
     *
     * @param name of the scenario
     * @param executions the classes of each execution of JUnit's launcher, all in one session
     * @param junit JUnit's counts of the last execution; {@code gave up} when it throws
     * @param report the outcomes of tests and classes with their names
     * @param gates that fail
     */
    record World(
            String name,
            List<List<Class<?>>> executions,
            boolean inParallel,
            String junit,
            List<String> report,
            List<String> gates) {

        static World of(String name, Class<?>... classes) {
            return new World(name, List.of(List.of(classes)), false, "", List.of(), List.of());
        }

        World then(Class<?>... classes) {
            List<List<Class<?>>> more = new ArrayList<>(executions);
            more.add(List.of(classes));
            return new World(name, more, inParallel, junit, report, gates);
        }

        World parallel() {
            return new World(name, executions, true, junit, report, gates);
        }

        World junit(String counts) {
            return new World(name, executions, inParallel, counts, report, gates);
        }

        World report(String... lines) {
            return new World(name, executions, inParallel, junit, List.of(lines), gates);
        }

        World gates(String... failing) {
            return new World(name, executions, inParallel, junit, report, List.of(failing));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static World givenUp(String name, Class<?>... classes) {
        return World.of(name, classes).junit("gave up");
    }

    static Stream<World> worlds() {
        return Stream.of(
                givenUp("OOM in a plain test", OomFixture.class, NeuronFixture.class)
                        .report("lost NeuronFixture > infers()")
                        .gates("ran", "complete", "lost.max"),
                givenUp(
                                "OOM in a plain test between Neuron tests",
                                NeuronFixture.class,
                                OomFixture.class,
                                MethodFixture.class)
                        .report("lost MethodFixture > infers()", "passed NeuronFixture > infers()")
                        .gates("complete", "lost.max"),
                givenUp("OOM behind the last Neuron test", NeuronFixture.class, OomFixture.class)
                        .report("passed NeuronFixture > infers()")
                        .gates("complete"),
                givenUp("OOM in a plain @BeforeAll", OomBeforeAllFixture.class, NeuronFixture.class)
                        .report("lost NeuronFixture > infers()")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a plain @BeforeEach", OomBeforeEachFixture.class, NeuronFixture.class)
                        .report("lost NeuronFixture > infers()")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a plain @AfterAll", OomAfterAllFixture.class, NeuronFixture.class)
                        .report("lost NeuronFixture > infers()")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a plain constructor", OomConstructorFixture.class, NeuronFixture.class)
                        .report("lost NeuronFixture > infers()")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a plain dynamic test", OomDynamicFixture.class, FactoryFixture.class)
                        .report("lost FactoryFixture > makes()")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a plain template", OomTemplateFixture.class, TemplatesFixture.class)
                        .report("lost TemplatesFixture > batch(int)")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a plain nested class", OomNestedFixture.class, InnerFixture.class)
                        .report("lost InnerFixture > Large > infers()")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM before a class template", OomFixture.class, ClassTemplateFixture.class)
                        .report("lost ClassTemplateFixture")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM before an inherited nested class", OomFixture.class, ChildFixture.class)
                        .report(
                                "lost ChildFixture > Inherited > infers()",
                                "lost ChildFixture > Inherited > infersMore()")
                        .gates("ran", "complete", "lost.max"),
                givenUp(
                                "OOM before a plain class template around Neuron tests",
                                OomFixture.class,
                                PlainTemplateFixture.class)
                        .report("lost PlainTemplateFixture")
                        .gates("ran", "complete", "lost.max"),
                givenUp("OOM in a Neuron test", OomBodyFixture.class)
                        .report("lost OomBodyFixture > a()", "lost OomBodyFixture > b()")
                        .gates("complete", "lost.max"),
                givenUp("OOM in an invocation", LosesInvocationsFixture.class)
                        .report(
                                "lost LosesInvocationsFixture > repeats() > repetition 2 of 3",
                                "passed LosesInvocationsFixture > repeats() > repetition 1 of 3")
                        .gates("complete", "lost.max"),
                givenUp("OOM in the second execution of a session", NeuronFixture.class)
                        .then(OomFixture.class, NeuronFixture.class)
                        .report("lost NeuronFixture > infers()", "passed NeuronFixture > infers()")
                        .gates("complete", "lost.max"),
                World.of("OOM before another execution of a session", OomFixture.class, NeuronFixture.class)
                        .then(MethodFixture.class)
                        .junit("2 passed")
                        .report("lost NeuronFixture > infers()", "passed MethodFixture > infers()")
                        .gates("complete", "lost.max"),
                givenUp("OOM in a plain execution before Neuron tests", OomFixture.class)
                        .gates("ran", "complete"),
                World.of("two executions of the same tests", NeuronFixture.class)
                        .then(NeuronFixture.class)
                        .junit("1 passed")
                        .report("passed NeuronFixture > infers()", "passed NeuronFixture > infers()"),
                World.of("stack overflow, which JUnit survives", OverflowFixture.class, NeuronFixture.class)
                        .junit("1 passed, 1 failed")
                        .report("passed NeuronFixture > infers()"),
                World.of("failing @BeforeAll", BrokenBeforeAllFixture.class, NeuronFixture.class)
                        .junit("1 passed, 1 container failed")
                        .report(
                                "failed BrokenBeforeAllFixture",
                                "failed BrokenBeforeAllFixture > Inner > batch(int)",
                                "failed BrokenBeforeAllFixture > infers()",
                                "passed NeuronFixture > infers()")
                        .gates("failed.max"),
                World.of("aborted @BeforeAll", AbortedBeforeAllFixture.class, NeuronFixture.class)
                        .junit("1 passed, 1 container aborted")
                        .report(
                                "aborted AbortedBeforeAllFixture",
                                "aborted AbortedBeforeAllFixture > infers()",
                                "passed NeuronFixture > infers()")
                        .gates("skipped.max"),
                World.of("failing @AfterAll", BrokenAfterAllFixture.class)
                        .junit("1 passed, 1 container failed")
                        .report("failed BrokenAfterAllFixture", "passed BrokenAfterAllFixture > infers()")
                        .gates("failed.max"),
                World.of("failing constructor of a class with one instance", BrokenConstructorFixture.class)
                        .junit("1 container failed")
                        .report("failed BrokenConstructorFixture", "failed BrokenConstructorFixture > infers()")
                        .gates("failed.max"),
                World.of("extension of a class that cannot be made", NoExtensionFixture.class)
                        .junit("1 container failed")
                        .report("failed NoExtensionFixture", "failed NoExtensionFixture > infers()")
                        .gates("failed.max"),
                World.of("extension of a method that cannot be made", NoExtensionOfMethodFixture.class)
                        .junit("1 failed")
                        .report("failed NoExtensionOfMethodFixture > infers()")
                        .gates("failed.max"),
                World.of("skipped class", SkippedFixture.class, NeuronFixture.class)
                        .junit("1 passed, 1 skipped")
                        .report("skipped SkippedFixture > infers()", "passed NeuronFixture > infers()")
                        .gates("skipped.max"),
                World.of("skipped test of an inherited nested class", ChildFixture.class)
                        .junit("1 passed, 1 skipped")
                        .report(
                                "skipped ChildFixture > Inherited > infersMore()",
                                "passed ChildFixture > Inherited > infers()")
                        .gates("skipped.max"),
                World.of("skipped template around Neuron tests", SkippedTemplateFixture.class, NeuronFixture.class)
                        .junit("1 passed")
                        .report("skipped SkippedTemplateFixture", "passed NeuronFixture > infers()")
                        .gates("skipped.max"),
                World.of("plain static class inside a Neuron test", OuterFixture.class, OuterFixture.PlainFixture.class)
                        .junit("2 passed, 1 skipped")
                        .report("passed OuterFixture > infers()"),
                World.of("cancelled execution", NeuronFixture.class, LeftOutFixture.class)
                        .junit("1 passed, 1 skipped")
                        .report("passed NeuronFixture > infers()")
                        .gates("complete"),
                World.of("template without arguments", NoArgumentsFixture.class)
                        .junit("1 container failed")
                        .report("failed NoArgumentsFixture > batch(int)")
                        .gates("failed.max"),
                World.of("template that may have no arguments", NeuronFixture.class, MayBeEmptyFixture.class)
                        .junit("1 passed")
                        .report("passed NeuronFixture > infers()"),
                World.of("template whose arguments fail", BrokenArgumentsFixture.class)
                        .junit("1 passed, 1 container failed")
                        .report(
                                "failed BrokenArgumentsFixture > batch(int)",
                                "passed BrokenArgumentsFixture > batch(int) > [1] size=1")
                        .gates("failed.max"),
                World.of(
                                "templates and factories that pass",
                                TemplatesFixture.class,
                                FactoryFixture.class,
                                ClassTemplateFixture.class)
                        .junit("6 passed"));
    }

    private Map<String, String> parameters(World world) {
        Map<String, String> parameters = new HashMap<>();
        parameters.put("neuron.test.output", folder.resolve("run").toString());
        parameters.put("neuron.test.platform", "fake:trn1.2xlarge");
        parameters.put("neuron.test.summary", "false");
        parameters.put("junit.jupiter.execution.parallel.enabled", Boolean.toString(world.inParallel()));
        parameters.put("junit.jupiter.execution.parallel.mode.default", "concurrent");
        return parameters;
    }

    private String launch(World world, TestEngine... engines) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherConfig config = LauncherConfig.builder().addTestEngines(engines).build();
        try (LauncherSession session = LauncherFactory.openSession(config)) {
            Throwable thrown = null;
            for (List<Class<?>> classes : world.executions()) {
                thrown = catchThrowable(() -> session.getLauncher()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(classes.stream()
                                                .map(each -> selectClass(each))
                                                .toList())
                                        .configurationParameters(parameters(world))
                                        .build(),
                                summary));
            }
            if (thrown != null) {
                assertThat(thrown).hasStackTraceContaining("simulated");
                return "gave up";
            }
        }
        return counts(summary.getSummary());
    }

    private static String counts(TestExecutionSummary junit) {
        List<String> counts = new ArrayList<>();
        count(counts, junit.getTestsSucceededCount(), " passed");
        count(counts, junit.getTestsFailedCount(), " failed");
        count(counts, junit.getTestsAbortedCount(), " aborted");
        count(counts, junit.getTestsSkippedCount(), " skipped");
        count(counts, junit.getContainersFailedCount(), " container failed");
        count(counts, junit.getContainersAbortedCount(), " container aborted");
        return String.join(", ", counts);
    }

    private static void count(List<String> counts, long number, String what) {
        if (number > 0) {
            counts.add(number + what);
        }
    }

    private RunReport report() {
        return RunReports.merge(List.of(folder.resolve("run")));
    }

    private static List<String> lines(RunReport report) {
        return report.tests().stream()
                .map(test -> test.outcome().name().toLowerCase(Locale.ROOT) + " "
                        // JUnit 6 writes spaces around the sign.
                        + test.id().name().replace("FalseGreenPlansIT$", "").replace(" = ", "="))
                .toList();
    }

    private static List<GateOutcome> refusals(RunReport report) {
        return GateRules.ofDefaults().withAssignments(List.of("skipped.max=0")).decide(report).stream()
                .filter(outcome -> !outcome.passed())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void reportCountsAllPlannedTests(World world) {
        // when
        String junit = launch(world);

        // then
        RunReport report = report();
        assertThat(junit).isEqualTo(world.junit());
        if (!world.report().isEmpty()) {
            assertThat(lines(report)).containsExactlyInAnyOrderElementsOf(world.report());
        }
        assertThat(refusals(report))
                .as(() -> report.problems().toString())
                .extracting(GateOutcome::gate)
                .containsExactlyElementsOf(world.gates());
    }

    /** Verifies the failure of the engine by which JUnit's parallel executor reports unrecoverable errors. */
    @Test
    void failureOfParallelEngineFailsItsTest() {
        // given
        World world = World.of("", OomFixture.class, OomBodyFixture.class).parallel();

        // when
        String junit = launch(world);

        // then
        assertThat(junit).isEqualTo("1 container failed");
        assertThat(lines(report())).contains("failed OomBodyFixture > a()", "failed JUnit Jupiter");
        assertThat(refusals(report())).extracting(GateOutcome::gate).containsExactly("failed.max");
    }

    @Test
    void problemNamesLostTestsAndRunningTest() {
        // when
        launch(givenUp("", OomFixture.class, NeuronFixture.class, TemplatesFixture.class));

        // then
        assertThat(report().problems())
                .singleElement()
                .asString()
                .startsWith(
                        "JUnit gave up during FalseGreenPlansIT$OomFixture > fills(), for example after an OutOfMemoryError: "
                                + "2 planned tests are lost: FalseGreenPlansIT$NeuronFixture > infers(NeuronCore); ");
    }

    @Test
    void problemNamesTestsOfCancelledExecution() {
        // when
        launch(World.of("", LeftOutFixture.class));

        // then
        assertThat(report().problems())
                .singleElement()
                .asString()
                .startsWith(
                        "1 planned test was not run, because JUnit's execution was cancelled, for example by fail-fast: "
                                + "FalseGreenPlansIT$LeftOutFixture > infers(NeuronCore) (");
    }

    @Test
    void runIsIncompleteWhenLaterEngineGivesUp() {
        // given an engine that comes last, in an earlier execution of the session
        World world = givenUp("", NeuronFixture.class).then(NeuronFixture.class);

        // when
        String junit = launch(world, new OomEngine());

        // then
        assertThat(junit).isEqualTo("gave up");
        assertThat(refusals(report())).extracting(GateOutcome::gate).contains("complete");
        assertThat(report().problems()).asString().contains("JUnit gave up during fills");
    }

    static final class Fork {

        private Fork() {}

        public static void main(String[] fixtures) {
            try (LauncherSession session = LauncherFactory.openSession()) {
                session.getLauncher()
                        .execute(LauncherDiscoveryRequestBuilder.request()
                                .selectors(Stream.of(fixtures)
                                        .map(name -> selectClass(name))
                                        .toList())
                                .build());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {HaltFixture.class, ExitFixture.class})
    void testsPlannedAfterEndOfJvmAreLost(Class<?> ending) throws IOException, InterruptedException {
        // when
        Process jvm = new ProcessBuilder(JvmCommand.program(
                        List.of(
                                "-Dneuron.test.platform=fake:trn1.2xlarge",
                                "-Dneuron.test.output=" + folder.resolve("run")),
                        Fork.class,
                        NeuronFixture.class.getName(),
                        ending.getName(),
                        MethodFixture.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("fork.log").toFile())
                .start();

        // then
        assertThat(jvm.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(jvm.exitValue())
                .as(Files.readString(folder.resolve("fork.log")))
                .isZero();
        RunReport report = report();
        assertThat(lines(report)).containsExactly("lost MethodFixture > infers()", "passed NeuronFixture > infers()");
        assertThat(refusals(report)).extracting(GateOutcome::gate).containsExactly("complete", "lost.max");
    }
}
