package dev.neurontest.profile;

import dev.neurontest.runtime.RuntimeReport;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * One call of a profiler tool.
 *
 * @param command the program and its arguments
 * @param end how it ended, such as {@code exit code 0}
 * @param took from its start until the last process of it was gone
 * @param log what it printed to both streams, bounded, secrets masked; without a summary or trace that it printed
 * @param report what the runtime inside the tool reported, also in the parts that {@code log} leaves out
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ToolRun(List<String> command, String end, Duration took, String log, RuntimeReport report) {

    private static final String WELL = "exit code 0";

    /**
     * Keeps its own copy.
     *
     * @param command the program and its arguments
     * @param end how it ended
     * @param took how long
     * @param log what it printed
     * @param report what the runtime reported
     */
    public ToolRun {
        command = List.copyOf(command);
    }

    /**
     * Returns whether it ended by itself with 0. A status in the log of such a tool takes no core.
     *
     * @return whether it did
     */
    public boolean endedWithZero() {
        return end.equals(WELL) || end.startsWith(WELL + ",");
    }
}
