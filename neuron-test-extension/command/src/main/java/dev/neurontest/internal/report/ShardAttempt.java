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
 * What one job did for its shard of a suite: the JVMs on one machine that belong together.
 *
 * @param shard which, from 1
 * @param count how many shards there are
 * @param restarts how often the engine had started the job again
 * @param job what the engine calls it; empty where it says nothing
 * @param machine where it ran; empty where that has no name
 * @param platform its host; empty where no test asked for one
 * @param jvms the indices of its JVMs in the report
 * @param started when the first of them began
 * @param ended when the last of them wrote its last line
 * @param finished whether all came to their end
 * @param timings hashes of the timings files; an empty one where there was none
 * @param codes what names the code, one for each folder or jar of tests
 * @param timed whether the timings file has any of its classes, before some were left out
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

    /**
     * Keeps its own copies.
     *
     * @param shard which, from 1
     * @param count how many shards there are
     * @param restarts how often the engine had started the job again
     * @param job what the engine calls it
     * @param machine where it ran
     * @param platform its host
     * @param jvms the indices of its JVMs in the report
     * @param started when the first of them began
     * @param ended when the last of them wrote its last line
     * @param finished whether all came to their end
     * @param timings hashes of the timings files
     * @param codes what names the code
     * @param timed whether the timings file has any of its classes
     */
    public ShardAttempt {
        jvms = List.copyOf(jvms);
        timings = Collections.unmodifiableSet(new TreeSet<>(timings));
        codes = Collections.unmodifiableSet(new TreeSet<>(codes));
    }

    /**
     * How long it took.
     *
     * @return by the clock of its machine
     */
    public Duration took() {
        return Duration.between(started, ended);
    }

    /**
     * The tests that the report has of it.
     *
     * @param byJvm {@link RunReport#testsByJvm()}, made once for all attempts: a large run has many of them
     * @return how many; classes are none
     */
    public long tests(Map<Integer, Long> byJvm) {
        return jvms.stream().mapToLong(jvm -> byJvm.getOrDefault(jvm, 0L)).sum();
    }

    /**
     * The host of its tests, for people.
     *
     * @return such as {@code trn2.48xlarge (real), driver 2.30.1.0, 16 devices with 64 cores, LNC 2}; {@code no Neuron host} where no test asked for one
     */
    public String host() {
        return platform.map(RunEvent.PlatformChosen::words).orElse("no Neuron host");
    }

    /**
     * As it is written in settings.
     *
     * @return such as {@code 3/8}
     */
    public String name() {
        return shard + "/" + count;
    }

    /**
     * Where it ran, for people.
     *
     * @return such as {@code ip-10-0-0-7 (Slurm job 4711, restart 1)}
     */
    public String place() {
        String start = job.orElse("") + (restarts == 0 ? "" : (job.isPresent() ? ", " : "") + "restart " + restarts);
        return machine.orElse("a machine without a name") + (start.isEmpty() ? "" : " (" + start + ")");
    }
}
