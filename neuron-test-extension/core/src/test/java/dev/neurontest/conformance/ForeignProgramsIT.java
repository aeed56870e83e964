package dev.neurontest.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.neurontest.fake.FakeAllocation;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of programs without Java that read and clear the directory of a fake while its counters move. */
class ForeignProgramsIT {

    @TempDir
    private static Path folder;

    @AutoClose
    private static FakeNeuronHost host;

    @BeforeAll
    static void start() {
        host = FakeNeuronHost.builder().instance("inf2.24xlarge").start();
        host.directory();
    }

    private static Path devices() {
        return host.directory().resolve(Facts.DEVICES);
    }

    /** Returns a core without processes. */
    private static FakeCore quiet() {
        return host.device(5).core(1);
    }

    // ---- the programs

    private static String run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PATIENCE_SECONDS", Long.toString(Patience.LIMIT.toSeconds()));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("%s has ended", String.join(" ", command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as("%s", Files.readString(output)).isZero();
        return Files.readString(output);
    }

    private static Path program(String name) throws IOException {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            try (InputStream source = ForeignProgramsIT.class.getResourceAsStream("/" + name)) {
                Files.copy(source, file);
            }
        }
        return file;
    }

    private static Optional<String> onPath(String... names) {
        return Stream.of(names)
                .filter(name -> Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, name))))
                .findFirst();
    }

    private static String compiled() throws IOException, InterruptedException {
        Optional<String> compiler = onPath("cc", "gcc", "clang");
        assumeTrue(compiler.isPresent(), "no C compiler (cc, gcc, clang) on the PATH");
        Path program = folder.resolve("counters");
        if (!Files.exists(program)) {
            run(
                    compiler.get(),
                    "-std=c99",
                    "-Wall",
                    "-Wextra",
                    "-O2",
                    "-o",
                    program.toString(),
                    program("counters.c").toString());
        }
        return program.toString();
    }

    // ---- the counters

    /** Runs a program while counters of neuron0 move continuously, with the maximum number of digits. */
    private static String runWhileCountersMove(String... command) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Void> moving =
                CompletableFuture.runAsync(() -> moveUntil(ended), task -> new Thread(task).start());
        try {
            return run(command);
        } finally {
            ended.set(true);
            moving.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void moveUntil(AtomicBoolean ended) {
        List<FakeCore> cores = host.device(0).cores();
        try (FakeProcess process = host.openProcess(cores)) {
            while (!ended.get()) {
                for (FakeCore core : cores) {
                    process.execute(core, 7);
                    process.execute(core, NrtStatus.NRT_TIMEOUT, 1);
                    FakeAllocation small = process.allocate(core, "tensors", 1);
                    FakeAllocation large = process.allocate(core, "tensors", 1L << 32);
                    process.free(small);
                    process.free(large);
                }
            }
        }
    }

    private static long timeouts() throws IOException {
        host.awaitPublished();
        long sum = 0;
        try (Stream<Path> files = Files.walk(devices())) {
            for (Path file :
                    files.filter(path -> path.endsWith("status/timeout/total")).toList()) {
                sum += Long.parseLong(Files.readString(file).strip());
            }
        }
        return sum;
    }

    private static void moveQuietCounters() {
        try (FakeProcess process = host.openProcess(quiet())) {
            process.execute(quiet(), NrtStatus.NRT_TIMEOUT, 3);
            process.execute(quiet(), NrtStatus.NRT_FAILURE, 4);
        }
        host.awaitPublished();
    }

    private static String quietCounter(String name) {
        return devices().resolve(quiet() + "/stats/status/" + name + "/total").toString();
    }

    // ---- the tests

    @Test
    void cProgramReadsOnlyCompleteLines() throws Exception {
        String program = compiled();
        String output = runWhileCountersMove(
                program, "read", devices().resolve("neuron0").toString(), "500");
        assertThat(output).matches("files 222 changes [1-9][0-9]*\n");
    }

    @Test
    void cProgramClearsCounterWhileOthersChange() throws Exception {
        String program = compiled();
        moveQuietCounters();
        runWhileCountersMove(program, "clear", quietCounter("timeout"));
        host.awaitPublished();
        assertThat(Files.readString(Path.of(quietCounter("timeout")))).isEqualTo("0\n");
        assertThat(Files.readString(Path.of(quietCounter("failure")))).isNotEqualTo("0\n");
    }

    @Test
    void shellRunsCommandsOfUserGuide() throws Exception {
        Optional<String> shell = onPath("sh");
        assumeTrue(shell.isPresent(), "no sh on the PATH");
        moveQuietCounters();
        String output = runWhileCountersMove(
                "sh",
                program("user_guide.sh").toString(),
                devices().toString(),
                "neuron0/neuron_core0",
                quiet().toString(),
                quiet().device().toString(),
                "100");
        assertThat(output).matches("timeouts [1-9][0-9]*\narch_type NCv2\nbefore [1-9][0-9]*\ndone\n");
        assertThat(timeouts()).isNotZero();
    }

    /**
     * Measures the time until a value cleared by a foreign program reads 0. The numbers are for people; the limit only
     * fails on a broken or overloaded machine.
     */
    @ParameterizedTest(name = "while others move: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("stress")
    void aForeignWriteTakesEffectSoon(boolean othersMove) throws Exception {
        String program = compiled();
        List<Duration> measured = new ArrayList<>();
        for (int write = 0; write < 200; write++) {
            moveQuietCounters();
            String[] command = {program, "clear", quietCounter("timeout")};
            String nanoseconds = othersMove ? runWhileCountersMove(command) : run(command);
            measured.add(Duration.ofNanos(Long.parseLong(nanoseconds.strip())));
        }
        measured.sort(Comparator.naturalOrder());
        System.out.printf(
                "A write of another program to %s, others moving: %b, shows as 0 after p50 %d, p99 %d, max %d microseconds%n",
                host,
                othersMove,
                TimeUnit.NANOSECONDS.toMicros(measured.get(99).toNanos()),
                TimeUnit.NANOSECONDS.toMicros(measured.get(197).toNanos()),
                TimeUnit.NANOSECONDS.toMicros(measured.get(199).toNanos()));

        assertThat(measured.get(199)).isLessThan(Patience.LIMIT);
    }
}
