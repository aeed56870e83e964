package dev.neurontest.internal.participant.profile;

import dev.neurontest.profile.Profile;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The last profile of each test of this JVM, for tests that are compared with it. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LastProfiles {

    private static final int KEPT = 1000;

    private final Map<String, Profile> profiles = new LinkedHashMap<>();

    synchronized void put(String method, Profile profile) {
        profiles.put(method, profile);
        if (profiles.size() > KEPT) {
            Iterator<String> eldest = profiles.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    synchronized Optional<Profile> of(String method) {
        return Optional.ofNullable(profiles.get(method));
    }
}
