package dev.neurontest.runtime;

import java.util.List;

/** Lifecycle and models of {@code nrt.h}. Addresses and {@code size_t} are longs. */
final class CoreCalls {

    static final List<String> SYMBOLS = List.of(
            "nrt_init",
            "nrt_close",
            "nrt_get_version",
            "nrt_load",
            "nrt_unload",
            "nrt_get_model_tensor_info",
            "nrt_free_model_tensor_info",
            "nrt_execute");

    private CoreCalls() {}

    static native int nrt_init(int framework, byte[] frameworkVersion, byte[] falVersion);

    static native void nrt_close();

    static native int nrt_get_version(long version, long size);

    static native int nrt_load(long neff, long size, int vnc, int vncCount, long[] model);

    static native int nrt_unload(long model);

    static native int nrt_get_model_tensor_info(long model, long[] infos);

    static native int nrt_free_model_tensor_info(long infos);

    static native int nrt_execute(long model, long inputs, long outputs);
}
