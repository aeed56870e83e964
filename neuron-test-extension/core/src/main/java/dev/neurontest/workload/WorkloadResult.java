package dev.neurontest.workload;

import dev.neurontest.internal.workload.WorkloadText;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The end of a workload and its output. Secrets are masked in all fields.
 *
 * @param name name in messages
 * @param command the program and its arguments
 * @param pid process id of the program itself
 * @param visibleCores value of {@code NEURON_RT_VISIBLE_CORES}, such as {@code 8-11}; empty without cores
 * @param cause reason of the end
 * @param exitCode exit code of the program; empty when even SIGKILL did not end it
 * @param unmet the violated expectation, such as {@code exit code 0}; empty when the program ended as expected
 * @param killed true if the program, or a process that it started, needed SIGKILL
 * @param started start time by the system clock
 * @param duration time from the start until its last process had ended
 * @param stdout beginning and end of its standard output
 * @param stderr beginning and end of its standard error
 * @param folder folder with {@code stdout.log}, {@code stderr.log} and the dumps of the runtime; empty without a folder
 * @param report reports of the runtime, as far as they were printed
 * @param survivors processes that could not be ended; their cores are still in use
 * @param stillOwned devices that its processes still had open some seconds after its end
 * @param notices further remarks for the reader
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorkloadResult(
        String name,
        List<String> command,
        long pid,
        String visibleCores,
        ChildEnd.Cause cause,
        Optional<ExitCode> exitCode,
        Optional<String> unmet,
        boolean killed,
        Instant started,
        Duration duration,
        String stdout,
        String stderr,
        Optional<Path> folder,
        RuntimeReport report,
        List<Long> survivors,
        List<String> stillOwned,
        List<String> notices) {

    /**
     * Creates a result with its own copies of the lists.
     *
     * @param name name in messages
     * @param command the program and its arguments
     * @param pid process id of the program itself
     * @param visibleCores value of {@code NEURON_RT_VISIBLE_CORES}
     * @param cause reason of the end
     * @param exitCode exit code of the program
     * @param unmet the violated expectation
     * @param killed true if any of its processes needed SIGKILL
     * @param started start time
     * @param duration time from the start until its last process had ended
     * @param stdout beginning and end of its standard output
     * @param stderr beginning and end of its standard error
     * @param folder folder of its files
     * @param report reports of the runtime
     * @param survivors processes that could not be ended
     * @param stillOwned devices that its processes still had open
     * @param notices further remarks for the reader
     */
    public WorkloadResult {
        command = List.copyOf(command);
        survivors = List.copyOf(survivors);
        stillOwned = List.copyOf(stillOwned);
        notices = List.copyOf(notices);
    }

    /**
     * Returns the statuses that the runtime reported.
     *
     * @return each status once, in order, without successes
     */
    public List<RuntimeStatus> statuses() {
        return report.statuses();
    }

    /**
     * Returns whether the program ended on its own with 0. A status in its log does not take a core out of use in this case.
     *
     * @return true if the exit code is 0
     */
    public boolean endedWithZero() {
        return cause == ChildEnd.Cause.EXITED
                && exitCode.filter(code -> code.value() == 0).isPresent();
    }

    /**
     * Returns whether the program reached its deadline.
     *
     * @return true when it was ended for that reason
     */
    public boolean timedOut() {
        return cause == ChildEnd.Cause.TIMED_OUT;
    }

    /**
     * Returns whether the program was stopped on purpose.
     *
     * @return true when it ran until it was stopped
     */
    public boolean stopped() {
        return cause == ChildEnd.Cause.STOPPED;
    }

    /**
     * Returns whether the program ended as expected: with 0, with an end that its builder allows, or because it was stopped.
     *
     * @return false when it fails its test
     */
    public boolean succeeded() {
        return unmet.isEmpty();
    }

    /**
     * Returns whether the next user can use its cores.
     *
     * @return false when one of its processes is alive or still has a device open
     */
    public boolean released() {
        return survivors.isEmpty() && stillOwned.isEmpty();
    }

    /**
     * Returns the end of the program, followed by its output.
     *
     * @return lines of text, each ended by a line break
     */
    public String toText() {
        return WorkloadText.of(this);
    }

    /**
     * Returns the end of the program as one JSON object, without its output. The format of version 1 is
     *
     * <pre>{@code
     * {"version": 1, "kind": "workload", "name": "serve.py", "command": ["python", "serve.py"], "pid": 4711,
     *  "visibleCores": "8-11", "cause": "exited", "exitCode": 1 or null, "signal": "SIGKILL" or null, "killed": false,
     *  "succeeded": false, "started": "2026-01-02T03:04:05Z", "durationMillis": 3210, "folder": "/..." or null,
     *  "statuses": [{"code": 1202, "name": "NRT_EXEC_HW_ERR_NC_UE", "faults": ["hardware_replace"]}],
     *  "reports": [{"text": "...", "status": 1202 or null, "stage": "execute", "device": 0, "core": 1, "logicalCore": 0, "rank": 3,
     *    "cause": "sram" or null, "faults": ["hardware_replace"], "verdict": "out", "serialNumber": "...", "action": "..."}],
     *  "survivors": [4712], "stillOwned": ["neuron0 by python3 (pid 4712)"], "notices": ["..."]}
     * }</pre>
     *
     * <p>{@code cause} is exited, timed_out, stopped or interrupted. A report has the numbers, serial number and action that its line
     * contains. The version increases when a member is removed or its meaning changes. New members can be added without a new version.
     *
     * @return the object
     */
    public String toJson() {
        return WorkloadJson.of(this);
    }

    /**
     * Returns the result without its output.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return WorkloadText.headline(this);
    }
}
