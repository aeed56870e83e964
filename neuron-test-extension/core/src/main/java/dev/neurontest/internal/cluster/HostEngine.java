package dev.neurontest.internal.cluster;

import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/** The hosts of an allocation, and the way to start a program on one of them. */
@API(status = API.Status.INTERNAL, since = "0.1")
public interface HostEngine {

    /** The name of the engine whose hosts are the nodes of a Slurm job. */
    String SLURM = "Slurm";

    /**
     * Returns the name of the engine for messages.
     *
     * @return for example {@code Slurm}, {@code ssh} or {@code this machine}
     */
    String name();

    /**
     * Returns the origin of the hosts for messages, in one line.
     *
     * @return for example {@code SLURM_JOB_NODELIST is n[1-4]} or {@code /etc/mpi/hostfile}
     */
    String source();

    /**
     * Returns the hosts in the order of their origin.
     *
     * @return at least one, each once
     */
    List<String> hosts();

    /**
     * Returns the command of a local process that runs a program on a host. Its standard streams and its exit code are those of the program.
     * Start it with a {@linkplain #clean cleaned} environment.
     *
     * @param host one of {@link #hosts}
     * @param words the program and its arguments
     * @throws HostEngineException if the engine cannot pass one of the words unchanged
     */
    List<String> command(String host, List<String> words);

    /** Returns whether all hosts are this machine. */
    default boolean isThisMachine() {
        return false;
    }

    /**
     * Removes variables from the environment of the local process that would change what it starts.
     *
     * @param environment the variables that the process would inherit
     */
    default void clean(Map<String, String> environment) {}

    /**
     * Returns the reason why a test with more hosts cannot run, and what decides their number.
     *
     * @param wanted the number of hosts of the test
     * @return one line without a full stop
     */
    default String tooFew(int wanted) {
        return ("the test needs %s hosts, but %s has %s (%s); run it in a Slurm allocation, with a host file"
                        + " (neuron.test.platform=auto?hosts=FILE) or on fake hosts (neuron.test.platform=fake:%sxtrn1.32xlarge)")
                .formatted(wanted, name(), hosts().size(), source(), wanted);
    }
}
