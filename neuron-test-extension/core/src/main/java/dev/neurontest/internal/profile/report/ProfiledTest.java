package dev.neurontest.internal.profile.report;

import dev.neurontest.internal.judgement.Judgement;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The test that a profile was made for, and what became of it.
 *
 * @param name its display names, such as {@code InferenceTest > oneCore()}
 * @param cores what its cores are called
 * @param found what all demands on this profile came to, thresholds and others
 * @param passed whether the test passed, as far as is known when the profile is kept
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProfiledTest(String name, List<String> cores, Judgement found, boolean passed) {

    /**
     * Keeps its own copy.
     *
     * @param name its display names
     * @param cores what its cores are called
     * @param found what all demands on this profile came to
     * @param passed whether the test passed
     */
    public ProfiledTest {
        cores = List.copyOf(cores);
    }

    /**
     * The same when it is over.
     *
     * @param hasPassed whether it passed
     * @return another one
     */
    public ProfiledTest ended(boolean hasPassed) {
        return new ProfiledTest(name, cores, found, hasPassed);
    }
}
