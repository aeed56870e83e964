package dev.neurontest.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * How a child and everything that it started came to an end.
 *
 * @param cause why
 * @param exitCode what the child ended with; empty when even SIGKILL did not end it
 * @param started when it was started
 * @param duration until the last of its processes had ended
 * @param processes every process that was seen of it, the child first
 * @param leftRunning processes that outlived the child and had to be ended
 * @param killed whether anything needed SIGKILL, because it took longer than it was given after SIGTERM
 * @param survivors processes that could not be ended
 * @param notices what else a reader should know, such as output that could not be written to its file
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ChildEnd(
        Cause cause,
        Optional<ExitCode> exitCode,
        Instant started,
        Duration duration,
        List<Long> processes,
        List<Long> leftRunning,
        boolean killed,
        List<Long> survivors,
        List<String> notices) {

    /** Why a child ended. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Cause {
        /** Of itself, or by a signal of another process. */
        EXITED,
        /** Its deadline came first. */
        TIMED_OUT,
        /** It was asked for. */
        STOPPED,
        /** The thread that waited for it was interrupted. */
        INTERRUPTED
    }

    /**
     * Keeps its own copies.
     *
     * @param cause why
     * @param exitCode what the child ended with
     * @param started when it was started
     * @param duration until the last of its processes had ended
     * @param processes every process that was seen of it
     * @param leftRunning processes that outlived the child
     * @param killed whether anything needed SIGKILL
     * @param survivors processes that could not be ended
     * @param notices what else a reader should know
     */
    public ChildEnd {
        processes = List.copyOf(processes);
        leftRunning = List.copyOf(leftRunning);
        survivors = List.copyOf(survivors);
        notices = List.copyOf(notices);
    }
}
