package dev.neurontest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of parameters of Neuron Test in classes where nothing provides them. */
class ParameterWithoutExtensionTest {

    @TempDir
    private Path output;

    static class MethodFixture {
        @Test
        void infers(NeuronCore core) {}
    }

    static class ListFixture {
        @Test
        void infers(@Count(2) List<NeuronCore> cores) {}
    }

    static class OptionalFixture {
        @Test
        void infers(Optional<FakeNeuronHost> fake) {}
    }

    static class CountersFixture {
        @RepeatedTest(2)
        void infers(Counters counters) {}
    }

    static class ConstructorFixture {
        ConstructorFixture(NeuronHost host) {}

        @Test
        void infers() {}
    }

    static class BeforeEachFixture {
        @BeforeEach
        void prepare(NeuronCore core) {}

        @Test
        void infers() {}
    }

    static class BeforeAllFixture {
        @BeforeAll
        static void start(NeuronCore core) {}

        @Test
        void infers() {}
    }

    static class NestedFixture {
        @Nested
        class Inner {
            @Test
            void infers(NeuronCore core) {}
        }
    }

    static class ChildFixture extends BeforeEachFixture {}

    static class AnnotatedMethodFixture {
        @BeforeAll
        static void start(NeuronCore core) {}

        @Test
        @NeuronTest
        void infers() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                MethodFixture.class,
                ListFixture.class,
                OptionalFixture.class,
                CountersFixture.class,
                ConstructorFixture.class,
                BeforeEachFixture.class,
                BeforeAllFixture.class,
                NestedFixture.class,
                ChildFixture.class,
                AnnotatedMethodFixture.class
            })
    void failsInRunFileWithMissingAnnotation(Class<?> testClass) {
        // given
        NeuronTestKit kit = new NeuronTestKit(output);

        // when
        kit.launch(testClass);

        // then
        assertThat(kit.events(RunEvent.Violated.class))
                .isNotEmpty()
                .allSatisfy(violated -> assertThat(violated.violation().advice())
                        .startsWith("Annotate " + testClass.getName())
                        .endsWith(" with @NeuronTest, or register an extension that provides the parameter."));
        assertThat(kit.events(RunEvent.TestFinished.class))
                .isNotEmpty()
                .extracting(RunEvent.TestFinished::outcome)
                .containsOnly(Outcome.FAILED);
        assertThat(kit.events(RunEvent.TestFinished.class))
                .extracting(finished -> finished.test().id())
                .doesNotHaveDuplicates();
    }

    static final class OwnResolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Counters.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            throw new IllegalStateException("no counters");
        }
    }

    @ExtendWith(OwnResolver.class)
    static class OwnResolverFixture {
        @Test
        void infers(Counters counters) {}
    }

    static class OtherTypeFixture {
        @Test
        void infers(NeuronCoreLocks locks) {}
    }

    @Test
    void isNotReportedForOtherTypes() {
        // given
        NeuronTestKit kit = new NeuronTestKit(output);

        // when
        kit.launch(OtherTypeFixture.class);

        // then
        assertThat(kit.events()).isEmpty();
    }

    @Test
    void isNotReportedWhereAnotherExtensionFails() {
        // given
        NeuronTestKit kit = new NeuronTestKit(output);

        // when
        kit.launch(OwnResolverFixture.class);

        // then
        assertThat(kit.events()).isEmpty();
    }
}
