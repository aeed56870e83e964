package dev.neurontest.workload;

import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.thread.Failures;
import dev.neurontest.internal.workload.WorkloadContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * Launcher of workloads for a test. It stops workloads that still run at the end of the test. A test declares it as a parameter:
 *
 * <pre>{@code
 * @Test
 * void infers(@Count(4) List<NeuronCore> cores, Workloads workloads) {
 *     workloads.command("python", "infer.py").run();
 * }
 * }</pre>
 *
 * <p>A workload of a test uses the cores that the test leases for itself, or else the cores of its class. A workload of a class uses the
 * cores of the class. {@link NeuronWorkload.Builder#on(NeuronCore...)} selects other cores.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Workloads implements AutoCloseable {

    private final WorkloadContext context;
    private final List<NeuronWorkload> started = new ArrayList<>();
    private boolean closed;

    /**
     * Creates a launcher for the workloads of one test or class.
     *
     * @param context defaults of each workload
     * @hidden
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Workloads(WorkloadContext context) {
        this.context = context;
    }

    /**
     * Creates a builder for a workload on the cores of the test, or else of its class.
     *
     * @param program a program name that is searched in this JVM's {@code PATH}, or a path
     * @param arguments the arguments of the program, passed unchanged and without a shell
     * @return a builder with cores, folder, tag and environment already set
     */
    public NeuronWorkload.Builder command(String program, String... arguments) {
        return command(
                Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList());
    }

    /**
     * Creates a builder for a workload on the cores of the test, or else of its class.
     *
     * @param command the program, followed by its arguments, passed unchanged and without a shell
     * @return a builder with cores, folder, tag and environment already set; {@code on(...)} must be called if the cores are not adjacent
     * @throws IllegalArgumentException when the command is empty
     */
    public NeuronWorkload.Builder command(List<String> command) {
        NeuronWorkload.Builder builder = NeuronWorkload.command(command)
                .folder(context.folder())
                .tag(context.tag())
                .observer(context.observer())
                .owner(this)
                .family(context.host().devices().stream()
                        .findFirst()
                        .map(device -> device.architecture().family()))
                .givenEnvironment(context.environment());
        return builder.defaultCores(context.cores());
    }

    NeuronWorkload start(Supplier<NeuronWorkload> start) {
        synchronized (started) {
            if (closed) {
                throw new IllegalStateException("The test has ended: no workload can be started for it.");
            }
        }
        NeuronWorkload workload = start.get();
        synchronized (started) {
            if (!closed) {
                started.add(workload);
                return workload;
            }
        }
        workload.stop();
        throw new IllegalStateException(
                "The test ended while %s was being started, so it was stopped again.".formatted(workload));
    }

    /**
     * Returns the results of the workloads that have ended so far.
     *
     * @return the results in the order of the starts
     */
    public List<WorkloadResult> results() {
        synchronized (started) {
            return started.stream()
                    .map(NeuronWorkload::result)
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /** Stops the running workloads, the newest first. Afterwards no workload can be started. This method can be called repeatedly. */
    @Override
    public void close() {
        List<NeuronWorkload> running;
        synchronized (started) {
            closed = true;
            running = new ArrayList<>(started);
        }
        Collections.reverse(running);
        Failures.throwFirst(Failures.of(running, NeuronWorkload::endWithTest));
    }
}
