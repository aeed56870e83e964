package dev.neurontest.internal.runtime.library;

import com.sun.jna.Pointer;
import dev.neurontest.internal.text.VisibleText;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** Texts in native memory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NativeText {

    private NativeText() {}

    /** A field of fixed length, which need not end with a NUL; what could move a terminal's cursor is shown instead. */
    public static String bounded(Pointer memory, long offset, int length) {
        byte[] bytes = memory.getByteArray(offset, length);
        int end = 0;
        while (end < length && bytes[end] != 0) {
            end++;
        }
        return VisibleText.line(new String(bytes, 0, end, StandardCharsets.UTF_8));
    }

    public static long address(Pointer memory) {
        return Pointer.nativeValue(memory);
    }
}
