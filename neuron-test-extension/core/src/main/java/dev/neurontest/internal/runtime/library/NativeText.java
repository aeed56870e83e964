package dev.neurontest.internal.runtime.library;

import com.sun.jna.Pointer;
import dev.neurontest.internal.text.VisibleText;
import java.nio.charset.StandardCharsets;
import org.apiguardian.api.API;

/** Texts in native memory. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class NativeText {

    private NativeText() {}

    /**
     * Reads a text field of fixed length, with or without a NUL at the end. Control characters that could move a terminal's cursor are
     * made visible.
     */
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
