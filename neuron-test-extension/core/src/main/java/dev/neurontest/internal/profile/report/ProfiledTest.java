package dev.neurontest.internal.profile.report;

import dev.neurontest.internal.judgement.Judgement;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The test of a profile, and its result.
 *
 * @param name display names of the test, such as {@code InferenceTest > oneCore()}
 * @param cores names of its cores
 * @param judgement judgement of all expectations for the profile, thresholds and others
 * @param passed true if the test passed, as known when the profile is written
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfiledTest(String name, List<String> cores, Judgement judgement, boolean passed) {

    /** Creates a test with its own copy of the cores. */
    public ProfiledTest {
        cores = List.copyOf(cores);
    }

    /** Returns a copy with the final result of the test. */
    public ProfiledTest ended(boolean hasPassed) {
        return new ProfiledTest(name, cores, judgement, hasPassed);
    }
}
