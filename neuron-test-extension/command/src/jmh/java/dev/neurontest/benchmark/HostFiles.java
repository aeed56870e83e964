package dev.neurontest.benchmark;

import dev.neurontest.counter.CounterFiles;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.CounterScopes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of fake hosts, on tmpfs where there is one. This JVM serves them; measured JVMs only read them, as on hardware.
 */
final class HostFiles implements AutoCloseable {

    private static final Path TMPFS = Path.of("/dev/shm");

    private final BenchmarkFolders folders;
    private final List<FakeNeuronHost> hosts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private HostFiles(BenchmarkFolders folders) {
        this.folders = folders;
    }

    /**
     * Creates the folders and starts the hosts.
     *
     * @param sources the folder of the loops in other languages
     * @param programs the folder for their programs
     */
    static HostFiles make(Path sources, Path programs) throws IOException, InterruptedException {
        Path hosts = Files.isWritable(TMPFS)
                ? Files.createTempDirectory(TMPFS, "neuron-benchmark")
                : Files.createTempDirectory("neuron-benchmark");
        HostFiles files = new HostFiles(new BenchmarkFolders(hosts, programs));
        try {
            files.serve(BenchmarkFolders.LARGE);
            files.serve(BenchmarkFolders.SMALL);
            files.listCounters();
            files.addLoops(sources);
        } catch (IOException | InterruptedException | RuntimeException e) {
            files.close();
            throw e;
        }
        return files;
    }

    private void serve(String instance) {
        FakeNeuronHost host = FakeNeuronHost.builder()
                .instance(instance)
                .root(folders.root(instance))
                .start();
        hosts.add(host);
        host.directory();
    }

    /** Adds processes to {@code proc} of a host, each with the open files of a shell. */
    void addProcesses(String instance, int count) throws IOException {
        for (int number = 0; number < count; number++) {
            int pid = 100_000 + number;
            Path process = folders.root(instance).resolve("proc/" + pid);
            Path files = Files.createDirectories(process.resolve("fd"));
            for (int file = 0; file < 4; file++) {
                Files.createSymbolicLink(files.resolve(String.valueOf(file)), Path.of("/dev/null"));
            }
            Files.writeString(process.resolve("comm"), "other\n");
            Files.writeString(process.resolve("stat"), pid + " (other) S 1" + " 0".repeat(48) + "\n");
        }
    }

    /** Opens a process on the last device of the large host. */
    FakeProcess openLastDevice() {
        FakeNeuronHost large = hosts.get(0);
        return large.openProcess(large.device(15).core(0));
    }

    private void listCounters() throws IOException {
        NeuronHost large = folders.discover(BenchmarkFolders.LARGE);
        NeuronHost small = folders.discover(BenchmarkFolders.SMALL);
        CounterScope wholeHost = new CounterScopes(large).wholeHost();
        CounterScope coreOfTrn1 = SnapshotBenchmark.firstCore(small);
        CounterScope coreOfTrn2 = SnapshotBenchmark.firstCore(large);
        Files.write(folders.list("wholeHostOnFiles"), CounterFiles.of(wholeHost));
        Files.write(folders.list("coreOfTrn1OnFiles"), CounterFiles.of(coreOfTrn1));
        Files.write(folders.list("coreOfTrn2OnFiles"), CounterFiles.of(coreOfTrn2));
        notes.add("whole host: the %,d counter files of %s, %s"
                .formatted(
                        wholeHost.size(),
                        BenchmarkFolders.LARGE,
                        folders.hosts().startsWith(TMPFS) ? "on tmpfs" : "on disk, as there is no " + TMPFS));
        notes.add("a core and its device: %d counter files on %s, %d on %s"
                .formatted(coreOfTrn1.size(), BenchmarkFolders.SMALL, coreOfTrn2.size(), BenchmarkFolders.LARGE));
    }

    private void addLoops(Path sources) throws IOException, InterruptedException {
        try {
            Gcc.compile(sources, "read_files", folders.cLoop().getParent());
        } catch (IOException e) {
            notes.add("no C loop: " + e.getMessage());
        }
        try {
            run("python3", "--version");
            Files.copy(sources.resolve("python/read_files.py"), folders.pythonLoop());
        } catch (IOException e) {
            notes.add("no Python loop: " + e.getMessage());
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code);
        }
    }

    BenchmarkFolders folders() {
        return folders;
    }

    /** Returns notes on the files and loops for the table of results. */
    List<String> notes() {
        return notes;
    }

    @Override
    public void close() throws IOException {
        hosts.forEach(FakeNeuronHost::close);
        Folders.delete(folders.hosts());
    }
}
