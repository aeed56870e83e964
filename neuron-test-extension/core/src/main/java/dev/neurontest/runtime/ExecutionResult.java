package dev.neurontest.runtime;

import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** How one execution ended, whatever its status is. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ExecutionResult {

    private final RuntimeStatus status;
    private final Duration duration;
    private final Supplier<Outputs> outputs;

    ExecutionResult(RuntimeStatus status, Duration duration, Supplier<Outputs> outputs) {
        this.status = status;
        this.duration = duration;
        this.outputs = outputs;
    }

    /**
     * What {@code nrt_execute} returned.
     *
     * @return such as {@code NRT_EXEC_OOB (1006)}
     */
    public RuntimeStatus status() {
        return status;
    }

    /**
     * How long {@code nrt_execute} took, as this thread saw it.
     *
     * @return with the host's part of it
     */
    public Duration duration() {
        return duration;
    }

    /**
     * What it wrote. It is there when the execution completed, also when it did so with errors (1003, 1004).
     *
     * @return copies
     * @throws NrtException when it did not complete
     */
    public Outputs outputs() {
        return outputs.get();
    }

    /**
     * Status and time.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return "%s after %s".formatted(status, DurationText.exact(duration));
    }
}
