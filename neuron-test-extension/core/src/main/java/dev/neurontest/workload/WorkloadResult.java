package dev.neurontest.workload;

import dev.neurontest.baseline.Samples;
import dev.neurontest.baseline.SamplesException;
import dev.neurontest.internal.print.child.ProgramPrints;
import dev.neurontest.internal.workload.WorkloadSamples;
import dev.neurontest.internal.workload.WorkloadText;
import dev.neurontest.print.DevicePrints;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The end of a workload and its output. Secrets are masked in all fields.
 *
 * @param name name in messages
 * @param command the program and its arguments
 * @param pid process id of the program itself
 * @param visibleCores value of {@code NEURON_RT_VISIBLE_CORES}, such as {@code 8-11}; empty without cores
 * @param simulated true if its kernels ran in the simulator of NKI, on the CPU
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
        boolean simulated,
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
     * @param simulated true if its kernels were simulated
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
     * Reads samples from the standard output of the program. Each line that begins with <code>&#123;"neuron_test_samples": 1,</code> is a
     * JSON object with samples:
     *
     * <pre>{@code
     * {"neuron_test_samples": 1, "name": "decode", "unit": "ms", "better": "lower", "clock": "device",
     *  "values": [1.42, 1.43], "asked": 2, "failed": 0, "conditions": {"batch": 8}}
     * }</pre>
     *
     * <p>The object is on one line. {@code asked}, {@code completed}, {@code failed}, {@code aggregate} and {@code conditions} may be absent.
     *
     * @param name name of the samples, such as {@code decode}
     * @return the values, in doubt if their number is not that asked for, if an execution failed, if the middle of the output is left out, or
     *     if the program did not end on its own with exit code 0
     * @throws SamplesException when no line has samples, or none has the name
     */
    public Samples samples(String name) {
        return WorkloadSamples.of(this).samples(name, stdout);
    }

    /**
     * Reads samples from a result file of the program. The content determines the format: {@code BenchmarkResult} of nrtpy,
     * {@code benchmark_report.json} of NxDI, {@code vllm bench serve}, {@code latency} and {@code throughput}, pytest-benchmark, or the
     * objects of {@link #samples(String)}.
     *
     * <pre>{@code
     * WorkloadResult result = workloads.command("vllm", "bench", "serve", "--save-result", "--result-filename", "bench.json").run();
     * assertThat(result.samples("ttft", Path.of("bench.json")).median()).isLessThan(0.2); // succeeds with a median of 55 ms
     * assertThat(result.samples("ttft", Path.of("bench.json")).median()).isLessThan(0.2); // fails if a request failed
     * }</pre>
     *
     * @param name name of the samples in this format, such as {@code ttft}, {@code latency} or
     *     {@code token_generation_model.latency_ms_p50}
     * @param file path of the file; a relative one belongs to the working directory of this JVM
     * @return the values, in doubt if the file is incomplete or reports a failure, if it was last changed before the start of the program or
     *     more than 10 s after its end, or if the program did not end on its own with exit code 0
     * @throws SamplesException when the file cannot be read, has an unknown format, or does not contain the name; the message contains
     *     the names in the file
     */
    public Samples samples(String name, Path file) {
        return WorkloadSamples.of(this).samples(name, file);
    }

    /**
     * Returns the prints of the kernels of a simulated program: those in its files below {@code NEURON_RT_DEBUG_OUTPUT_DIR}, or else those
     * in its standard output. They do not have to be from the test's own cores, so they can be compared with the prints of the device:
     *
     * <pre>{@code
     * WorkloadResult simulated = workloads.command("python3", "kernel.py").simulated().run();
     * workloads.command("python3", "kernel.py").run();
     * assertThat(prints).sameAs(simulated.prints("acc"), Tolerance.absolute(1e-3));
     * }</pre>
     *
     * @param prefixes prefixes of {@code device_print}; they identify prints that are written without dtype and shape
     * @return a fixed list of prints; for a program on cores, only those in its standard output
     */
    public DevicePrints prints(String... prefixes) {
        return DevicePrints.of(ProgramPrints.of(folder, stdout, started.plus(duration), Set.of(prefixes)), List.of())
                .frozen();
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
     *  "visibleCores": "8-11", "simulated": false, "cause": "exited", "exitCode": 1 or null, "signal": "SIGKILL" or null, "killed": false,
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
