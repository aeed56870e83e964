package dev.neurontest.runtime;

import dev.neurontest.internal.status.RuntimeExplanation;
import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.runtime.RuntimeStatus.Fault;
import dev.neurontest.runtime.RuntimeStatus.Stage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Thrown when a call of the Neuron runtime did not return {@code NRT_SUCCESS}. The message contains the call, the meaning of its status
 * and advice.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class NrtException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Return value of the call. */
    private final int code;

    NrtException(String function, String what, RuntimeStatus status, String runtime, List<String> log) {
        super(VisibleText.of(message(function, what, status, runtime, log)));
        this.code = status.code();
    }

    private static String message(
            String function, String what, RuntimeStatus status, String runtime, List<String> log) {
        Stage stage = Stage.ofFunction(function);
        Optional<RuntimeCause> cause = RuntimeLines.in(String.join("\n", log)).lines().stream()
                .flatMap(line -> line.cause().stream())
                .findFirst();
        Set<Fault> faults = cause.map(RuntimeCause::faults).orElse(status.faults(stage));
        return "%s of %s returned %s: %s. %s%s%s\n  runtime: %s"
                .formatted(
                        function,
                        what,
                        status,
                        cause.map(RuntimeCause::meaning).orElse(status.meaning()),
                        faults.isEmpty() ? "" : RuntimeExplanation.possible(faults) + " ",
                        cause.map(RuntimeCause::advice).orElse(status.advice(stage)),
                        log.isEmpty()
                                ? ""
                                : log.stream()
                                        .map("\n    "::concat)
                                        .collect(Collectors.joining("", "\n  the runtime's log:", "")),
                        runtime);
    }

    /**
     * Returns the status of the call.
     *
     * @return the status; its faults show the possible owners of the problem
     */
    public RuntimeStatus status() {
        return RuntimeStatus.of(code);
    }
}
