package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A JVM of the run.
 *
 * @param file its run file
 * @param start its first line; empty when that is broken
 * @param platform its host; empty when it never knew one
 * @param started when its first line was written, by its own clock
 * @param ended when its last line was written, by its own clock
 * @param finished whether it came to its end; else it was killed, or is still running
 * @param versions of what ran on the host, such as {@code profiler}
 * @param shards what it says of the shard that it ran, in one line or several; none where it ran all
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
        List<RunEvent.Sharded> shards) {

    /**
     * Keeps its own copies.
     *
     * @param file its run file
     * @param start its first line
     * @param platform its host
     * @param started when its first line was written
     * @param ended when its last line was written
     * @param finished whether it came to its end
     * @param versions of what ran on the host
     * @param shards what it says of the shard that it ran
     */
    public ReportedJvm {
        versions = Map.copyOf(versions);
        shards = List.copyOf(shards);
    }

    /**
     * Returns the name of its machine.
     *
     * @return empty where it has none, or where the first line is broken
     */
    public Optional<String> machine() {
        return start.map(RunEvent.RunStarted::machine).filter(name -> !name.isEmpty());
    }

    /**
     * Whether it ran on real devices.
     *
     * @return false for a fake, another root, a recording, or no host at all
     */
    public boolean onHardware() {
        return platform.filter(host -> host.kind().equals("real")).isPresent();
    }

    /**
     * The host for people.
     *
     * @return the machine where the devices are real, such as {@code ip-10-0-0-7}; else what the host is called, such as
     *     {@code fake:trn1.2xlarge@driver-2.30}; {@code no Neuron host} without one
     */
    public String host() {
        if (platform.isEmpty()) {
            return "no Neuron host";
        }
        return machine().filter(name -> onHardware()).orElse(platform.get().host());
    }
}
