package dev.neurontest.runtime.library;

import java.util.List;
import org.apiguardian.api.API;

/** Device profiles of {@code nrt_profile.h}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ProfileCalls {

    public static final List<String> SYMBOLS = List.of("nrt_profile_start", "nrt_profile_stop");

    private ProfileCalls() {}

    public static native int nrt_profile_start(long model, byte[] file);

    public static native int nrt_profile_stop(byte[] file);
}
