package dev.neurontest.benchmark;

import dev.neurontest.fake.FakeAccess;
import dev.neurontest.fake.FakeDescriptor;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.fuse.FuseMount;
import dev.neurontest.fake.internal.fuse.FuseUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The times of programs in C that read every file of a mounted large fake, and wait for its events. They are compared
 * with file systems in C on libfuse3 with the same files. All alternate.
 */
final class Mounts {

    private static final int WARM_UP = 8;
    private static final int MEASURED = 25;
    private static final int WARM_UP_EVENTS = 10_000;
    private static final int EVENTS = 500;
    private static final int FIRST_MOUNTS = 7;
    private static final String DEVICES = "devices/virtual/neuron_device";
    private static final String CORE = DEVICES + "/neuron0/neuron_core0";
    private static final String POLLED = CORE + "/stats/memory_usage/device_mem/tensors/total";

    private final Path sources;
    private final Path files;
    private final Path point;
    private final Path list;

    private Mounts(Path sources, Path files) throws IOException {
        this.sources = sources;
        this.files = files;
        this.point = Files.createDirectory(files.resolve("fake-mount"));
        this.list = files.resolve("mounted-files");
    }

    static void measure(Path sources, Path files, Results results) throws IOException, InterruptedException {
        new Mounts(sources, files).measure(results);
    }

    private void measure(Results results) throws IOException, InterruptedException {
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance(BenchmarkFolders.LARGE).start()) {
            try {
                FirstMount.nanos(fake, point);
            } catch (FuseUnavailableException e) {
                results.note("Mounts were not measured: " + e.getMessage());
                return;
            }
            compareMounting(fake, results);
            try (FuseMount mount = FuseMount.open(fake.tree(), "sys", point)) {
                listFiles(mount);
                try {
                    Gcc.compile(sources, "read_files", files);
                    Gcc.compile(sources, "await_event", files);
                    Gcc.compile(sources, "fuse_peer", files, libfuse());
                } catch (IOException e) {
                    results.note("Mounts were not compared: " + e.getMessage());
                    return;
                }
                compareReading(mount, results);
                compareWaking(fake, mount, results);
            }
        }
    }

    // ---- programs

    private static String[] libfuse() throws IOException, InterruptedException {
        Process asked = new ProcessBuilder("pkg-config", "--cflags", "--libs", "fuse3").start();
        String flags = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (asked.waitFor() != 0) {
            throw new IOException("libfuse3 is not installed for compiling (libfuse3-dev)");
        }
        return flags.split("\\s+");
    }

    private String path(String program) {
        return files.resolve(program).toString();
    }

    private void listFiles(FuseMount mount) throws IOException {
        try (Stream<Path> all = Files.walk(mount.point().resolve(DEVICES))) {
            Files.write(
                    list,
                    all.filter(Files::isRegularFile)
                            .map(file -> mount.point().relativize(file).toString())
                            .toList());
        }
    }

    /** A program that answers each line with a line and ends with its input. */
    private static final class Program implements AutoCloseable {

        private final Process process;
        private final BufferedReader answers;
        private final Writer orders;

        Program(String... command) throws IOException {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            answers = process.inputReader();
            orders = process.outputWriter();
        }

        void order(String line) throws IOException {
            orders.write(line + '\n');
            orders.flush();
        }

        String answer() throws IOException {
            String line = answers.readLine();
            if (line == null) {
                throw new IOException("a program in C ended; what it said is above");
            }
            return line;
        }

        @Override
        public void close() {
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A mount that a program in C serves. */
    private final class Peer implements AutoCloseable {

        private final Path at;
        private final Program server;

        Peer(String how) throws IOException {
            at = Files.createDirectories(files.resolve("peer-" + how));
            server = new Program(path("fuse_peer"), how, at.toString(), list.toString());
            try {
                server.answer();
            } catch (IOException e) {
                server.close();
                throw e;
            }
        }

        @Override
        public void close() {
            server.close();
        }
    }

    private Program reader(Path root) throws IOException {
        return new Program(path("read_files"), root.toString(), list.toString());
    }

    private static double millis(Program reader) throws IOException {
        reader.order("1");
        return Long.parseLong(reader.answer()) / 1e6;
    }

    // ---- comparisons

    private void compareMounting(FakeNeuronHost fake, Results results) throws IOException, InterruptedException {
        List<Double> warm = new ArrayList<>();
        List<Double> cold = new ArrayList<>();
        for (int i = 0; i < WARM_UP + MEASURED; i++) {
            double millis = FirstMount.nanos(fake, point) / 1e6;
            if (i >= WARM_UP) {
                warm.add(millis);
            }
        }
        for (int i = 0; i < FIRST_MOUNTS; i++) {
            try (Program first = new Program(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-classpath",
                    System.getProperty("java.class.path"),
                    FirstMount.class.getName(),
                    point.toString())) {
                cold.add(Long.parseLong(first.answer()) / 1e6);
                first.process.waitFor();
            }
        }
        results.time("mounting a trn2.48xlarge and reading a file", Median.of(warm), "", "less than 300 ms");
        results.time("the same as the first thing that a JVM does", Median.of(cold), "", "less than 300 ms");
    }

    private void compareReading(FuseMount mount, Results results) throws IOException {
        try (Peer low = new Peer("low");
                Peer single = new Peer("single");
                Peer high = new Peer("high");
                Program ofFake = reader(mount.point());
                Program ofLow = reader(low.at);
                Program ofSingle = reader(single.at);
                Program ofHigh = reader(high.at)) {
            List<Program> readers = List.of(ofFake, ofLow, ofSingle, ofHigh);
            List<double[]> turns = new ArrayList<>();
            for (int turn = 0; turn < WARM_UP + MEASURED; turn++) {
                double[] millis = new double[readers.size()];
                for (int i = 0; i < millis.length; i++) {
                    // Alternates the order.
                    int next = (i + turn) % millis.length;
                    millis[next] = millis(readers.get(next));
                }
                if (turn >= WARM_UP) {
                    turns.add(millis);
                }
            }
            results.time("reading all files of a mounted trn2.48xlarge", column(turns, 0), "", "");
            against("libfuse3's low-level API, threads as it makes them", turns, 1, "at most 1.0", results);
            against("libfuse3's low-level API, one thread, which a slow file holds up", turns, 2, "", results);
            against("libfuse3's high-level API", turns, 3, "at most 1.0", results);
            results.note("%,d files, read one after the other by a program in C with openat, read and close"
                    .formatted(Files.readAllLines(list).size()));
        }
    }

    private static void against(String peer, List<double[]> turns, int which, String wanted, Results results) {
        List<Double> ratios = turns.stream().map(turn -> turn[0] / turn[which]).toList();
        results.time(
                "the same from a server in C on " + peer,
                column(turns, which),
                "fake / C: %.2f, of the medians %.2f; least %.0f / %.0f ms"
                        .formatted(
                                Median.of(ratios),
                                column(turns, 0) / column(turns, which),
                                least(turns, 0),
                                least(turns, which)),
                wanted);
    }

    private static double column(List<double[]> turns, int which) {
        return Median.of(turns.stream().map(turn -> turn[which]).toList());
    }

    private static double least(List<double[]> turns, int which) {
        return turns.stream().mapToDouble(turn -> turn[which]).min().orElseThrow();
    }

    /** A source of events of a fake's file: one for each byte of a pipe, as the program in C makes one for each line. */
    private static final class EventLoop implements AutoCloseable {

        private final Pipe orders = Pipe.open();
        private final BlockingQueue<Long> begins = new LinkedBlockingQueue<>();
        private final ByteBuffer order = ByteBuffer.allocateDirect(1);

        EventLoop(FakeDescriptor file) throws IOException {
            Thread loop = new Thread(() -> run(file), "benchmark-events");
            loop.setDaemon(true);
            loop.start();
        }

        private void run(FakeDescriptor file) {
            ByteBuffer taken = ByteBuffer.allocateDirect(1);
            byte[] anything = {'1'};
            try {
                while (orders.source().read(taken.clear()) == 1) {
                    long begin = System.nanoTime();
                    file.write(anything);
                    begins.add(begin);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void order() throws IOException {
            orders.sink().write(order.clear());
        }

        /** Returns the time before the event. */
        long begin() throws InterruptedException {
            return begins.take();
        }

        @Override
        public void close() throws IOException {
            orders.sink().close();
        }
    }

    private void compareWaking(FakeNeuronHost fake, FuseMount mount, Results results)
            throws IOException, InterruptedException {
        fake.tree().write("sys/" + DEVICES + "/neuron0/info/notify_delay", new byte[] {'0'});
        FakeDescriptor polled = fake.tree().open("sys/" + POLLED, FakeAccess.WRITE);
        try (EventLoop loop = new EventLoop(polled);
                Peer peer = new Peer("low");
                Program ofFake = new Program(
                        path("await_event"), mount.point().resolve(POLLED).toString());
                Program ofPeer =
                        new Program(path("await_event"), peer.at.resolve(POLLED).toString())) {
            ofFake.answer();
            ofPeer.answer();
            double[] ours = new double[EVENTS];
            double[] theirs = new double[EVENTS];
            // Warms up: in C the code is compiled from the start.
            for (int turn = 0; turn < WARM_UP_EVENTS; turn++) {
                micros(loop, ofFake);
                micros(peer, ofPeer);
            }
            for (int turn = 0; turn < EVENTS; turn++) {
                rest();
                ours[turn] = micros(loop, ofFake);
                rest();
                theirs[turn] = micros(peer, ofPeer);
            }
            Arrays.sort(ours);
            Arrays.sort(theirs);
            double ratio = ours[EVENTS / 2] / theirs[EVENTS / 2];
            results.time(
                    "from an event of a mounted file to its poller",
                    ours[EVENTS / 2] / 1e3,
                    "fake / C: %.2f".formatted(ratio),
                    "at most 1.0");
            results.time("the same from the server in C, low-level API", theirs[EVENTS / 2] / 1e3, "", "");
            results.note(IntStream.of(90, 99)
                    .mapToObj(percent -> "p%d of waking: fake %.0f µs, C %.0f µs"
                            .formatted(percent, ours[EVENTS * percent / 100], theirs[EVENTS * percent / 100]))
                    .reduce((one, other) -> one + "; " + other)
                    .orElseThrow());
        }
    }

    private static double micros(EventLoop loop, Program poller) throws IOException, InterruptedException {
        loop.order();
        return (Long.parseLong(poller.answer()) - loop.begin()) / 1e3;
    }

    private static double micros(Peer peer, Program poller) throws IOException {
        peer.server.order("");
        long end = Long.parseLong(poller.answer());
        return (end - Long.parseLong(peer.server.answer())) / 1e3;
    }

    /** Waits until the program is in poll again and the processors are idle. */
    private static void rest() {
        LockSupport.parkNanos(2_000_000);
    }
}
