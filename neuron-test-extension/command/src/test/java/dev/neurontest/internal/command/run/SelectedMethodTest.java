package dev.neurontest.internal.command.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.neurontest.ForEachCore;
import dev.neurontest.NeuronTest;
import dev.neurontest.RetryOnAnotherCore;
import dev.neurontest.device.NeuronCore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectedMethodTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    static class Inherited {

        @Test
        void inherited() {}
    }

    static class BertFixture extends Inherited {

        @Test
        void answers() {}

        @Test
        @NeuronTest
        void infers(NeuronCore core) {}

        @ParameterizedTest
        @ValueSource(ints = {10, 20, 30})
        void overloaded(int tokens) {}

        @Test
        void overloaded() {}

        @ParameterizedTest
        @MethodSource
        void ofMethod(String prompt) {}

        static Stream<Arguments> ofMethod() {
            return Stream.of(Arguments.of("a"), Arguments.of("b"));
        }

        @RepeatedTest(3)
        void repeated() {}

        @TestFactory
        Stream<DynamicTest> made() {
            return Stream.of(dynamicTest("one", () -> {}), dynamicTest("two", () -> {}));
        }

        @ForEachCore
        void everywhere(NeuronCore core) {}

        @RetryOnAnotherCore
        void retried(NeuronCore core) {}

        String helper(int[] numbers) {
            return "";
        }

        @Nested
        class Inner {

            @ParameterizedTest
            @ValueSource(strings = {"a", "b"})
            void nested(String prompt) {}
        }
    }

    @TempDir
    private Path output;

    /** Runs the method of a row, with the fixture's class name in place of {@code Bert}. */
    private int run(String row) {
        String method = row.replaceFirst("^Bert(?=[#$])", Matcher.quoteReplacement(BertFixture.class.getName()));
        TestSelection selection = new TestSelection(List.of(
                "method=" + method,
                TestSelection.DETAILS + DetailsOption.ALL,
                "config=neuron.test.platform=fake:trn1.2xlarge",
                "config=neuron.test.summary=false",
                "config=neuron.test.output=" + output));
        return new TestJvm(selection, stream(out), stream(err)).run(new RunState(output));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    Bert#answers | answers()
                    Bert#infers | infers(NeuronCore)
                    Bert#inherited | inherited()
                    Bert#overloaded() | overloaded()
                    Bert#overloaded(int)[2] | overloaded(int) > [2]
                    Bert#ofMethod[2] | ofMethod(String) > [2]
                    Bert#repeated[3] | repeated() > repetition 3 of 3
                    Bert#made[2] | made() > two
                    Bert#everywhere[2] | everywhere(NeuronCore) > neuron0/neuron_core1
                    Bert#retried | retried(NeuronCore) > attempt 1
                    Bert#retried[2] | retried(NeuronCore) > attempt 1
                    Bert$Inner#nested[1] | Inner > nested(String) > [1]
                    """)
    void runsOnlyTheSelectedTest(String method, String expected) {
        // when
        int end = run(method);

        // then
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("ok      SelectedMethodTest$BertFixture > " + expected)
                .contains("1 test: 1 passed");
        assertThat(end).isEqualTo(ExitStatus.PASSED);
    }

    @ParameterizedTest
    @CsvSource({"Bert#overloaded, 4", "Bert#ofMethod, 2", "Bert#everywhere, 2", "Bert#made, 2", "Bert$Inner#nested, 2"})
    void runsAllTestsOfMethodName(String method, int tests) {
        // when
        run(method);

        // then
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(tests + " tests: " + tests + " passed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    Bert#answer | has no method answer. Did you mean answers?
                    Bert#nested | has no method nested. Did you mean dev.neurontest.internal.command.run.SelectedMethodTest$BertFixture$Inner#nested?
                    Bert#zebra | has no method zebra. It has
                    Bert#infers() | has no method infers(). It has infers(dev.neurontest.device.NeuronCore).
                    Bert#helper(int) | has no method helper(int). It has helper(int[]).
                    Bert#answers[0] | is not a method. Expected CLASS#METHOD such as com.acme.BertTest#infers
                    Bert#answers[2 | is not a method.
                    Bertie#answers | There is no class
                    Bert#repeated[4] | There is no such invocation of SelectedMethodTest$BertFixture > repeated(). Remove [number] to
                    Bert#helper | A method is a test if it has an annotation such as @Test.
                    """)
    void explainsWhyMethodIsNotFound(String method, String expected) {
        // when
        int end = run(method);

        // then
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(expected);
        assertThat(end).isEqualTo(ExitStatus.COULD_NOT_RUN);
    }

    @Test
    void failsWhenOneSelectedInvocationDoesNotExist() {
        // given
        String fixture = BertFixture.class.getName();
        TestSelection selection =
                new TestSelection(List.of("method=" + fixture + "#answers", "method=" + fixture + "#made[3]"));

        // when
        int end = new TestJvm(selection, stream(out), stream(err)).run(new RunState(output));

        // then
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 test: 1 passed");
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("There is no such invocation of SelectedMethodTest$BertFixture > made().");
        assertThat(end).isEqualTo(ExitStatus.COULD_NOT_RUN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.acme.SelectedMethodTest", "SelectedMethodTest", "com.acme.SelectdMethodTets"})
    void suggestsClassOfSameOrSimilarName(String name) {
        // when
        int end = run(name + "#runsOnlyTheSelectedTest");

        // then
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("There is no class " + name + " on the class path."
                        + " Did you mean dev.neurontest.internal.command.run.SelectedMethodTest?");
        assertThat(end).isEqualTo(ExitStatus.COULD_NOT_RUN);
    }
}
