package dev.neurontest.runtime;

import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.watch.Handle;
import dev.neurontest.internal.runtime.watch.OpenResources;
import dev.neurontest.tensor.TensorBytes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * A model with tensors for all that it reads and writes, to be executed again and again. It serves one thread at a time; several
 * executions of one model may run at once.
 *
 * <pre>{@code
 * try (Execution execution = model.bind().input("a", a).input("b", b)) {
 *     ExecutionStatistics statistics = execution.runMany(10_000);
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Execution implements AutoCloseable {

    /** With or without errors, the outputs are written. */
    private static final Set<Integer> COMPLETED = Set.of(0, 1003, 1004);

    private final LoadedModel model;
    private final NeuronRuntime runtime;
    private final TensorSet inputs;
    private final TensorSet outputs;
    private final Handle handle;

    /** How one run ended. */
    record Ended(RuntimeStatus status, long nanoseconds) {}

    private Execution(LoadedModel model, TensorSet inputs, TensorSet outputs, boolean owned) {
        this.model = model;
        this.runtime = model.runtime();
        this.inputs = inputs;
        this.outputs = outputs;
        this.handle = runtime.resources()
                .add(
                        OpenResources.Kind.EXECUTION,
                        model.core(),
                        "execution of " + model.onCore(),
                        0,
                        owned,
                        nothing -> free());
    }

    static Execution prepare(LoadedModel model, boolean owned) {
        return model.runtime().gate().inside(() -> {
            model.hold();
            TensorSet inputs = null;
            Execution execution = null;
            try {
                inputs = new TensorSet(model, TensorSet.INPUT, model.inputs());
                execution =
                        new Execution(model, inputs, new TensorSet(model, TensorSet.OUTPUT, model.outputs()), owned);
                execution.outputs.allocateAll();
                return execution;
            } catch (RuntimeException failed) {
                if (execution != null) {
                    execution.close();
                } else {
                    if (inputs != null) {
                        inputs.free();
                    }
                    model.release();
                }
                throw failed;
            }
        });
    }

    private void free() {
        try {
            inputs.free();
            outputs.free();
        } finally {
            model.release();
        }
    }

    /**
     * Gives an input.
     *
     * @param name of the input
     * @param values a {@link DeviceTensor} of its size, which is used as it is; otherwise what {@link DeviceTensor#write(Object)}
     *     takes, which is copied to the device now
     * @return this
     * @throws IllegalArgumentException when the model has no such input, or it is of another size
     * @throws IllegalStateException when this, the tensor, the model or the runtime is closed
     * @throws NrtException when the runtime refuses
     */
    public synchronized Execution input(String name, Object values) {
        return holding(() -> {
            if (values instanceof DeviceTensor tensor) {
                inputs.use(name, tensor);
            } else {
                inputs.write(name, values);
            }
            return this;
        });
    }

    /**
     * Lets an output be written to a tensor of one's own; one that is an input too makes the two aliases.
     *
     * @param name of the output
     * @param tensor of its size
     * @return this
     * @throws IllegalArgumentException when the model has no such output, or it is of another size
     * @throws IllegalStateException when this, the tensor, the model or the runtime is closed
     * @throws NrtException when the runtime refuses
     */
    public synchronized Execution output(String name, DeviceTensor tensor) {
        return holding(() -> {
            outputs.use(name, tensor);
            return this;
        });
    }

    private <T> T holding(Supplier<T> body) {
        return runtime.gate().inside(() -> {
            handle.hold();
            try {
                return body.get();
            } finally {
                handle.release();
            }
        });
    }

    /**
     * Executes the model once.
     *
     * @return how long {@code nrt_execute} took, as this thread saw it
     * @throws IllegalArgumentException when an input was not given
     * @throws IllegalStateException when this, the model or the runtime is closed
     * @throws NrtException when it does not end with {@code NRT_SUCCESS}
     */
    public Duration run() {
        Ended ended = once();
        if (ended.status().code() != 0) {
            throw runtime.failure("nrt_execute", model.onCore(), ended.status());
        }
        return Duration.ofNanos(ended.nanoseconds());
    }

    /**
     * Executes the model many times, one after the other. Failures are counted; after a timeout or a failure of the hardware there is no
     * further execution, since the core would need a reset.
     *
     * @param executions how many
     * @return latencies and failures
     * @throws IllegalArgumentException when an input was not given
     * @throws IllegalStateException when this, the model or the runtime is closed
     */
    public ExecutionStatistics runMany(int executions) {
        ExecutionStatistics statistics = new ExecutionStatistics(executions);
        for (int index = 0; index < executions; index++) {
            Ended ended = once();
            statistics.count(ended.status(), ended.nanoseconds());
            if (ended.status().core(RuntimeStatus.Stage.EXECUTE).keepsBack()) {
                break;
            }
        }
        return statistics;
    }

    synchronized Ended once() {
        return holding(() -> {
            inputs.requireComplete();
            outputs.requireComplete();
            long address = model.hold();
            try {
                long[] nanoseconds = new long[1];
                RuntimeStatus status = runtime.execute(model.file(), model.core(), () -> {
                    long started = System.nanoTime();
                    int code = CoreCalls.nrt_execute(address, inputs.address(), outputs.address());
                    nanoseconds[0] = System.nanoTime() - started;
                    return code;
                });
                return new Ended(status, nanoseconds[0]);
            } finally {
                model.release();
            }
        });
    }

    static boolean hasCompleted(RuntimeStatus status) {
        return COMPLETED.contains(status.code());
    }

    /**
     * The tensor of an output, as it is on the device.
     *
     * @param name of the output
     * @return closed with this, unless it was given
     * @throws IllegalArgumentException when the model has no such output
     */
    public synchronized DeviceTensor outputTensor(String name) {
        return outputs.tensor(name);
    }

    /**
     * What the last execution wrote.
     *
     * @return copies of all outputs
     * @throws IllegalStateException when this or the runtime is closed, or an output is larger than an array can be
     * @throws NrtException when they cannot be read
     */
    public synchronized Outputs outputs() {
        return holding(() -> {
            Map<String, Outputs.Output> copies = new LinkedHashMap<>();
            outputs.declared()
                    .forEach((name, info) -> copies.put(
                            name,
                            new Outputs.Output(
                                    info, TensorBytes.of(outputs.tensor(name).read()))));
            return new Outputs(model.file(), copies);
        });
    }

    /** Gives its tensors back, once, when nothing is executed any more. Nothing happens when it is closed already, or its runtime is. */
    @Override
    public void close() {
        runtime.close(handle);
    }

    /**
     * For messages.
     *
     * @return model and core
     */
    @Override
    public String toString() {
        return handle.what();
    }
}
