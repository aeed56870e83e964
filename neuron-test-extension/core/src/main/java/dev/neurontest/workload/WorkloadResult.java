package dev.neurontest.workload;

import dev.neurontest.internal.judgement.Measurement;
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
 * How a workload ended, and what it printed. Secrets are masked in everything that it holds.
 *
 * @param name what messages call it
 * @param command the program and its arguments
 * @param pid of the program itself
 * @param visibleCores what it got as {@code NEURON_RT_VISIBLE_CORES}, such as {@code 8-11}; empty when it got no cores
 * @param cause why it ended
 * @param exitCode what the program ended with; empty when even SIGKILL did not end it
 * @param unmet the end that was demanded instead, such as {@code exit code 0}; empty when it did what it should
 * @param killed whether it, or something that it started, needed SIGKILL
 * @param started when it was started, by the system's clock
 * @param duration until its last process had ended
 * @param stdout beginning and end of its standard output
 * @param stderr beginning and end of its standard error
 * @param folder where {@code stdout.log}, {@code stderr.log} and the dumps of the runtime are; empty when it had none
 * @param report what the runtime reported as far as it was printed
 * @param survivors processes of it that could not be ended: its cores are still in use
 * @param stillOwned devices that its processes still had open some seconds after it had ended
 * @param notices what else a reader should know
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
        List<String> notices)
        implements Measurement {

    /**
     * Keeps its own copies.
     *
     * @param name what messages call it
     * @param command the program and its arguments
     * @param pid of the program itself
     * @param visibleCores what it got as {@code NEURON_RT_VISIBLE_CORES}
     * @param cause why it ended
     * @param exitCode what the program ended with
     * @param unmet the end that was demanded instead
     * @param killed whether anything of it needed SIGKILL
     * @param started when it was started
     * @param duration until its last process had ended
     * @param stdout beginning and end of its standard output
     * @param stderr beginning and end of its standard error
     * @param folder where its files are
     * @param report what the runtime reported
     * @param survivors processes of it that could not be ended
     * @param stillOwned devices that its processes still had open
     * @param notices what else a reader should know
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
     * @return each once, in order, without successes
     */
    public List<RuntimeStatus> statuses() {
        return report.statuses();
    }

    /**
     * Returns whether it ended by itself with 0. A status in the log of such a program takes no core.
     *
     * @return whether it did
     */
    public boolean endedWithZero() {
        return cause == ChildEnd.Cause.EXITED
                && exitCode.filter(code -> code.value() == 0).isPresent();
    }

    /**
     * Whether its time was up.
     *
     * @return true when it was ended for that
     */
    public boolean timedOut() {
        return cause == ChildEnd.Cause.TIMED_OUT;
    }

    /**
     * Whether it was stopped on purpose.
     *
     * @return true when it ran until then
     */
    public boolean stopped() {
        return cause == ChildEnd.Cause.STOPPED;
    }

    /**
     * Returns whether it ended as it should: with 0, or as its builder allows, or because it was stopped.
     *
     * @return false when it fails its test
     */
    public boolean succeeded() {
        return unmet.isEmpty();
    }

    /**
     * Whether its cores may be used by the next one.
     *
     * @return false when a process of it lives, or still has a device open
     */
    public boolean released() {
        return survivors.isEmpty() && stillOwned.isEmpty();
    }

    /** {@code workload}. */
    @Override
    public String kind() {
        return "workload";
    }

    /**
     * How it ended, followed by its output.
     *
     * @return lines of text, the last one ended too
     */
    @Override
    public String toText() {
        return WorkloadText.of(this);
    }

    /**
     * How it ended as one JSON object, without its output. Version 1 has
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
     * has. The version rises when a member changes its meaning or goes;
     * new members may come without that.
     *
     * @return the object
     */
    @Override
    public String toJson() {
        return WorkloadJson.of(this);
    }

    /**
     * The result without its output.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return WorkloadText.headline(this);
    }
}
