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
 * A model with tensors for all its inputs and outputs, for repeated execution. An instance must be used by one thread at a time. Several
 * executions of one model can run concurrently.
 *
 * <pre>{@code
 * try (Execution execution = model.bind().input("a", a).input("b", b)) {
 *     ExecutionStatistics statistics = execution.runMany(10_000);
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Execution implements AutoCloseable {

    /** Status codes with complete outputs, with or without errors. */
    private static final Set<Integer> COMPLETED = Set.of(0, 1003, 1004);

    private final LoadedModel model;
    private final NeuronRuntime runtime;
    private final TensorSet inputs;
    private final TensorSet outputs;
    private final Handle handle;

    /** The end of one run. */
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
     * Sets an input.
     *
     * @param name name of the input
     * @param values a {@link DeviceTensor} of the size of the input, which is used directly; otherwise values for
     *     {@link DeviceTensor#write(Object)}, which are copied to the device immediately
     * @return this
     * @throws IllegalArgumentException when the model has no such input, or it has another size
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
     * Sets a tensor of the caller as the destination of an output. If this tensor is also an input, input and output are aliases.
     *
     * @param name name of the output
     * @param tensor a tensor of the size of the output
     * @return this
     * @throws IllegalArgumentException when the model has no such output, or it has another size
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
     * @return duration of {@code nrt_execute}, measured by this thread
     * @throws IllegalArgumentException when an input was not set
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
     * Executes the model many times in sequence. Failures are counted. A timeout or a hardware failure ends the sequence, because the core
     * would need a reset.
     *
     * @param executions number of executions
     * @return latencies and failures
     * @throws IllegalArgumentException when an input was not set
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
     * Returns the tensor of an output on the device.
     *
     * @param name name of the output
     * @return the tensor; it is closed together with this execution unless the caller provided it
     * @throws IllegalArgumentException when the model has no such output
     */
    public synchronized DeviceTensor outputTensor(String name) {
        return outputs.tensor(name);
    }

    /**
     * Returns the outputs of the last execution.
     *
     * @return copies of all outputs
     * @throws IllegalStateException when this or the runtime is closed, or an output is larger than the maximum size of an array
     * @throws NrtException when the outputs cannot be read
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

    /** Frees the tensors as soon as no execution is running. Further calls have no effect, nor has a call after the runtime is closed. */
    @Override
    public void close() {
        runtime.close(handle);
    }

    /**
     * Returns a description for messages.
     *
     * @return model and core
     */
    @Override
    public String toString() {
        return handle.what();
    }
}
