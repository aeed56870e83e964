package dev.neurontest.internal.participant.profile;

import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.profile.Profile;

/** A profile that is not judged yet, as it is written to the run file. */
record ProfileMeasurement(Profile profile) implements Measurement {

    @Override
    public String kind() {
        return Measurement.PROFILE;
    }

    @Override
    public String toText() {
        return profile.toText();
    }

    @Override
    public String toJson() {
        return profile.toJson();
    }
}
