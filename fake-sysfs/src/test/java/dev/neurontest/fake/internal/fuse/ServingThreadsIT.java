package dev.neurontest.fake.internal.fuse;

import static dev.neurontest.patience.Patience.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeTree;
import dev.neurontest.fake.Fault;
import dev.neurontest.fake.internal.mounts.MountTable;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServingThreadsIT {

    private static final String SLOW = "core_count";
    private static final int READERS = 100;

    private final CountDownLatch end = new CountDownLatch(1);

    @TempDir
    private Path point;

    @Test
    void manyReadersOfASlowFileDoNotHoldUpOthers() throws Exception {
        // given
        FuseFixture.requireFuse();
        List<CompletableFuture<String>> readers = new ArrayList<>();
        try (FakeNeuronHost host =
                        FakeNeuronHost.builder().instance("inf2.xlarge").start();
                FakeFault slow = host.device(0).fault(Fault.slow(SLOW, Duration.ofSeconds(15)));
                FuseMount mount = FuseMount.open(host.tree(), "sys", point)) {
            Path device = mount.point().resolve("devices/virtual/neuron_device/neuron0");

            // when
            for (int i = 0; i < READERS; i++) {
                readers.add(reading(device.resolve(SLOW)));
            }

            // then
            await().untilAsserted(() -> assertThat(servers()).hasSizeGreaterThan(READERS));
            assertThat(slow.triggered()).isTrue();
            assertThat(reading(device.resolve("info/architecture/arch_type")).get(Patience.LIMIT.toSeconds(), SECONDS))
                    .isEqualTo("NDv3\n");
            assertThat(readers).noneMatch(CompletableFuture::isDone);
            for (CompletableFuture<String> reader : readers) {
                assertThat(reader.get(Patience.LIMIT.toSeconds(), SECONDS)).isEqualTo("2");
            }
        }
    }

    @Test
    void endWhenAnotherProgramUnmounts() throws Exception {
        // given
        FuseFixture.requireFuse();
        assumeThat(LinuxCalls.geteuid()).as("the user, who must be root").isZero();
        Set<Thread> before = servers();
        try (FakeNeuronHost host =
                        FakeNeuronHost.builder().instance("inf2.xlarge").start();
                FuseMount mount = FuseMount.open(host.tree(), "sys", point)) {
            Set<Thread> servers = servers();
            servers.removeAll(before);
            assertThat(servers).hasSizeGreaterThanOrEqualTo(2);

            // when
            assertThat(LinuxCalls.umount2(mount.point().toString(), LinuxCalls.MNT_DETACH))
                    .isZero();

            // then
            await().untilAsserted(() -> assertThat(servers).noneMatch(Thread::isAlive));
        }
    }

    private static Set<Thread> servers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("neuron-fake-fuse-[0-9]+"))
                .collect(Collectors.toSet());
    }

    @Test
    void invalidationStopsBeforeUnmount() throws Exception {
        // given
        FuseFixture.requireFuse();
        CountDownLatch invalidating = new CountDownLatch(1);
        AtomicReference<Boolean> mounted = new AtomicReference<>();
        String device = "sys/devices/virtual/neuron_device/neuron0";
        try (FakeNeuronHost host =
                FakeNeuronHost.builder().instance("inf2.xlarge").start()) {
            FakeTree tree = (FakeTree) Proxy.newProxyInstance(
                    FakeTree.class.getClassLoader(), new Class<?>[] {FakeTree.class}, (proxy, method, arguments) -> {
                        if (Thread.currentThread().getName().endsWith("invalidate")) {
                            invalidating.countDown();
                            try {
                                end.await(Patience.LIMIT.toSeconds(), SECONDS);
                            } catch (InterruptedException closing) {
                                mounted.set(MountTable.read().stream()
                                        .anyMatch(mount -> mount.point().equals(point.toString())));
                            }
                        }
                        return method.invoke(host.tree(), arguments);
                    });
            FuseMount mount = FuseMount.open(tree, "sys", point);
            assertThat(mount.point().resolve("devices/virtual/neuron_device/neuron0"))
                    .exists();
            mount.entriesChanged(device.substring(0, device.lastIndexOf('/')));
            assertThat(invalidating.await(Patience.LIMIT.toSeconds(), SECONDS)).isTrue();

            // when
            mount.close();
        }

        // then
        assertThat(mounted).hasValue(true);
    }

    private static CompletableFuture<String> reading(Path file) {
        CompletableFuture<String> content = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                content.complete(Files.readString(file));
            } catch (IOException e) {
                content.completeExceptionally(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
        return content;
    }
}
