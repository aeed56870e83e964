package dev.neurontest.internal.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.text.LogCommandsFixture;
import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.ChildEnd.Cause;
import dev.neurontest.workload.ExitCode;
import dev.neurontest.workload.ResultFixture;
import dev.neurontest.workload.WorkloadFailure;
import dev.neurontest.workload.WorkloadResult;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkloadMessageTest {

    private static String message(int exitCode, List<RuntimeStatus> statuses, String stdout, String stderr) {
        return WorkloadMessage.of(ResultFixture.result(
                        Cause.EXITED, Optional.of(new ExitCode(exitCode)), false, statuses, List.of(), stdout, stderr))
                .text();
    }

    private static WorkloadFailure failure(WorkloadResult result) {
        return new WorkloadFailure(result, WorkloadMessage.of(result));
    }

    @Test
    void reportsExitStatusesAndLikelyCause() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.EXITED,
                Optional.of(new ExitCode(1)),
                false,
                List.of(RuntimeStatus.of(1202), RuntimeStatus.of(4), RuntimeStatus.of(1006), RuntimeStatus.of(4711)),
                List.of("It left processes running, which were ended: pid 4712."),
                "step 1\n",
                "loading\nnrt_execute status=1202\n");

        // then
        assertThat(failure(result).result()).isSameAs(result);
        assertThat(failure(result)).hasMessage("""
                Workload infer.py on cores 8-11 ended with exit code 1 after 3.210 s: NRT_EXEC_HW_ERR_NC_UE (1202), an uncorrectable error of a core's memory, with wrong results

                  NRT_EXEC_HW_ERR_NC_UE (1202) at execution: an uncorrectable error of a core's memory, with wrong results
                    Cause: hardware that needs to be replaced.
                    Next: Replace the instance; AWS announces its retirement within 15 minutes.

                  NRT_RESOURCE (4) at execution: memory or another resource is used up
                    Possible causes: the kernel or model, the environment, or another process of the host.
                    Decisive evidence: device_mem of the core and of its neighbour, which shares the memory on devices with 8 cores; the runtime's table of memory in its log and in /tmp.
                    Next: Use a higher tensor parallel degree or a smaller batch, unload models, or use a larger instance.

                  NRT_EXEC_OOB (1006) at execution: an access out of bounds
                    Possible causes: the kernel or model, or its inputs.
                    Decisive evidence: the counter oob_error.
                    Next: Check the indices of the kernel and its inputs; NEURON_RT_DBG_DUMP_INPUTS_ON_ERR=1006 writes the inputs to files.

                  NRT_STATUS 4711 at execution: a status that is unknown to this version
                    Next: Look it up in nrt_status.h of the installed runtime. Read the line that the runtime printed before it.

                  Also seen:
                    It left processes running, which were ended: pid 4712.

                  command: python infer.py --token ***

                  last lines of stderr:
                    loading
                    nrt_execute status=1202

                  full output: /out/workload-infer.py/stdout.log and stderr.log
                """);
    }

    @Test
    void reportsExceededDeadline() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.TIMED_OUT, Optional.of(new ExitCode(143)), false, List.of(), List.of(), "step 17\n", "");

        // then
        assertThat(WorkloadMessage.of(result).text())
                .contains("It ran out of time: raise timeout(...), or check in its output how far it came.")
                .contains("    step 17\n");
    }

    @Test
    void advisesOnASilentHangOnce() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.TIMED_OUT, Optional.of(new ExitCode(143)), false, List.of(), List.of(), "", "");

        // then
        assertThat(WorkloadMessage.of(result).text())
                .contains("It ran out of time and printed nothing: raise timeout(...). A child that is forked")
                .doesNotContain("check in its output");
    }

    @Test
    void namesOneCoreInTheSingular() {
        // then
        assertThat(ResultFixture.onCores("3"))
                .hasToString("Workload infer.py on core 3 ended with exit code 0 after 3.210 s");
    }

    @Test
    void reportsWhyServerWasNotReady() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.STOPPED, Optional.of(new ExitCode(143)), false, List.of(), List.of(), "loading\n", "");

        // then
        assertThat(WorkloadMessage.notReady(result, "nothing listened on port 8000 of this machine within 120 s")
                        .text())
                .isEqualTo("""
                Workload infer.py on cores 8-11 was stopped (exit code 143 (128 + 15: SIGTERM)) after 3.210 s
                  It was not ready: nothing listened on port 8000 of this machine within 120 s.

                  command: python infer.py --token ***

                  stderr: nothing

                  last lines of stdout:
                    loading

                  full output: /out/workload-infer.py/stdout.log and stderr.log
                """);
    }

    @Test
    void namesExpectedExitCodes() {
        // then
        assertThat(WorkloadMessage.of(ResultFixture.missing(Cause.EXITED, 0, "exit code 3 or 4"))
                        .text())
                .startsWith("""
                Workload infer.py on cores 8-11 ended with exit code 0 after 3.210 s
                  It should have ended with exit code 3 or 4.

                  command: python infer.py --token ***
                """);
    }

    @Test
    void advisesOnAProgramThatWasStillRunning() {
        // then
        assertThat(WorkloadMessage.of(ResultFixture.missing(Cause.STOPPED, 143, "an end before that of its test"))
                        .text())
                .contains("  It was still running: await it, or call endedByTest().\n");
    }

    @Test
    void showsTheLastLinesOnly() {
        // given
        String stderr = IntStream.rangeClosed(1, 100)
                        .mapToObj(line -> "line " + line + "\n\n")
                        .collect(Collectors.joining())
                + "x".repeat(1000);

        // then
        assertThat(message(1, List.of(), "out", stderr))
                .contains("last lines of stderr:\n    line 82\n    line 83\n")
                .contains("    line 100\n    " + "x".repeat(400) + " ...\n")
                .doesNotContain("line 81")
                .doesNotContain("stdout:");
    }

    @Test
    void explainsSignalsOfTheProgramItself() {
        // then
        assertThat(message(134, List.of(), "", ""))
                .contains("ended with exit code 134 (128 + 6: SIGABRT)")
                .contains("  The runtime, a framework or another library aborted the program.");
        assertThat(message(139, List.of(), "", ""))
                .contains(
                        "  The program crashed in native code. Known causes: a stack that is too small for nrt_execute");
        assertThat(message(136, List.of(), "", "")).contains("  The program crashed in native code.\n");
        assertThat(message(137, List.of(), "", ""))
                .contains(
                        "  The kernel or another process killed it. Most often the host ran out of memory, for example when compiling in parallel; dmesg shows that.\n");
    }

    @Test
    void reportsWhyProgramWasEnded() {
        // then
        assertThat(ResultFixture.ended(Cause.TIMED_OUT, 137))
                .hasToString(
                        "Workload infer.py on cores 8-11 timed out and was ended (exit code 137 (128 + 9: SIGKILL)) after 3.210 s");
        assertThat(ResultFixture.ended(Cause.INTERRUPTED, 143))
                .hasToString(
                        "Workload infer.py on cores 8-11 was ended because the thread that waited for it was interrupted (exit code 143 (128 + 15: SIGTERM)) after 3.210 s");
        assertThat(ResultFixture.result(Cause.TIMED_OUT, Optional.empty(), true, List.of(), List.of(), "", ""))
                .hasToString(
                        "Workload infer.py on cores 8-11 timed out and was ended (not even by SIGKILL) after 3.210 s");
    }

    @Test
    void escapesTerminalSequencesOfLog() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.EXITED,
                Optional.of(new ExitCode(1)),
                false,
                List.of(),
                List.of(),
                "",
                "a\u001b]0;title\u0007b\u009b2Jc\u202e\n");

        // then
        assertThat(failure(result)).hasMessageContaining("a\\u001b]0;title\\u0007b\\u009b2Jc\\u202e");
    }

    @Test
    void containsNoCiCommand() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.EXITED,
                Optional.of(new ExitCode(1)),
                false,
                List.of(),
                List.of(LogCommandsFixture.LINES),
                LogCommandsFixture.LINES,
                LogCommandsFixture.LINES);

        // then
        LogCommandsFixture.assertNoCommand(failure(result).getMessage());
    }
}
