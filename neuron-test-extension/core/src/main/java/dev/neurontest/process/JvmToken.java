package dev.neurontest.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * A JVM as its children name it, so that a later JVM can tell that it is dead. A number alone does not
 * do: another process may have it by now, and in another container it means another process.
 *
 * @param pid its number
 * @param started when it started, in clock ticks since the machine did
 * @param pids the namespace in which the number means something
 * @param times the namespace in which the ticks mean something
 * @param user whose it is
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record JvmToken(long pid, long started, long pids, long times, long user) {

    private static final Pattern TOKEN = Pattern.compile("[0-9a-z]+\\.[0-9a-z]+\\.[0-9a-z]+\\.[0-9a-z]+\\.[0-9a-z]+");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** The kernel numbers namespaces from about here on. */
    private static final long FIRST_NAMESPACE = 0xEFFF_FFF0L;

    private static final Path PROCESSES = Path.of("/proc");

    // Words of /proc/PID/stat, counted behind the name in parentheses.
    private static final int STATE = 0;
    private static final int START_TIME = 19;

    private static final Optional<JvmToken> OF_THIS_JVM = read();

    /**
     * This JVM.
     *
     * @return empty where {@code /proc} does not show it
     */
    public static Optional<JvmToken> ofThisJvm() {
        return OF_THIS_JVM;
    }

    /**
     * Reads what {@link #toString()} wrote.
     *
     * @param text of anything
     * @return empty when it is no token
     */
    public static Optional<JvmToken> of(String text) {
        if (!TOKEN.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            List<Long> parts = Pattern.compile("\\.")
                    .splitAsStream(text)
                    .map(part -> Long.parseLong(part, Character.MAX_RADIX))
                    .toList();
            return Optional.of(new JvmToken(
                    parts.get(0),
                    parts.get(1),
                    parts.get(2) + FIRST_NAMESPACE,
                    parts.get(3) + FIRST_NAMESPACE,
                    parts.get(4)));
        } catch (NumberFormatException tooLong) {
            return Optional.empty();
        }
    }

    /**
     * The JVM with which a process ends: the one that started the innermost tree of processes that it is in.
     *
     * @param environment of the process
     * @return empty when it is in no tree, or ends by itself
     */
    public static Optional<JvmToken> above(Map<String, String> environment) {
        String marks = environment.getOrDefault(ProcessTree.MARK, "");
        String innermost = marks.substring(marks.lastIndexOf(':') + 1);
        int before = innermost.indexOf(ProcessTree.BEFORE_OWNER);
        return before < 0 ? Optional.empty() : of(innermost.substring(before + ProcessTree.BEFORE_OWNER.length()));
    }

    /**
     * Whether a process may end with a JVM, without a closer look.
     *
     * @param environment as {@code /proc/PID/environ} has it
     * @return false when {@link #above} finds nothing in it
     */
    public static boolean mayBeIn(byte[] environment) {
        return new String(environment, StandardCharsets.ISO_8859_1).contains(ProcessTree.MARK);
    }

    private static Optional<JvmToken> read() {
        try {
            long self = Long.parseLong(
                    PROCESSES.resolve("self").toRealPath().getFileName().toString());
            if (self != ProcessHandle.current().pid()) {
                // The proc of another namespace is mounted here.
                return Optional.empty();
            }
            return Optional.of(new JvmToken(
                    self, Long.parseLong(stat(self).get(START_TIME)), namespace("pid"), namespace("time"), user(self)));
        } catch (IOException | RuntimeException none) {
            return Optional.empty();
        }
    }

    /** A kernel that has no such namespaces has one for all. */
    private static long namespace(String kind) throws IOException {
        Path link = PROCESSES.resolve("self/ns").resolve(kind);
        try {
            Matcher number = NUMBER.matcher(Files.readSymbolicLink(link).toString());
            if (!number.find()) {
                throw new IOException(link + " has no number");
            }
            return Math.max(Long.parseLong(number.group()), FIRST_NAMESPACE);
        } catch (NoSuchFileException none) {
            return FIRST_NAMESPACE;
        }
    }

    /**
     * Whose a process is.
     *
     * @param pid its number
     * @return the user
     * @throws IOException when it cannot be seen, or when it is of one user and acts as another
     */
    public static long user(long pid) throws IOException {
        for (String line : Files.readAllLines(status(pid), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("Uid:")) {
                List<String> users =
                        List.of(line.substring("Uid:".length()).trim().split("\\s+"));
                if (users.stream().distinct().count() == 1) {
                    return Long.parseLong(users.get(0));
                }
            }
        }
        throw new IOException("process " + pid + " is not of one user");
    }

    private static Path status(long pid) {
        return PROCESSES.resolve(Long.toString(pid)).resolve("status");
    }

    /**
     * Whether it is certain that the JVM has ended.
     *
     * @return false also where that cannot be seen from here: in another namespace, of another user, or where processes are hidden
     */
    public boolean isDead() {
        return OF_THIS_JVM
                .filter(self -> pids == self.pids && times == self.times && user == self.user)
                .filter(self -> hasEnded())
                .isPresent();
    }

    private boolean hasEnded() {
        try {
            List<String> words = stat(pid);
            return !words.get(START_TIME).equals(Long.toString(started))
                    || "ZX".contains(words.get(STATE)) && threads() <= 1;
        } catch (NoSuchFileException none) {
            // Where the first process is hidden, this one may be, too.
            return Files.isReadable(PROCESSES.resolve("1/stat"));
        } catch (IOException | RuntimeException unseen) {
            return false;
        }
    }

    /** The first thread of a process may have ended while others go on. */
    private int threads() throws IOException {
        int threads = 0;
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(PROCESSES.resolve(Long.toString(pid)).resolve("task"))) {
            for (Path ignored : all) {
                threads++;
            }
        }
        return threads;
    }

    private static List<String> stat(long pid) throws IOException {
        String stat =
                Files.readString(PROCESSES.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
        return List.of(stat.substring(stat.lastIndexOf(')') + 1).trim().split(" "));
    }

    @Override
    public String toString() {
        return String.join(
                ".",
                Long.toString(pid, Character.MAX_RADIX),
                Long.toString(started, Character.MAX_RADIX),
                Long.toString(pids - FIRST_NAMESPACE, Character.MAX_RADIX),
                Long.toString(times - FIRST_NAMESPACE, Character.MAX_RADIX),
                Long.toString(user, Character.MAX_RADIX));
    }
}
