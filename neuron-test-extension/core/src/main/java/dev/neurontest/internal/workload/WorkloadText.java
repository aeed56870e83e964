package dev.neurontest.internal.workload;

import dev.neurontest.internal.status.RuntimeExplanation;
import dev.neurontest.workload.WorkloadResult;
import java.util.Locale;
import org.apiguardian.api.API;

/** Text about the end of a workload. */
@API(status = API.Status.INTERNAL)
public final class WorkloadText {

    private WorkloadText() {}

    public static String of(WorkloadResult result) {
        StringBuilder text = new StringBuilder(headline(result)).append('\n');
        text.append("  command: ").append(String.join(" ", result.command())).append('\n');
        text.append("  pid %s, started %s\n".formatted(result.pid(), result.started()));
        result.notices().forEach(notice -> text.append("  ").append(notice).append('\n'));
        text.append(RuntimeExplanation.of(result.report()));
        text.append("\n--- stdout ---\n").append(ended(result.stdout()));
        text.append("\n--- stderr ---\n").append(ended(result.stderr()));
        return text.toString();
    }

    private static String ended(String output) {
        return output.isEmpty() || output.endsWith("\n") ? output : output + "\n";
    }

    public static String headline(WorkloadResult result) {
        String visible = result.visibleCores();
        String simulated = result.simulated() ? " (simulated)" : "";
        String cores = visible.isEmpty() ? "" : (visible.contains("-") ? " on cores " : " on core ") + visible;
        return String.format(
                Locale.ROOT,
                "Workload %s%s%s %s after %.3f s",
                result.name(),
                simulated,
                cores,
                ending(result),
                result.duration().toMillis() / 1000.0);
    }

    private static String ending(WorkloadResult result) {
        String how = result.exitCode().map(Object::toString).orElse("not even by SIGKILL");
        return switch (result.cause()) {
            case EXITED -> "ended with " + how;
            case TIMED_OUT -> "timed out and was ended (" + how + ")";
            case STOPPED -> "was stopped (" + how + ")";
            case INTERRUPTED -> "was ended because the thread that waited for it was interrupted (" + how + ")";
        };
    }
}
