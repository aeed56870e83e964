package dev.neurontest.internal.process.orphan;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.fake.FakeView;
import dev.neurontest.internal.folder.TemporaryFolder;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.patience.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A run of {@link KilledRuns} with everything that a test may have when its JVM is killed. */
final class KilledRunJvm {

    private KilledRunJvm() {}

    /** Runs with the root of the host, the table, the folder and view of a private host, and whether it ends. */
    public static void main(String[] arguments) throws Exception {
        boolean ends = arguments[4].equals("ends");
        Orphans.end();
        NeuronHost host = NeuronHost.discover(FileTree.at(Path.of(arguments[0])));
        try (LeaseTable table = LeaseTable.builder(host)
                        .directory(Path.of(arguments[1]))
                        .open();
                FakeNeuronHost fake = FakeNeuronHost.builder()
                        .instance("trn1.2xlarge")
                        .view(FakeView.valueOf(arguments[3]))
                        .folder(Path.of(arguments[2]))
                        .start()) {
            try (TemporaryFolder temporary = TemporaryFolder.make();
                    Lease lease =
                            table.lease(new LeaseRequest("a run", List.of(CoreRequest.inARow(8))), Patience.LIMIT);
                    ChildProcess workload = stubborn();
                    ChildProcess profiler = stubborn()) {
                Files.createFile(temporary.path().resolve("s"));
                lease.startedProcess(workload.handle());
                lease.startedProcess(profiler.handle());
                fake.directory();
                System.out.println("runs");
                if (!ends) {
                    Thread.sleep(Long.MAX_VALUE);
                }
                workload.stop();
                profiler.stop();
                lease.endedProcess(workload.handle());
                lease.endedProcess(profiler.handle());
            }
        }
    }

    /** Starts a child that ignores SIGTERM, as its own child does. */
    private static ChildProcess stubborn() {
        return ChildProcess.command(
                        List.of("/bin/sh", "-c", "trap '' TERM; (trap '' TERM; /bin/sleep 600; :) & /bin/sleep 600; :"))
                .stopsWithin(Duration.ZERO)
                .start();
    }
}
