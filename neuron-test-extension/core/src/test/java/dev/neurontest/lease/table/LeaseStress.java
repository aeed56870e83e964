package dev.neurontest.lease.table;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.host.FileTree;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.LeaseException;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTimeoutException;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Lets JVMs lease from one table while some of them are killed, and has the driver of a fake host judge: it refuses a core to a
 * second owner. It ends with one line, and with status 1 when anything is wrong.
 *
 * <p>{@code java -cp ... dev.neurontest.lease.table.LeaseStress [--root DIR] [--jvms 8] [--threads 4] [--leases 2000] [--kills 20]
 * [--seed N]}; without a root it serves a fake trn1.32xlarge of its own.
 */
public final class LeaseStress {

    /** Cores of a killed JVM are free by then. */
    private static final Duration FREE_AFTER_KILL = Patience.LIMIT;

    /** No request waits longer: there is work for some seconds altogether. */
    static final Duration LONGEST_WAIT = Patience.LIMIT;

    /** So long waits the one that kills, in which it looks who has died. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration LONGEST_RUN = Duration.ofMinutes(10);

    private final Path root;
    private final NeuronHost host;
    private final int jvms;
    private final int threads;
    private final int wanted;
    private final int kills;
    private final Random random;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<Process> running = new ArrayList<>();
    private final Map<Long, Long> killed = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int leases;
    private int doubleHolds;
    private int lost;
    private double longestWait;

    private LeaseStress(Path root, Map<String, String> options) throws IOException {
        this.root = root;
        this.host = NeuronHost.discover(FileTree.at(root));
        this.jvms = Integer.parseInt(options.get("--jvms"));
        this.threads = Integer.parseInt(options.get("--threads"));
        this.wanted = Integer.parseInt(options.get("--leases"));
        this.kills = Integer.parseInt(options.get("--kills"));
        this.random = new Random(Long.parseLong(options.get("--seed")));
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments) ? 0 : 1);
    }

    /** Whether nothing was wrong. */
    static boolean run(String... arguments) throws Exception {
        Map<String, String> options = new TreeMap<>(Map.of(
                "--root", "", "--jvms", "8", "--threads", "4", "--leases", "2000", "--kills", "20", "--seed", "1"));
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
            return new LeaseStress(fake.directory(), options).run();
        }
    }

    /** Where the table of a host is. */
    static Path table(Path root) {
        return root.resolve("tmp/neuron-test-leases");
    }

    private boolean run() throws Exception {
        try (LeaseTable table = LeaseStressJvm.open(host, root, lines::add)) {
            return run(table);
        }
    }

    private boolean run(LeaseTable table) throws Exception {
        long deadline = System.nanoTime() + LONGEST_RUN.toNanos();
        int killsDone = 0;
        try {
            for (int i = 0; i < jvms; i++) {
                start();
            }
            while (leases < wanted || killsDone < kills) {
                String line = lines.poll(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
                if (line == null || System.nanoTime() > deadline) {
                    wrong.add(line == null ? "no JVM got a lease for " + LONGEST_WAIT : "it takes too long");
                    break;
                }
                take(line);
                if (killsDone < kills && leases >= (long) wanted * (killsDone + 1) / (kills + 1)) {
                    kill(table);
                    killsDone++;
                    start();
                }
            }
            end();
        } finally {
            running.forEach(Process::destroyForcibly);
        }
        requireAllFree(table);
        for (String line = lines.poll(); line != null; line = lines.poll()) {
            take(line);
        }
        wrong.forEach(System.out::println);
        System.out.printf(
                "leases %d, double holds %d, lost %d, longest wait %.0f ms%n", leases, doubleHolds, lost, longestWait);
        return wrong.isEmpty();
    }

    private void start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LeaseStressJvm.class.getName(),
                        root.toString(),
                        Integer.toString(threads),
                        Long.toString(random.nextLong()))
                .redirectErrorStream(true)
                .start();
        running.add(process);
        Thread reader = new Thread(() -> read(process), "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Process process) {
        try {
            process.inputReader().lines().forEach(lines::add);
        } catch (UncheckedIOException killed) {
            // Its output is closed with it.
        }
    }

    /** Kills one of them, and waits for its cores: where no test wants any, no JVM looks for those that died. */
    private void kill(LeaseTable table) throws InterruptedException {
        Process victim = running.remove(random.nextInt(running.size()));
        killed.put(victim.pid(), System.currentTimeMillis());
        victim.destroyForcibly();
        victim.waitFor();
        try {
            table.lease(everything(), LOOK).close();
        } catch (LeaseTimeoutException othersHaveThem) {
            // It has looked meanwhile.
        }
    }

    private void end() throws IOException, InterruptedException {
        for (Process process : running) {
            process.outputWriter().close();
        }
        for (Process process : running) {
            if (!process.waitFor(LONGEST_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                wrong.add("JVM " + process.pid() + " does not end");
            } else if (process.exitValue() != 0) {
                wrong.add("JVM " + process.pid() + " ended with " + process.exitValue());
            }
        }
    }

    /** What a JVM says: {@code lease MS}, {@code dead PID TIME}, {@code refused OWNER TEXT}, {@code double TEXT}, or what went wrong. */
    private void take(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "lease" -> {
                leases++;
                longestWait = Math.max(longestWait, Double.parseDouble(words[1]));
            }
            case "dead" -> dead(Long.parseLong(words[1]), Long.parseLong(words[2]));
            case "refused" -> refused(Long.parseLong(words[1]), line);
            case "double" -> {
                doubleHolds++;
                wrong.add(line);
            }
            default -> wrong.add(line);
        }
    }

    /** The driver knew an owner for longer than the table did; that is right if it had been killed. */
    private void refused(long owner, String line) {
        if (!killed.containsKey(owner)) {
            doubleHolds++;
            wrong.add(line + ", and it was not killed");
        }
    }

    private void dead(long pid, long noticed) {
        Long at = killed.get(pid);
        if (at == null) {
            lost++;
            wrong.add("JVM " + pid + " was taken for dead and was not killed");
        } else if (noticed - at > FREE_AFTER_KILL.toMillis()) {
            lost++;
            wrong.add("cores of JVM " + pid + " were free " + (noticed - at) + " ms after it was killed");
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
