package dev.neurontest.lease.table;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.host.FileTree;
import dev.neurontest.lease.CoreRequest;
import dev.neurontest.lease.LeaseRequest;
import dev.neurontest.lease.LeaseTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a copy of the classes in another class loader does. */
public final class AnotherClassLoaderFixture {

    private AnotherClassLoaderFixture() {}

    /** Takes the cores that are free, up to two, looks at who is alive, and leaves. */
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
