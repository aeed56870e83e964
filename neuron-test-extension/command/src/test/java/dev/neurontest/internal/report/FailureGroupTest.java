package dev.neurontest.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureGroupTest {

    private static final String TEMPLATE = "KernelTest > adds(int)";
    private static final String ASSERTION = "org.opentest4j.AssertionFailedError: ";

    private static List<Integer> sizes(ReportedTest... tests) {
        return sizes(Stream.of(tests));
    }

    private static List<Integer> sizes(Stream<ReportedTest> tests) {
        return FailureGroup.of(tests.toList()).stream()
                .map(group -> group.tests().size())
                .toList();
    }

    private static ReportedTest failed(String template, int number, String reason, Violation... violations) {
        return RunFixture.failed(RunFixture.invocation(template, number), reason, List.of(violations));
    }

    private static ReportedTest undecided(String template, String rule, String reason) {
        return RunFixture.undecided(RunFixture.invocation(template, 1), new Undecided(rule, "latency", reason));
    }

    private static Violation violation(String rule, String subject, String actual) {
        return new Violation(rule, subject, "unchanged", actual, "Look.");
    }

    @Test
    void groupsOneRuleAndCounterOnAllCores() {
        assertThat(sizes(IntStream.rangeClosed(1, 30)
                        .mapToObj(i -> RunFixture.hardwareError(
                                RunFixture.invocation(TEMPLATE, i),
                                i,
                                "neuron%s/neuron_core%s".formatted(i / 2, i % 2)))))
                .containsExactly(30);
    }

    @Test
    void groupsOneRuleAndCounterOfSeveralClasses() {
        assertThat(sizes(
                        RunFixture.hardwareError(RunFixture.invocation("ATest > a(int)", 1), 1, "neuron0/neuron_core0"),
                        RunFixture.hardwareError(RunFixture.invocation("BTest > b(int)", 1), 2, "neuron1")))
                .containsExactly(2);
    }

    @Test
    void separatesCountersOfOneRule() {
        assertThat(sizes(
                        failed(TEMPLATE, 1, ASSERTION + "Counters: 1", violation("no error", "neuron0 hw_error", "+1")),
                        failed(TEMPLATE, 2, ASSERTION + "Counters: 1", violation("no error", "neuron0 timeout", "+1"))))
                .containsExactly(1, 1);
    }

    @Test
    void separatesRulesOfOneMetric() {
        assertThat(sizes(
                        failed(TEMPLATE, 1, ASSERTION + "Profile: 1", violation("p50", "latency p50", "16 ms")),
                        failed(TEMPLATE, 2, ASSERTION + "Profile: 1", violation("p99", "latency p99", "16 ms"))))
                .containsExactly(1, 1);
    }

    @Test
    void separatesRulesOfOneCounter() {
        assertThat(sizes(
                        failed(TEMPLATE, 1, ASSERTION + "1", violation("at least one", "neuron0 inference_count", "0")),
                        failed(
                                TEMPLATE,
                                2,
                                ASSERTION + "1",
                                violation("at most nine", "neuron0 inference_count", "0"))))
                .containsExactly(1, 1);
    }

    @Test
    void groupsRulesInAnyOrderOnAnyNumberOfCores() {
        // given
        Violation error = violation("no error", "neuron0 hw_error", "+1");
        Violation sameOnOtherCore = violation("no error", "neuron3/neuron_core1 hw_error", "+1");
        Violation count = violation("one inference", "neuron0 inference_count", "0");

        // then
        assertThat(sizes(
                        failed("ATest > a(int)", 1, ASSERTION + "3", error, sameOnOtherCore, count),
                        failed("BTest > b(int)", 1, ASSERTION + "2", count, error)))
                .containsExactly(2);
    }

    @ParameterizedTest
    @CsvSource({
        "p50 is at most 3 ms, neuron0 was throttled, p50 is at most 3 ms, neuron5 was throttled, 1",
        "p50 is at most 3 ms, neuron0 was throttled, p99 is at most 3 ms, neuron0 was throttled, 2",
        "p50 is at most 3 ms, neuron0 was throttled, p50 is at most 3 ms, another process was active, 2"
    })
    void comparesUndecidedExpectations(String rule, String reason, String otherRule, String otherReason, int groups) {
        assertThat(sizes(
                        undecided("ATest > a(int)", rule, reason), undecided("BTest > b(int)", otherRule, otherReason)))
                .hasSize(groups);
    }

    @Test
    void groupsLimitsThatDependOnParameters() {
        assertThat(sizes(
                        failed(
                                TEMPLATE,
                                1,
                                ASSERTION + "1",
                                violation("inference_count +1", "neuron0 inference_count", "+2")),
                        failed(
                                TEMPLATE,
                                2,
                                ASSERTION + "1",
                                violation("inference_count +20", "neuron0 inference_count", "+2"))))
                .containsExactly(2);
    }

    @ParameterizedTest
    @CsvSource({
        "org.opentest4j.AssertionFailedError: expected: <2> but was: <1>",
        "com.acme.WrongTokenException: Counters: 1"
    })
    void separatesFailureOfBodyBesideSameCounter(String body) {
        // given
        Violation error = violation("no error", "neuron0 hw_error", "+1");

        // then
        for (String other : List.of(TEMPLATE, "BTest > b(int)")) {
            assertThat(sizes(failed(TEMPLATE, 1, ASSERTION + "Counters: 1", error), failed(other, 2, body, error)))
                    .as(other)
                    .containsExactly(1, 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "expected: <2> but was: <1>, expected: <30> but was: <12>, 1",
        "took 16.8 ms, took 1.2 s, 1",
        "loss is 1.5e-3, loss is 0.2, 1",
        "'token \"a\" is wrong', 'token \"b\" is wrong', 1",
        "neuron0/neuron_core1 is busy, neuron3 is busy, 1",
        "file a is missing, file b is missing, 2",
        "expected: <2> but was: <1>, at most 2, 2"
    })
    void comparesMessagesOfInvocationsWithoutValues(String one, String other, int groups) {
        assertThat(sizes(failed(TEMPLATE, 1, ASSERTION + one), failed(TEMPLATE, 2, ASSERTION + other)))
                .hasSize(groups);
    }

    @ParameterizedTest
    @CsvSource({
        "no driver 2.30 on this host, no driver 2.30 on this host, 1",
        "expected: <2> but was: <1>, expected: <3> but was: <2>, 2"
    })
    void comparesMessagesOfDifferentTestsWithValues(String one, String other, int groups) {
        assertThat(sizes(failed("ATest > a(int)", 1, ASSERTION + one), failed("BTest > b(int)", 1, ASSERTION + other)))
                .hasSize(groups);
    }

    @Test
    void groupsMessagesOfManyCores() {
        // given
        String cores = String.join(", ", Collections.nCopies(50_000, "neuron3/neuron_core1"));

        // then
        assertThat(sizes(
                        failed("ATest > a(int)", 1, ASSERTION + cores + " are busy"),
                        failed("BTest > b(int)", 1, ASSERTION + "neuron7 and neuron8 are busy"),
                        failed("CTest > c(int)", 1, "a.".repeat(50_000))))
                .containsExactly(2, 1);
    }

    @Test
    void separatesOutcomes() {
        assertThat(sizes(
                        RunFixture.simple(RunFixture.invocation(TEMPLATE, 1), TestOutcome.FAILED, 1),
                        RunFixture.simple(RunFixture.invocation(TEMPLATE, 2), TestOutcome.LOST, 1)))
                .containsExactly(1, 1);
    }

    @Test
    void putsMistakesLast() {
        // given
        String mistake = "dev.neurontest.internal.configuration.BadSettingException: neuron.test.x is \"y\"";

        // when
        List<FailureGroup> groups = FailureGroup.of(List.of(
                failed(TEMPLATE, 1, mistake), failed(TEMPLATE, 2, ASSERTION + "no"), failed(TEMPLATE, 3, mistake)));

        // then
        assertThat(groups).extracting(FailureGroup::isMistake).containsExactly(false, true);
        assertThat(groups.get(1).tests()).hasSize(2);
    }

    @Test
    void countsMistakeOnBrokenDeviceAsFailure() {
        assertThat(failed(
                                TEMPLATE,
                                1,
                                "dev.neurontest.counter.CounterNameException: \"x\" is no counter",
                                violation("no error counter may move", "neuron0 hw_error", "+1"))
                        .isMistake())
                .isFalse();
    }
}
