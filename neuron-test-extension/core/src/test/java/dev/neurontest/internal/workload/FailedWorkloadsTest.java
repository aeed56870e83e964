package dev.neurontest.internal.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.workload.ChildEnd.Cause;
import dev.neurontest.workload.ResultFixture;
import dev.neurontest.workload.WorkloadResult;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailedWorkloadsTest {

    @Test
    void violatesTheRuleOncePerProgram() {
        // when
        FailedWorkloads failed = FailedWorkloads.of(List.of(
                ResultFixture.ended(Cause.EXITED, 0),
                ResultFixture.ended(Cause.EXITED, 139),
                ResultFixture.ended(Cause.TIMED_OUT, 143),
                ResultFixture.ended(Cause.INTERRUPTED, 143),
                ResultFixture.missing(Cause.STOPPED, 143, "an end before that of its test")));

        // then
        String rule = "a workload must succeed";
        String subject = "workload infer.py (pid 4711)";
        assertThat(failed.judgement().violations())
                .containsExactly(
                        new Violation(
                                rule,
                                subject,
                                "exit code 0",
                                "exit code 139 (128 + 11: SIGSEGV)",
                                "Read its output. If this end is intended, call expectExit(139) or ignoringExit()."),
                        new Violation(
                                rule,
                                subject,
                                "an end before its deadline",
                                "ended at its deadline (exit code 143 (128 + 15: SIGTERM))",
                                "It ran out of time: raise timeout(...), or check in its output how far it came."),
                        new Violation(
                                rule,
                                subject,
                                "an end without an interruption",
                                "ended because the thread that waited for it was interrupted",
                                "Find out what interrupted that thread."),
                        new Violation(
                                rule,
                                subject,
                                "an end before that of its test",
                                "still running",
                                "Await it, or call endedByTest()."));
        assertThat(failed.text())
                .startsWith(
                        "4 workloads did not end as expected.\n\nWorkload infer.py on cores 8-11 ended with exit code 139 ");
    }

    @Test
    void isNoFailureWithoutAFailedProgram() {
        // then
        assertThat(FailedWorkloads.of(List.of(ResultFixture.ended(Cause.EXITED, 0)))
                        .isFailure())
                .isFalse();
    }

    @Test
    void explainsAFewInFullAndNamesTheOthers() {
        // when
        String text = FailedWorkloads.of(Collections.nCopies(7, ResultFixture.ended(Cause.EXITED, 1)))
                .text();

        // then
        assertThat(text).startsWith("7 workloads did not end as expected.\n");
        assertThat(text.lines().filter(line -> line.startsWith("Workload infer.py ")))
                .hasSize(7);
        assertThat(text.lines().filter(line -> line.startsWith("  command: "))).hasSize(5);
    }

    private static final String UNTRUSTED =
            "(FATAL-RT-UNDEFINED-STATE) Uncorrectable HBM memory error is detected. Execution results may be invalid. Please terminate this instance.";

    private static FailedWorkloads printed(Cause cause, int exitCode, String line) {
        return FailedWorkloads.of(List.of(ResultFixture.printed(cause, exitCode, line)));
    }

    @Test
    void notesStatusPrintedBySuccessfulProgram() {
        // when
        FailedWorkloads judged = printed(Cause.EXITED, 0, "nrt_execute status=1202");

        // then
        assertThat(judged.isFailure()).isFalse();
        assertThat(judged.judgement().notices())
                .containsExactly(
                        "workload infer.py (pid 4711) ended with exit code 0, but printed \"nrt_execute status=1202\".");
    }

    @Test
    void notesTheGravestOfManyStatusesFirst() {
        // when
        FailedWorkloads judged = printed(
                Cause.EXITED,
                0,
                "nrt_load status=1\nnrt_load status=2\nnrt_load status=4\nnrt_load status=10\nnrt_execute status=1202");

        // then
        assertThat(judged.judgement().notices()).hasSize(3).first().asString().contains("status=1202");
    }

    @Test
    void violationNamesMostSevereReportOfRuntime() {
        // when
        FailedWorkloads judged = FailedWorkloads.of(List.of(ResultFixture.printed(
                Cause.EXITED, 1, "nrt_load status=1\nnrt_execute status=1202", Optional.of("exit code 0"))));

        // then
        assertThat(judged.judgement().violations())
                .singleElement()
                .extracting(Violation::actual)
                .asString()
                .startsWith("exit code 1: ")
                .contains("1202");
    }

    @ParameterizedTest
    @CsvSource({"EXITED,0", "STOPPED,143"})
    void untrustedResultsAreUndecided(Cause cause, int exitCode) {
        // when
        FailedWorkloads judged = printed(cause, exitCode, UNTRUSTED);

        // then
        assertThat(judged.judgement().violations()).isEmpty();
        assertThat(judged.judgement().undecided())
                .containsExactly(
                        new Undecided(
                                "a workload must succeed",
                                "workload infer.py (pid 4711)",
                                "the runtime does not trust its results: \"" + UNTRUSTED
                                        + "\". Replace the instance; AWS announces its retirement within 15 minutes. The counter is mem_ecc_uncorrected."));
        assertThat(judged.text())
                .startsWith(
                        "1 workload ended with exit code 0, but the runtime does not trust the results.\n\nworkload infer.py");
    }

    @Test
    void programWithoutDeviceIsUndecided() {
        // when
        FailedWorkloads judged = printed(
                Cause.EXITED,
                0,
                "[W neuron_op_v2.cpp:133] Warning: Neuron runtime could not be initialized. Model was not sent to NeuronCore (function load)");

        // then
        assertThat(judged.judgement().undecided()).hasSize(1);
    }

    @Test
    void expectedFailureByKernelIsAccepted() {
        // when
        FailedWorkloads judged = FailedWorkloads.of(List.of(ResultFixture.printed(
                Cause.EXITED,
                3,
                "(FATAL-RT-UNDEFINED-STATE) [ND 0][NC 0] execution timeout (30000 ms) on model m.neff, waiting",
                Optional.empty())));

        // then
        assertThat(judged.judgement()).isEqualTo(Judgement.NOTHING);
    }

    @ParameterizedTest
    @ValueSource(strings = {UNTRUSTED, "Model was not sent to NeuronCore (function load)"})
    void expectedFailureWithoutKernelCauseIsUndecided(String line) {
        // when
        FailedWorkloads judged =
                FailedWorkloads.of(List.of(ResultFixture.printed(Cause.EXITED, 3, line, Optional.empty())));

        // then
        assertThat(judged.judgement().violations()).isEmpty();
        assertThat(judged.judgement().undecided()).hasSize(1);
    }

    @Test
    void reportsThatLegacyNeffsWereAllowed() {
        // given
        WorkloadResult result = ResultFixture.noticed(
                "NEURON_RT_ALLOW_LEGACY_NEFF=1 was set for it: NEFFs of old compilers are loaded.", "another notice");

        // then
        assertThat(FailedWorkloads.of(List.of(result)).judgement().notices())
                .containsExactly(
                        "workload infer.py (pid 4711): NEURON_RT_ALLOW_LEGACY_NEFF=1 was set for it: NEFFs of old compilers are loaded.");
    }
}
