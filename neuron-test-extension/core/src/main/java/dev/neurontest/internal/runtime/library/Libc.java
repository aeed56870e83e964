package dev.neurontest.internal.runtime.library;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The functions of the C library that prepare the runtime, which reads its variables by {@code getenv}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Libc {

    static {
        Jna.load();
        Native.register(Libc.class, "c");
    }

    private Libc() {}

    private static native @Nullable Pointer getenv(byte[] name);

    private static native int setenv(byte[] name, byte[] value, int overwrite);

    private static native int unsetenv(byte[] name);

    static native int memfd_create(byte[] name, int flags);

    static native int dup(int fd);

    static native int dup2(int from, int to);

    static native int close(int fd);

    /** Returns the value of a variable in native code of this process. It may differ from the JVM's own copy of the environment. */
    public static Optional<String> variable(String name) {
        Pointer value = getenv(text(name));
        return value == null ? Optional.empty() : Optional.of(value.getString(0, "UTF-8"));
    }

    public static void setVariable(String name, String value) {
        if (setenv(text(name), text(value), 1) != 0) {
            throw new IllegalArgumentException("\"%s\" cannot be the name of an environment variable".formatted(name));
        }
    }

    public static void unsetVariable(String name) {
        unsetenv(text(name));
    }

    /** Converts a text to a C string. */
    public static byte[] text(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "\"%s\" contains a NUL, which ends a text in C".formatted(text.replace("\0", "\\0")));
        }
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }
}
