package dev.neurontest.benchmark;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.internal.fuse.FuseMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that mounts a large fake once in a fresh JVM. */
final class FirstMount {

    private FirstMount() {}

    /**
     * Mounts the fake and prints the nanoseconds from the call to the first attribute that was read.
     *
     * @param arguments the mount point
     */
    public static void main(String[] arguments) throws IOException {
        try (FakeNeuronHost fake =
                FakeNeuronHost.builder().instance(BenchmarkFolders.LARGE).start()) {
            System.out.println(nanos(fake, Path.of(arguments[0])));
        }
    }

    static long nanos(FakeNeuronHost fake, Path point) throws IOException {
        long begin = System.nanoTime();
        try (FuseMount mount = FuseMount.open(fake.tree(), "sys", point)) {
            Files.readString(mount.point().resolve("devices/virtual/neuron_device/neuron15/core_count"));
            return System.nanoTime() - begin;
        }
    }
}
