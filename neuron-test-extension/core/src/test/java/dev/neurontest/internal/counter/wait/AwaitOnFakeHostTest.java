package dev.neurontest.internal.counter.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.neurontest.counter.Awaited;
import dev.neurontest.counter.CounterAwait;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.Counters;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeCore;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeProcess;
import dev.neurontest.fake.NrtStatus;
import dev.neurontest.internal.counter.SettleOptions;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.host.HostTree;
import dev.neurontest.internal.platform.InProcessFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/** Tests of waiting for work on a host, in process and on files. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AwaitOnFakeHostTest {

    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    private Path folder;

    private final List<AutoCloseable> toClose = new ArrayList<>();

    private FakeNeuronHost start(String layout) {
        FakeNeuronHost host = FakeNeuronHost.builder()
                .instance("trn1.2xlarge")
                .layout(layout)
                .root(folder.resolve("host"))
                .start();
        toClose.add(0, host);
        return host;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    private static Counters counters(HostTree tree) {
        NeuronHost found = NeuronHost.discover(tree);
        Counters counters =
                Counters.over(new CounterScopes(found), found.cores().subList(1, 2), SettleOptions.IN_PROCESS);
        return counters.awaiting(Waiting.until(CounterExpectations.DEFAULT), counters.snapshot());
    }

    private static HostTree files(FakeNeuronHost host) throws IOException {
        return FileTree.at(host.directory());
    }

    /** Waits in a separate thread, and returns after its first poll. */
    private static FutureTask<Awaited> begin(CounterAwait wait) {
        FutureTask<Awaited> waiting = new FutureTask<>(() -> wait.within(LONG));
        Thread thread = new Thread(waiting, "waits");
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING || waiting.isDone());
        return waiting;
    }

    @Test
    void countsExecutionsInProcessAsTheyHappen() throws Exception {
        // given
        FakeNeuronHost host = start("driver-2.30");
        FakeCore core = host.device(0).core(1);
        FakeProcess process = host.openProcess(core);
        CounterAwait wait = counters(InProcessFixture.tree(host)).await("inference_count");

        // when
        FutureTask<Awaited> waiting = begin(wait.atLeast(10));
        for (int execution = 0; execution < 10; execution++) {
            process.execute(core);
        }

        // then
        assertThat(waiting.get().value()).isEqualTo("10 [+10]");
    }

    @Test
    void countsExecutionsThroughFiles() throws Exception {
        // given
        FakeNeuronHost host = start("driver-2.30");
        FakeCore core = host.device(0).core(1);
        FakeProcess process = host.openProcess(core);
        CounterAwait wait = counters(files(host)).await("inference_count");

        // when
        FutureTask<Awaited> waiting = begin(wait.atLeast(10));
        process.execute(core, 10);

        // then
        assertThat(waiting.get().value()).isEqualTo("10 [+10]");
    }

    @Test
    void endsWhenAnExecutionFails() throws Exception {
        // given
        FakeNeuronHost host = start("driver-2.30");
        FakeCore core = host.device(0).core(1);
        FakeProcess process = host.openProcess(core);
        CounterAwait wait = counters(files(host)).await("inference_count").atLeast(10);
        process.execute(core, NrtStatus.NRT_TIMEOUT, 1);

        // when
        AssertionFailedError error = catchThrowableOfType(AssertionFailedError.class, () -> wait.within(LONG));

        // then
        assertThat(error).hasMessageContaining("neuron0/neuron_core1 status/timeout had changed (+1)");
    }

    @Test
    void namesOwnerThatHoldsDeviceUntilItCloses() {
        // given
        FakeNeuronHost host = start("driver-2.29");
        FakeCore core = host.device(0).core(1);
        FakeProcess process = host.openProcess("python3", core);
        CounterAwait wait =
                counters(InProcessFixture.tree(host)).await("inference_count").atLeast(10);

        // when
        process.execute(core, 10);

        // then
        assertThat(catchThrowableOfType(AssertionFailedError.class, () -> wait.within(Duration.ZERO)))
                .hasMessageContaining("neuron0 is still held by python3 (pid " + process.pid() + ")");
        process.close();
        assertThat(wait.within(Duration.ZERO).value()).isEqualTo("10 [+10]");
    }

    @Test
    void waitsForAResetToEnd() throws Exception {
        // given
        FakeNeuronHost host = start("driver-2.30");
        CounterAwait wait = counters(InProcessFixture.tree(host)).await("reset").matching("1"::equals, "1");

        // when
        host.tree().write("sys/devices/virtual/neuron_device/neuron0/reset", new byte[] {'1'});

        // then
        assertThat(wait.within(LONG).value()).isEqualTo("\"1\"");
    }
}
