package dev.neurontest.internal.workload;

import dev.neurontest.internal.status.RuntimeExplanation;
import dev.neurontest.internal.text.PathText;
import dev.neurontest.workload.ChildEnd;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.WorkloadResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The message of a test that fails because of a workload: the program, its end, the probable fault, and the place of further information.
 */
@API(status = API.Status.INTERNAL)
public final class WorkloadMessage {

    static final String TIME_OVER = "It ran out of time: raise timeout(...), or check in its output how far it came.";

    /** The beginning of the unmet expectation of a server that was never ready. */
    public static final String READY = "readiness";

    /** Advice for a program without output, because a child that is forked after nrt_init hangs, or gets status 1. */
    private static final String SILENCE =
            "It ran out of time and printed nothing: raise timeout(...). A child that is forked after the runtime has started hangs like this: start it with spawn, not with fork.";

    private static final int LAST_LINES = 20;
    private static final int LONGEST_LINE = 400;

    private final WorkloadResult result;
    private final @Nullable String missing;

    private WorkloadMessage(WorkloadResult result, @Nullable String missing) {
        this.result = result;
        this.missing = missing;
    }

    public static WorkloadMessage of(WorkloadResult result) {
        return new WorkloadMessage(result, null);
    }

    /** Creates a message for a server that did not become ready. */
    public static WorkloadMessage notReady(WorkloadResult result, String missing) {
        return new WorkloadMessage(result, missing);
    }

    public String text() {
        StringBuilder text = new StringBuilder(WorkloadText.headline(result))
                .append(reported(result))
                .append('\n');
        if (missing != null) {
            text.append("  It was not ready: ").append(missing).append(".\n");
        }
        expected().ifPresent(line -> text.append("  ").append(line).append('\n'));
        result.exitCode()
                .flatMap(this::advice)
                .ifPresent(advice -> text.append("  ").append(advice).append('\n'));
        text.append(RuntimeExplanation.of(result.report()));
        if (!result.notices().isEmpty()) {
            text.append("\n  Also seen:\n");
            result.notices()
                    .forEach(notice -> text.append("    ").append(notice).append('\n'));
        }
        text.append("\n  command: ")
                .append(cut(String.join(" ", result.command())))
                .append('\n');
        text.append(lastLines("stderr", result.stderr()));
        if (result.stderr().isBlank() || result.stdout().isBlank() || missing != null) {
            text.append(lastLines("stdout", result.stdout()));
        }
        return text.append(outputLocation(result.folder())).toString();
    }

    /** Returns the most severe report of the runtime for one line, because a list of failures shows only this line. */
    static String reported(WorkloadResult result) {
        return result.report()
                .gravest()
                .map(line -> ": " + RuntimeExplanation.named(line))
                .orElse("");
    }

    /** Returns a line about the expected end. It is omitted if exit code 0 was expected, because another code needs no explanation. */
    private Optional<String> expected() {
        return result.unmet()
                .filter(unmet -> missing == null || !unmet.startsWith(READY))
                .flatMap(unmet -> Optional.ofNullable(
                        switch (result.cause()) {
                            case EXITED ->
                                unmet.equals("exit code 0")
                                        ? null
                                        : unmet.startsWith(READY)
                                                ? "It was expected to show its %s.".formatted(unmet)
                                                : "It should have ended with %s.".formatted(unmet);
                            case TIMED_OUT -> isSilent() ? SILENCE : TIME_OVER;
                            case STOPPED ->
                                unmet.startsWith(READY)
                                        ? "It was expected to show its %s.".formatted(unmet)
                                        : "It was still running: await it, or call endedByTest().";
                            case INTERRUPTED -> null;
                        }));
    }

    private boolean isSilent() {
        return result.stdout().isBlank() && result.stderr().isBlank();
    }

    private Optional<String> advice(ExitCode code) {
        if (result.cause() != ChildEnd.Cause.EXITED) {
            return Optional.empty();
        }
        return code.signal()
                .flatMap(signal -> Optional.ofNullable(
                        switch (signal) {
                            case "SIGABRT" ->
                                "The runtime, a framework or another library aborted the program. Read the lines above \"terminate called\", the first one first.";
                            case "SIGSEGV" ->
                                "The program crashed in native code. Known causes: a stack that is too small for nrt_execute (ulimit -s), or the compiler while a model is traced.";
                            case "SIGBUS", "SIGILL", "SIGFPE" -> "The program crashed in native code.";
                            case "SIGKILL" ->
                                "The kernel or another process killed it. Most often the host ran out of memory, for example when compiling in parallel; dmesg shows that.";
                            default -> null;
                        }));
    }

    private static String lastLines(String name, String output) {
        List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
        if (lines.isEmpty()) {
            return "\n  %s: nothing\n".formatted(name);
        }
        StringBuilder text = new StringBuilder("\n  last lines of %s:\n".formatted(name));
        lines.stream()
                .skip(Math.max(0, lines.size() - LAST_LINES))
                .forEach(line -> text.append("    ").append(cut(line)).append('\n'));
        return text.toString();
    }

    private static String cut(String line) {
        return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + " ...";
    }

    private static String outputLocation(Optional<Path> folder) {
        return folder.map(path ->
                        "\n  full output: %s and stderr.log\n".formatted(PathText.of(path.resolve("stdout.log"))))
                .orElse("\n  The output was not written to files: call folder(path) to keep it.\n");
    }
}
