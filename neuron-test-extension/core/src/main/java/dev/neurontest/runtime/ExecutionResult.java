package dev.neurontest.runtime;

import dev.neurontest.internal.text.DurationText;
import java.time.Duration;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/** The result of one execution, successful or not. */
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
     * Returns the status of {@code nrt_execute}.
     *
     * @return such as {@code NRT_EXEC_OOB (1006)}
     */
    public RuntimeStatus status() {
        return status;
    }

    /**
     * Returns the duration of {@code nrt_execute}, measured by the calling thread.
     *
     * @return the duration, including the host's part
     */
    public Duration duration() {
        return duration;
    }

    /**
     * Returns the outputs. They exist if the execution completed, even with errors (1003, 1004).
     *
     * @return copies
     * @throws NrtException when it did not complete
     */
    public Outputs outputs() {
        return outputs.get();
    }

    /**
     * Returns status and duration.
     *
     * @return one line
     */
    @Override
    public String toString() {
        return "%s after %s".formatted(status, DurationText.exact(duration));
    }
}
