package dev.neurontest.internal.lease.table;

import dev.neurontest.device.LeaseException;
import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stress program in which JVMs lease from one table, while it kills some of them and stops some for a while. The
 * driver of a fake host detects errors: it refuses a core to a second owner. The program prints one line at the end,
 * and exits with status 1 after any error.
 *
 * <p>{@code java -cp ... dev.neurontest.internal.lease.table.LeaseStress [--root DIR] [--jvms 8] [--threads 4]
 * [--leases 2000] [--kills 20] [--kinds plain] [--stops 0] [--user NAME] [--disk SIZE] [--seed N]}. Without a root it
 * serves a private fake trn1.32xlarge. With a user every other JVM belongs to that user. With all kinds the JVMs differ
 * in user, umask, namespaces, JDK, clock, limits and class loaders ({@link LeaseStressKind}). With a disk the table is
 * on a file system of that size, which is full except while a JVM starts. All kinds and a disk need root, and the user
 * must be able to read the classes.
 */
public final class LeaseStress {

    /** The limit for freeing the cores of a killed JVM. */
    private static final Duration FREE_AFTER_KILL = Patience.LIMIT;

    /** The limit for the wait of a request. All work takes only some seconds. */
    static final Duration LONGEST_WAIT = Patience.LIMIT;

    /** The wait of the killing thread for a lease, during which it checks for dead JVMs. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration LONGEST_RUN = Duration.ofMinutes(10);

    /** The longest stop. Some stops end before the JVM is passed over, and some after. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(8);

    private final Path root;
    private final NeuronHost host;
    private final int jvms;
    private final int threads;
    private final int wanted;
    private final int kills;
    private final int stops;
    private final List<LeaseStressKind> kinds;
    private final @Nullable FullDisk disk;
    private final Random random;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<Jvm> running = new ArrayList<>();
    private final Map<Long, Long> killed = new TreeMap<>();
    private final Set<Jvm> stopped = ConcurrentHashMap.newKeySet();
    private final Set<Long> starting = new HashSet<>();
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "ends stops");
        thread.setDaemon(true);
        return thread;
    });
    private final List<String> wrong = new ArrayList<>();
    private int started;
    private int leases;
    private int passedOver;
    private int doubleHolds;
    private int lost;
    private double waitedLongest;

    private LeaseStress(Path root, Map<String, String> options) throws IOException {
        this.root = root;
        this.host = NeuronHost.discover(FileTree.at(root));
        this.jvms = Integer.parseInt(options.get("--jvms"));
        this.threads = Integer.parseInt(options.get("--threads"));
        this.wanted = Integer.parseInt(options.get("--leases"));
        this.kills = Integer.parseInt(options.get("--kills"));
        this.stops = Integer.parseInt(options.get("--stops"));
        this.kinds = LeaseStressKind.of(options.get("--kinds"), options.get("--user"));
        this.disk = options.get("--disk").isEmpty() ? null : FullDisk.mount(root.resolve("tmp"), options.get("--disk"));
        this.random = new Random(Long.parseLong(options.get("--seed")));
    }

    /** Runs the program. */
    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments) ? 0 : 1);
    }

    /** Runs the program and returns whether there were no errors. */
    static boolean run(String... arguments) throws Exception {
        Map<String, String> options = new TreeMap<>(Map.ofEntries(
                Map.entry("--root", ""),
                Map.entry("--jvms", "8"),
                Map.entry("--threads", "4"),
                Map.entry("--leases", "2000"),
                Map.entry("--kills", "20"),
                Map.entry("--stops", "0"),
                Map.entry("--kinds", "plain"),
                Map.entry("--user", ""),
                Map.entry("--disk", ""),
                Map.entry("--seed", "1")));
        for (int i = 0; i < arguments.length; i += 2) {
            if (!options.containsKey(arguments[i]) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "expected " + options.keySet() + " with a value each, not " + arguments[i]);
            }
            options.put(arguments[i], arguments[i + 1]);
        }
        if (!options.get("--root").isEmpty()) {
            return new LeaseStress(Path.of(options.get("--root")), options).run();
        }
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance("trn1.32xlarge").start()) {
            fake.controlSocket();
            if (!options.get("--user").isEmpty() || !options.get("--kinds").equals("plain")) {
                openToAll(fake.directory().getParent());
            }
            return new LeaseStress(fake.directory(), options).run();
        }
    }

    /** Returns the directory of a host's table. */
    static Path table(Path root) {
        return root.resolve("tmp/neuron-test-leases");
    }

    private boolean run() throws Exception {
        try (LeaseTable table = LeaseStressJvm.open(host, root, LONGEST_WAIT, lines::add)) {
            return run(table);
        } finally {
            later.shutdownNow();
            if (disk != null) {
                disk.unmount();
            }
        }
    }

    private boolean run(LeaseTable table) throws Exception {
        long deadline = System.nanoTime() + LONGEST_RUN.toNanos();
        int killsDone = 0;
        int stopsDone = 0;
        try {
            for (int i = 0; i < jvms; i++) {
                start();
            }
            while (leases < wanted || killsDone < kills || stopsDone < stops) {
                String line = lines.poll(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
                if (line == null || System.nanoTime() > deadline) {
                    wrong.add(line == null ? "no JVM got a lease for " + LONGEST_WAIT : "it takes too long");
                    break;
                }
                take(line);
                if (stopsDone < stops
                        && leases >= (long) wanted * (stopsDone + 1) / (stops + 1)
                        && stopped.size() < running.size() / 2) {
                    stop();
                    stopsDone++;
                }
                if (killsDone < kills && leases >= (long) wanted * (killsDone + 1) / (kills + 1)) {
                    kill(table);
                    killsDone++;
                    start();
                }
            }
            end();
        } finally {
            running.forEach(jvm -> jvm.signal("-KILL"));
        }
        requireAllFree(table);
        for (String line = lines.poll(); line != null; line = lines.poll()) {
            take(line);
        }
        long orphans = orphans();
        if (orphans > 0) {
            wrong.add("there are " + orphans + " processes or folders of JVMs that have ended");
        }
        wrong.forEach(System.out::println);
        System.out.printf(
                "leases %s, kills %s, stops %s, passed over %s, double holds %s, lost %s,"
                        + " longest wait %.0f ms, orphans %s%n",
                leases, killsDone, stopsDone, passedOver, doubleHolds, lost, waitedLongest, orphans);
        return wrong.isEmpty();
    }

    private void start() throws IOException {
        if (disk != null) {
            disk.makeRoom();
        }
        LeaseStressKind kind = kinds.get(started % kinds.size());
        started++;
        List<String> command = kind.command(List.of(
                LeaseStressJvm.class.getName(),
                root.toString(),
                Integer.toString(threads),
                Long.toString(random.nextLong()),
                Long.toString(LONGEST_WAIT.toSeconds()),
                Integer.toString(started),
                kind.mode().name()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Jvm jvm = new Jvm(started, kind, process);
        running.add(jvm);
        starting.add(jvm.number());
        Thread reader = new Thread(() -> read(process), "output of " + jvm.number());
        reader.setDaemon(true);
        reader.start();
    }

    /** A JVM that leases, possibly below a program that creates its namespace. */
    private record Jvm(long number, LeaseStressKind kind, Process process) {

        private List<Long> pids() {
            return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                    .map(ProcessHandle::pid)
                    .toList();
        }

        private void signal(String name) {
            for (long pid : pids()) {
                LeaseStress.signal(pid, name);
            }
        }

        @Override
        public String toString() {
            return "JVM %s (%s)".formatted(number, kind.name());
        }
    }

    private void read(Process process) {
        try {
            process.inputReader().lines().forEach(lines::add);
        } catch (UncheckedIOException killed) {
            // Closing the process closes its output.
        }
    }

    private static void openToAll(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.toList()) {
                if (!Files.isSymbolicLink(each)) {
                    Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxrwxrwx"));
                }
            }
        }
    }

    /** Stops one of the JVMs for a while. */
    private void stop() {
        List<Jvm> going =
                running.stream().filter(each -> !stopped.contains(each)).toList();
        Jvm victim = going.get(random.nextInt(going.size()));
        stopped.add(victim);
        victim.signal("-STOP");
        later.schedule(() -> goOn(victim), random.nextInt((int) LONGEST_STOP.toMillis()), TimeUnit.MILLISECONDS);
    }

    private void goOn(Jvm jvm) {
        if (stopped.remove(jvm) && jvm.process().isAlive()) {
            jvm.signal("-CONT");
        }
    }

    private static void signal(long pid, String name) {
        try {
            new ProcessBuilder("kill", name, Long.toString(pid)).start().waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /**
     * Kills one of the JVMs and waits for its cores. It requests cores itself, because only waiting JVMs check for dead
     * ones.
     */
    private void kill(LeaseTable table) throws InterruptedException {
        Jvm victim = running.remove(random.nextInt(running.size()));
        starting.remove(victim.number());
        killed.put(victim.number(), System.currentTimeMillis());
        victim.signal("-KILL");
        victim.process().waitFor();
        try {
            table.lease(everything(), LOOK).close();
        } catch (LeaseTimeoutException othersHaveThem) {
            // The request has checked for dead JVMs.
        }
    }

    private void end() throws IOException, InterruptedException {
        stopped.forEach(this::goOn);
        for (Jvm jvm : running) {
            jvm.process().outputWriter().close();
        }
        for (Jvm jvm : running) {
            if (!jvm.process().waitFor(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                wrong.add(jvm + " does not end");
            } else if (jvm.process().exitValue() != 0) {
                wrong.add(jvm + " ended with " + jvm.process().exitValue());
            }
        }
    }

    /**
     * Processes a line of a JVM: {@code ready JVM}, {@code lease MS}, {@code dead JVM}, {@code refused JVM TEXT},
     * {@code double TEXT}, {@code warned TEXT}, or an error.
     */
    private void take(String line) throws IOException {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "lease" -> {
                leases++;
                waitedLongest = Math.max(waitedLongest, Double.parseDouble(words[1]));
            }
            case "ready" -> ready(Long.parseLong(words[1]));
            case "warned" -> warned(line);
            case "dead" -> dead(Long.parseLong(words[1]), System.currentTimeMillis());
            case "refused" -> refused(Long.parseLong(words[1]), line);
            case "double" -> {
                doubleHolds++;
                wrong.add(line);
            }
            default -> wrong.add(line);
        }
    }

    private void ready(long jvm) throws IOException {
        starting.remove(jvm);
        if (disk != null && starting.isEmpty()) {
            disk.fill();
        }
    }

    /**
     * Counts the JVMs that report to have been passed over. The same warnings of the JVMs that wait for them are
     * ignored; any other warning is an error.
     */
    private void warned(String line) {
        if (line.startsWith("warned This JVM did not respond")) {
            passedOver++;
        } else if (!line.contains("does not respond and is passed over")) {
            wrong.add(line);
        }
    }

    /** Returns the number of processes and folders that ended JVMs left behind. */
    private long orphans() throws IOException {
        long processes = ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .count();
        // A joining JVM cleans up.
        if (disk != null) {
            disk.makeRoom();
        }
        LeaseStressJvm.open(host, root, LONGEST_WAIT, lines::add).close();
        try (Stream<Path> files = Files.list(table(root))) {
            return processes
                    + files.filter(each -> each.getFileName().toString().startsWith("jvm-"))
                            .filter(each -> !each.getFileName()
                                    .toString()
                                    .startsWith("jvm-" + ProcessHandle.current().pid() + "-"))
                            .count();
        }
    }

    /**
     * Counts a core refused by the driver. It is an error unless the owner was killed, because the driver may notice a
     * death later than the table.
     */
    private void refused(long owner, String line) {
        if (!killed.containsKey(owner)) {
            doubleHolds++;
            wrong.add(line + ", and it was not killed");
        }
    }

    private void dead(long jvm, long noticed) {
        Long at = killed.get(jvm);
        if (at == null) {
            lost++;
            wrong.add("JVM " + jvm + " was taken for dead and was not killed");
        } else if (noticed - at > FREE_AFTER_KILL.toMillis()) {
            lost++;
            wrong.add("cores of JVM " + jvm + " were free " + (noticed - at) + " ms after it was killed");
        }
    }

    private void requireAllFree(LeaseTable table) throws InterruptedException {
        try {
            table.lease(everything(), FREE_AFTER_KILL).close();
        } catch (LeaseException notFree) {
            lost++;
            wrong.add(notFree.getMessage());
        }
    }

    private LeaseRequest everything() {
        return new LeaseRequest(
                "the stress", List.of(CoreRequest.inARow(host.cores().size())));
    }
}
