package dev.neurontest.internal.command.doctor;

import dev.neurontest.device.NeuronHost;
import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.folder.TemporaryFolder;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.table.LeaseTable;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that was killed while it had a lease, a child, a folder and a private fake host. */
record KilledJvmFixture(long pid, long child, Path temporary, Path fake) {

    /** Starts and kills the JVM, with a PATH that contains no program to end the child with it. */
    static KilledJvmFixture of(Path host, Path folder, String... launcher) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher));
        command.addAll(JvmCommand.program(KilledJvmFixture.class, host.toString(), folder.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PATH", folder.toString());
        Process jvm = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String[] words = jvm.inputReader().readLine().split(" ");
        jvm.destroyForcibly().waitFor();
        return new KilledJvmFixture(jvm.pid(), Long.parseLong(words[0]), Path.of(words[1]), Path.of(words[2]));
    }

    public static void main(String[] arguments) throws Exception {
        NeuronHost host = NeuronHost.discover(FileTree.at(Path.of(arguments[0])));
        LeaseTable table = LeaseTable.builder(host)
                .directory(Path.of(arguments[0]).resolve("tmp/neuron-test-leases"))
                .open();
        Lease lease = table.lease(new LeaseRequest("BertTest > serves()", List.of(CoreRequest.any())), Patience.LIMIT);
        ChildProcess child = ChildProcess.command(List.of(
                        "/bin/sh", "-c", "trap '' TERM; sleep() { /bin/sleep 600; }; sleep", "sh", "--password=x"))
                .start();
        lease.startedProcess(child.handle());
        Path fake = FakeNeuronHost.builder()
                .folder(Path.of(arguments[1]))
                .start()
                .directory()
                .getParent();
        System.out.println(child.handle().pid() + " " + TemporaryFolder.make().path() + " " + fake);
        Thread.sleep(Long.MAX_VALUE);
    }
}
