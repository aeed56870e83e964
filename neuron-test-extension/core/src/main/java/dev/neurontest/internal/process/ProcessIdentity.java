package dev.neurontest.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a process, distinct from later processes with the same number.
 *
 * @param pid its number in its namespace
 * @param startTicks the start in clock ticks since the boot, which clock changes do not affect; -1 if unknown
 * @param namespace the boot and the pid namespace in which the number is valid
 * @param user the owner of the process
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProcessIdentity(long pid, long startTicks, String namespace, String user) {

    /** Compares all components. The generated method of a record would delay the first test of a JVM. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProcessIdentity process
                && pid == process.pid
                && startTicks == process.startTicks
                && namespace.equals(process.namespace)
                && user.equals(process.user);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(pid) + Long.hashCode(startTicks);
    }

    /**
     * Parses the result of {@link #word()}.
     *
     * @return the process; empty if the text is malformed
     */
    public static Optional<ProcessIdentity> of(String word) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(word), StandardCharsets.UTF_8).split("\n");
            return parts.length == 4
                    ? Optional.of(
                            new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]))
                    : Optional.empty();
        } catch (IllegalArgumentException noIdentity) {
            return Optional.empty();
        }
    }

    /**
     * Returns the identity in letters, digits, hyphens and underscores.
     *
     * @return the text for the environment of the processes of a JVM
     */
    public String word() {
        String text = String.join("\n", Long.toString(pid), Long.toString(startTicks), namespace, user);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the JVM with which a process must end: the one that started the innermost process tree of the process.
     *
     * @param environment the environment of the process
     * @return empty if it is in no tree, or need not end with a JVM
     */
    public static Optional<ProcessIdentity> above(Map<String, String> environment) {
        String marks = environment.getOrDefault(ProcessTree.MARK, "");
        String innermost = marks.substring(marks.lastIndexOf(':') + 1);
        int before = innermost.indexOf(ProcessTree.BEFORE_OWNER);
        return before < 0 ? Optional.empty() : of(innermost.substring(before + ProcessTree.BEFORE_OWNER.length()));
    }

    /**
     * Checks quickly whether a process might have to end with a JVM.
     *
     * @param environment the content of {@code /proc/PID/environ}
     * @return false if {@link #above} would find nothing
     */
    public static boolean mayBeIn(String environment) {
        return environment.contains(ProcessTree.MARK);
    }
}
