package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The part of a suite that one job ran for its shard: the JVMs on one machine that belong together.
 *
 * @param shard number of the shard, from 1
 * @param count number of shards
 * @param restarts number of restarts of the job by the engine
 * @param job the engine's name of the job; empty when there is none
 * @param machine machine of the job; empty when it has no name
 * @param platform Neuron host; empty when no test required one
 * @param jvms indexes of the JVMs in the report
 * @param started start of the first JVM
 * @param ended time of the last line of all JVMs
 * @param finished true if all JVMs ended normally
 * @param timings hashes of the timings files; an empty hash for no file
 * @param codes identifiers of the code, one for each folder or jar of tests
 * @param timed true if the timings file contains a class of the attempt, before exclusions
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ShardAttempt(
        int shard,
        int count,
        int restarts,
        Optional<String> job,
        Optional<String> machine,
        Optional<RunEvent.PlatformChosen> platform,
        List<Integer> jvms,
        Instant started,
        Instant ended,
        boolean finished,
        Set<String> timings,
        Set<String> codes,
        boolean timed) {

    /** Creates an instance with its own copies. */
    public ShardAttempt {
        jvms = List.copyOf(jvms);
        timings = Collections.unmodifiableSet(new TreeSet<>(timings));
        codes = Collections.unmodifiableSet(new TreeSet<>(codes));
    }

    /** Returns the duration, by the clock of the machine. */
    public Duration took() {
        return Duration.between(started, ended);
    }

    /**
     * Returns the number of tests of the attempt in the report, without classes.
     *
     * @param byJvm {@link RunReport#testsByJvm()}, computed once for all attempts, because a large run has many of them
     */
    public long tests(Map<Integer, Long> byJvm) {
        return jvms.stream().mapToLong(jvm -> byJvm.getOrDefault(jvm, 0L)).sum();
    }

    /**
     * Returns the host of the tests, for people.
     *
     * @return such as {@code trn2.48xlarge (real), driver 2.30.1.0, 16 devices with 64 cores, LNC 2}; {@code no Neuron host} when no test
     *     required one
     */
    public String host() {
        return platform.map(RunEvent.PlatformChosen::words).orElse("no Neuron host");
    }

    /** Returns the name of the shard in settings, such as {@code 3/8}. */
    public String name() {
        return shard + "/" + count;
    }

    /** Returns the machine and job for people, such as {@code ip-10-0-0-7 (Slurm job 4711, restart 1)}. */
    public String place() {
        String start = job.orElse("") + (restarts == 0 ? "" : (job.isPresent() ? ", " : "") + "restart " + restarts);
        return machine.orElse("a machine without a name") + (start.isEmpty() ? "" : " (" + start + ")");
    }
}
