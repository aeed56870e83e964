package dev.neurontest.workload;

import dev.neurontest.internal.status.RuntimeLines;
import dev.neurontest.runtime.RuntimeLine;
import dev.neurontest.runtime.RuntimeReport;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.ChildEnd.Cause;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Results of workloads, created by hand. */
public final class ResultFixture {

    private static final String CORES = "8-11";

    private ResultFixture() {}

    public static WorkloadResult ended(Cause cause, int exitCode) {
        return result(cause, Optional.of(new ExitCode(exitCode)), exitCode == 137, List.of(), List.of(), "", "");
    }

    public static WorkloadResult printed(Cause cause, int exitCode, String line) {
        return printed(
                cause, exitCode, line, ExpectedEnd.SUCCESS.unmet(cause, Optional.of(new ExitCode(exitCode)), false));
    }

    public static WorkloadResult printed(Cause cause, int exitCode, String line, Optional<String> unmet) {
        return result(
                CORES,
                cause,
                Optional.of(new ExitCode(exitCode)),
                unmet,
                false,
                RuntimeLines.in(line),
                List.of(),
                line,
                "");
    }

    public static WorkloadResult onCores(String visibleCores) {
        return result(
                visibleCores,
                Cause.EXITED,
                Optional.of(new ExitCode(0)),
                Optional.empty(),
                false,
                RuntimeReport.EMPTY,
                List.of(),
                "",
                "");
    }

    public static WorkloadResult noticed(String... notices) {
        return result(Cause.EXITED, Optional.of(new ExitCode(0)), false, List.of(), List.of(notices), "", "");
    }

    public static WorkloadResult missing(Cause cause, int exitCode, String unmet) {
        return result(
                CORES,
                cause,
                Optional.of(new ExitCode(exitCode)),
                Optional.of(unmet),
                false,
                RuntimeReport.EMPTY,
                List.of(),
                "",
                "");
    }

    public static WorkloadResult result(
            Cause cause,
            Optional<ExitCode> exitCode,
            boolean killed,
            List<RuntimeStatus> statuses,
            List<String> notices,
            String stdout,
            String stderr) {
        return result(
                CORES,
                cause,
                exitCode,
                ExpectedEnd.SUCCESS.unmet(cause, exitCode, false),
                killed,
                report(statuses),
                notices,
                stdout,
                stderr);
    }

    private static WorkloadResult result(
            String visibleCores,
            Cause cause,
            Optional<ExitCode> exitCode,
            Optional<String> unmet,
            boolean killed,
            RuntimeReport report,
            List<String> notices,
            String stdout,
            String stderr) {
        return new WorkloadResult(
                "infer.py",
                List.of("python", "infer.py", "--token", "***"),
                4711,
                visibleCores,
                false,
                cause,
                exitCode,
                unmet,
                killed,
                Instant.parse("2026-01-02T03:04:05Z"),
                Duration.ofMillis(3210),
                stdout,
                stderr,
                Optional.of(Path.of("/out/workload-infer.py")),
                report,
                List.of(),
                List.of(),
                notices);
    }

    private static RuntimeReport report(List<RuntimeStatus> statuses) {
        return new RuntimeReport(
                statuses.stream()
                        .map(status -> RuntimeLine.of(
                                "nrt_execute status=" + status.code(), status, RuntimeStatus.Stage.EXECUTE))
                        .toList(),
                false);
    }
}
