package dev.neurontest.profile.tool;

import dev.neurontest.device.RuntimeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** Why a call of a tool failed, what it printed of that, what the runtime returned, and what to do. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FailureReason {

    private FailureReason() {}

    /**
     * One paragraph.
     *
     * @param what happened, such as {@code no trace of resnet50.neff was made}
     * @param call that failed
     * @param output where the whole output is
     * @return the message
     */
    public static String of(String what, ToolCall call, Path output) {
        return of(what, call, output, advice(call, call.log(), call.log().statuses()));
    }

    /**
     * The same where nothing has to be done.
     *
     * @param what happened
     * @param call that failed
     * @param output where the whole output is
     * @return the message
     */
    public static String withoutAdvice(String what, ToolCall call, Path output) {
        return of(what, call, output, Optional.empty());
    }

    private static String of(String what, ToolCall call, Path output, Optional<String> advice) {
        ToolLog log = call.log();
        StringBuilder reason = new StringBuilder(
                "%s: %s %s.".formatted(what, program(call), call.run().end()));
        log.errorLine().ifPresent(line -> reason.append(" It printed \"%s\".".formatted(line)));
        List<RuntimeStatus> statuses = log.statuses();
        if (!statuses.isEmpty()) {
            reason.append(" The runtime returned %s."
                    .formatted(statuses.stream()
                            .map(status -> "%s, %s".formatted(status, status.meaning()))
                            .collect(Collectors.joining("; "))));
        }
        advice.ifPresent(said -> reason.append(' ').append(said));
        return reason.append(" Its output is in %s.".formatted(output)).toString();
    }

    private static String program(ToolCall call) {
        return String.valueOf(Path.of(call.run().command().get(0)).getFileName());
    }

    private static Optional<String> advice(ToolCall call, ToolLog log, List<RuntimeStatus> statuses) {
        if (!call.wasComplete()) {
            return switch (call.end().cause()) {
                case TIMED_OUT ->
                    Optional.of(
                            "Large NEFFs and traces take long: if this one may take longer, say deadline(...) or set neuron.test.profile.deadline.");
                case INTERRUPTED, STOPPED -> Optional.empty();
                case EXITED ->
                    Optional.of(
                            "Another process or the kernel ended it, for example because memory ran out: see the kernel's log.");
            };
        }
        Optional<String> known = KnownTrouble.in(log).map(KnownTrouble::advice);
        return known.isPresent() || statuses.isEmpty()
                ? known
                : Optional.of(FailureClass.of(statuses).advice());
    }
}
