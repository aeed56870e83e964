package dev.neurontest.internal.runtime.library;

import java.util.List;
import org.apiguardian.api.API;

/** Functions of {@code nrt.h} for tensors and sets of tensors. Addresses and {@code size_t} are longs. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class TensorCalls {

    public static final List<String> SYMBOLS = List.of(
            "nrt_tensor_allocate",
            "nrt_tensor_free",
            "nrt_tensor_read",
            "nrt_tensor_write",
            "nrt_allocate_tensor_set",
            "nrt_add_tensor_to_tensor_set",
            "nrt_destroy_tensor_set");

    private TensorCalls() {}

    public static native int nrt_tensor_allocate(int placement, int vnc, long size, byte[] name, long[] tensor);

    public static native void nrt_tensor_free(long[] tensor);

    public static native int nrt_tensor_read(long tensor, long buffer, long offset, long size);

    public static native int nrt_tensor_write(long tensor, long buffer, long offset, long size);

    public static native int nrt_allocate_tensor_set(long[] set);

    public static native int nrt_add_tensor_to_tensor_set(long set, byte[] name, long tensor);

    public static native void nrt_destroy_tensor_set(long[] set);
}
