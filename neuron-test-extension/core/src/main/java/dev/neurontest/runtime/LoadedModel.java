package dev.neurontest.runtime;

import com.sun.jna.Pointer;
import dev.neurontest.device.NeuronCore;
import dev.neurontest.internal.runtime.library.CoreCalls;
import dev.neurontest.internal.runtime.watch.Handle;
import dev.neurontest.internal.runtime.watch.OpenResources;
import dev.neurontest.internal.runtime.watch.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * A NEFF loaded on a core. Several threads may execute it.
 *
 * <pre>{@code
 * try (LoadedModel model = runtime.load(core, Path.of("add.neff"))) {
 *     Outputs outputs = model.execute(Map.of("a", new float[] {1, 2}, "b", new float[] {3, 4}));
 * }
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LoadedModel implements AutoCloseable {

    private static final int ANY_COUNT = -1;
    private static final long NOTHING = 0;

    private final NeuronRuntime runtime;
    private final NeuronCore core;
    private final String file;
    private final String uuid;
    private final Handle handle;
    private final List<TensorInfo> tensors;

    private LoadedModel(
            NeuronRuntime runtime, NeuronCore core, NeffBytes neff, Handle handle, List<TensorInfo> tensors) {
        this.runtime = runtime;
        this.core = core;
        this.file = neff.file();
        this.uuid = neff.uuid();
        this.handle = handle;
        this.tensors = tensors;
    }

    static LoadedModel load(NeuronRuntime runtime, NeuronCore core, NeffBytes neff) {
        int index = runtime.index(core);
        return runtime.gate().inside(() -> {
            long[] address = new long[1];
            runtime.call(
                    "nrt_load",
                    neff.described(core),
                    core,
                    () -> CoreCalls.nrt_load(neff.address(), neff.size(), index, ANY_COUNT, address));
            Handle handle = runtime.resources()
                    .add(
                            OpenResources.Kind.MODEL,
                            core,
                            "model %s on %s".formatted(neff.file(), core.name()),
                            address[0],
                            false,
                            model -> runtime.call("nrt_unload", neff.file(), core, () -> CoreCalls.nrt_unload(model)));
            try {
                return new LoadedModel(runtime, core, neff, handle, tensors(runtime, core, neff, address[0]));
            } catch (RuntimeException failed) {
                handle.close(Trace.here());
                throw failed;
            }
        });
    }

    private static List<TensorInfo> tensors(NeuronRuntime runtime, NeuronCore core, NeffBytes neff, long model) {
        long[] infos = new long[1];
        runtime.call(
                "nrt_get_model_tensor_info",
                neff.file(),
                core,
                () -> CoreCalls.nrt_get_model_tensor_info(model, infos));
        try {
            return infos(infos[0], neff.file(), runtime.describe());
        } finally {
            if (infos[0] != NOTHING) {
                runtime.call(
                        "nrt_free_model_tensor_info",
                        neff.file(),
                        core,
                        () -> CoreCalls.nrt_free_model_tensor_info(infos[0]));
            }
        }
    }

    static List<TensorInfo> infos(long array, String file, String runtime) {
        if (array == NOTHING) {
            throw new IllegalStateException(
                    "nrt_get_model_tensor_info returned NRT_SUCCESS for %s, but no array of its tensors (runtime %s). Report this with the runtime's version."
                            .formatted(file, runtime));
        }
        return TensorInfo.read(new Pointer(array))
                .orElseThrow(() -> new IllegalStateException(
                        "nrt_get_model_tensor_info returned the tensors of %s in an unknown layout (runtime %s). Report this with the runtime's version."
                                .formatted(file, runtime)));
    }

    /**
     * Returns the core on which the model is loaded.
     *
     * @return the core
     */
    public NeuronCore core() {
        return core;
    }

    /**
     * Returns the inputs of the model.
     *
     * @return the inputs in the runtime's order
     */
    public List<TensorInfo> inputs() {
        return of(TensorInfo.Usage.INPUT);
    }

    /**
     * Returns the outputs of the model.
     *
     * @return the outputs in the runtime's order
     */
    public List<TensorInfo> outputs() {
        return of(TensorInfo.Usage.OUTPUT);
    }

    List<TensorInfo> tensors() {
        return tensors;
    }

    private List<TensorInfo> of(TensorInfo.Usage usage) {
        return tensors.stream().filter(tensor -> tensor.usage() == usage).toList();
    }

    /**
     * Prepares repeated executions that reuse the same tensors.
     *
     * @return an execution without inputs, to be closed by the caller
     * @throws IllegalStateException when the model or the runtime is closed
     * @throws NrtException when there is no device memory for the outputs
     */
    public Execution bind() {
        return Execution.prepare(this, false);
    }

    /**
     * Executes the model once.
     *
     * @param inputs values of all inputs by name, as in {@link Execution#input}
     * @return copies of all outputs
     * @throws IllegalArgumentException when an input is missing, unknown, or of another size
     * @throws IllegalStateException when the model or the runtime is closed
     * @throws NrtException when the execution does not end with {@code NRT_SUCCESS}, or there is no device memory
     */
    public Outputs execute(Map<String, ?> inputs) {
        try (Execution execution = Execution.prepare(this, true)) {
            inputs.forEach(execution::input);
            execution.runOnce();
            return execution.outputs();
        }
    }

    /**
     * Executes the model once and returns its status. Unlike {@link #execute}, it throws no exception for a failed execution:
     *
     * <pre>{@code
     * assertThat(model.tryExecute(inputs).status()).isEqualTo(RuntimeStatus.of("NRT_EXEC_OOB"));
     * }</pre>
     *
     * @param inputs values of all inputs by name, as in {@link Execution#input}
     * @return its status, and its outputs when it completed
     * @throws IllegalArgumentException when an input is missing, unknown, or of another size
     * @throws IllegalStateException when the model or the runtime is closed
     * @throws NrtException when there is no device memory for inputs or outputs
     */
    public ExecutionResult tryExecute(Map<String, ?> inputs) {
        try (Execution execution = Execution.prepare(this, true)) {
            inputs.forEach(execution::input);
            Execution.Ended ended = execution.once(true);
            RuntimeStatus status = ended.status();
            Duration duration = Duration.ofNanos(ended.nanoseconds());
            if (Execution.hasCompleted(status)) {
                Outputs outputs = execution.outputs();
                return new ExecutionResult(status, duration, () -> outputs);
            }
            return new ExecutionResult(status, duration, () -> {
                throw runtime.failure("nrt_execute", onCore(), status);
            });
        }
    }

    NeuronRuntime runtime() {
        return runtime;
    }

    long hold() {
        return handle.hold();
    }

    void release() {
        handle.release();
    }

    String file() {
        return file;
    }

    /** Returns the UUID of the NEFF, which tells models with the same file name apart. */
    String uuid() {
        return uuid;
    }

    String onCore() {
        return file + " on " + core.name();
    }

    /** Unloads the model as soon as no execution uses it. A second call, or one after the runtime is closed, has no effect. */
    @Override
    public void close() {
        runtime.close(handle);
    }

    /**
     * Returns a description for messages.
     *
     * @return file and core
     */
    @Override
    public String toString() {
        return handle.what();
    }
}
