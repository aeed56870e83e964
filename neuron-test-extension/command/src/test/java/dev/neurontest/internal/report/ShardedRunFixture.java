package dev.neurontest.internal.report;

import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.TestId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run in two shards on two machines. The first shard was killed and restarted on a third machine. */
public final class ShardedRunFixture {

    private static final Instant START = Instant.parse("2026-11-21T02:10:00Z");

    private ShardedRunFixture() {}

    public static RunReport report() {
        List<ReportedJvm> jvms = List.of(
                jvm("n1", new RunEvent.Sharded(1, 2, "aaaa", "Slurm job 7", 0, "c0de", true), 0, 60, false),
                jvm("n2", new RunEvent.Sharded(2, 2, "aaaa", "Slurm job 8", 0, "c0de", true), 0, 120, true),
                jvm("n3", new RunEvent.Sharded(1, 2, "aaaa", "Slurm job 7", 1, "c0de", true), 90, 180, true));
        List<ReportedTest> tests = new ArrayList<>();
        tests.add(test(1, "a"));
        tests.add(test(1, "b"));
        tests.add(test(2, "c"));
        return new RunReport(jvms, tests, List.of(), List.of(), List.of(), List.of());
    }

    private static ReportedJvm jvm(String machine, RunEvent.Sharded shard, int from, int seconds, boolean finished) {
        return new ReportedJvm(
                Path.of(machine, "run-1-x.jsonl"),
                Optional.of(new RunEvent.RunStarted(
                        2, 1, "17.0.15+6", "Linux 6.1 amd64", "0.1.0", "bert-tests", machine, null)),
                Optional.of(new RunEvent.PlatformChosen(
                        "real", "/", "auto", "default", "trn2.48xlarge", null, "2.30.51.0", 16, 64, 2)),
                START.plusSeconds(from),
                START.plusSeconds(from + seconds),
                finished,
                Map.of(),
                Optional.empty(),
                List.of(shard),
                Optional.empty(),
                Optional.empty());
    }

    private static ReportedTest test(int jvm, String name) {
        return new ReportedTest(
                jvm,
                new TestId(
                        "[engine:junit-jupiter]/[class:BertTest]/[method:" + name + "()]", "BertTest > " + name + "()"),
                false,
                TestOutcome.PASSED,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                START,
                Duration.ofSeconds(1),
                Duration.ZERO,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0,
                Optional.empty());
    }
}
