package dev.neurontest.internal.runtime.library;

import java.util.List;
import org.apiguardian.api.API;

/** The function of {@code nrt.h} that fills a tensor with one byte. A library without it gets the bytes written. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FillCalls {

    public static final List<String> SYMBOLS = List.of("nrt_tensor_memset");

    private FillCalls() {}

    public static native int nrt_tensor_memset(long tensor, long offset, int value, long size);
}
