package dev.neurontest.internal.report;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static dev.neurontest.internal.evidence.RunLinesFixture.testClass;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.merge.MergeFixture;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run with everything that a report can contain. */
public final class ReportFixture {

    public static final String CORE_3 = "neuron0/neuron_core3";
    public static final String CORE_4 = "neuron1/neuron_core0";

    public static final GateOutcome PASSED = new GateOutcome("skipped.max", true, "at most 3 skipped tests", "1", "");
    public static final GateOutcome FAILED =
            new GateOutcome("failed.max", false, "no failed test", "2", "mend the tests, or raise failed.max");

    private ReportFixture() {}

    public static Comparison slower() {
        return new Comparison(
                new BaselineKey("com.acme.BertTest", "t()", "total_time"),
                new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY),
                Stack.of(Map.of("instance", "trn2.48xlarge", "driver", "2.30")),
                ComparisonOutcome.WORSE,
                "slower",
                new Fraction(0.03),
                Optional.of(new Sample(List.of(0.0169, 0.0168, 0.017), 30)),
                new Sample(List.of(0.0181, 0.0182, 0.018), 30),
                Optional.of(new Comparison.Ratio(1.058, 1.071, 1.083)),
                false,
                List.of(5),
                List.of("run 2 was throttled for 40 % of the time"),
                "",
                "src/test/resources/neuron-baselines/com.acme.BertTest.json /entries/0",
                Optional.of(Stack.of(Map.of("driver", "2.29"))),
                "neuron-test baseline approve --note '...'",
                List.of("the baseline is 200 days old"),
                List.of());
    }

    public static RunReport everything(Path folder) throws IOException {
        TestId hostile = new TestId(
                "[engine:junit-jupiter]/[class:com.acme.BertTest]/[nested-class:Inner]/[test-template:inference(int)]/[test-template-invocation:#1]",
                "BertTest > Inner > </script><b>|`x`\n[1] *now* $a$");
        new RunLinesFixture(4711)
                .started("ip-10-0-0-7")
                .onHardware()
                .add(new RunEvent.VersionKnown("profiler", "2.31.0"))
                .add(uncorrected(RunEvent.Moment.START, 2))
                .begun(test("t"), CORE_3)
                .add(new RunEvent.Recorded(
                        test("t"),
                        "counters",
                        new JsonObject("{\"version\":1,\"restarted\":\"\",\"moved\":[18446744073709551615,0.50]}")))
                .add(new RunEvent.Violated(
                        test("t"),
                        new Violation(
                                "no error counter may move",
                                CORE_3 + " status/hw_error",
                                "no movement",
                                "+3",
                                "see dmesg, or @AllowCounter(\"hw_error\")")))
                .add(new RunEvent.Compared(test("t"), JsonObject.of(slower())))
                .add(new RunEvent.Noticed(test("t"), "counters did not settle within 2 s"))
                .add(new RunEvent.Attached(test("t"), "counters.txt", "text/plain", 12, "../junit/counters.txt"))
                .add(new RunEvent.Attached(test("t"), "elsewhere.txt", "text/plain", 12, null))
                .after(Duration.ofSeconds(2))
                .ended(test("t"), Outcome.FAILED, CORE_3)
                .add(new RunEvent.Quarantined("BertTest > t()", List.of(CORE_3), "hw_error rose by 3", 4711, false))
                .begun(hostile, CORE_4)
                .add(new RunEvent.LeftUndecided(
                        hostile, new Undecided("@ExpectCounter", CORE_4, "the owner of the core is still alive")))
                .ended(hostile, Outcome.UNDECIDED, CORE_4)
                .add(new RunEvent.AttemptStarted(attempt(1), test("again")))
                .begun(attempt(1), CORE_3)
                .add(new RunEvent.Retried(attempt(1), List.of(CORE_3), "hw_error rose by 1"))
                .ended(attempt(1), Outcome.ABORTED, CORE_3)
                .add(new RunEvent.AttemptStarted(attempt(2), test("again")))
                .ran(attempt(2), Outcome.PASSED, CORE_4)
                .ran(testClass(), Outcome.PASSED, CORE_4)
                .add(new RunEvent.TestFinished(test("skipped"), Outcome.SKIPPED, List.of(), "no model on this host"))
                .add(new RunEvent.Quarantined("BertTest > u()", List.of(CORE_4), "status/hw_error +1", 4711, true))
                .add(new RunEvent.QuarantineEnded(CORE_4, "status/hw_error +1", "counts are as before"))
                .add(new RunEvent.QuarantineEnded(CORE_3, "hw_error rose by 3", "its device was reset"))
                .add(new RunEvent.Noticed(null, "execution counters appear when their owner exits"))
                .add(uncorrected(RunEvent.Moment.END, 5))
                .finished()
                .writeTo(folder);
        new RunLinesFixture(4712)
                .at("2026-11-21T09:01:00Z")
                .started("ip-10-0-0-7")
                .onFake()
                .ran(test("u"), Outcome.PASSED, CORE_3)
                .begun(test("lost"), CORE_4)
                .writeTo(folder);
        new RunLinesFixture(4713)
                .at("2026-11-21T09:01:30Z")
                .started("ip-10-0-0-7")
                .finished()
                .writeTo(folder);
        return MergeFixture.afterAllEnded(List.of(folder));
    }

    private static RunEvent uncorrected(RunEvent.Moment moment, long count) {
        return new RunEvent.HostErrors(
                moment,
                Map.of("neuron3 hardware/mem_ecc_uncorrected", Optional.of(BigInteger.valueOf(count))),
                Map.of(),
                Map.of(),
                Map.of());
    }

    private static TestId attempt(int number) {
        return new TestId(
                test("again").id() + "/[test-template-invocation:#" + number + "]",
                test("again").name() + " > attempt " + number);
    }
}
