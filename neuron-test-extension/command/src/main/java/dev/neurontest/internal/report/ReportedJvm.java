package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * A JVM of the run.
 *
 * @param file run file of the JVM
 * @param start first line of the file; empty when it is broken
 * @param platform Neuron host; empty when the JVM did not open one
 * @param started time of the first line, by the clock of the JVM
 * @param ended time of the last line, by the clock of the JVM
 * @param finished true if the JVM ended normally; false if it was killed or still runs
 * @param versions versions of software on the host, such as {@code profiler}
 * @param run id of the run; empty when the JVM may belong to any run
 * @param shards lines about the shard of the JVM, one or several; empty when it ran all tests
 * @param hosts hosts of clusters that its tests used; empty without any
 * @param settings settings with a value, other than those of the whole run; empty without any, and in run files of version 2
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ReportedJvm(
        Path file,
        Optional<RunEvent.RunStarted> start,
        Optional<RunEvent.PlatformChosen> platform,
        Instant started,
        Instant ended,
        boolean finished,
        Map<String, String> versions,
        Optional<String> run,
        List<RunEvent.Sharded> shards,
        Optional<List<RunEvent.HostAdded>> hosts,
        Optional<List<RunEvent.Configured>> settings) {

    /** Creates an instance with its own copies. */
    public ReportedJvm {
        versions = Map.copyOf(versions);
        shards = List.copyOf(shards);
        hosts = hosts.map(List::copyOf).filter(added -> !added.isEmpty());
        settings = settings.map(List::copyOf).filter(given -> !given.isEmpty());
    }

    /**
     * Returns the name of the machine.
     *
     * @return empty when it has no name, or when the first line is broken
     */
    public Optional<String> machine() {
        return start.map(RunEvent.RunStarted::machine).filter(name -> !name.isEmpty());
    }

    /**
     * Checks whether the JVM ran on real devices.
     *
     * @return false for a fake, another root, a recording, or no host
     */
    public boolean onHardware() {
        return platform.filter(host -> host.kind().equals("real")).isPresent();
    }

    /**
     * Checks whether a host is real.
     *
     * @param name name of a host of a cluster, or of the host of the JVM
     */
    public boolean isReal(String name) {
        return kind(name).equals("real");
    }

    /**
     * Returns the kind of a host.
     *
     * @param name name of a host of a cluster, or of the host of the JVM
     */
    public String kind(String name) {
        return hosts.stream()
                .flatMap(List::stream)
                .filter(host -> host.name().equals(name))
                .findFirst()
                .map(RunEvent.HostAdded::kind)
                .or(() -> platform.map(RunEvent.PlatformChosen::kind))
                .orElse("");
    }

    /** Returns the known hosts among those of a cluster on which a test ran. */
    List<RunEvent.HostAdded> hosts(ReportedTest test) {
        Set<String> names = CoreList.hosts(test.cores());
        return hosts.stream()
                .flatMap(List::stream)
                .filter(host -> names.contains(host.name()))
                .toList();
    }

    /** Checks whether a test ran on real devices, either of the host of the JVM or of each host of a cluster. */
    boolean onHardware(ReportedTest test) {
        Set<String> names = CoreList.hosts(test.cores());
        return names.isEmpty()
                ? onHardware()
                : hosts(test).stream().filter(host -> isReal(host.name())).count() == names.size();
    }

    /**
     * Returns the host for people.
     *
     * @return the machine for real devices, such as {@code ip-10-0-0-7}; otherwise the name of the host, such as
     *     {@code fake:trn1.2xlarge@driver-2.30}; {@code no Neuron host} without one
     */
    public String host() {
        if (platform.isEmpty()) {
            return "no Neuron host";
        }
        return machine().filter(name -> onHardware()).orElse(platform.get().host());
    }
}
