package dev.neurontest.fake.internal.fuse;

import dev.neurontest.fake.FakeFault;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.fake.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A JVM that serves a mount until it is killed. */
final class FuseServerFixture {

    private FuseServerFixture() {}

    /**
     * Serves the mount.
     *
     * @param arguments the root, and optionally {@code self} to read a slow file in this JVM too
     */
    public static void main(String[] arguments) throws IOException {
        try (FakeNeuronHost host = FakeNeuronHost.builder()
                        .root(Path.of(arguments[0]))
                        .requireView(FakeView.FUSE)
                        .start();
                FakeFault slow = host.device(0).fault(Fault.slow("core_count", Duration.ofMinutes(5)))) {
            Path device = host.directory().resolve("sys/devices/virtual/neuron_device/neuron0");
            if (arguments.length > 1) {
                Thread reader = new Thread(() -> {
                    try {
                        Files.readString(device.resolve("core_count"));
                    } catch (IOException e) {
                        System.out.println(e);
                    }
                });
                reader.setDaemon(true);
                reader.start();
                awaitReader(slow);
            }
            host.controlSocket();
            System.out.println("ready");
            Thread watch = new Thread(() -> {
                awaitReader(slow);
                System.out.println("read");
            });
            watch.setDaemon(true);
            watch.start();
            System.in.read();
        }
    }

    private static void awaitReader(FakeFault slow) {
        while (!slow.triggered()) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}
