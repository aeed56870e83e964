package dev.neurontest.fake.internal.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process that serves a mount, encoded in the source of the mount.
 *
 * @param pid number of the process
 * @param started its start time in clock ticks since the boot, because another process may get the same number later
 */
record MountOwner(long pid, long started) {

    private static final String NAME = "neuron-fake";
    private static final Pattern SOURCE = Pattern.compile(NAME + "-([0-9]{1,18})-([0-9]{1,18})");

    // Positions of words in /proc/PID/stat, counted after the name in parentheses.
    private static final int STATE = 0;
    private static final int START_TIME = 19;

    /** The state of a process. */
    enum State {
        /** A running process. */
        ALIVE,
        /**
         * A killed process that cannot end yet. It waits for an answer of its own mount and holds the device open until then. Or
         * its parent has not read its exit status.
         */
        ENDING,
        /** A process that no longer exists, or its number belongs to another process. */
        GONE
    }

    /** Returns the subtype, the part of a mount's type after {@code fuse.}. */
    static String subtype() {
        return NAME;
    }

    static MountOwner current() throws IOException {
        long pid = ProcessHandle.current().pid();
        List<String> words = words(pid);
        if (words.isEmpty()) {
            throw new IOException("/proc does not show this process");
        }
        return new MountOwner(pid, Long.parseLong(words.get(START_TIME)));
    }

    static Optional<MountOwner> of(String source) {
        Matcher matcher = SOURCE.matcher(source);
        return matcher.matches()
                ? Optional.of(new MountOwner(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    String source() {
        return NAME + '-' + pid + '-' + started;
    }

    State state() {
        List<String> words = words(pid);
        if (words.isEmpty() || !words.get(START_TIME).equals(Long.toString(started))) {
            return State.GONE;
        }
        return "ZX".contains(words.get(STATE)) ? State.ENDING : State.ALIVE;
    }

    /** Returns the words after the name, or empty if there is no such process. */
    private static List<String> words(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        } catch (IOException e) {
            return List.of();
        }
    }
}
