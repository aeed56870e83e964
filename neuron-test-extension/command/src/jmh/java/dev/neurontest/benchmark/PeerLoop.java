package dev.neurontest.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program in another language that reads the same files on request and measures its own time. */
final class PeerLoop implements AutoCloseable {

    static final String C = "c";
    static final String PYTHON = "python";

    private final String name;
    private final int rounds;
    private final Process process;
    private final OutputStream orders;
    private final BufferedReader answers;

    private PeerLoop(String name, int rounds, List<String> command) throws IOException {
        this.name = name;
        this.rounds = rounds;
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.orders = process.getOutputStream();
        this.answers = process.inputReader();
    }

    /** Starts the loops that this machine can run, over the files of a benchmark. */
    static List<PeerLoop> start(BenchmarkFolders folders, String benchmark) throws IOException {
        Path root = folders.root(benchmark.contains("Trn1") ? BenchmarkFolders.SMALL : BenchmarkFolders.LARGE);
        String list = folders.list(benchmark).toString();
        List<PeerLoop> loops = new ArrayList<>();
        if (Files.exists(folders.cLoop())) {
            loops.add(new PeerLoop(C, 15, List.of(folders.cLoop().toString(), root.toString(), list)));
        }
        if (Files.exists(folders.pythonLoop())) {
            loops.add(new PeerLoop(
                    PYTHON, 5, List.of("python3", folders.pythonLoop().toString(), root.toString(), list)));
        }
        return loops;
    }

    String name() {
        return name;
    }

    /** Reads all files several times and returns the median time in milliseconds. */
    double medianMillis() throws IOException {
        orders.write((rounds + "\n").getBytes(StandardCharsets.US_ASCII));
        orders.flush();
        String nanos = answers.readLine();
        if (nanos == null) {
            throw new IOException("the loop in %s ended; what it said is above".formatted(name));
        }
        return Long.parseLong(nanos) / 1e6;
    }

    /** Closes the input of the program, which ends it. */
    @Override
    public void close() throws IOException {
        orders.close();
    }
}
