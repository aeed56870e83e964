package dev.neurontest.internal.runtime.library;

import java.util.List;
import org.apiguardian.api.API;

/** Functions of {@code nrt.h} for initialization and models. Addresses and {@code size_t} are longs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CoreCalls {

    public static final List<String> SYMBOLS = List.of(
            "nrt_init",
            "nrt_close",
            "nrt_get_version",
            "nrt_load",
            "nrt_unload",
            "nrt_get_model_tensor_info",
            "nrt_free_model_tensor_info",
            "nrt_execute");

    private CoreCalls() {}

    public static native int nrt_init(int framework, byte[] frameworkVersion, byte[] falVersion);

    public static native void nrt_close();

    public static native int nrt_get_version(long version, long size);

    public static native int nrt_load(long neff, long size, int vnc, int vncCount, long[] model);

    public static native int nrt_unload(long model);

    public static native int nrt_get_model_tensor_info(long model, long[] infos);

    public static native int nrt_free_model_tensor_info(long infos);

    public static native int nrt_execute(long model, long inputs, long outputs);
}
