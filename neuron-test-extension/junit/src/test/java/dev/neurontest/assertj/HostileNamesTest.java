package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import org.junit.jupiter.api.Test;

/**
 * Tests that names from a model, a tool or a log are escaped in failure messages and send no commands to a terminal.
 */
class HostileNamesTest {

    private static final String HOSTILE = "a\u001b[2J\u009b31m\u202e";
    private static final String SHOWN = "a\\u001b[2J\\u009b31m\\u202e";

    private final Profile profile = MeasuredFixture.nothing()
            .title("a\u001b[2J")
            .and("total_time", 0.01)
            .rank(1, "instance_type", HOSTILE)
            .doubt(Doubt.Kind.THROTTLED, HOSTILE)
            .profile();

    @Test
    void areEscapedInProfileAssertion() {
        // then
        assertThatThrownBy(() -> assertThat(profile).hasNoDoubts())
                .hasMessageContaining("Profile of a\\u001b[2J")
                .hasMessageContaining(SHOWN);
    }

    @Test
    void areEscapedInThresholdFailure() {
        // given
        ProfileExpectations rules = ProfileExpectations.builder()
                .expect(MetricExpectation.of("total_time", "1 ms", "", "median"))
                .build();

        // when
        ProfileFailure failure = ProfileFailure.judged(rules, profile);

        // then
        org.assertj.core.api.Assertions.assertThat(failure.toError())
                .hasMessageContaining("a\\u001b[2J")
                .hasMessageContaining(SHOWN);
    }
}
