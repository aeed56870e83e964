package dev.neurontest.internal.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UndecidedPoliciesTest {

    @Test
    void defaultIsWrittenAsListOfKinds() {
        assertThat(UndecidedPolicies.DEFAULT)
                .isEqualTo(
                        "counters=fail, profile=fail, throttled=abort, prints=fail, outputs=fail, noisy=pass, no-baseline=pass,"
                                + " improvement=pass, contaminated=abort");
    }

    @ParameterizedTest
    @EnumSource
    void defaultReadsBackEqual(UndecidedKind kind) {
        assertThat(UndecidedPolicies.parse(UndecidedPolicies.DEFAULT).of(kind)).isEqualTo(kind.byDefault());
    }

    @ParameterizedTest
    @EnumSource
    void singlePolicyAppliesToEveryKind(UndecidedKind kind) {
        assertThat(UndecidedPolicies.parse("abort").of(kind)).isEqualTo(UndecidedPolicy.ABORT);
    }

    @Test
    void unnamedKindsKeepTheirDefault() {
        // when
        UndecidedPolicies policies = UndecidedPolicies.parse("no-baseline=fail,Prints = abort");

        // then
        assertThat(policies.text(UndecidedKind.NO_BASELINE)).isEqualTo("no-baseline=fail");
        assertThat(policies.text(UndecidedKind.PRINTS)).isEqualTo("prints=abort");
        assertThat(policies.text(UndecidedKind.THROTTLED)).isEqualTo("throttled=abort");
        assertThat(policies.text(UndecidedKind.COUNTERS)).isEqualTo("counters=fail");
    }
}
