package dev.neurontest.internal.runtime.library;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The few functions of the C library that the runtime must be prepared with: it reads its variables by {@code getenv}. */
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

    /** What native code of this process sees, which the JVM's own copy of the environment may not. */
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

    /** A text as C takes it. */
    public static byte[] text(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "\"%s\" contains a NUL, which ends a text in C".formatted(text.replace("\0", "\\0")));
        }
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }
}
