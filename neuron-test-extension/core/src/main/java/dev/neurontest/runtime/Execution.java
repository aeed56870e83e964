package dev.neurontest.runtime;

import dev.neurontest.internal.output.OutputCollector;
import dev.neurontest.internal.output.OutputOrigin;
import dev.neurontest.internal.output.OutputTensor;
import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.watch.Handle;
import dev.neurontest.internal.runtime.watch.OpenResources;
import dev.neurontest.tensor.TensorBytes;
import dev.neurontest.tensor.TensorView;
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

    /** The last execution as its collector counts it; 0 if it did not complete, or its outputs have been collected. */
    private long uncollected;

    private OutputCollector collectedBy = OutputCollector.NONE;
    private String inputHash = "";

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
        Duration duration = runOnce();
        collect(false);
        return duration;
    }

    /** Executes the model once and leaves its outputs to be collected when they are read. */
    Duration runOnce() {
        Ended ended = once(runtime.collector(model.core()).fillsEach());
        if (ended.status().code() != 0) {
            collect(false);
            throw runtime.failure("nrt_execute", model.onCore(), ended.status());
        }
        return Duration.ofNanos(ended.nanoseconds());
    }

    /**
     * Executes the model many times in sequence. Failures are counted. A timeout or a hardware failure ends the sequence, because the core
     * would need a reset. While a test of the extension runs, the outputs are filled before the last execution and examined after it. This is
     * not part of the latencies.
     *
     * @param executions number of executions
     * @return latencies and failures
     * @throws IllegalArgumentException when an input was not set
     * @throws IllegalStateException when this, the model or the runtime is closed
     */
    public ExecutionStatistics runMany(int executions) {
        ExecutionStatistics statistics = new ExecutionStatistics(executions);
        long completed = 0;
        RuntimeStatus last = RuntimeStatus.of(0);
        for (int index = 0; index < executions; index++) {
            Ended ended = once(index == executions - 1);
            last = ended.status();
            statistics.count(last, ended.nanoseconds());
            completed = uncollected > 0 ? uncollected : completed;
            if (last.core(RuntimeStatus.Stage.EXECUTE).keepsBack()) {
                break;
            }
        }
        collect(true);
        if (completed > 0 && !hasCompleted(last)) {
            leaveOut(completed, last);
        }
        return statistics;
    }

    /** Reports that no output of a sequence was examined, because its last execution failed. */
    private synchronized void leaveOut(long completed, RuntimeStatus failure) {
        outputs.declared()
                .keySet()
                .forEach(name -> collectedBy.notRead(
                        origin(name, completed),
                        "only the last execution of runMany is examined, and that ended with %s".formatted(failure)));
    }

    /**
     * Executes the model once. The fill is not part of the measured time.
     *
     * @param fresh true to fill outputs that an earlier execution may have written
     */
    synchronized Ended once(boolean fresh) {
        return holding(() -> {
            inputs.requireComplete();
            outputs.requireComplete();
            OutputCollector collector = runtime.collector(model.core());
            if (collector.isCollecting()) {
                outputs.fill(inputs, OutputTensor.FILL, fresh);
            }
            inputHash =
                    fresh && collector.comparesExecutions() ? "%s of %s".formatted(inputs.hash(), model.uuid()) : "";
            long address = model.hold();
            try {
                long[] nanoseconds = new long[1];
                RuntimeStatus status = runtime.execute(model.file(), model.core(), () -> {
                    long started = System.nanoTime();
                    int code = CoreCalls.nrt_execute(address, inputs.address(), outputs.address());
                    nanoseconds[0] = System.nanoTime() - started;
                    return code;
                });
                collectedBy = collector;
                uncollected = collector.executed(
                        model.file(), model.core().name(), outputs.declared().keySet(), completion(status));
                return new Ended(status, nanoseconds[0]);
            } finally {
                model.release();
            }
        });
    }

    private static String completion(RuntimeStatus status) {
        return hasCompleted(status) ? "" : status.toString();
    }

    /**
     * Hands the outputs of the last execution to the collector of the test. By default it gets only those that the test reads, and those
     * of {@link #runMany}.
     */
    private synchronized void collect(boolean unasked) {
        OutputCollector collector = runtime.collector(model.core());
        if (uncollected == 0 || collector != collectedBy || !unasked && !collector.fillsEach()) {
            return;
        }
        holding(() -> {
            outputs.declared().forEach((name, info) -> {
                DeviceTensor tensor = outputs.tensor(name);
                OutputOrigin origin = origin(name, uncollected);
                try {
                    if (collector.takes(origin, tensor.bytes())) {
                        collector.add(output(origin, info, TensorBytes.of(tensor.read())));
                    }
                } catch (NrtException unreadable) {
                    collector.notRead(origin, String.valueOf(unreadable.getMessage()));
                }
            });
            uncollected = 0;
            return this;
        });
    }

    private OutputOrigin origin(String output, long execution) {
        return new OutputOrigin(model.file(), model.core().name(), execution, output, false);
    }

    private OutputTensor output(OutputOrigin origin, TensorInfo info, TensorBytes bytes) {
        return new OutputTensor(
                origin,
                TensorView.of(info.dtype(), info.shape(), bytes),
                outputs.whyNotFilled(origin.output(), inputs),
                inputHash);
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
            OutputCollector collector = runtime.collector(model.core());
            Map<String, Outputs.Output> copies = new LinkedHashMap<>();
            outputs.declared().forEach((name, info) -> {
                TensorBytes bytes = TensorBytes.of(outputs.tensor(name).read());
                copies.put(name, new Outputs.Output(info, bytes));
                OutputOrigin origin = origin(name, uncollected);
                if (uncollected > 0 && collector == collectedBy && collector.takes(origin, bytes.size())) {
                    collector.add(output(origin, info, bytes));
                }
            });
            uncollected = 0;
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
