package dev.neurontest.internal.process.orphan;

import dev.neurontest.device.LeaseException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.store.LeaseOverview;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A series of JVMs that are killed at random moments, with and without {@code setpriv}. One JVM then ends normally, and
 * the leftovers are counted: processes, temporary folders, mounts, and unavailable cores.
 */
final class KilledRuns implements AutoCloseable {

    private static final String MARK = "KILLED_RUNS";
    private static final int CORES = 32;

    /** The view of the hosts. There are no mounts without FUSE. */
    private static final FakeView MOUNTED = Files.isWritable(Path.of("/dev/fuse")) ? FakeView.FUSE : FakeView.DIRECTORY;

    private final Path folder;
    private final Path table;
    private final Path fakes;
    private final Path temporary;
    private final Path withoutSetpriv;
    private final String mark = UUID.randomUUID().toString();
    private final FakeNeuronHost served;
    private final Random random;
    private final List<Process> running = new ArrayList<>();

    KilledRuns(Path folder, long seed) throws IOException {
        this.folder = folder;
        this.table = folder.resolve("table");
        this.fakes = Files.createDirectory(folder.resolve("fakes"));
        this.temporary = Files.createDirectory(folder.resolve("temporary"));
        this.withoutSetpriv = Files.createDirectory(folder.resolve("bin"));
        this.random = new Random(seed);
        this.served = FakeNeuronHost.builder()
                .instance("trn1.32xlarge")
                .folder(Files.createDirectory(folder.resolve("host")))
                .start();
    }

    /** The leftovers of ended runs. */
    record Left(int processes, int folders, int mounts, int cores) {
        @Override
        public String toString() {
            return "processes %d, temporary folders %d, mounts %d, cores out %d"
                    .formatted(processes, folders, mounts, cores);
        }
    }

    /** Kills runs, several of them at a time. */
    void kill(int runs, int atATime) throws Exception {
        for (int run = 0; run < runs; run++) {
            Process started = start(run, "waits");
            running.add(started);
            if (random.nextBoolean()) {
                // Half of the runs have everything by then; the others are still starting.
                readLine(started);
            } else {
                started.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
            }
            while (running.size() >= atATime) {
                running.remove(random.nextInt(running.size())).destroyForcibly().waitFor();
            }
        }
        for (Process last : running) {
            last.destroyForcibly().waitFor();
        }
        running.clear();
    }

    /** Runs the next JVM of the same user, which is not killed. */
    boolean runToTheEnd() throws Exception {
        Process next = start(0, "ends");
        return next.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS) && next.exitValue() == 0;
    }

    private Process start(int run, String what) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(JvmCommand.program(
                        List.of("-Djava.io.tmpdir=" + temporary),
                        KilledRunJvm.class,
                        served.directory().toString(),
                        table.toString(),
                        fakes.toString(),
                        (run % 3 == 0 ? MOUNTED : FakeView.DIRECTORY).name(),
                        what))
                .redirectError(folder.resolve("errors").toFile());
        builder.environment().put(MARK, mark);
        if (run % 2 == 0) {
            builder.environment().put("PATH", withoutSetpriv.toString());
        }
        return builder.start();
    }

    private static void readLine(Process started) throws IOException {
        new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8)).readLine();
    }

    Left left() throws IOException {
        return new Left(processes(), entries(fakes) + entries(temporary), mounts(), coresOut());
    }

    private int processes() {
        return (int) ProcessHandle.allProcesses()
                .filter(process -> {
                    try {
                        return Files.readString(
                                        Path.of("/proc", Long.toString(process.pid()), "environ"),
                                        StandardCharsets.ISO_8859_1)
                                .contains(mark);
                    } catch (IOException gone) {
                        return false;
                    }
                })
                .count();
    }

    private static int entries(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return (int) all.filter(each -> !each.getFileName().toString().startsWith("hsperfdata_"))
                    .count();
        }
    }

    private int mounts() throws IOException {
        return (int) Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.contains(fakes.toString()))
                .count();
    }

    private int coresOut() {
        return LeaseOverview.of(table)
                .map(overview -> overview.quarantines().size()
                        + overview.held().stream()
                                .mapToInt(held -> held.cores().size())
                                .sum())
                .orElse(0);
    }

    /** Returns whether all cores can be leased at once. */
    boolean allCoresAreFree() throws IOException, InterruptedException {
        NeuronHost host = NeuronHost.discover(FileTree.at(served.directory()));
        try (LeaseTable all = LeaseTable.builder(host).directory(table).open()) {
            all.lease(new LeaseRequest("all", List.of(CoreRequest.inARow(CORES))), Duration.ZERO)
                    .close();
            return true;
        } catch (LeaseException notFree) {
            System.out.println(notFree.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        running.forEach(Process::destroyForcibly);
        served.close();
    }
}
