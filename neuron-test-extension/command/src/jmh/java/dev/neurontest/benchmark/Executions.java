package dev.neurontest.benchmark;

import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The time of an empty execution with the stand-in runtime library, until its counts are in the files of the host. It
 * is compared with an echo between two processes. Both alternate.
 */
final class Executions {

    private static final int TURNS = 7;
    private static final int TIMES = 2_000;

    private Executions() {}

    static void measure(Path sources, Path files, Results results) throws IOException, InterruptedException {
        Optional<String> unavailable = FakeRuntime.unavailable();
        if (unavailable.isPresent()) {
            results.note("Executions were not measured: " + unavailable.get());
            return;
        }
        String program = Gcc.compile(sources, "execute_empty", files, "-ldl").toString();
        String neff = FakeNeff.builder().write(files.resolve("empty.neff")).toString();
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance(BenchmarkFolders.SMALL).start()) {
            String library =
                    host.directory().resolve("opt/aws/neuron/lib/libnrt.so.1").toString();
            List<Double> ours = new ArrayList<>();
            List<Double> echoes = new ArrayList<>();
            double first = 0;
            for (int turn = 0; turn < TURNS; turn++) {
                echoes.add(micros(List.of(program, String.valueOf(TIMES))));
                double micros = micros(List.of(program, String.valueOf(TIMES), library, neff));
                first = turn == 0 ? micros : first;
                ours.add(micros);
            }
            results.time("an echo over a Unix socket from C", Median.of(echoes) / 1e3, "", "");
            results.time(
                    "an empty execution on the stand-in libnrt",
                    Median.of(ours) / 1e3,
                    "%.1f times; the first %d of a host %.3f ms"
                            .formatted(
                                    Median.of(IntStream.range(0, TURNS)
                                            .mapToObj(turn -> ours.get(turn) / echoes.get(turn))
                                            .toList()),
                                    TIMES,
                                    first / 1e3),
                    "0.1 ms");
        }
    }

    /** Returns the median of the numbers that a program prints. */
    private static double micros(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("NEURON_RT_VISIBLE_CORES", "0");
        Process process = builder.start();
        List<Double> micros;
        try (BufferedReader printed = process.inputReader()) {
            micros = printed.lines().map(nanos -> Long.parseLong(nanos) / 1e3).toList();
        }
        if (process.waitFor() != 0 || micros.size() != TIMES) {
            throw new IOException(command + " ended with " + process.exitValue());
        }
        return Median.of(micros);
    }
}
