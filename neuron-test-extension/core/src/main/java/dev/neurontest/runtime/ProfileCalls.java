package dev.neurontest.runtime;

import java.util.List;

/** Device profiles of {@code nrt_profile.h}. */
final class ProfileCalls {

    static final List<String> SYMBOLS = List.of("nrt_profile_start", "nrt_profile_stop");

    private ProfileCalls() {}

    static native int nrt_profile_start(long model, byte[] file);

    static native int nrt_profile_stop(byte[] file);
}
