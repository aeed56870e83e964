package dev.neurontest.internal.lease.table;

import dev.neurontest.device.LeaseTimeoutException;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.LeaseRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A lease by a copy of the classes in another class loader. */
public final class AnotherClassLoaderFixture {

    private AnotherClassLoaderFixture() {}

    /** Leases the free cores, up to two, checks for dead JVMs, and leaves the table. */
    public static int lease(Path root, Path directory) throws Exception {
        NeuronHost host = NeuronHost.discover(FileTree.at(root));
        try (LeaseTable table = LeaseTable.builder(host).directory(directory).open()) {
            try {
                table.lease(new LeaseRequest("copy", List.of(CoreRequest.inARow(4))), Duration.ofMillis(60));
            } catch (LeaseTimeoutException taken) {
                return table.lease(new LeaseRequest("copy", List.of(CoreRequest.inARow(2))), Duration.ZERO)
                        .cores()
                        .size();
            }
            return 4;
        }
    }
}
