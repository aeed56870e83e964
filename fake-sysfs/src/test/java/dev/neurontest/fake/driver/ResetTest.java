package dev.neurontest.fake.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ResetTest {

    private final DriverFixture host = DriverFixture.deferred("trn1.2xlarge");
    private final Device device = host.driver.devices().get(0);
    private final Core core = device.core(0);

    @Test
    void stateIsReadyToBeginWith() {
        assertThat(device.resetState()).isEqualTo(1);
    }

    @Test
    void requestCountsOnEveryCoreAndTakesItsTime() {
        // when
        device.requestReset();

        // then
        assertThat(device.resetState()).isZero();
        assertThat(device.cores())
                .allSatisfy(each ->
                        assertThat(each.resetRequests().read(Field.TOTAL)).isEqualTo(2));

        // when
        host.clock.advance(Duration.ofMillis(1999));
        assertThat(device.resetState()).isZero();
        host.clock.advance(Duration.ofMillis(1));

        // then
        assertThat(device.resetState()).isEqualTo(1);
        assertThat(core.resetFailures().read(Field.TOTAL)).isZero();
    }

    @Test
    void requestIsIgnoredWhileAProcessHasTheDeviceOpen() {
        RuntimeProcess process = host.open(core);

        // when
        device.requestReset();

        // then
        assertThat(device.resetState()).isEqualTo(1);
        assertThat(device.core(1).resetRequests().read(Field.TOTAL)).isEqualTo(1);

        // when
        process.end(false);
        device.requestReset();

        // then
        assertThat(device.resetState()).isZero();
    }

    @Test
    void secondRequestIsRefusedAndNotCounted() {
        device.requestReset();

        // when
        device.requestReset();

        // then
        assertThat(core.resetRequests().read(Field.TOTAL)).isEqualTo(2);
    }

    @Test
    void failureCountsOnEveryCoreAndLeavesTheDeviceUnusable() {
        device.failNextReset();
        device.requestReset();

        // when
        host.clock.advance(Duration.ofSeconds(2));

        // then
        assertThat(device.resetState()).isEqualTo(2);
        assertThat(device.cores())
                .allSatisfy(each ->
                        assertThat(each.resetFailures().read(Field.TOTAL)).isEqualTo(1));
        assertThatThrownBy(() -> host.open(core))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("neuron0")
                .hasMessageContaining("EINVAL");
    }

    @Test
    void nextResetAfterAFailureWorks() {
        device.failNextReset();
        device.requestReset();
        host.clock.advance(Duration.ofSeconds(2));
        assertThat(device.resetState()).isEqualTo(2);

        // when
        device.requestReset();
        host.clock.advance(Duration.ofSeconds(2));

        // then
        assertThat(device.resetState()).isEqualTo(1);
        assertThat(core.resetFailures().read(Field.TOTAL)).isEqualTo(1);
    }

    @Test
    void resetClearsNoCounter() {
        RuntimeProcess process = host.open(core);
        process.count(core, ExecutionCounter.SUCCESS, 5);
        process.end(false);

        // when
        device.requestReset();
        host.clock.advance(Duration.ofSeconds(2));

        // then
        assertThat(device.resetState()).isEqualTo(1);
        assertThat(core.counter(ExecutionCounter.SUCCESS).read(Field.TOTAL)).isEqualTo(5);
    }

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
}
