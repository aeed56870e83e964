package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Tests of annotations where the extension does not read them: JUnit's result, the lines of the report and the gates
 * that fail.
 */
class FalseGreenAnnotationsIT {

    @TempDir
    private Path folder;

    /** Marks a test of {@link OldEngine}. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Old {}

    @ExpectCounter(value = "inference_count", delta = 1)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Infers {}

    static class OldMethodFixture {
        @Old
        @ExpectCounter(value = "inference_count", delta = 1)
        public void infers() {}
    }

    @NeuronTest
    static class OldClassFixture {
        @Old
        public void infers() {}
    }

    static class OldChildFixture extends OldClassFixture {}

    static class OldPlainFixture {
        @Old
        public void adds() {}
    }

    static class OldHelperFixture {
        @Old
        public void adds() {}

        @AllowCounter("timeout")
        public void setUp() {}
    }

    static class OldMetaFixture {
        @Old
        @Infers
        public void infers() {}
    }

    static class OldFieldFixture {
        @RegisterExtension
        static NeuronExtension neuron = NeuronExtension.builder().build();

        @Old
        public void infers() {}
    }

    @NeuronTest
    static class MixedFixture {
        @Old
        public void adds() {}

        @Test
        @AllowCounter("timeout")
        public void infers(NeuronCore core) {}
    }

    static class MixedMethodsFixture {
        @Old
        public void adds() {}

        @Test
        @NeuronTest
        public void infers(NeuronCore core) {}
    }

    static class BeforeEachFixture {
        @BeforeEach
        @ExpectCounter(value = "inference_count", delta = 1)
        void prepare() {}

        @Test
        void adds() {}
    }

    static class AroundFixture {
        @BeforeAll
        @NeuronTest
        static void start() {}

        @AfterEach
        @AllowCounter("timeout")
        void clean() {}

        @AfterAll
        @NeuronTest
        static void stop() {}

        @Test
        void adds() {}
    }

    static class HelperFixture {
        @MaxLatency("10 ms")
        private void infer() {}

        @Test
        void adds() {
            infer();
        }
    }

    static class ForgottenTestFixture {
        @NeuronTest
        void infers(NeuronCore core) {}

        @Test
        void adds() {}
    }

    static class StaticTestFixture {
        @Test
        @NeuronTest
        static void infers(NeuronCore core) {}

        @Test
        void adds() {}
    }

    static class ReturningTestFixture {
        @Test
        @NeuronTest
        Object infers(NeuronCore core) {
            return core;
        }

        @Test
        void adds() {}
    }

    static class ReturningTemplateFixture {
        @RepeatedTest(2)
        @NeuronTest
        int infers(NeuronCore core) {
            return 1;
        }

        @Test
        void adds() {}
    }

    static class EmptyFactoryFixture {
        @TestFactory
        @NeuronTest
        void infers(NeuronCore core) {}

        @Test
        void adds() {}
    }

    static class InnerFixture {
        @NeuronTest
        class Inner {
            @Test
            void infers(NeuronCore core) {}
        }

        @Test
        void adds() {}
    }

    static class StaticNestedFixture {
        @Nested
        @NeuronTest
        static class Inner {
            @Test
            void infers(NeuronCore core) {}
        }

        @Test
        void adds() {}
    }

    static class PrivateNestedFixture {
        @Nested
        private class Inner {
            @ExpectCounter(value = "inference_count", delta = 1)
            @Test
            void infers(NeuronCore core) {}
        }

        @Test
        void adds() {}
    }

    /** A class with inner classes that are tests only in its nested subclasses. */
    static class BaseFixture {
        class Base {
            @AllowCounter("timeout")
            @Test
            void infers(NeuronCore core) {}
        }

        @Nested
        class Inner extends Base {}
    }

    @NeuronTest
    static class NeuronPrivateFixture {
        @Test
        private void infersMore(NeuronCore core) {}

        @Test
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class NeuronReturningFixture {
        @Nested
        class Inner {
            @Test
            void infers(NeuronCore core) {}

            @Test
            Object infersMore(NeuronCore core) {
                return core;
            }
        }
    }

    static class ParentFixture {
        @BeforeEach
        @Infers
        void prepare() {}
    }

    static class ChildFixture extends ParentFixture {
        @Test
        void adds() {}
    }

    @NeuronTest
    static class NeuronHelperFixture {
        @ExpectCounter(value = "inference_count", delta = 1)
        private void infer() {}

        @Test
        void infers(NeuronCore core) {
            infer();
        }
    }

    static class NeuronMethodFixture {
        @BeforeEach
        @ExpectCounter(value = "inference_count", delta = 1)
        void prepare() {}

        @Test
        @NeuronTest
        void infers(NeuronCore core) {}
    }

    static class OuterFixture {
        @BeforeEach
        @ExpectCounter(value = "inference_count", delta = 1)
        void prepare() {}

        @Nested
        class Inner {
            @Test
            @NeuronTest
            void infers(NeuronCore core) {}
        }
    }

    @NeuronTest
    static class GoodFixture {
        @BeforeEach
        void prepare(NeuronCore core) {}

        @Test
        @AllowCounter("timeout")
        void infers(NeuronCore core) {}
    }

    /** A test engine for methods with {@link Old}, like those of JUnit 4, jqwik or Spek on JUnit's platform. */
    static final class OldEngine implements TestEngine {

        private static final class Descriptor extends AbstractTestDescriptor {
            private final Type type;

            Descriptor(UniqueId id, String name, TestSource source, Type type) {
                super(id, name, source);
                this.type = type;
            }

            @Override
            public Type getType() {
                return type;
            }
        }

        @Override
        public String getId() {
            return "old-engine";
        }

        @Override
        public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
            EngineDescriptor engine = new EngineDescriptor(id, "Old engine");
            for (ClassSelector selector : request.getSelectorsByType(ClassSelector.class)) {
                Class<?> testClass = selector.getJavaClass();
                Descriptor runner = new Descriptor(
                        id.append("runner", testClass.getName()),
                        testClass.getSimpleName(),
                        ClassSource.from(testClass),
                        TestDescriptor.Type.CONTAINER);
                for (Method method : testClass.getMethods()) {
                    if (method.isAnnotationPresent(Old.class)) {
                        runner.addChild(new Descriptor(
                                runner.getUniqueId().append("test", method.getName()),
                                method.getName(),
                                org.junit.platform.engine.support.descriptor.MethodSource.from(testClass, method),
                                TestDescriptor.Type.TEST));
                    }
                }
                if (!runner.getChildren().isEmpty()) {
                    engine.addChild(runner);
                }
            }
            return engine;
        }

        @Override
        public void execute(ExecutionRequest request) {
            execute(request.getRootTestDescriptor(), request.getEngineExecutionListener());
        }

        private static void execute(TestDescriptor test, EngineExecutionListener listener) {
            listener.executionStarted(test);
            test.getChildren().forEach(each -> execute(each, listener));
            listener.executionFinished(test, TestExecutionResult.successful());
        }
    }

    /**
     * A class with annotations.
     *
     * @param testClass of JUnit Jupiter or of {@link OldEngine}
     * @param passed the number of passed tests according to JUnit
     * @param failed the number of failed tests and classes according to JUnit
     * @param report the lines of the report
     * @param violations the subjects of violations that JUnit does not report
     */
    record World(Class<?> testClass, long passed, long failed, List<String> report, List<String> violations) {

        @Override
        public String toString() {
            return testClass.getSimpleName();
        }
    }

    private static World unnoticed(Class<?> testClass, String... violations) {
        return new World(
                testClass,
                1,
                0,
                List.of("failed " + testClass.getSimpleName()),
                Stream.of(violations)
                        .map(each -> each.replace(" on ", " on " + FalseGreenAnnotationsIT.class.getName() + "$"))
                        .toList());
    }

    static Stream<World> worlds() {
        return Stream.of(
                unnoticed(OldMethodFixture.class, "@ExpectCounter on OldMethodFixture.infers()"),
                unnoticed(OldClassFixture.class, "@NeuronTest on OldClassFixture"),
                unnoticed(OldChildFixture.class, "@NeuronTest on OldChildFixture"),
                unnoticed(OldHelperFixture.class, "@AllowCounter on OldHelperFixture.setUp()"),
                unnoticed(OldMetaFixture.class, "@Infers on OldMetaFixture.infers()"),
                unnoticed(OldFieldFixture.class, "@RegisterExtension on OldFieldFixture.neuron"),
                new World(
                        MixedFixture.class,
                        2,
                        0,
                        List.of("failed MixedFixture", "passed MixedFixture > infers()"),
                        List.of("@NeuronTest on " + FalseGreenAnnotationsIT.class.getName() + "$MixedFixture")),
                new World(MixedMethodsFixture.class, 2, 0, List.of("passed MixedMethodsFixture > infers()"), List.of()),
                unnoticed(BeforeEachFixture.class, "@ExpectCounter on BeforeEachFixture.prepare()"),
                unnoticed(
                        AroundFixture.class,
                        "@NeuronTest on AroundFixture.start()",
                        "@AllowCounter on AroundFixture.clean()",
                        "@NeuronTest on AroundFixture.stop()"),
                unnoticed(HelperFixture.class, "@MaxLatency on HelperFixture.infer()"),
                unnoticed(ForgottenTestFixture.class, "@NeuronTest on ForgottenTestFixture.infers()"),
                unnoticed(StaticTestFixture.class, "@NeuronTest on StaticTestFixture.infers()"),
                unnoticed(ReturningTestFixture.class, "@NeuronTest on ReturningTestFixture.infers()"),
                unnoticed(ReturningTemplateFixture.class, "@NeuronTest on ReturningTemplateFixture.infers()"),
                unnoticed(EmptyFactoryFixture.class, "@NeuronTest on EmptyFactoryFixture.infers()"),
                unnoticed(InnerFixture.class, "@NeuronTest on InnerFixture$Inner"),
                unnoticed(StaticNestedFixture.class, "@NeuronTest on StaticNestedFixture$Inner"),
                unnoticed(PrivateNestedFixture.class, "@NeuronTest on PrivateNestedFixture$Inner"),
                new World(BaseFixture.class, 1, 0, List.of("passed BaseFixture > Inner > infers()"), List.of()),
                new World(
                        NeuronPrivateFixture.class,
                        0,
                        1,
                        List.of("failed NeuronPrivateFixture", "failed NeuronPrivateFixture > infers()"),
                        List.of()),
                new World(
                        NeuronReturningFixture.class,
                        0,
                        1,
                        List.of(
                                "failed NeuronReturningFixture > Inner",
                                "failed NeuronReturningFixture > Inner > infers()"),
                        List.of()),
                unnoticed(ChildFixture.class, "@Infers on ParentFixture.prepare()"),
                new World(
                        NeuronHelperFixture.class,
                        0,
                        1,
                        List.of("failed NeuronHelperFixture", "failed NeuronHelperFixture > infers()"),
                        List.of()),
                new World(NeuronMethodFixture.class, 0, 1, List.of("failed NeuronMethodFixture > infers()"), List.of()),
                new World(OuterFixture.class, 0, 1, List.of("failed OuterFixture > Inner > infers()"), List.of()),
                new World(GoodFixture.class, 1, 0, List.of("passed GoodFixture > infers()"), List.of()),
                new World(OldPlainFixture.class, 1, 0, List.of(), List.of()));
    }

    private SummaryGeneratingListener launch(int times, Class<?>... classes) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherConfig config =
                LauncherConfig.builder().addTestEngines(new OldEngine()).build();
        try (LauncherSession session = LauncherFactory.openSession(config)) {
            for (int time = 0; time < times; time++) {
                session.getLauncher()
                        .execute(
                                LauncherDiscoveryRequestBuilder.request()
                                        .selectors(Stream.of(classes)
                                                .map(each -> selectClass(each))
                                                .toList())
                                        .configurationParameters(Map.of(
                                                "neuron.test.output",
                                                        folder.resolve("run").toString(),
                                                "neuron.test.platform", "fake:trn1.2xlarge",
                                                "neuron.test.summary", "false"))
                                        .build(),
                                summary);
            }
        }
        return summary;
    }

    private RunReport report() {
        return RunReports.merge(List.of(folder.resolve("run")));
    }

    private static List<String> refusals(RunReport report) {
        return GateRules.ofDefaults().decide(report).stream()
                .filter(outcome -> !outcome.passed())
                .map(GateOutcome::gate)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void uncheckedAnnotationsFailReportAndGate(World world) {
        // when
        SummaryGeneratingListener junit = launch(1, world.testClass());

        // then
        assertThat(junit.getSummary().getTestsSucceededCount()).isEqualTo(world.passed());
        assertThat(junit.getSummary().getTotalFailureCount()).isEqualTo(world.failed());
        if (world.report().isEmpty()) {
            assertThat(folder.resolve("run")).doesNotExist();
            return;
        }
        RunReport report = report();
        assertThat(report.tests())
                .extracting(test -> test.outcome().name().toLowerCase(Locale.ROOT) + " "
                        + test.id().name().replace("FalseGreenAnnotationsIT$", ""))
                .containsExactlyInAnyOrderElementsOf(world.report());
        assertThat(report.tests())
                .flatExtracting(test -> test.violations())
                .extracting(Violation::subject)
                .containsExactlyInAnyOrderElementsOf(world.violations());
        boolean red = world.report().get(0).startsWith("failed");
        assertThat(refusals(report).contains("failed.max")).isEqualTo(red);
    }

    @Test
    void uncheckedAnnotationIsReportedOncePerSession() {
        // when
        launch(2, OldMethodFixture.class, OldPlainFixture.class);

        // then
        assertThat(report().tests()).hasSize(1);
    }

    @Test
    void reasonNamesEngineAndRemedy() {
        // when
        launch(1, OldMethodFixture.class);

        // then
        assertThat(report().tests().get(0).reason())
                .hasValue(
                        "@ExpectCounter on " + OldMethodFixture.class.getName()
                                + ".infers() is not checked, because the engine old-engine runs it. Only tests that JUnit Jupiter runs are checked."
                                + " Make it such a test, move the annotation to such a test or its class, or remove the annotation.");
        assertThat(Files.exists(folder.resolve("run"))).isTrue();
    }
}
