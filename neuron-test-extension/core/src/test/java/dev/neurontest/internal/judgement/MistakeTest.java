package dev.neurontest.internal.judgement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.runtime.NeffException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MistakeTest {

    private static final String PARAMETER = "org.junit.jupiter.api.extension.ParameterResolutionException: ";

    private static Violation violation(String rule) {
        return new Violation(rule, "a subject", "expected", "actual", "advice");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.junit.jupiter.api.extension.ExtensionConfigurationException",
                "org.junit.jupiter.api.extension.TemplateInvocationValidationException",
                "org.junit.jupiter.params.converter.ArgumentConversionException",
                "org.junit.jupiter.params.aggregator.ArgumentAccessException",
                "org.junit.platform.commons.PreconditionViolationException",
                "dev.neurontest.internal.configuration.BadSettingException",
                "dev.neurontest.counter.CounterNameException",
                "dev.neurontest.internal.lease.ImpossibleRequestException"
            })
    void isExceptionOfWrongTestOrSetting(String exception) throws ClassNotFoundException {
        assertThat(Throwable.class).isAssignableFrom(Class.forName(exception));
        assertThat(Mistake.is(exception + ": text", List.of())).isTrue();
        assertThat(Mistake.message(exception + ": text")).isEqualTo("text");
        assertThat(Mistake.is("wrapped in " + exception + ": text", List.of())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                PARAMETER + "No ParameterResolver registered for parameter [int n]",
                PARAMETER + "Discovered multiple competing ParameterResolvers for parameter [int n]"
            })
    void isParameterWithoutOneResolver(String reason) {
        assertThat(Mistake.is(reason, List.of())).isTrue();
    }

    @Test
    void isMissingNeffButNoBrokenOne() {
        assertThat(Mistake.is(NeffException.missing(Path.of("none.neff")).toString(), List.of()))
                .isTrue();
        assertThat(Mistake.is(NeffException.cut(Path.of("cut.neff"), 3).toString(), List.of()))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "org.opentest4j.AssertionFailedError: org.junit.platform.commons.PreconditionViolationException: x",
                "dev.neurontest.runtime.NrtException: NRT_EXEC_HW_ERR",
                PARAMETER + "Failed to resolve parameter [NeuronCore core]: neuron0 does not answer"
            })
    void isNoFailureOfDevice(String reason) {
        assertThat(Mistake.is(reason, List.of())).isFalse();
    }

    @Test
    void isReportedWithoutWrapperOfParameter() {
        // given
        RuntimeException mistake = new ExtensionConfigurationException("There is no FakeNeuronHost on real.");
        RuntimeException broken = new IllegalStateException("neuron0 does not answer");

        // then
        assertThat(Mistake.reason(new ParameterResolutionException("Failed to resolve parameter [x]: y", mistake)))
                .isEqualTo(mistake.toString());
        assertThat(Mistake.reason(new ParameterResolutionException("Failed to resolve parameter [x]: y", broken)))
                .isEqualTo(PARAMETER + "Failed to resolve parameter [x]: y");
        assertThat(Mistake.reason(new IllegalStateException("test", mistake))).contains("IllegalStateException: test");
    }

    @Test
    void isOnlyRuleAboutTest() {
        assertThat(Mistake.is("any", List.of(violation(Mistake.UNRESOLVED)))).isTrue();
        assertThat(Mistake.is("any", List.of(violation(Mistake.UNCHECKED)))).isTrue();
        assertThat(Mistake.is("any", List.of(violation(Mistake.UNCHECKED), violation("no error counter may move"))))
                .isFalse();
    }
}
