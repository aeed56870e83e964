package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.report.ReportedCore;
import dev.neurontest.internal.report.ReportedQuarantine;
import dev.neurontest.internal.report.ReportedTest;
import dev.neurontest.internal.report.RunFixture;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageHistoryTest {

    private static final String CORE = "neuron0/neuron_core1";

    private static ReportedTest test(String name, TestOutcome outcome, long second) {
        return RunFixture.simple("BertTest > " + name, outcome, second, CORE);
    }

    @Test
    void countsOnlyFailuresThatCoreCanCause() {
        // given
        RunReport empty = new RunFixture().report();
        String host = empty.jvms().get(0).host();
        ReportedTest lost = test("lost()", TestOutcome.LOST, 2);
        ReportedTest quarantined = test("quarantined()", TestOutcome.FAILED, 3);
        ReportedTest failed = test("failed()", TestOutcome.FAILED, 5);
        RunReport report = new RunReport(
                empty.jvms(),
                List.of(
                        test("assertion()", TestOutcome.FAILED, 1),
                        lost,
                        quarantined,
                        test("passed()", TestOutcome.PASSED, 4),
                        failed,
                        test("otherAssertion()", TestOutcome.FAILED, 6),
                        test("lostLater()", TestOutcome.LOST, 7)),
                List.of(new ReportedQuarantine(
                        host, CORE, quarantined.id().name(), "hung", false, quarantined.ended(), Optional.empty())),
                List.of(),
                List.of(),
                List.of());

        // when
        PageHistory history = PageHistory.of(new ReportedCore(host, CORE), failed, new CoreStory(report));

        // then
        assertThat(history.before()).isEqualTo("4 tests");
        assertThat(history.lastFailures()).containsExactly(lost, quarantined);
        assertThat(history.after()).isEqualTo("2 tests");
        assertThat(history.failedAfter()).isOne();
    }
}
