package dev.neurontest.internal.cluster.rank;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.cluster.agent.RemoteRanks.Root;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** The assignment of programs to the hosts and cores of a cluster. */
@API(status = API.Status.INTERNAL, since = "0.1")
public enum RankPlan {
    /** A program on each host, with all leased cores of the host. */
    PER_HOST,
    /** A program on each leased core. */
    PER_CORE,
    /** A {@code torchrun} on each host, which starts a program for each leased core of the host. */
    TORCHRUN;

    /**
     * A program of the plan.
     *
     * @param rank its number among all programs
     * @param node the number of its host
     * @param localRank its number among those of its host
     */
    record Planned(
            int rank,
            int node,
            int localRank,
            List<NeuronCore> cores,
            List<String> words,
            Map<String, String> environment) {}

    /**
     * Plans the programs.
     *
     * @param hosts the leased cores of each host, in the order of the ranks
     * @param command the program with its arguments
     * @param root the address of the first host, with a port for the runtime and a port for the framework
     */
    List<Planned> plan(List<List<NeuronCore>> hosts, List<String> command, Root root) {
        List<List<List<NeuronCore>>> cores = hosts.stream()
                .map(each -> this == PER_CORE ? each.stream().map(List::of).toList() : List.of(each))
                .toList();
        int world = cores.stream().mapToInt(List::size).sum();
        String devices = cores.stream()
                .flatMap(List::stream)
                .map(List::size)
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        List<Planned> all = new ArrayList<>();
        for (int node = 0; node < hosts.size(); node++) {
            List<List<NeuronCore>> ofHost = cores.get(node);
            for (int local = 0; local < ofHost.size(); local++) {
                int rank = all.size();
                Map<String, String> variables = new LinkedHashMap<>();
                variables.put("NEURON_RT_ROOT_COMM_ID", runtimeRoot(root));
                if (this != TORCHRUN) {
                    variables.put("MASTER_ADDR", root.address());
                    variables.put("MASTER_PORT", masterPort(root));
                    variables.put("GROUP_RANK", String.valueOf(node));
                    variables.put("NEURON_PJRT_PROCESSES_NUM_DEVICES", devices);
                    variables.put("NEURON_PJRT_PROCESS_INDEX", String.valueOf(rank));
                }
                if (this == PER_CORE) {
                    variables.put("RANK", String.valueOf(rank));
                    variables.put("WORLD_SIZE", String.valueOf(world));
                    variables.put("LOCAL_RANK", String.valueOf(local));
                    variables.put("LOCAL_WORLD_SIZE", String.valueOf(ofHost.size()));
                }
                List<NeuronCore> own = ofHost.get(local);
                List<String> words =
                        this == TORCHRUN ? torchrun(hosts.size(), node, own.size(), root, command) : command;
                all.add(new Planned(rank, node, local, own, words, variables));
            }
        }
        return all;
    }

    private static List<String> torchrun(int nodes, int node, int workers, Root root, List<String> command) {
        return Stream.concat(
                        Stream.of(
                                "torchrun",
                                "--nnodes",
                                String.valueOf(nodes),
                                "--node_rank",
                                String.valueOf(node),
                                "--nproc_per_node",
                                String.valueOf(workers),
                                "--master_addr",
                                root.address(),
                                "--master_port",
                                masterPort(root)),
                        command.stream())
                .toList();
    }

    /** Returns the address for the runtime. An IPv6 address needs brackets before a port. */
    private static String runtimeRoot(Root root) {
        String address = root.address().contains(":") ? "[" + root.address() + "]" : root.address();
        return address + ":" + root.ports().get(0);
    }

    private static String masterPort(Root root) {
        return String.valueOf(root.ports().get(1));
    }
}
