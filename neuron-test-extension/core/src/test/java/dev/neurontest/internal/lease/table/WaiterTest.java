package dev.neurontest.internal.lease.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.device.HostFixture;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaiterTest {

    @TempDir
    Path root;

    @Test
    void measuresItsWaitingTime() {
        // given
        NeuronHost host =
                new HostFixture(root).devices(HostFixture.Kind.TRN1, 0).host();
        LeaseRequest request = new LeaseRequest("test", List.of(CoreRequest.any()));
        CorePlacement placement = CorePlacement.of(host, request);
        long before = System.nanoTime();

        // when
        Waiter waiter = new Waiter(placement, new ReentrantLock().newCondition());
        Duration waited = waiter.waited();

        // then
        assertThat(waited).isBetween(Duration.ZERO, Duration.ofNanos(System.nanoTime() - before));
        assertThat(waiter.waited()).isGreaterThanOrEqualTo(waited);
        assertThat(waiter.request()).isSameAs(request);
    }
}
