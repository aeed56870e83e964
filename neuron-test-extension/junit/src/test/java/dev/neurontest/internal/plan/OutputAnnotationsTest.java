package dev.neurontest.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.ExpectOutput;
import dev.neurontest.internal.output.OutputExpectation;
import dev.neurontest.internal.output.OutputOddity;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutputAnnotationsTest {

    @ExpectOutput
    @ExpectOutput(value = "y", allow = ExpectOutput.Allowed.NAN)
    static class OutputsFixture {

        @Test
        void ofClass() {}

        @Test
        @ExpectOutput(value = "y", golden = "y.npy", tolerance = "1e-3 + 1 %")
        void overridden() {}

        @Test
        @ExpectOutput("z")
        @ExpectOutput(value = "z", same = true)
        void twice() {}

        @Test
        @ExpectOutput(golden = "y.npy")
        void goldenOfEach() {}

        @Test
        @ExpectOutput(value = "z", tolerance = "1 %")
        void toleranceOfNothing() {}

        @Test
        @ExpectOutput(value = "z", golden = "y.npy", tolerance = "a bit")
        void vagueTolerance() {}

        @Test
        @ExpectOutput(value = "z", dtype = "float99")
        void unknownType() {}

        @Test
        @ExpectOutput(value = "z", golden = "y\0.npy")
        void impossiblePath() {}
    }

    private static OutputPlan plan(String method) {
        return OutputAnnotations.plan(
                List.of(OutputsFixture.class),
                Stream.of(OutputsFixture.class.getDeclaredMethods())
                        .filter(each -> each.getName().equals(method))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void ofClassApplyToEachTest() {
        // then
        assertThat(plan("ofClass").expectations())
                .containsExactly("@ExpectOutput", "@ExpectOutput(value = \"y\", allow = NAN)");
    }

    @Test
    void ofMethodOverrideThoseOfClassForSameOutput() {
        // then
        assertThat(plan("overridden").rules())
                .extracting(OutputExpectation::output, OutputExpectation::allowed)
                .containsExactly(tuple("", Set.<OutputOddity>of()), tuple("y", Set.<OutputOddity>of()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            twice              | are for the same output. Join them.
            goldenOfEach       | a golden is for one output: name it, as value = "y"
            toleranceOfNothing | a tolerance needs a golden to compare with
            vagueTolerance     | "a bit" is not a tolerance
            unknownType        | "float99" is not a dtype
            impossiblePath     | is not a path
            """)
    void withoutMeaningAreMistakesOfTest(String method, String reason) {
        // then
        assertThatThrownBy(() -> plan(method))
                .isInstanceOf(ExtensionConfigurationException.class)
                .hasMessageContaining(reason);
    }
}
