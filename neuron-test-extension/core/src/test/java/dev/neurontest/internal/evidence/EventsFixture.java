package dev.neurontest.internal.evidence;

import dev.neurontest.internal.configuration.Origin;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Measurement;
import dev.neurontest.internal.judgement.NotApplicable;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Events of a short run, and a measurement as a participant would provide it. */
public final class EventsFixture {

    public static final TestId TEST =
            new TestId("[engine:junit-jupiter]/[class:InferenceTest]/[method:oneCore()]", "InferenceTest > oneCore()");

    public static final RunEvent.PlatformChosen PLATFORM = new RunEvent.PlatformChosen(
            "fake",
            "fake:trn1.2xlarge@driver-2.30",
            "fake:trn1.2xlarge",
            "from system property neuron.test.platform",
            "trn1.2xlarge",
            "driver-2.30",
            "2.30.1.0",
            1,
            2,
            1);

    static final Violation VIOLATION = new Violation(
            "no error counter may move",
            "neuron0/neuron_core1 status/hw_error",
            "no movement",
            "+3",
            "see dmesg, or @AllowCounter(\"hw_error\")");

    static final Undecided UNDECIDED = new Undecided(
            "@ExpectCounter(\"inference_count\", delta = 100)",
            "neuron0/neuron_core1",
            "the process that owns the core is still alive");

    private EventsFixture() {}

    static List<RunEvent> one_of_each_type() {
        return List.of(
                new RunEvent.RunStarted(
                        3,
                        4711,
                        "17.0.15+6",
                        "Linux 6.1 amd64",
                        "0.1.0",
                        "examples",
                        "ip-10-0-0-7",
                        new TestTool(TestTool.MAVEN, "services/bert", null)),
                new RunEvent.RunStarted(
                        3,
                        4712,
                        "17.0.15+6",
                        "Linux 6.1 amd64",
                        "0.1.0",
                        "examples",
                        "",
                        new TestTool(TestTool.NEURON_TEST, null, List.of("-cp", "classes:libs/*"))),
                new RunEvent.PartOfRun("GitHub run 4711", true),
                new RunEvent.Configured("neuron.test.platform", "real", Origin.ENVIRONMENT_VARIABLE),
                new RunEvent.Sharded(3, 8, "0123456789abcdef", "Slurm job 4711", 1, "fedcba9876543210", true),
                new RunEvent.Sharded(1, 2, "", null, 0, "", false),
                new RunEvent.Planned(TEST),
                new RunEvent.TemplateFinished(TEST),
                new RunEvent.PlanFinished(),
                new RunEvent.PlanGivenUp(List.of("PlainTest > fills()")),
                PLATFORM,
                new RunEvent.HostAdded("Slurm", "n1", "real", "trn1.32xlarge", "2.30.51.0", 16, 32),
                new RunEvent.HostAdded("ssh", "n2", "real", null, null, 1, 2),
                new RunEvent.AttemptStarted(
                        TEST, new TestId("[engine:junit-jupiter]/[class:InferenceTest]", "InferenceTest")),
                new RunEvent.Requested(TEST, "1 core"),
                new RunEvent.Leased(TEST, List.of("neuron0/neuron_core1"), Duration.ofMillis(3)),
                new RunEvent.WaitedInVain(TEST, Duration.ofMillis(7)),
                new RunEvent.PhaseStarted(TEST, Phase.BODY),
                new RunEvent.Recorded(
                        TEST, "counters", new JsonObject("{\"version\":1,\"moved\":[18446744073709551615,0.50]}")),
                new RunEvent.Recorded(TEST, "counters", new JsonObject("{}")),
                new RunEvent.Violated(TEST, VIOLATION),
                new RunEvent.LeftUndecided(TEST, UNDECIDED),
                new RunEvent.OnlySimulated(TEST),
                new RunEvent.NotApplied(TEST, new NotApplicable("@ExpectCounter", "neuron0", "simulated")),
                new RunEvent.Noticed(TEST, "counters did not settle within 2 s"),
                new RunEvent.Noticed(null, "execution counters appear when their owner exits"),
                new RunEvent.Attached(TEST, "neuron-counters.txt", "text/plain", 1234, "../junit/neuron-counters.txt"),
                new RunEvent.Compared(TEST, new JsonObject("{\"outcome\":\"worse\"}")),
                new RunEvent.HostErrors(
                        RunEvent.Moment.START,
                        Map.of("neuron3 hardware/mem_ecc_uncorrected", Optional.of(BigInteger.ONE)),
                        Map.of("sys/module/neuron", "(dev=16,inode=7)"),
                        Map.of("neuron3", "hbm"),
                        Map.of("neuron3 kernel log [65.345678]", "NEURON_HW_ERR=DMA_ERROR")),
                new RunEvent.VersionKnown("profiler", "2.31.0"),
                new RunEvent.Replayed(TEST, false),
                new RunEvent.Interrupted(TEST, Phase.BODY, "junit-timeout-thread-1"),
                new RunEvent.WorkloadEnded(TEST, "python serve.py", 1234, "exit code 0"),
                new RunEvent.Retried(TEST, List.of("neuron0/neuron_core1"), "hw_error rose by 1"),
                new RunEvent.Released(TEST, List.of("neuron0/neuron_core1"), Duration.ofMillis(12)),
                new RunEvent.Quarantined(
                        "InferenceTest > oneCore()",
                        List.of("neuron0/neuron_core1"),
                        "hw_error rose by 1",
                        4711,
                        false),
                new RunEvent.QuarantineEnded("neuron0/neuron_core1", "hw_error rose by 1", "its device was reset"),
                new RunEvent.HolderDied(
                        99, "OtherTest > t()", List.of("neuron0/neuron_core0"), Phase.BODY, List.of("100")),
                new RunEvent.HolderDied(98, "OtherTest > u()", List.of("neuron0/neuron_core0"), null, List.of()),
                new RunEvent.TestFinished(TEST, Outcome.FAILED, List.of("neuron0/neuron_core1"), "hw_error moved"),
                new RunEvent.RunFinished(1, 2, 3, 4, 5));
    }

    static RunEvent finished(String name, Outcome outcome, String... cores) {
        return new RunEvent.TestFinished(
                new TestId("[test:" + name + "]", name),
                outcome,
                List.of(cores),
                outcome == Outcome.PASSED ? null : "reason of " + name);
    }

    public record RecordingFixture(String kind, String toText, String toJson) implements Measurement {}

    record PictureFixture(String kind, String toText, String toJson, List<Attachment> attachments)
            implements Measurement {}
}
