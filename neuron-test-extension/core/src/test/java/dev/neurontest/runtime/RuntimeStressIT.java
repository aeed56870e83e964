package dev.neurontest.runtime;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Structure;
import com.sun.jna.internal.Cleaner;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of repeated opening and closing without leaks. */
@Tag("stress")
class RuntimeStressIT {

    private static final Map<String, float[]> INPUTS = Map.of("a", new float[4], "b", new float[4]);
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private RuntimeFixture fixture;
    private Path neff;
    private NeuronCore core;

    @BeforeEach
    void start() throws IOException {
        fixture = new RuntimeFixture();
        neff = fixture.add(folder);
        core = fixture.cores().get(0);
    }

    @AfterEach
    void stop() {
        if (fixture != null) {
            fixture.close();
        }
    }

    /** The {@code struct mallinfo2} with the numbers of allocated and free bytes. */
    @Structure.FieldOrder({
        "arena",
        "ordblks",
        "smblks",
        "hblks",
        "hblkhd",
        "usmblks",
        "fsmblks",
        "uordblks",
        "fordblks",
        "keepcost"
    })
    public static final class MallocInfo extends Structure implements Structure.ByValue {
        public long arena;
        public long ordblks;
        public long smblks;
        public long hblks;
        public long hblkhd;
        public long usmblks;
        public long fsmblks;
        public long uordblks;
        public long fordblks;
        public long keepcost;
    }

    /**
     * A JVM that interprets all of its code. A compiler would allocate megabytes and free them at any time, which would
     * hide a leak. This JVM allocates nothing for its code once all of it has run.
     */
    public static final class InterpretedFixture {

        private static final int BATCHES = 3;
        private static final int CYCLES = 25;

        /**
         * The growth of a batch in which each cycle leaks its smallest allocation, a NEFF or a buffer. Growth without a
         * leak is a tenth of that.
         */
        private static final long LEAK = 16 << 10;

        private InterpretedFixture() {}

        /** Runs the cycles named by the first argument, with files in the folder of the second. */
        public static void main(String[] arguments) throws IOException {
            RuntimeStressIT test = new RuntimeStressIT();
            test.folder = Path.of(arguments[1]);
            test.start();
            try {
                if (arguments[0].equals("models")) {
                    models(test);
                } else {
                    runtimes(test);
                }
            } finally {
                test.stop();
            }
        }

        private static void models(RuntimeStressIT test) {
            try (NeuronRuntime runtime = test.fixture.builder().open()) {
                repeat(CYCLES, () -> test.cycle(runtime));
                MemoryStatistics device = runtime.memory(test.core);
                requireNoLeak(() -> test.cycle(runtime));
                assertThat(runtime.memory(test.core)).isEqualTo(device);
                assertThat(runtime.leaksSince(0)).isEmpty();
            }
        }

        private static void runtimes(RuntimeStressIT test) {
            Runnable cycle = () -> {
                try (NeuronRuntime runtime = test.fixture.builder().open()) {
                    test.cycle(runtime);
                    runtime.load(test.core, test.neff);
                    runtime.allocate(test.core, "left open", MIB);
                }
            };
            repeat(CYCLES, cycle);
            int threads = Thread.activeCount();
            requireNoLeak(cycle);
            assertThat(test.fixture.fake().processes()).isEmpty();
            await().untilAsserted(() -> assertThat(Thread.activeCount()).isLessThan(threads + 5));
        }

        private static void repeat(int times, Runnable cycle) {
            for (int time = 0; time < times; time++) {
                cycle.run();
            }
        }

        /**
         * Verifies that most batches grow less than with a leak. A leak grows in each batch, and a table only in one.
         */
        private static void requireNoLeak(Runnable cycle) {
            long[] growth = new long[BATCHES];
            for (int batch = 0; batch < BATCHES; batch++) {
                long before = nativeBytes();
                repeat(CYCLES, cycle);
                growth[batch] = nativeBytes() - before;
            }
            assertThat(Arrays.stream(growth)
                            .sorted()
                            .skip(BATCHES / 2)
                            .findFirst()
                            .orElseThrow())
                    .as("native bytes that a batch of %d cycles usually left, of %s", CYCLES, Arrays.toString(growth))
                    .isLessThan(LEAK);
        }

        /** Returns the bytes that native code of this process has allocated and not freed. */
        private static long nativeBytes() {
            collectGarbage();
            collectGarbage();
            MallocInfo info = (MallocInfo)
                    NativeLibrary.getInstance("c").getFunction("mallinfo2").invoke(MallocInfo.class, new Object[0]);
            return info.uordblks + info.hblkhd;
        }

        /** Collects garbage until JNA's cleaner has freed the memory of arguments of earlier calls. */
        private static void collectGarbage() {
            AtomicBoolean cleaned = new AtomicBoolean();
            Cleaner.getCleaner().register(new Object(), () -> cleaned.set(true));
            await().until(() -> {
                System.gc();
                return cleaned.get();
            });
        }
    }

    private void leaveNothingBehind(String cycles) throws Exception {
        Path output = folder.resolve("output");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xint",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InterpretedFixture.class.getName(),
                        cycles,
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(jvm.waitFor(5 * Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            jvm.destroyForcibly();
        }
        assertThat(jvm.exitValue()).as(Files.readString(output)).isZero();
    }

    private void cycle(NeuronRuntime runtime) {
        try (LoadedModel model = runtime.load(core, neff);
                DeviceTensor tensor = runtime.allocate(core, "t", MIB);
                DeviceTensor a = runtime.allocate(core, "a", 16);
                Execution execution = model.bind().input("a", a).input("b", new float[4])) {
            tensor.write(new byte[(int) MIB]);
            execution.run();
            execution.outputs();
            model.execute(INPUTS);
        }
    }

    @Test
    void modelsAndTensorsLeaveNoMemoryBehind() throws Exception {
        leaveNothingBehind("models");
    }

    @Test
    void runtimesLeaveNothingBehind() throws Exception {
        leaveNothingBehind("runtimes");
    }

    @Test
    void survivesCloseWhileOtherThreadsUseIt() {
        for (int cycle = 0; cycle < 100; cycle++) {
            // given
            NeuronRuntime runtime = fixture.builder().open();
            LoadedModel shared = runtime.load(core, neff);
            List<CompletableFuture<Void>> users = new ArrayList<>();
            for (int user = 0; user < 6; user++) {
                int number = user;
                users.add(CompletableFuture.runAsync(() -> {
                    try {
                        while (true) {
                            if (number % 2 == 0) {
                                shared.execute(INPUTS);
                            } else {
                                cycle(runtime);
                            }
                            if (number == 0) {
                                shared.close();
                            }
                        }
                    } catch (IllegalStateException closed) {
                        assertThat(closed).hasMessageContaining("was closed by thread");
                    }
                }));
            }

            // when
            runtime.close();

            // then
            users.forEach(CompletableFuture::join);
            assertThat(fixture.fake().processes()).isEmpty();
        }
    }
}
