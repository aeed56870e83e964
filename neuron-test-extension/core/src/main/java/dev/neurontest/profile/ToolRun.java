package dev.neurontest.profile;

import dev.neurontest.runtime.RuntimeReport;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A call of a profiler tool.
 *
 * @param command the program and its arguments
 * @param end the way in which it ended, such as {@code exit code 0}
 * @param took the time from its start until the end of its last process
 * @param log the output of both streams, with limited length and masked secrets; without a printed summary or trace
 * @param report the reports of the runtime inside the tool, also from parts that {@code log} omits
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ToolRun(List<String> command, String end, Duration took, String log, RuntimeReport report) {

    private static final String WELL = "exit code 0";

    /**
     * Creates a call with its own copy of the command.
     *
     * @param command the program and its arguments
     * @param end the way in which it ended
     * @param took the duration
     * @param log the output
     * @param report the reports of the runtime
     */
    public ToolRun {
        command = List.copyOf(command);
    }

    /**
     * Returns whether the tool ended on its own with exit code 0. In that case, an error status in its log does not put the core in
     * quarantine.
     *
     * @return true if it ended with 0
     */
    public boolean endedWithZero() {
        return end.equals(WELL) || end.startsWith(WELL + ",");
    }
}
