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
 * Assertions on a profile. Each known metric has a method of its own; {@link #metric} is for the others. A metric that the tool did not
 * write fails every limit.
 *
 * <p>From a profile in doubt no limit is decided, which fails with the reason.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public class ProfileAssert extends AbstractProfileAssert {

    /**
     * Starts assertions; {@link NeuronAssertions#assertThat(Profile)} is the usual way.
     *
     * @param actual what was profiled
     */
    public ProfileAssert(Profile actual) {
        super(actual);
    }

    /**
     * It meets every threshold, all of which are told together.
     *
     * <pre>{@code
     * ProfileExpectations gate = ProfileExpectations.builder()
     *         .expect(MetricExpectation.of("total_time", "17 ms", "", "p90"))
     *         .build();
     * assertThat(profile).meets(gate);                        // succeeds for a graph that takes 16.4 ms
     * assertThat(slower).meets(gate);                         // fails
     * }</pre>
     *
     * @param rules what is demanded
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
     * One execution takes no longer by its {@code total_time}.
     *
     * <pre>{@code
     * assertThat(profile).hasLatencyOfAtMost("17 ms");        // succeeds for a graph that takes 16.4 ms
     * assertThat(profile).hasLatencyOfAtMost("16 ms");        // fails
     * }</pre>
     *
     * @param max the longest time that will do, with its unit
     * @return this
     * @throws IllegalArgumentException when it is no time
     */
    public ProfileAssert hasLatencyOfAtMost(String max) {
        return hasLatencyOfAtMost(Latency.TOTAL, max);
    }

    /**
     * One execution takes no longer by the time that is meant. Fails where the tool did not write it.
     *
     * <pre>{@code
     * assertThat(profile).hasLatencyOfAtMost(Latency.ACTIVE, "16 ms");  // succeeds for a graph that is active for 15.1 ms
     * assertThat(profile).hasLatencyOfAtMost(Latency.ACTIVE, "15 ms");  // fails
     * }</pre>
     *
     * @param of which time is meant
     * @param max the longest time that will do, with its unit
     * @return this
     * @throws IllegalArgumentException when it is no time
     */
    public ProfileAssert hasLatencyOfAtMost(Latency of, String max) {
        return meets(ProfileExpectations.builder()
                .expect(MetricExpectation.latency(of, max, "median"))
                .build());
    }

    /**
     * Something can be decided by it: it was captured, of the right graph, and whole. A first execution and throttling are fine:
     * they put only times in doubt.
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
     * Nothing at all is in doubt, start-up in a first execution and throttling included.
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

    /** Names come from the model. */
}
