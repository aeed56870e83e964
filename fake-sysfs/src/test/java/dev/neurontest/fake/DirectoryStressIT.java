package dev.neurontest.fake;

import static dev.neurontest.fake.HostFixture.DEVICES;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of the largest host as files. They print measurements and assert only what is true on any machine. */
@Tag("stress")
class DirectoryStressIT {

    private static final String CORE = "neuron9/neuron_core5";
    private static final String TOTAL = CORE + "/stats/status/success/total";
    private static final int WRITES = 500;

    private final FakeNeuronHost host =
            FakeNeuronHost.builder().instance("trn2.48xlarge").start();

    @Test
    void everyWriteOfAnotherProgramClearsTheCounter() throws IOException {
        try (host) {
            long start = System.nanoTime();
            Path total = host.directory().resolve(DEVICES + TOTAL);
            System.out.printf(
                    "directory of trn2.48xlarge made in %s ms%n",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
            FakeProcess process = host.openProcess(host.core(CORE));
            long[] nanos = new long[WRITES];

            // when
            for (int i = 0; i < WRITES; i++) {
                process.execute(host.core(CORE));
                host.awaitPublished();
                assertThat(total).hasContent("1\n");
                Files.writeString(total, "1");
                long written = System.nanoTime();
                while (!Files.readString(total).equals("0\n")) {
                    Thread.onSpinWait();
                }
                nanos[i] = System.nanoTime() - written;
            }

            // then
            Arrays.sort(nanos);
            System.out.printf(
                    "write to 0: p50 %s us, p99 %s us, max %s us%n",
                    nanos[WRITES / 2] / 1000, nanos[WRITES * 99 / 100] / 1000, nanos[WRITES - 1] / 1000);
            assertThat(HostFixture.read(host, TOTAL)).isEqualTo("0\n");
        }
    }

    @Test
    void concurrentWritesAndUpdatesLeaveFileAndStateEqual() throws Exception {
        try (host) {
            Path total = host.directory().resolve(DEVICES + TOTAL);
            FakeProcess process = host.openProcess(host.core(CORE));
            AtomicBoolean stop = new AtomicBoolean();
            Thread working = new Thread(() -> {
                while (!stop.get()) {
                    process.execute(host.core(CORE));
                }
            });
            working.start();

            // when
            for (int i = 0; i < 2 * WRITES; i++) {
                Files.writeString(total, "1");
            }
            stop.set(true);
            working.join();

            // then
            await().untilAsserted(() -> assertThat(total).hasContent(HostFixture.read(host, TOTAL)));
            Files.writeString(total, "1");
            await().untilAsserted(() -> assertThat(total).hasContent("0\n"));
            assertThat(HostFixture.read(host, TOTAL)).isEqualTo("0\n");
        }
    }
}
