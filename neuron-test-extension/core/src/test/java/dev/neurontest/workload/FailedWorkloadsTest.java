package dev.neurontest.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.process.ChildEnd.Cause;
import dev.neurontest.recording.Violation;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

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
                                "Read its output. Where such an end is intended, say expectExit(139) or ignoringExit()."),
                        new Violation(
                                rule,
                                subject,
                                "an end before its deadline",
                                "ended at its deadline (exit code 143 (128 + 15: SIGTERM))",
                                "Its time was over: give it more with timeout(...), or see in its output where it stood."),
                        new Violation(
                                rule,
                                subject,
                                "an end without an interruption",
                                "ended because the thread that waited for it was interrupted",
                                "Read what interrupted that thread."),
                        new Violation(
                                rule,
                                subject,
                                "an end before that of its test",
                                "still running",
                                "Await it, or say endedByTest()."));
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
}
