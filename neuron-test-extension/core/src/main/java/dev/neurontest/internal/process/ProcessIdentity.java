package dev.neurontest.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A process that cannot be mistaken for a later one with the same number.
 *
 * @param pid its number in its namespace
 * @param startTicks when it started, in clock ticks since the machine did, so that a clock that jumps does not matter; -1 unknown
 * @param namespace the boot and the pid namespace in which the number means something
 * @param user whose process it is
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ProcessIdentity(long pid, long startTicks, String namespace, String user) {

    /**
     * Reads what {@link #word()} wrote.
     *
     * @param word the text of a process
     * @return the process; empty when the text has another form
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
     * @return what the environment of a process has of its JVM
     */
    public String word() {
        String text = String.join("\n", Long.toString(pid), Long.toString(startTicks), namespace, user);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the JVM with which a process ends: the one that started the innermost tree of processes that it is in.
     *
     * @param environment of the process
     * @return empty when it is in no tree, or ends by itself
     */
    public static Optional<ProcessIdentity> above(Map<String, String> environment) {
        String marks = environment.getOrDefault(ProcessTree.MARK, "");
        String innermost = marks.substring(marks.lastIndexOf(':') + 1);
        int before = innermost.indexOf(ProcessTree.BEFORE_OWNER);
        return before < 0 ? Optional.empty() : of(innermost.substring(before + ProcessTree.BEFORE_OWNER.length()));
    }

    /**
     * Returns whether a process may end with a JVM, without a closer look.
     *
     * @param environment as {@code /proc/PID/environ} has it
     * @return false when {@link #above} finds nothing in it
     */
    public static boolean mayBeIn(String environment) {
        return environment.contains(ProcessTree.MARK);
    }
}
