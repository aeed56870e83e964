package dev.neurontest.internal.profile.tool;

import dev.neurontest.internal.status.RuntimeExplanation;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** Messages for failed tool calls. A message contains the end of the call, the error line, the report of the runtime, and advice. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class FailureReason {

    /** Advice for the caller of a capture by status code, in addition to the advice of the status. */
    private static final Map<Integer, String> ADVICE_OF_CAPTURES = Map.of(
            4, "Save memory with singleIo().",
            5, "Leave out dgeNotifications().",
            1002, "See input(name, file).",
            1003,
                    "Set real inputs with input(name, file), or call ignoreExecErrors(true), since the trace is complete.",
            1006, "See input(name, file).",
            1204, "Leave out dgeNotifications().");

    private FailureReason() {}

    /**
     * Returns a message of one paragraph, with advice.
     *
     * @param failure the event, such as {@code no trace of resnet50.neff was made}
     * @param call the failed call
     * @param output the file with the whole output
     */
    public static String of(String failure, ToolCall call, Path output) {
        return of(failure, call, output, advice(call, call.run().report()));
    }

    /**
     * Returns the same message without advice, for failures that need no action.
     *
     * @param failure the event
     * @param call the failed call
     * @param output the file with the whole output
     */
    public static String withoutAdvice(String failure, ToolCall call, Path output) {
        return of(failure, call, output, Optional.empty());
    }

    private static String of(String failure, ToolCall call, Path output, Optional<String> advice) {
        ToolLog log = call.log();
        StringBuilder reason = new StringBuilder(
                "%s: %s %s.".formatted(failure, program(call), call.run().end()));
        log.errorLine().ifPresent(line -> reason.append(" It printed \"%s\".".formatted(line)));
        List<String> reported = call.run().report().lines().stream()
                .map(RuntimeExplanation::named)
                .distinct()
                .toList();
        if (!reported.isEmpty()) {
            reason.append(" The runtime reported %s.".formatted(String.join("; ", reported)));
        }
        advice.ifPresent(text -> reason.append(' ').append(text));
        return reason.append(" Its output is in %s.".formatted(output)).toString();
    }

    private static String program(ToolCall call) {
        return String.valueOf(Path.of(call.run().command().get(0)).getFileName());
    }

    private static Optional<String> advice(ToolCall call, RuntimeReport report) {
        if (!call.wasComplete()) {
            return switch (call.end().cause()) {
                case TIMED_OUT ->
                    Optional.of(
                            "Large NEFFs and traces take long: if this run needs longer, call deadline(...) or set neuron.test.profile.deadline.");
                case INTERRUPTED, STOPPED -> Optional.empty();
                case EXITED ->
                    Optional.of(
                            "Another process or the kernel ended it, for example because memory ran out: see the kernel's log.");
            };
        }
        return KnownToolErrors.in(call.log())
                .map(KnownToolErrors::advice)
                .or(() -> report.gravest().map(line -> advice(report, line)));
    }

    private static String advice(RuntimeReport report, RuntimeLine line) {
        String advice = RuntimeExplanation.advice(report, line);
        return line.status()
                .map(RuntimeStatus::code)
                .map(ADVICE_OF_CAPTURES::get)
                .map(more -> more + " " + advice)
                .orElse(advice);
    }
}
