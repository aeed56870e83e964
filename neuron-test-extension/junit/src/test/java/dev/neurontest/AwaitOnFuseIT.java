package dev.neurontest;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of waits for counters on a mount. */
class AwaitOnFuseIT {

    @TempDir
    private Path output;

    @NeuronTest
    static class WaitsFixture {
        @Test
        void waitsForMemory(NeuronCore core, Counters counters, FakeNeuronHost fake) throws Exception {
            FakeCore of = fake.core(core);
            try (FakeProcess process = fake.openProcess(of)) {
                Thread server = new Thread(() -> process.allocate(of, "tensors", 4096));
                server.start();
                counters.await("device_mem/tensors").atLeast(4096).within(ofMinutes(5));
                server.join();
            }
        }
    }

    @Test
    void seesMemoryAllocatedByServer() {
        // when
        NeuronTestKit kit = new NeuronTestKit(output).on("fake:trn1.2xlarge?view=fuse");
        List<Throwable> failures = NeuronTestKit.failures(kit.run(WaitsFixture.class));

        // then
        assumeThat(kit.events(RunEvent.Noticed.class))
                .noneMatch(noticed -> noticed.notice().startsWith("The fake host has no FUSE view"));
        assertThat(failures).isEmpty();
    }
}
