package dev.neurontest.assertj;

import dev.neurontest.internal.profile.report.ProfileFailure;
import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.Latency;
import dev.neurontest.profile.MetricExpectation;
import dev.neurontest.profile.Profile;
import dev.neurontest.profile.ProfileExpectations;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Assertions on a profile. Each known metric has its own method; {@link #metric} is for other metrics. A metric that the tool did not write
 * fails every limit.
 *
 * <p>If the profile is in doubt, no limit can be decided, and the assertion fails with the reason.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ProfileAssert extends AbstractProfileAssert {

    /**
     * Creates the assertions; usually called by {@link NeuronAssertions#assertThat(Profile)}.
     *
     * @param actual the profile
     */
    public ProfileAssert(Profile actual) {
        super(actual);
    }

    /**
     * Verifies that the profile meets every expectation; the failure lists all violations.
     *
     * <pre>{@code
     * ProfileExpectations gate = ProfileExpectations.builder()
     *         .expect(MetricExpectation.of("total_time", "17 ms", "", "p90"))
     *         .build();
     * assertThat(profile).meets(gate);                        // succeeds for a graph that takes 16.4 ms
     * assertThat(slower).meets(gate);                         // fails
     * }</pre>
     *
     * @param rules the expectations
     * @return this
     */
    public ProfileAssert meets(ProfileExpectations rules) {
        isNotNull();
        ProfileFailure failure = ProfileFailure.judged(rules, actual);
        if (failure.isFailure()) {
            throw failureWithActualExpected(failure.actual(), failure.expected(), "%s", failure.text());
        }
        return this;
    }

    /**
     * Verifies that the {@code total_time} of one execution does not exceed a limit.
     *
     * <pre>{@code
     * assertThat(profile).hasLatencyOfAtMost("17 ms");        // succeeds for a graph that takes 16.4 ms
     * assertThat(profile).hasLatencyOfAtMost("16 ms");        // fails
     * }</pre>
     *
     * @param max the longest accepted time with its unit
     * @return this
     * @throws IllegalArgumentException if the limit is not a time
     */
    public ProfileAssert hasLatencyOfAtMost(String max) {
        return hasLatencyOfAtMost(Latency.TOTAL, max);
    }

    /**
     * Verifies that the selected time of one execution does not exceed a limit. Fails if the tool did not write that time.
     *
     * <pre>{@code
     * assertThat(profile).hasLatencyOfAtMost(Latency.ACTIVE, "16 ms");  // succeeds for a graph that is active for 15.1 ms
     * assertThat(profile).hasLatencyOfAtMost(Latency.ACTIVE, "15 ms");  // fails
     * }</pre>
     *
     * @param of the time to check
     * @param max the longest accepted time with its unit
     * @return this
     * @throws IllegalArgumentException if the limit is not a time
     */
    public ProfileAssert hasLatencyOfAtMost(Latency of, String max) {
        return meets(ProfileExpectations.builder()
                .expect(MetricExpectation.latency(of, max, "median"))
                .build());
    }

    /**
     * Verifies that the profile can be used for decisions: it was captured, belongs to the right graph and is complete. A first execution
     * and throttling are accepted, because they only put times in doubt.
     *
     * <pre>{@code
     * assertThat(profile).isValid();                          // succeeds
     * assertThat(ofAnotherNeff).isValid();                    // fails with the reason
     * }</pre>
     *
     * @return this
     */
    public ProfileAssert isValid() {
        return meets(ProfileExpectations.DEFAULT);
    }

    /**
     * Verifies that nothing is in doubt, including start-up in a first execution and throttling.
     *
     * <pre>{@code
     * assertThat(warm).hasNoDoubts();                         // succeeds
     * assertThat(firstExecution).hasNoDoubts();               // fails
     * }</pre>
     *
     * @return this
     */
    public ProfileAssert hasNoDoubts() {
        isNotNull();
        if (!actual.allDoubts().isEmpty()) {
            throw failure(
                    "Profile of %s is in doubt:%n%s",
                    actual.title(),
                    actual.allDoubts().stream().map(ProfileAssert::line).collect(Collectors.joining("\n")));
        }
        return this;
    }

    private static String line(Doubt doubt) {
        return "  " + doubt.kind() + ": " + doubt.reason();
    }
}
