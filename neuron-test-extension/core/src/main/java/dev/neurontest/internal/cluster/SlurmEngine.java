package dev.neurontest.internal.cluster;

import dev.neurontest.internal.process.ChildEnvironment;
import dev.neurontest.internal.process.ChildProcess;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ProgramNotStartedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes of a Slurm job. A program on a node is a step of the job.
 *
 * @param job the id of the job
 */
record SlurmEngine(String job, String source, List<String> hosts) implements HostEngine {

    static final String JOB = "SLURM_JOB_ID";
    static final String NODES = "SLURM_JOB_NODELIST";

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int KEPT = 1 << 16;
    private static final int LONGEST_LINE = 1 << 10;

    /** Variables by which srun finds its cluster. Any other may be an option of srun, such as {@code SLURM_LABELIO}. */
    private static final Set<String> OF_CLUSTER = Set.of("SLURM_CONF", "SLURM_JWT", "SLURM_WORKING_CLUSTER");

    SlurmEngine {
        hosts = List.copyOf(hosts);
    }

    static SlurmEngine of(Map<String, String> environment) {
        return of(environment, List.of("scontrol"), DEADLINE);
    }

    /**
     * Lists the nodes of a job.
     *
     * @param environment the variables of the job, also for the program
     * @param scontrol the program of Slurm that expands a list of nodes
     * @param deadline the limit of its run time
     */
    static SlurmEngine of(Map<String, String> environment, List<String> scontrol, Duration deadline) {
        String nodes = environment.getOrDefault(NODES, "");
        String source = NODES + " is " + HostNames.shown(nodes);
        if (nodes.startsWith("-")) {
            throw new HostEngineException(source + ", which is not a list of nodes");
        }
        List<String> command = new ArrayList<>(scontrol);
        command.addAll(List.of("show", "hostnames", nodes));
        List<String> hosts = new ArrayList<>(lines(source, command, environment, deadline));
        if (hosts.isEmpty()) {
            throw new HostEngineException("%s, and scontrol show hostnames printed no node".formatted(source));
        }
        Set<String> seen = new HashSet<>();
        for (String host : hosts) {
            if (!HostNames.isName(host)) {
                throw new HostEngineException("%s, and scontrol show hostnames printed %s, expected %s"
                        .formatted(source, HostNames.shown(host), HostNames.RULE));
            }
            if (!seen.add(host)) {
                throw new HostEngineException(
                        "%s, and scontrol show hostnames printed %s twice".formatted(source, host));
            }
        }
        if (hosts.size() > HostNames.MOST) {
            throw new HostEngineException(
                    "%s, but more than %s hosts are not possible".formatted(source, HostNames.MOST));
        }
        return new SlurmEngine(environment.getOrDefault(JOB, ""), source, hosts);
    }

    /** Returns the lines of the output, up to one more than there can be hosts. */
    private static List<String> lines(
            String source, List<String> command, Map<String, String> environment, Duration deadline) {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        String problem;
        try (ChildProcess scontrol = ChildProcess.command(command)
                .environment(ChildEnvironment.INHERITED.with(environment))
                .deadline(deadline)
                .outputLimit(KEPT)
                .longestLine(LONGEST_LINE)
                .listener(
                        line -> {
                            if (lines.size() <= HostNames.MOST && !line.isBlank()) {
                                lines.add(line.strip());
                            }
                        },
                        line -> {})
                .start()) {
            ChildEnd end = scontrol.await(null);
            if (end.cause() == ChildEnd.Cause.EXITED
                    && end.exitCode().filter(code -> code.value() == 0).isPresent()) {
                return lines;
            }
            problem = end.cause() == ChildEnd.Cause.EXITED
                    ? "failed"
                            + scontrol.stderr()
                                    .lines()
                                    .filter(line -> !line.isBlank())
                                    .findFirst()
                                    .map(line -> ": " + line.strip())
                                    .orElse(" with "
                                            + end.exitCode()
                                                    .map(Object::toString)
                                                    .orElse("no exit code"))
                    : "did not end within %s s".formatted(deadline.toSeconds());
        } catch (ProgramNotStartedException none) {
            problem = "cannot be started: " + none.getMessage();
        }
        throw new HostEngineException("%s, but scontrol show hostnames %s".formatted(source, problem));
    }

    @Override
    public String name() {
        return SLURM;
    }

    /**
     * Returns the command of a step with all resources of the job on the node. The step shares them with the batch step and other steps, so
     * it starts at once.
     */
    @Override
    public List<String> command(String host, List<String> words) {
        HostNames.requireOneOf(hosts, host);
        List<String> command = new ArrayList<>(List.of(
                "srun",
                "--jobid=" + job,
                "--nodelist=" + host,
                "--nodes=1",
                "--ntasks=1",
                "--overlap",
                "--mem=0",
                "--cpu-bind=none",
                "--mpi=none",
                "--export=ALL",
                "--"));
        command.addAll(words);
        return command;
    }

    /** Removes the options of srun, which the batch step has set for its own node or the user for other steps. */
    @Override
    public void clean(Map<String, String> environment) {
        environment
                .keySet()
                .removeIf(
                        name -> (name.startsWith("SLURM_") || name.startsWith("SRUN_")) && !OF_CLUSTER.contains(name));
    }
}
