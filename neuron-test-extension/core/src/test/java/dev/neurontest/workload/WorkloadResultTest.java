package dev.neurontest.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.runtime.RuntimeStatus;
import dev.neurontest.workload.ChildEnd.Cause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadResultTest {

    private static final String SAMPLES =
            "{\"neuron_test_samples\": 1, \"name\": \"decode\", \"unit\": \"ms\", \"better\": \"lower\","
                    + " \"clock\": \"device\", \"values\": [1.5]}";

    @ParameterizedTest
    @CsvSource({
        "EXITED, 0, true",
        "EXITED, 1, false",
        "EXITED, 143, false",
        "STOPPED, 0, true",
        "STOPPED, 143, true",
        "STOPPED, 137, true",
        "STOPPED, 1, true",
        "TIMED_OUT, 0, false",
        "INTERRUPTED, 0, false"
    })
    void succeedsByCauseAndExitCode(Cause cause, int exitCode, boolean expected) {
        // given
        WorkloadResult result = ResultFixture.ended(cause, exitCode);

        // then
        assertThat(result.succeeded()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            EXITED, 0, ''
            EXITED, 1, FAILED
            TIMED_OUT, 143, FAILED
            TIMED_OUT, 0, FAILED
            INTERRUPTED, 143, FAILED
            STOPPED, 143, INCOMPLETE
            STOPPED, 0, INCOMPLETE
            """)
    void doubtsSamplesUnlessProgramEndedWell(Cause cause, int exitCode, String kind) {
        // given
        WorkloadResult result = ResultFixture.printed(cause, exitCode, SAMPLES);

        // then
        assertThat(result.samples("decode").doubts())
                .extracting(doubt -> doubt.kind().name())
                .isEqualTo(kind.isEmpty() ? List.of() : List.of(kind));
    }

    @Test
    void doubtsSamplesOfOutputWithoutItsMiddle() {
        // when
        WorkloadResult result = ResultFixture.printed(
                Cause.EXITED, 0, SAMPLES + "\n[... 4711 bytes left out ...]\ndone\n", Optional.empty());

        // then
        assertThat(result.samples("decode").doubts())
                .singleElement()
                .satisfies(doubt -> assertThat(doubt.reason())
                        .contains("4711 bytes of stdout are left out")
                        .contains("write it into a file"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 137})
    void doubtsSamplesAlthoughTestAllowsExitCode(int exitCode) {
        assertThat(ResultFixture.printed(Cause.EXITED, exitCode, SAMPLES, Optional.empty())
                        .samples("decode")
                        .doubts())
                .singleElement()
                .satisfies(doubt -> assertThat(doubt.reason())
                        .startsWith("the program did not end on its own with exit code 0: Workload"));
    }

    @Test
    void isPrintedAsText() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.EXITED,
                Optional.of(new ExitCode(1)),
                false,
                List.of(RuntimeStatus.of(5)),
                List.of("a notice"),
                "out",
                "err 1\nerr 2\n");

        // then
        assertThat(result.toText()).isEqualTo("""
                Workload infer.py on cores 8-11 ended with exit code 1 after 3.210 s
                  command: python infer.py --token ***
                  pid 4711, started 2026-01-02T03:04:05Z
                  a notice

                  NRT_TIMEOUT (5) at execution: the operation timed out
                    Possible causes: the kernel or model, the environment, another rank or the network, a queue that a profiling option fills, hardware that needs a reset or a reload of the driver, or hardware that needs to be replaced.
                    Decisive evidence: the lines of the runtime, the kernel log, ECC counters, the other ranks, the same NEFF on another device.
                    Next: Read the line that the runtime printed before it. If none names a cause, raise NEURON_RT_EXEC_TIMEOUT above the time of the graph. Then run the same NEFF once on another device (@RetryOnAnotherCore): if it times out there too, the kernel is to blame.

                --- stdout ---
                out

                --- stderr ---
                err 1
                err 2
                """);
    }

    @Test
    void isWrittenAsJson() {
        // given
        WorkloadResult result = ResultFixture.result(
                Cause.TIMED_OUT,
                Optional.of(new ExitCode(137)),
                true,
                List.of(RuntimeStatus.of(5), RuntimeStatus.of(4711)),
                List.of("a \"notice\""),
                "out",
                "err");

        // then
        assertThat(result.toJson()).isEqualTo("""
                {"version":1,"kind":"workload","name":"infer.py","command":["python","infer.py","--token","***"],"pid":4711,\
                "visibleCores":"8-11","simulated":false,"cause":"timed_out","exitCode":137,"signal":"SIGKILL","killed":true,"succeeded":false,\
                "started":"2026-01-02T03:04:05Z","durationMillis":3210,"folder":"/out/workload-infer.py",\
                "statuses":[{"code":5,"name":"NRT_TIMEOUT","faults":["kernel","environment","rank","software_queue","hardware_reload","hardware_replace"]},\
                {"code":4711,"name":"4711","faults":[]}],\
                "reports":[{"text":"nrt_execute status=5","status":5,"stage":"execute","cause":null,\
                "faults":["kernel","environment","rank","software_queue","hardware_reload","hardware_replace"],"verdict":"suspect"},\
                {"text":"nrt_execute status=4711","status":4711,"stage":"execute","cause":null,"faults":[],"verdict":"stay"}],\
                "survivors":[],"stillOwned":[],"notices":["a \\"notice\\""]}""");
    }

    @Test
    void isWrittenAsJsonWithoutExitCode() {
        // given
        WorkloadResult result =
                ResultFixture.result(Cause.STOPPED, Optional.empty(), true, List.of(), List.of(), "", "");

        // then
        assertThat(result.toJson()).contains("\"exitCode\":null,\"signal\":null,");
    }
}
