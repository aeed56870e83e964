package dev.neurontest.internal.participant;

import dev.neurontest.profile.Profile;
import org.apiguardian.api.API;

/** A receiver of the profiles of a test, which compares them with baselines. */
@API(status = API.Status.INTERNAL)
public interface ComparedProfiles {

    /** Adds a profile as a run. */
    void add(Profile profile);

    /** Returns whether another profile would help. */
    boolean wantsProfile();
}
