package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** Tests of test classes that a second class loader loads together with the extension, as Quarkus does. */
class FalseGreenClassLoadersIT {

    private static final String PLAIN = "passed PlainFixture > infers()";

    @TempDir
    private Path folder;

    @NeuronTest
    static class PlainFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class ClassFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class WithoutParameterFixture {
        @Test
        void infers() {}
    }

    static class MethodFixture {
        @Test
        @ExpectCounter(value = "inference_count", delta = 0)
        void infers(NeuronCore core) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @NeuronTest
    @interface Infers {}

    @Infers
    static class MetaFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    static class FieldFixture {
        @RegisterExtension
        static NeuronExtension neuron = NeuronExtension.builder().build();

        @Test
        void infers(NeuronCore core) {}
    }

    static class NestedFixture {
        @Nested
        @NeuronTest
        class Inner {
            @Test
            void infers(NeuronCore core) {}
        }
    }

    @NeuronTest
    static class TemplateFixture {
        @RepeatedTest(2)
        void infers(NeuronCore core) {}
    }

    @NeuronTest
    static class ConstructorFixture {
        ConstructorFixture(NeuronCore core) {}

        @Test
        void infers() {}
    }

    static class BeforeEachFixture {
        @BeforeEach
        @ExpectCounter(value = "inference_count", delta = 0)
        void prepare() {}

        @Test
        void runs() {}
    }

    @NeuronTest
    public static class ParentFixture {}

    static class ChildFixture extends ParentFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    /** A class loader that loads classes of Neuron Test again, except some. */
    private static final class SecondLoader extends ClassLoader {

        private final String name;
        private final Set<String> ofParent;

        SecondLoader(String name, Class<?>... ofParent) {
            super(FalseGreenClassLoadersIT.class.getClassLoader());
            this.name = name;
            this.ofParent = Stream.of(ofParent).map(Class::getName).collect(Collectors.toSet());
        }

        @Override
        protected Class<?> loadClass(String type, boolean resolve) throws ClassNotFoundException {
            if (!type.startsWith("dev.neurontest.") || ofParent.contains(type)) {
                return super.loadClass(type, resolve);
            }
            synchronized (getClassLoadingLock(type)) {
                Class<?> loaded = findLoadedClass(type);
                return loaded == null ? again(type) : loaded;
            }
        }

        private Class<?> again(String type) throws ClassNotFoundException {
            try (InputStream code = getResourceAsStream(type.replace('.', '/') + ".class")) {
                if (code == null) {
                    throw new ClassNotFoundException(type);
                }
                byte[] bytes = code.readAllBytes();
                return defineClass(type, bytes, 0, bytes.length);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Class<?> again(Class<?> testClass, SecondLoader second) {
        try {
            return second.loadClass(testClass.getName());
        } catch (ClassNotFoundException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private TestExecutionSummary launch(Class<?>... classes) {
        return new NeuronTestKit(folder).with("neuron.test.summary", "false").launch(classes);
    }

    private RunReport report() {
        return RunReports.merge(List.of(folder.resolve("run")));
    }

    private List<String> outcomes() {
        return report().tests().stream()
                .map(test -> test.outcome().name().toLowerCase(Locale.ROOT) + " "
                        + test.id().name().replace("FalseGreenClassLoadersIT$", ""))
                .toList();
    }

    private void gateIsRed() {
        assertThat(GateRules.ofDefaults().decide(report()).stream()
                        .filter(outcome -> !outcome.passed())
                        .map(GateOutcome::gate))
                .contains("failed.max");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ClassFixture.class,
                WithoutParameterFixture.class,
                MethodFixture.class,
                MetaFixture.class,
                FieldFixture.class,
                NestedFixture.class,
                TemplateFixture.class,
                ConstructorFixture.class,
                ChildFixture.class
            })
    void testOfSecondLoaderFailsInRunFileAndGate(Class<?> testClass) {
        // when
        TestExecutionSummary junit = launch(PlainFixture.class, again(testClass, new SecondLoader("second")));

        // then
        assertThat(junit.getTotalFailureCount()).isPositive();
        assertThat(outcomes())
                .contains(PLAIN)
                .filteredOn(outcome -> !outcome.equals(PLAIN))
                .isNotEmpty()
                .allMatch(outcome -> outcome.startsWith("failed " + testClass.getSimpleName()))
                .anyMatch(outcome -> outcome.contains("infers("));
        gateIsRed();
    }

    @Test
    void testAloneInSecondLoaderFailsInRunFileAndGate() {
        // when
        launch(again(ClassFixture.class, new SecondLoader("second")));

        // then
        assertThat(outcomes()).contains("failed ClassFixture > infers()");
        gateIsRed();
    }

    @Test
    void annotationInheritedFromFirstLoaderIsPlanned() {
        // when
        SecondLoader second = new SecondLoader("second", ParentFixture.class);
        launch(PlainFixture.class, again(ChildFixture.class, second));

        // then
        assertThat(outcomes())
                .contains(PLAIN)
                .filteredOn(outcome -> !outcome.equals(PLAIN))
                .isNotEmpty()
                .allMatch(outcome -> outcome.startsWith("failed ChildFixture"));
        gateIsRed();
    }

    @Test
    void uncheckedAnnotationOfSecondLoaderFailsInRunFileAndGate() {
        // when
        launch(again(BeforeEachFixture.class, new SecondLoader("second")));

        // then
        assertThat(outcomes()).contains("failed BeforeEachFixture");
        gateIsRed();
    }

    @Test
    void failureNamesBothLoadersAndTheRemedy() {
        // when
        List<Failure> failures = launch(again(ClassFixture.class, new SecondLoader("loader two")))
                .getFailures();

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .isInstanceOf(ExtensionConfigurationException.class)
                        .hasMessageStartingWith("Neuron Test is loaded twice in this JVM: by "
                                + getClass().getClassLoader())
                        .hasMessageContaining("loader two")
                        .hasMessageContaining("neuron-test-extension, neuron-test-core and fake-sysfs")
                        .hasMessageNotContaining("quarkus"));
    }

    @Test
    void failureUnderQuarkusHasTheLineForItsProperties() {
        // when
        List<Failure> failures = launch(again(ClassFixture.class, new SecondLoader("QuarkusClassLoader:TEST@1")))
                .getFailures();

        // then
        assertThat(failures)
                .singleElement()
                .satisfies(
                        failure -> assertThat(failure.getException())
                                .hasMessageContaining(
                                        "application.properties: quarkus.class-loading.parent-first-artifacts="
                                                + "dev.neurontest:neuron-test-extension,dev.neurontest:neuron-test-core,dev.neurontest:fake-sysfs"));
    }
}
