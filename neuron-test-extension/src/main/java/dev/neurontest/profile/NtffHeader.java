package dev.neurontest.profile;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * What the head of an NTFF says without any tool. The vendor promises nothing about this layout: what cannot be read is absent.
 *
 * @param version the first byte; it says which tools can read the file
 * @param neffName as the NEFF names itself
 * @param neffUuid of the NEFF that was executed, 32 hexadecimal digits
 * @param graphs one for each physical core of the logical one
 * @param instanceType such as {@code trn2.3xlarge}
 * @param notificationBytes what follows the message; 0 when the trace is empty
 * @param cut whether the file is shorter than its head says
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NtffHeader(
        int version,
        Optional<String> neffName,
        Optional<String> neffUuid,
        List<Graph> graphs,
        Optional<String> instanceType,
        long notificationBytes,
        boolean cut) {

    /**
     * One graph that was executed.
     *
     * @param name such as {@code sg00}
     * @param core the number of its physical core
     * @param duration from picoseconds; empty when it is not said
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Graph(String name, int core, Optional<Duration> duration) {}

    /**
     * Keeps its own copy.
     *
     * @param version the first byte
     * @param neffName as the NEFF names itself
     * @param neffUuid of the NEFF
     * @param graphs that were executed
     * @param instanceType of the machine
     * @param notificationBytes what follows the message
     * @param cut whether it is shorter than it says
     */
    public NtffHeader {
        graphs = List.copyOf(graphs);
    }
}
