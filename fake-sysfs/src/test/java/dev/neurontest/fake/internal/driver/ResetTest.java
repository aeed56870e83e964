package dev.neurontest.fake.internal.driver;

import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ResetTest {

    private final DriverFixture host = DriverFixture.deferred("trn1.2xlarge");
    private final Device device = host.driver.devices().get(0);
    private final Core core = device.core(0);

    @Test
    void openWaitsUntilTheResetIsOver() {
        device.requestReset();

        // when
        CompletableFuture<RuntimeProcess> opening = CompletableFuture.supplyAsync(() -> host.open(core));
        assertThat(opening).isNotDone();
        host.clock.advance(Duration.ofSeconds(2));

        // then
        await().until(opening::isDone);
        assertThat(opening.join().alive()).isTrue();
    }

    @Test
    void deviceInResetIsNotOpened() {
        // given
        RuntimeProcess process = new RuntimeProcess(host.driver, 7, Optional.empty(), "trainer", List.of(core), 1);
        device.requestReset();

        // then
        assertThat(process.open()).isFalse();

        // when: no process has it open, so it can be reset again
        host.clock.advance(Duration.ofSeconds(2));
        device.requestReset();

        // then
        assertThat(device.resetState()).isZero();
    }

    @Test
    void devicesAreOpenedTogetherOrNotAtAll() {
        // given
        DriverFixture large = DriverFixture.deferred("trn1.32xlarge");
        Device ready = large.driver.devices().get(0);
        Device resetting = large.driver.devices().get(1);
        RuntimeProcess process = new RuntimeProcess(
                large.driver, 7, Optional.empty(), "trainer", List.of(ready.core(0), resetting.core(0)), 1);
        resetting.requestReset();

        // then
        assertThat(process.open()).isFalse();
        assertThat(ready.core(0).resetRequests().read(Field.TOTAL)).isEqualTo(1);

        // when
        ready.requestReset();

        // then
        assertThat(ready.resetState()).isZero();
    }

    @Test
    void openWaitsForResetRequestedWhileBlocked() throws Exception {
        // given: an open of another device that has not come to its end
        DriverFixture large = DriverFixture.deferred("trn1.32xlarge");
        Device wanted = large.driver.devices().get(0);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        large.driver.addListener(new Holding(reached, end));
        Thread first = new Thread(() -> large.open(large.core(1, 0)));
        first.start();
        reached.await();
        AtomicReference<RuntimeProcess> opened = new AtomicReference<>();
        Thread second = new Thread(() -> opened.set(large.open(wanted.core(0))));
        second.start();
        await().until(() -> second.getState() == Thread.State.BLOCKED);

        // when
        wanted.requestReset();
        end.countDown();

        // then
        await().until(() -> opened.get() != null || second.getState() == Thread.State.TIMED_WAITING);
        assertThat(opened.get()).isNull();

        // when
        large.clock.advance(Duration.ofSeconds(2));
        second.join();
        first.join();

        // then
        assertThat(opened.get().alive()).isTrue();
        assertThat(wanted.resetState()).isEqualTo(1);
    }

    /** A listener that blocks the first thread that moves a counter of device 1. */
    private record Holding(CountDownLatch reached, CountDownLatch end) implements ChangeListener {

        @Override
        public void counterChanged(Counter counter) {
            if (counter.device().index() != 1) {
                return;
            }
            reached.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void openFailsWhenTheDriverIsUnloaded() {
        device.requestReset();
        CompletableFuture<RuntimeProcess> opening = CompletableFuture.supplyAsync(() -> host.open(core));

        // when
        host.driver.unload();

        // then
        await().until(opening::isDone);
        assertThatThrownBy(opening::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the driver is unloaded");
    }
}
