package dev.neurontest.runtime;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Structure;
import com.sun.jna.internal.Cleaner;
import dev.neurontest.device.NeuronCore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Much opening and closing, which must leave nothing behind. */
@Tag("stress")
class RuntimeStressIT {

    private static final Map<String, float[]> INPUTS = Map.of("a", new float[4], "b", new float[4]);
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private RuntimeFixture fixture;
    private byte[] neff;
    private NeuronCore core;

    @BeforeEach
    void start() throws IOException {
        fixture = new RuntimeFixture();
        neff = Files.readAllBytes(fixture.add(folder));
        core = fixture.cores().get(0);
    }

    @AfterEach
    void stop() {
        if (fixture != null) {
            fixture.close();
        }
    }

    /** {@code struct mallinfo2}: what is allocated, beside what is free. */
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

    /** What native code of this process, the JVM's included, has allocated and not freed. */
    private static long nativeBytes() {
        collectGarbage();
        collectGarbage();
        MallocInfo info = (MallocInfo)
                NativeLibrary.getInstance("c").getFunction("mallinfo2").invoke(MallocInfo.class, new Object[0]);
        return info.uordblks + info.hblkhd;
    }

    /** What JNA takes for the arguments of a call goes back when a collection has found it and JNA's cleaner comes to it: after this. */
    private static void collectGarbage() {
        AtomicBoolean cleaned = new AtomicBoolean();
        Cleaner.getCleaner().register(new Object(), () -> cleaned.set(true));
        await().until(() -> {
            System.gc();
            return cleaned.get();
        });
    }

    /** By how much it grows as a rule: a leak grows each time, and what the JVM takes and gives back while it compiles does not. */
    private static long usualGrowth(Runnable cycles) {
        long usual = MIB;
        // On a busy machine the JVM compiles for a while. A leak does not stop.
        for (int times = 0; times < 5 && usual >= MIB; times++) {
            usual = growthOfMost(cycles);
        }
        return usual;
    }

    private static long growthOfMost(Runnable cycles) {
        long[] growth = new long[5];
        for (int times = 0; times < growth.length; times++) {
            long before = nativeBytes();
            cycles.run();
            growth[times] = nativeBytes() - before;
        }
        Arrays.sort(growth);
        return growth[growth.length / 2];
    }

    private void cycle(NeuronRuntime runtime) {
        try (LoadedModel model = runtime.load(core, neff);
                DeviceTensor tensor = runtime.allocate(core, "t", MIB);
                DeviceTensor slice = tensor.slice(0, 16, "s");
                Execution execution = model.bind().input("a", slice).input("b", new float[4])) {
            tensor.write(new byte[(int) MIB]);
            execution.run();
            execution.outputs();
            model.execute(INPUTS);
        }
    }

    @Test
    void modelsAndTensorsLeaveNoMemoryBehind() {
        try (NeuronRuntime runtime = fixture.builder().open()) {
            // given
            for (int cycle = 0; cycle < 100; cycle++) {
                cycle(runtime);
            }
            MemoryStatistics device = runtime.memory(core);

            // when
            long grown = usualGrowth(() -> {
                for (int cycle = 0; cycle < 500; cycle++) {
                    cycle(runtime);
                }
            });

            // then
            assertThat(runtime.memory(core)).isEqualTo(device);
            assertThat(runtime.leaksSince(0)).isEmpty();
            assertThat(grown).as("native bytes of 500 cycles").isLessThan(MIB);
        }
    }

    @Test
    void runtimesLeaveNothingBehind() {
        // given
        for (int cycle = 0; cycle < 50; cycle++) {
            try (NeuronRuntime runtime = fixture.builder().open()) {
                cycle(runtime);
            }
        }
        int threads = Thread.activeCount();

        // when
        long grown = usualGrowth(() -> {
            for (int cycle = 0; cycle < 100; cycle++) {
                try (NeuronRuntime runtime = fixture.builder().open()) {
                    cycle(runtime);
                    runtime.load(core, neff);
                    runtime.allocate(core, "left open", MIB);
                }
            }
        });

        // then
        assertThat(fixture.fake().processes()).isEmpty();
        assertThat(grown).as("native bytes of 100 runtimes").isLessThan(MIB);
        assertThat(Thread.activeCount()).isLessThan(threads + 5);
    }

    @Test
    void survivesClosingInTheMiddleOfEverything() {
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
