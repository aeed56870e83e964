package dev.neurontest.internal.lease.table;

import static dev.neurontest.patience.Patience.await;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.device.NeuronHost;
import dev.neurontest.internal.host.FileTree;
import dev.neurontest.internal.lease.CoreRequest;
import dev.neurontest.internal.lease.Lease;
import dev.neurontest.internal.lease.LeaseRequest;
import dev.neurontest.internal.lease.Quarantine.Until;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.internal.process.ProcessFixture;
import dev.neurontest.internal.process.ProcessTable;
import dev.neurontest.jvm.JvmCommand;
import dev.neurontest.patience.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Another JVM with the same table, which executes commands of the test. */
public final class ForkedJvmFixture implements AutoCloseable {

    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    public ForkedJvmFixture(Path root, Path directory) throws IOException {
        this(root, directory, Map.of(), List.of());
    }

    /** Starts the JVM by another program. */
    ForkedJvmFixture(Path root, Path directory, Map<String, String> environment, List<String> starter)
            throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.addAll(JvmCommand.program(ForkedJvmFixture.class, root.toString(), directory.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        process = builder.start();
        Thread reader = new Thread(() -> {
            try {
                process.inputReader().lines().forEach(said::add);
            } catch (UncheckedIOException killed) {
                // Closing the process closes its output.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    public long pid() {
        return process.pid();
    }

    /**
     * Sends one of the commands {@code lease HOLDER COUNT}, {@code close HOLDER}, {@code child HOLDER}, {@code workload
     * HOLDER}, {@code program HOLDER ARGUMENT ...}, {@code quarantine HOLDER} or {@code lock FILE}.
     */
    public void tell(String command) throws IOException {
        process.outputWriter().write(command + "\n");
        process.outputWriter().flush();
    }

    /** Returns its next line of output. */
    public String next() throws InterruptedException {
        return String.valueOf(said.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    /** Returns the JVM, or the program that started it. */
    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isSilent() {
        return said.isEmpty();
    }

    /** Kills the JVM, as the kernel does when memory runs out. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /**
     * Stops the JVM like a debugger or a paused container. Returns when all its threads are stopped, some time after
     * the signal.
     */
    public void stop() {
        signal("-STOP");
        await().pollInterval(Duration.ofMillis(1)).until(() -> ProcessFixture.isStopped(pid()));
    }

    /** Continues the JVM. */
    public void goOn() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** Runs in the other JVM. */
    public static void main(String[] arguments) throws Exception {
        NeuronHost host = NeuronHost.discover(FileTree.at(Path.of(arguments[0])));
        try (LeaseTable table =
                LeaseTable.builder(host).directory(Path.of(arguments[1])).open()) {
            System.out.println("ready");
            BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                carryOut(table, line.split(" "));
            }
        }
    }

    private static void carryOut(LeaseTable table, String[] words) throws Exception {
        String holder = words[1];
        if (words[0].equals("lease")) {
            int count = Integer.parseInt(words[2]);
            Thread thread =
                    new Thread(() -> lease(table, new LeaseRequest(holder, List.of(CoreRequest.inARow(count)))));
            thread.setDaemon(true);
            thread.start();
            return;
        }
        if (words[0].equals("lock")) {
            // The file stays open and locked until this JVM ends.
            FileChannel.open(Path.of(words[1]), StandardOpenOption.WRITE).lock();
            System.out.println("locked");
            return;
        }
        Lease lease = table.held().stream()
                .filter(each -> each.holder().equals(holder))
                .findFirst()
                .orElseThrow();
        switch (words[0]) {
            case "close" -> lease.close();
            case "child" -> {
                Process child = new ProcessBuilder("sleep", "1000").start();
                lease.startedProcess(child.toHandle());
                System.out.println(child.pid());
            }
            case "workload" -> {
                // This is the command of a JVM without setpriv.
                ProcessBuilder builder = new ProcessBuilder("sh", "-c", "trap '' TERM; sleep 1000; :");
                builder.environment()
                        .putAll(ProcessFixture.endingWith(
                                ProcessTable.shownSelf().orElseThrow()));
                Process child = builder.start();
                lease.startedProcess(child.toHandle());
                System.out.println(child.pid());
            }
            case "program" -> {
                // This is how a test starts a program.
                ChildProcess child = ChildProcess.command(List.of(words).subList(2, words.length))
                        .locks(lease.programLock().stream().toList())
                        .start();
                lease.startedProcess(child.handle());
                await().until(() -> child.stdout().endsWith("\n"));
                System.out.print(child.stdout());
            }
            case "quarantine" -> {
                lease.quarantine(lease.cores(), Until.RESET, "broken");
                System.out.println("done");
            }
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void lease(LeaseTable table, LeaseRequest request) {
        try {
            System.out.println(table.lease(request, Patience.LIMIT).cores().stream()
                    .map(NeuronCore::index)
                    .map(String::valueOf)
                    .collect(Collectors.joining(",")));
        } catch (Exception failed) {
            System.out.println(failed);
        }
    }
}
