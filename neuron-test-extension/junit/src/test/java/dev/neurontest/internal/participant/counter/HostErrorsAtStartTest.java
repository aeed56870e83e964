package dev.neurontest.internal.participant.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronDevice;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.counter.tree.CounterScopes;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.device.kernel.KernelLog;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import dev.neurontest.internal.thread.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the errors at the start of a run, which are read while the first test begins. */
@Timeout(60)
class HostErrorsAtStartTest {

    private static final String ERROR = "hardware/mem_ecc_uncorrected";

    @TempDir
    private Path folder;

    private final TreeFixture tree = TreeFixture.host(3, 2);
    private final NeuronHost host = NeuronHost.discover(tree);
    private final CountDownLatch mayRead = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private RunFile runFile;
    private HostErrors errors;

    /** Lets the other thread wait for the first device. */
    @BeforeEach
    void start() {
        runFile = new RunFile(folder, note -> {});
        errors = new HostErrors(host, new CounterScopes(host), KernelLog.of(host, sink -> {}), runFile);
        tree.onListing(host.devices().get(0).directory(), () -> {
            begun.countDown();
            Uninterrupted.get(() -> mayRead.await(60, TimeUnit.SECONDS));
        });
        errors.readStart();
        Uninterrupted.get(() -> begun.await(60, TimeUnit.SECONDS));
    }

    @AfterEach
    void end() {
        mayRead.countDown();
        errors.awaitStart();
        runFile.close();
    }

    private List<NeuronCore> coresOf(int device) {
        return host.devices().get(device).cores();
    }

    private List<RunEvent.HostErrors> recorded() {
        try {
            return RunLog.read(runFile.path().orElseThrow()).lines().stream()
                    .map(RunLine::event)
                    .filter(RunEvent.HostErrors.class::isInstance)
                    .map(RunEvent.HostErrors.class::cast)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void deviceOfTestIsReadBeforeItsBody() {
        // given a test that does not wait for the first device
        errors.readFirst(coresOf(2));
        assertThat(runFile.path()).isEmpty();

        // when its body causes an error
        tree.count("neuron2 " + ERROR, 5);
        mayRead.countDown();
        errors.settle();

        // then
        assertThat(recorded()).singleElement().satisfies(start -> {
            assertThat(start.moment()).isEqualTo(RunEvent.Moment.START);
            assertThat(start.counters())
                    .containsEntry("neuron2 " + ERROR, Optional.of(BigInteger.ZERO))
                    .containsEntry("neuron0 " + ERROR, Optional.of(BigInteger.ZERO));
        });
    }

    @Test
    void testWaitsForItsDeviceWhileAnotherThreadReadsIt() throws InterruptedException {
        // given
        Thread test = new Thread(() -> errors.readFirst(coresOf(0)));
        test.start();

        // when
        test.join(100);

        // then
        assertThat(test.isAlive()).isTrue();
        mayRead.countDown();
        test.join();
        tree.count("neuron0 " + ERROR, 5);
        errors.awaitStart();
        assertThat(recorded())
                .singleElement()
                .satisfies(start ->
                        assertThat(start.counters()).containsEntry("neuron0 " + ERROR, Optional.of(BigInteger.ZERO)));
    }

    @Test
    void unreadableDeviceLeavesAllUnknown() {
        // given
        tree.failListing(host.devices().get(1).directory(), () -> new NoSuchFileException("neuron1"));

        // when
        errors.readFirst(coresOf(1));
        mayRead.countDown();
        errors.awaitStart();

        // then
        assertThat(recorded())
                .singleElement()
                .satisfies(start -> assertThat(start.counters()).isEmpty());
    }

    @Test
    void healthAndIdentitiesAreRecordedWithTheCounters() {
        // given
        tree.set(TreeFixture.DEVICES + "neuron1/stats/hardware/health_status/" + NeuronDevice.COMPONENTS, "hbm\n");

        // when
        mayRead.countDown();
        errors.awaitStart();

        // then
        assertThat(recorded()).singleElement().satisfies(start -> {
            assertThat(start.unhealthy())
                    .containsOnly(entry("neuron0", ""), entry("neuron1", "hbm"), entry("neuron2", ""));
            assertThat(start.identities())
                    .containsOnlyKeys(
                            "sys/module/neuron",
                            TreeFixture.DEVICES + "neuron0",
                            TreeFixture.DEVICES + "neuron1",
                            TreeFixture.DEVICES + "neuron2");
        });
    }

    @Test
    void endIsRecordedAfterStart() {
        // given
        errors.readFirst(coresOf(1));
        tree.count("neuron1 " + ERROR, 3);

        // when
        mayRead.countDown();
        errors.readEnd();

        // then
        assertThat(recorded())
                .extracting(event -> event.counters().get("neuron1 " + ERROR))
                .containsExactly(Optional.of(BigInteger.ZERO), Optional.of(BigInteger.valueOf(3)));
    }
}
