package dev.neurontest.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The end of a child process and of all processes that it started.
 *
 * @param cause reason of the end
 * @param exitCode exit code of the child; empty when even SIGKILL did not end it
 * @param started start time
 * @param duration time from the start until the last of its processes had ended
 * @param processes all processes that were observed, the child first
 * @param leftRunning processes that outlived the child and had to be ended
 * @param killed true if a process needed SIGKILL because it did not end in time after SIGTERM
 * @param survivors processes that could not be ended
 * @param notices further remarks for the reader, such as output that could not be written to its file
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

    /** The reasons for the end of a child process. */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public enum Cause {
        /** An end on its own, or by a signal of another process. */
        EXITED,
        /** A deadline that passed before the child ended. */
        TIMED_OUT,
        /** A request to stop the child. */
        STOPPED,
        /** An interruption of the thread that waited for the child. */
        INTERRUPTED
    }

    /**
     * Creates an end with its own copies of the lists.
     *
     * @param cause reason of the end
     * @param exitCode exit code of the child
     * @param started start time
     * @param duration time from the start until the last of its processes had ended
     * @param processes all processes that were observed
     * @param leftRunning processes that outlived the child
     * @param killed true if a process needed SIGKILL
     * @param survivors processes that could not be ended
     * @param notices further remarks for the reader
     */
    public ChildEnd {
        processes = List.copyOf(processes);
        leftRunning = List.copyOf(leftRunning);
        survivors = List.copyOf(survivors);
        notices = List.copyOf(notices);
    }
}
