package dev.neurontest.internal.cluster;

import static dev.neurontest.patience.Patience.LIMIT;
import static dev.neurontest.patience.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fake.FakeNeuronHost;
import dev.neurontest.internal.text.ShellText;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Slurm of four nodes on this machine, each with a fake host. A node is a set of processes with a separate host name.
 * When its first process is killed, the kernel ends all others, as if a machine had crashed.
 */
public final class SlurmFixture implements AutoCloseable {

    private static final List<String> MACHINE =
            List.of("unshare", "--fork", "--pid", "--mount-proc", "--uts", "--kill-child", "sh", "-c");
    private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");

    private final Path folder;
    private final Path configuration;
    private final List<FakeNeuronHost> hosts = new ArrayList<>();
    private final Map<String, Process> processes = new LinkedHashMap<>();

    private SlurmFixture(Path folder) {
        this.folder = folder;
        this.configuration = folder.resolve("slurm.conf");
    }

    /** Returns the reason for which no Slurm can run here, or empty if it can. */
    public static Optional<String> missing() throws Exception {
        List<String> absent = Stream.of("slurmctld", "slurmd", "sbatch", "salloc", "srun", "scontrol", "unshare")
                .filter(program -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .noneMatch(each -> Files.isExecutable(Path.of(each, program))))
                .toList();
        if (!absent.isEmpty()) {
            return Optional.of("no Slurm, for PATH has no %s (Debian: slurmctld, slurmd, slurm-client, util-linux)"
                    .formatted(String.join(", ", absent)));
        }
        Process node = new ProcessBuilder(machine("hostname n1"))
                .redirectErrorStream(true)
                .start();
        String said = new String(node.getInputStream().readAllBytes()).strip();
        return node.waitFor() == 0
                ? Optional.empty()
                : Optional.of("no Slurm, for a node of it needs the rights of root: " + said);
    }

    public static SlurmFixture start(Path folder) throws Exception {
        SlurmFixture slurm = new SlurmFixture(folder);
        try {
            slurm.configure();
            slurm.begin(folder, "slurmctld", Map.of(), machine("exec slurmctld -D"));
            for (String node : NODES) {
                // The machine outlives its slurmd.
                slurm.begin(
                        folder,
                        node,
                        Map.of(),
                        machine("hostname %s && slurmd -D; exec sleep infinity".formatted(node)));
            }
            await().untilAsserted(() -> assertThat(slurm.ask("sinfo", "--noheader", "--Node", "--format=%T")
                            .lines())
                    .hasSize(NODES.size())
                    .containsOnly("idle"));
            return slurm;
        } catch (Throwable failed) {
            failed.addSuppressed(new AssertionError(slurm.logs()));
            slurm.close();
            throw failed;
        }
    }

    private static List<String> machine(String shell) {
        return Stream.concat(MACHINE.stream(), Stream.of(shell)).toList();
    }

    private void configure() throws IOException {
        List<Integer> ports = freePorts(NODES.size() + 1);
        // The last lines save time: Slurm notices a dead node within seconds, and a job does not wait for the
        // scheduler.
        StringBuilder lines = new StringBuilder("""
                ClusterName=test
                SlurmctldHost=%s(127.0.0.1)
                SlurmctldPort=%s
                AuthType=auth/none
                CredType=cred/none
                SlurmUser=root
                SlurmdUser=root
                StateSaveLocation=%3$s/state
                SlurmdSpoolDir=%3$s/spool_%%n
                SlurmctldPidFile=%3$s/slurmctld.pid
                SlurmdPidFile=%3$s/slurmd_%%n.pid
                ProctrackType=proctrack/linuxproc
                TaskPlugin=task/none
                TaskProlog=%3$s/prolog.sh
                SwitchType=switch/none
                MpiDefault=none
                SelectType=select/cons_tres
                SelectTypeParameters=CR_Core
                GresTypes=neuron
                ReturnToService=2
                SlurmdTimeout=5
                MessageTimeout=5
                AuthInfo=cred_expire=5
                SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0
                """.formatted(
                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().split("\\.")[0], ports.get(0), folder));
        for (int index = 0; index < NODES.size(); index++) {
            String node = NODES.get(index);
            Files.createDirectories(folder.resolve("spool_" + node));
            lines.append("NodeName=%s NodeAddr=127.0.0.1 Port=%s CPUs=%s RealMemory=100 Gres=neuron:16%n"
                    .formatted(node, ports.get(index + 1), Runtime.getRuntime().availableProcessors()));
        }
        lines.append("PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(configuration, lines);
        Files.writeString(folder.resolve("gres.conf"), "NodeName=n[1-4] Name=neuron Count=16\n");
        Path prolog = folder.resolve("prolog.sh");
        Files.writeString(
                prolog,
                "#!/bin/sh\nwhile test -e %1$s/blocked-$SLURMD_NODENAME; do sleep 0.2; done\ncat %1$s/platform-$SLURMD_NODENAME\n"
                        .formatted(folder));
        Files.setPosixFilePermissions(prolog, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String node : NODES) {
            FakeNeuronHost host =
                    FakeNeuronHost.builder().instance("trn1.32xlarge").start();
            hosts.add(host);
            Files.writeString(
                    folder.resolve("platform-" + node),
                    "export NEURON_TEST_PLATFORM=root:" + host.directory() + System.lineSeparator());
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int each = 0; each < count; each++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    /** Starts a program with the configuration of this Slurm, which ends with it. Its output is {@code NAME.log} in the folder. */
    public Process begin(Path in, String name, Map<String, String> variables, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile());
        builder.environment().put("SLURM_CONF", configuration.toString());
        builder.environment().putAll(variables);
        Process process = builder.start();
        processes.put(name, process);
        return process;
    }

    /**
     * Starts a program on the first node of a new job, as a batch script does. The returned process ends with the exit code of the
     * program, whose output is {@code NAME.out} in the given folder.
     */
    public Process beginJob(int nodes, Path in, String name, Map<String, String> variables, List<String> command)
            throws IOException {
        Path script = folder.resolve(name + ".sh");
        Files.writeString(script, "#!/bin/sh\nexec " + ShellText.of(command) + "\n");
        return begin(
                in,
                name,
                variables,
                List.of(
                        "sbatch",
                        "--wait",
                        "--exclusive",
                        "--nodes=" + nodes,
                        "--gres=neuron:16",
                        "--output=" + in.resolve(name + ".out"),
                        script.toString()));
    }

    /** Allocates nodes and returns the variables of the job, as programs in it have them. The job ends with this Slurm. */
    public Map<String, String> allocate(int nodes) throws Exception {
        String granted =
                ask("salloc", "--no-shell", "--exclusive", "--nodes=" + nodes, "--gres=neuron:16", "--job-name=test");
        Matcher job = Pattern.compile("Granted job allocation ([0-9]+)").matcher(granted);
        assertThat(job.find()).as(granted).isTrue();
        return Map.of(
                "SLURM_CONF",
                configuration.toString(),
                "SLURM_JOB_ID",
                job.group(1),
                "SLURM_JOB_NODELIST",
                ask("squeue", "--noheader", "--format=%N", "--jobs=" + job.group(1))
                        .strip());
    }

    /** Ends a job of {@link #allocate}. */
    public void release(Map<String, String> job) throws Exception {
        ask("scancel", job.get("SLURM_JOB_ID"));
    }

    /** Returns the steps of a job that have not ended, one in a line. */
    public String steps(Map<String, String> job) throws Exception {
        return ask("squeue", "--noheader", "--steps", "--jobs=" + job.get("SLURM_JOB_ID"));
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    private String ask(String... command) throws Exception {
        Process process = begin(folder, command[0], Map.of(), List.of(command));
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(log(command[0]));
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }

    /** Drains a node, which keeps running its jobs and gets no new ones. */
    public void drain(String node) throws Exception {
        ask("scontrol", "update", "NodeName=" + node, "State=DRAIN", "Reason=maintenance");
    }

    /** Kills a node with all its processes. */
    public void kill(String node) {
        end(processes.get(node));
    }

    /** Kills the slurmd of a node. The jobs keep running, but Slurm loses contact to them. */
    public void killSlurmd(String node) {
        slurmd(node).forEach(ProcessHandle::destroyForcibly);
    }

    /** Stops the slurmd of a node without an end, as on a machine that hangs. Its jobs keep running. */
    public void stopSlurmd(String node) throws Exception {
        for (ProcessHandle process : slurmd(node).toList()) {
            ask("kill", "-STOP", Long.toString(process.pid()));
        }
    }

    /** Blocks new steps on a node before their program starts. */
    public void blockSteps(String node) throws IOException {
        Files.createFile(folder.resolve("blocked-" + node));
    }

    /** Continues the steps of a node. */
    public void unblockSteps(String node) throws IOException {
        Files.deleteIfExists(folder.resolve("blocked-" + node));
    }

    private Stream<ProcessHandle> slurmd(String node) {
        return processes
                .get(node)
                .descendants()
                .filter(each -> each.info().command().orElse("").contains("/slurmd"));
    }

    /** Returns the processes on a node that run a program with this name. */
    public List<ProcessHandle> running(String node, String program) {
        return processes
                .get(node)
                .descendants()
                .filter(each -> each.info().command().orElse("").endsWith("/" + program))
                .toList();
    }

    /** Kills the first child before the process, which waits for all other processes of its machine. */
    private static void end(Process process) {
        await().until(() -> {
            List<ProcessHandle> children = process.children().toList();
            children.forEach(ProcessHandle::destroyForcibly);
            if (children.isEmpty()) {
                process.destroyForcibly();
            }
            return !process.isAlive();
        });
    }

    /** Returns whether Slurm considers the node dead and restarts its jobs. */
    public boolean requeued(String node) throws IOException {
        return Files.readString(log("slurmctld")).contains("due to failure of node " + node);
    }

    /** Returns Slurm's state of its nodes and jobs, and the logs of its programs. */
    public String logs() {
        StringBuilder all = new StringBuilder();
        try {
            all.append(ask("scontrol", "--oneliner", "show", "node"));
            all.append(ask("scontrol", "--oneliner", "show", "job"));
            for (String name : processes.keySet()) {
                all.append("%n--- %s%n%s".formatted(name, Files.readString(log(name))));
            }
        } catch (Exception | AssertionError silent) {
            all.append(silent);
        }
        return all.toString();
    }

    @Override
    public void close() {
        processes.values().forEach(SlurmFixture::end);
        hosts.forEach(FakeNeuronHost::close);
    }
}
