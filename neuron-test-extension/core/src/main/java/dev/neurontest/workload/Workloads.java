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
 * Starts workloads for a test, and ends those that it leaves running. A test takes it as a parameter:
 *
 * <pre>{@code
 * @Test
 * void infers(@Count(4) List<NeuronCore> cores, Workloads workloads) {
 *     workloads.command("python", "infer.py").run();
 * }
 * }</pre>
 *
 * <p>A workload of a test gets the cores that the test takes for itself, or else those of its class; a workload of a class gets those of
 * the class. {@link NeuronWorkload.Builder#on(NeuronCore...)} chooses others.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Workloads implements AutoCloseable {

    private final WorkloadContext context;
    private final List<NeuronWorkload> started = new ArrayList<>();
    private boolean closed;

    /**
     * For the workloads of one test, or of a class.
     *
     * @param context what each begins with
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public Workloads(WorkloadContext context) {
        this.context = context;
    }

    /**
     * Prepares a workload on the cores of the test, or else of its class.
     *
     * @param program a name that is looked for in this JVM's {@code PATH}, or a path
     * @param arguments what it gets, as they are: no shell sees them
     * @return options, with cores, folder, tag and environment set
     */
    public NeuronWorkload.Builder command(String program, String... arguments) {
        return command(
                Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList());
    }

    /**
     * Prepares a workload on the cores of the test, or else of its class.
     *
     * @param command the program, then its arguments as they are: no shell sees them
     * @return options, with cores, folder, tag and environment set; where the cores are scattered, {@code on(...)} must choose
     * @throws IllegalArgumentException when it is empty
     */
    public NeuronWorkload.Builder command(List<String> command) {
        NeuronWorkload.Builder builder = NeuronWorkload.command(command)
                .folder(context.folder())
                .tag(context.tag())
                .observer(context.observer())
                .owner(this)
                .givenEnvironment(context.environment());
        return builder.unlessSaid(context.cores());
    }

    NeuronWorkload start(Supplier<NeuronWorkload> start) {
        synchronized (started) {
            if (closed) {
                throw new IllegalStateException("The test is over: nothing is started for it any more.");
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
                "The test ended while %s was started, so that it was stopped again.".formatted(workload));
    }

    /**
     * What has ended so far.
     *
     * @return in the order of their starts
     */
    public List<WorkloadResult> results() {
        synchronized (started) {
            return started.stream()
                    .map(NeuronWorkload::result)
                    .flatMap(Optional::stream)
                    .toList();
        }
    }

    /** Stops what still runs, the newest first. Nothing can be started any more. May be called again. */
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
