package dev.neurontest.profile;

import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One call of a profiler tool.
 *
 * @param command the program and its arguments
 * @param end how it ended, such as {@code exit 0}
 * @param took from its start until the last process of it was gone
 * @param log what it printed to both streams, bounded, secrets masked; without a summary or trace that it printed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ToolRun(List<String> command, String end, Duration took, String log) {

    /**
     * Keeps its own copy.
     *
     * @param command the program and its arguments
     * @param end how it ended
     * @param took how long
     * @param log what it printed
     */
    public ToolRun {
        command = List.copyOf(command);
    }
}
