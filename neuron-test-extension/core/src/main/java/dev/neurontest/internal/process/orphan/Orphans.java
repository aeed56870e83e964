package dev.neurontest.internal.process.orphan;

import dev.neurontest.internal.process.ProcessIdentity;
import dev.neurontest.internal.process.ProcessTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apiguardian.api.API;

/**
 * Processes of this user that outlived the JVM named in their environment. If {@code setpriv} exists, the kernel ends direct
 * children of a JVM. These are the remaining processes and their descendants.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Orphans {

    private static final Path PROCESSES = Path.of("/proc");
    private static final int LARGEST = 8 << 20;
    private static final Duration GONE_WITHIN = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(10);

    private Orphans() {}

    /**
     * The outcome of ending orphans.
     *
     * @param ended processes that have ended
     * @param left processes that could not be ended
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public record Outcome(List<Orphan> ended, List<Orphan> left) {

        /** Creates the outcome with copies of the lists. */
        public Outcome {
            ended = List.copyOf(ended);
            left = List.copyOf(left);
        }

        /**
         * Returns the reports for people.
         *
         * @return a sentence for each process
         */
        public List<String> reports() {
            List<String> reports = new ArrayList<>();
            for (Orphan orphan : ended) {
                reports.add("Ended " + orphan + ".");
            }
            for (Orphan orphan : left) {
                reports.add("Not even SIGKILL ended " + orphan + ".");
            }
            return List.copyOf(reports);
        }
    }

    /**
     * Finds the orphans without ending them.
     *
     * @return ordered by their numbers
     */
    public static List<Orphan> find() {
        return List.copyOf(handles().values());
    }

    /**
     * Ends the orphans by SIGKILL, including processes that they start in this time. No test needs their results. Waits a limited
     * time for their end.
     *
     * @return the orphans found
     */
    public static synchronized Outcome end() {
        Map<ProcessHandle, Orphan> all = new LinkedHashMap<>();
        Map<ProcessHandle, Orphan> running = handles();
        long began = System.nanoTime();
        while (!running.isEmpty()) {
            running.forEach((process, orphan) -> {
                if (all.putIfAbsent(process, orphan) == null) {
                    process.destroyForcibly();
                }
            });
            if (System.nanoTime() - began > GONE_WITHIN.toNanos()) {
                break;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            running = handles();
        }
        all.keySet().removeAll(running.keySet());
        return new Outcome(List.copyOf(all.values()), List.copyOf(running.values()));
    }

    private static Map<ProcessHandle, Orphan> handles() {
        Map<ProcessHandle, Orphan> orphans = new LinkedHashMap<>();
        if (ProcessTable.shownSelf().isEmpty()) {
            return orphans;
        }
        Map<ProcessIdentity, Boolean> dead = new HashMap<>();
        // Children without a token inherit the token of this JVM's parent.
        Optional<ProcessIdentity> own = ProcessIdentity.above(System.getenv());
        if (own.isPresent()) {
            dead.put(own.get(), false);
        }
        Set<Long> ancestors = ancestors();
        for (ProcessHandle handle : ProcessTable.having(ProcessIdentity::mayBeIn)) {
            if (!ancestors.contains(handle.pid())) {
                Optional<Orphan> orphan = orphan(PROCESSES.resolve(Long.toString(handle.pid())), handle.pid(), dead);
                if (orphan.isPresent()) {
                    orphans.put(handle, orphan.get());
                }
            }
        }
        return orphans;
    }

    /** Returns this JVM and its ancestors. This JVM itself might have been started for a test of a dead JVM. */
    private static Set<Long> ancestors() {
        Set<Long> above = new HashSet<>();
        for (Optional<ProcessHandle> next = Optional.of(ProcessHandle.current());
                next.isPresent();
                next = next.get().parent()) {
            above.add(next.get().pid());
        }
        return above;
    }

    private static Optional<Orphan> orphan(Path process, long pid, Map<ProcessIdentity, Boolean> dead) {
        try {
            if (!user(process).equals(user(PROCESSES.resolve("self")))) {
                return Optional.empty();
            }
            // The environment of an ended process is empty.
            Map<String, String> environment = environment(words(process.resolve("environ")));
            Optional<ProcessIdentity> jvm = ProcessIdentity.above(environment);
            return jvm.isPresent() && isDead(jvm.get(), dead)
                    ? Optional.of(Orphan.of(pid, words(process.resolve("cmdline")), environment, jvm.get()))
                    : Optional.empty();
        } catch (IOException | RuntimeException ended) {
            return Optional.empty();
        }
    }

    private static boolean isDead(ProcessIdentity jvm, Map<ProcessIdentity, Boolean> known) {
        Boolean isDead = known.get(jvm);
        if (isDead == null) {
            isDead = isDead(jvm);
            known.put(jvm, isDead);
        }
        return isDead;
    }

    private static boolean isDead(ProcessIdentity jvm) {
        ProcessTable table = new ProcessTable();
        // Containers of this machine might have their own boot ids.
        return table.sees(jvm) && table.liveness(jvm) == ProcessTable.Liveness.ENDED;
    }

    /** Returns the user of a process. Throws if the process runs with the rights of different users. */
    private static String user(Path process) throws IOException {
        for (String line : Files.readAllLines(process.resolve("status"), StandardCharsets.ISO_8859_1)) {
            List<String> users = List.of(line.split("\\s+"));
            if (users.get(0).equals("Uid:") && users.stream().skip(1).distinct().count() == 1) {
                return users.get(1);
            }
        }
        throw new IOException(process + " does not belong to one user");
    }

    private static List<String> words(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            return new ArrayList<>(
                    Arrays.asList(new String(content.readNBytes(LARGEST), StandardCharsets.UTF_8).split("\0")));
        }
    }

    private static Map<String, String> environment(List<String> words) {
        Map<String, String> environment = new HashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                environment.putIfAbsent(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return environment;
    }
}
