package dev.neurontest.profile;

/** A profile for a person. */
final class ProfileText {

    private ProfileText() {}

    static String of(Profile profile) {
        return profile.title() + "\n";
    }
}
