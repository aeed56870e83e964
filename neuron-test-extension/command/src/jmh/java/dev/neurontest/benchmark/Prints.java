package dev.neurontest.benchmark;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeff;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakePrint;
import dev.neurontest.fake.FakeRuntime;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.print.stream.DebugStreams;
import dev.neurontest.internal.print.stream.PrintLog;
import dev.neurontest.internal.print.stream.StreamOptions;
import dev.neurontest.internal.print.stream.StreamTap;
import dev.neurontest.runtime.LoadedModel;
import dev.neurontest.runtime.NeuronRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The time to read prints from a debug stream, from the execution to the last event. It is compared with a plain
 * consumer in C on the other core of the same host. Both alternate.
 */
final class Prints {

    private static final int WARM_UP = 10;
    private static final int MEASURED = 25;
    private static final String READER = "neuron debug streams";

    /** The prints of one execution: as many small events as the stream holds, or 200 MiB of large ones. */
    private enum Burst {
        SMALL(60_000, FakePrint.of("acc", "int32", 4).times(60_000).sequence()),
        LARGE(200, FakePrint.of("acc", "int32", 1 << 18).times(200).sequence());

        private final int events;
        private final FakePrint print;

        Burst(int events, FakePrint print) {
            this.events = events;
            this.print = print;
        }

        private String neff() {
            return name().toLowerCase(java.util.Locale.ROOT) + ".neff";
        }
    }

    /** The times of one burst: wall time, and processor time of the reading thread. */
    private record Taken(double wallNanos, double busyNanos) {}

    private Prints() {}

    static void measure(Path sources, Path files, Results results) throws IOException, InterruptedException {
        Optional<String> unavailable = FakeRuntime.unavailable();
        if (unavailable.isPresent()) {
            results.note("Prints were not measured: " + unavailable.get());
            return;
        }
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance("trn1.2xlarge").start()) {
            List<String> neffs = new ArrayList<>();
            for (Burst burst : Burst.values()) {
                fake.runtime().neff(burst.neff()).print(burst.print);
                neffs.add(FakeNeff.builder()
                        .name(burst.neff())
                        .write(files.resolve(burst.neff()))
                        .toString());
            }
            NeuronHost host = NeuronHost.discover(FileTree.at(fake.directory()));
            Process peer = peer(sources, files, fake.directory().resolve("opt/aws/neuron/lib/libnrt.so.1"), neffs);
            try (NeuronRuntime runtime = NeuronRuntime.builder(host.cores().subList(0, 1))
                            .root(fake.directory())
                            .open();
                    DebugStreams streams = DebugStreams.open(runtime, StreamOptions.DEFAULTS);
                    BufferedReader answers = peer.inputReader();
                    Writer orders = peer.outputWriter()) {
                for (Burst burst : Burst.values()) {
                    try (LoadedModel model = runtime.load(host.cores().get(0), Path.of(neffs.get(burst.ordinal())))) {
                        compare(burst, streams, files, model, orders, answers, results);
                    }
                }
            } finally {
                peer.destroy();
            }
        }
    }

    private static Process peer(Path sources, Path files, Path library, List<String> neffs)
            throws IOException, InterruptedException {
        Path program = Gcc.compile(sources, "consume_prints", files, "-pthread", "-ldl");
        ProcessBuilder builder = new ProcessBuilder(program.toString(), library.toString(), neffs.get(0), neffs.get(1))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("NEURON_RT_VISIBLE_CORES", "1");
        return builder.start();
    }

    private static void compare(
            Burst burst,
            DebugStreams streams,
            Path files,
            LoadedModel model,
            Writer orders,
            BufferedReader answers,
            Results results)
            throws IOException {
        List<Taken> plain = new ArrayList<>();
        List<Taken> ours = new ArrayList<>();
        for (int turn = 0; turn < WARM_UP + MEASURED; turn++) {
            Taken byPeer = byPeer(burst, orders, answers);
            Taken byStreams = byStreams(burst, streams, files, model);
            if (turn >= WARM_UP) {
                plain.add(byPeer);
                ours.add(byStreams);
            }
        }
        List<Double> ratios = IntStream.range(0, MEASURED)
                .mapToObj(turn -> ours.get(turn).wallNanos() / plain.get(turn).wallNanos())
                .toList();
        double plainNanos = wall(plain) / burst.events;
        double ourNanos = wall(ours) / burst.events;
        if (burst == Burst.SMALL) {
            results.time("1,000 small prints by a plain consumer in C", plainNanos / 1e3, "", "");
            results.time(
                    "1,000 small prints by debug streams",
                    ourNanos / 1e3,
                    "%.2f times".formatted(Median.of(ratios)),
                    "at most 2 times");
        } else {
            results.time("a print of 1 MiB by a plain consumer in C", plainNanos / 1e6, gigabytes(plainNanos), "");
            results.time("a print of 1 MiB by debug streams", ourNanos / 1e6, gigabytes(ourNanos), "at least 2 GB/s");
        }
        results.note("Of a %s print the thread that reads was busy for %.2f µs in C, %.2f µs in debug streams."
                .formatted(
                        burst == Burst.SMALL ? "small" : "large",
                        busy(plain) / burst.events / 1e3,
                        busy(ours) / burst.events / 1e3));
    }

    private static String gigabytes(double nanosOfEach) {
        return "%.2f GB/s".formatted((1 << 20) / nanosOfEach);
    }

    private static double wall(List<Taken> rounds) {
        return Median.of(rounds.stream().map(Taken::wallNanos).toList());
    }

    private static double busy(List<Taken> rounds) {
        return Median.of(rounds.stream().map(Taken::busyNanos).toList());
    }

    private static Taken byPeer(Burst burst, Writer orders, BufferedReader answers) throws IOException {
        orders.write("%d %d%n".formatted(burst.ordinal(), burst.events));
        orders.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the consumer in C ended; what it said is above");
        }
        String[] nanos = answer.split(" ");
        return new Taken(Long.parseLong(nanos[0]), Long.parseLong(nanos[1]));
    }

    private static Taken byStreams(Burst burst, DebugStreams streams, Path files, LoadedModel model) {
        try (PrintLog log = new PrintLog(() -> files);
                StreamTap tap = streams.begin(List.of(0), log)) {
            long busy = busyNanos();
            long begin = System.nanoTime();
            model.execute(Map.of());
            while (tap.prints().size() < burst.events) {
                LockSupport.parkNanos(20_000);
            }
            return new Taken(System.nanoTime() - begin, busyNanos() - busy);
        }
    }

    /** Returns the processor time of the reading thread so far. */
    private static long busyNanos() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(READER))
                .mapToLong(thread -> ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()))
                .sum();
    }
}
