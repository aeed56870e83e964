package dev.neurontest.fake.internal.driver;

import static dev.neurontest.fake.internal.driver.DriverFixture.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.patience.Patience;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeProcessTest {

    private final DriverFixture host = DriverFixture.deferred("trn1.32xlarge");
    private final Core core = host.core(0, 1);

    private static void assertSumsAgree(Device device) {
        assertThat(Arrays.stream(HostCategory.values())
                        .mapToLong(category -> device.hostMemory(category).read(Field.TOTAL))
                        .sum())
                .isEqualTo(device.cores().stream()
                        .mapToLong(core -> core.hostMemory().read(Field.TOTAL))
                        .sum());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void impossibleSizesAreRefusedAndNotCounted(long bytes) {
        RuntimeProcess process = host.open(core);

        assertThatThrownBy(() -> process.allocate(core, DeviceCategory.TENSORS, bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(bytes))
                .hasMessageContaining("neuron0/neuron_core1");
        assertThat(fields(core.deviceMemory())).isEqualTo("0/0/0");
    }

    @Test
    void secondFreeIsRefused() {
        RuntimeProcess process = host.open(core);
        Allocation allocation = process.allocate(core, DeviceCategory.TENSORS, 8192);
        process.free(allocation);

        assertThatThrownBy(() -> process.free(allocation))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("allocation 1");
        assertThat(core.deviceMemory().read(Field.TOTAL)).isZero();
    }

    @Test
    void idleHostMemoryIsThatOfTheDriver() {
        Device twoCores = host.driver.devices().get(5);
        Device eightCores =
                DriverFixture.deferred("trn2.48xlarge").driver.devices().get(0);

        assertThat(twoCores.core(0).hostMemory().read(Field.TOTAL)).isEqualTo(4_530_176);
        assertThat(twoCores.core(1).hostMemory().read(Field.TOTAL)).isEqualTo(266_240);
        assertThat(twoCores.hostMemory(HostCategory.DRIVER_MEMORY).read(Field.TOTAL))
                .isEqualTo(4_796_416);
        assertThat(eightCores.hostMemory(HostCategory.DRIVER_MEMORY).read(Field.TOTAL))
                .isEqualTo(6_393_856);
    }

    @Test
    void everyResetOfACoreLeaksAPageBefore230() {
        long before = core.hostMemory().read(Field.TOTAL);

        // when
        host.open(core).end(false);
        host.open(core).end(false);

        // then
        assertThat(core.hostMemory().read(Field.TOTAL)).isEqualTo(before + 2 * 4096);
        assertSumsAgree(core.device());
    }

    @Test
    void noResetLeaksSince230() {
        DriverFixture newer = DriverFixture.live("trn1.2xlarge");
        long before = newer.core(0, 0).hostMemory().read(Field.TOTAL);

        // when
        newer.open(newer.core(0, 0)).end(false);

        // then
        assertThat(newer.core(0, 0).hostMemory().read(Field.TOTAL)).isEqualTo(before);
    }

    @Test
    void takenCoreIsRefusedNamingItsHolder() {
        // given
        RuntimeProcess holder = host.driver.open("notebook", List.of(core));

        assertThatThrownBy(() -> host.open(host.core(0, 0), core))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("neuron0/neuron_core1 is taken by notebook (pid " + holder.pid() + ")");
        // and the other core of the request is not taken
        assertThat(host.open(host.core(0, 0)).alive()).isTrue();
    }

    @Test
    void countingOnAnUnacquiredCoreIsRefused() {
        RuntimeProcess process = host.open(core);

        assertThatThrownBy(() -> process.count(host.core(0, 0), ExecutionCounter.SUCCESS, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neuron0/neuron_core0");
    }

    @Test
    void countingAfterTheEndIsRefused() {
        RuntimeProcess process = host.open(core);
        process.end(false);

        assertThatThrownBy(() -> process.count(core, ExecutionCounter.SUCCESS, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("trainer (pid 1001) has ended");
    }

    @Test
    void processesOnOneDeviceCountConcurrentlyWithoutLoss() throws InterruptedException {
        // given
        DriverFixture newer = DriverFixture.live("trn2.3xlarge");
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(index -> new Thread(() -> {
                    Core own = newer.core(0, index);
                    for (int i = 0; i < 500; i++) {
                        RuntimeProcess process = newer.open(own);
                        process.count(own, ExecutionCounter.SUCCESS, 1);
                        process.allocate(own, DeviceCategory.TENSORS, 4096);
                        process.end(i % 2 == 0);
                    }
                }))
                .toList();

        // when
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        // then
        for (int index = 0; index < 4; index++) {
            Core own = newer.core(0, index);
            assertThat(own.counter(ExecutionCounter.SUCCESS).read(Field.TOTAL)).isEqualTo(500);
            assertThat(own.resetRequests().read(Field.TOTAL)).isEqualTo(501);
            assertThat(own.deviceMemory().read(Field.TOTAL)).isZero();
        }
    }

    @Test
    void openWaitsForTheConnectionOfAnEndedProgram() throws Exception {
        // given
        Process program = new ProcessBuilder("sleep", "60").start();
        RuntimeProcess process = host.driver.open("trainer", OptionalLong.of(program.pid()), List.of(core));
        program.destroyForcibly().waitFor();

        // when
        // A thread of its own: on two processors, the common pool of JDK 25 has one thread, which the other future
        // needs.
        CompletableFuture<RuntimeProcess> next =
                CompletableFuture.supplyAsync(() -> host.open(core), task -> new Thread(task).start());
        CompletableFuture.runAsync(
                () -> process.end(true), CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));

        // then
        assertThat(next).succeedsWithin(Patience.LIMIT).matches(RuntimeProcess::alive);
        assertThat(process.alive()).isFalse();
    }

    @Test
    void coresOfEndedProgramStayTakenWhileConnectionIsHeld() throws Exception {
        // given
        Process program = new ProcessBuilder("sleep", "60").start();
        host.driver.open("trainer", OptionalLong.of(program.pid()), List.of(core));
        program.destroyForcibly().waitFor();

        // when, then
        assertThatThrownBy(() -> host.open(core)).hasMessageContaining("is taken by trainer (pid " + program.pid());
    }
}
