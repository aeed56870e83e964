package dev.neurontest.internal.report.merge;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.Phase;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.gate.GateRules;
import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Undecided;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.report.GateOutcome;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Run files that a gate refuses, with one member that is renamed, missing, or of another type. */
class MutatedRunFilesTest {

    private static final String CORE = "neuron0/neuron_core0";
    private static final String ECC = "neuron0 hardware/mem_ecc_uncorrected";
    private static final TestId T = test("t");
    private static final TestId OTHER = test("other");

    @TempDir
    private Path folder;

    private static RunLinesFixture jvm(long pid, String machine, RunEvent... first) {
        RunLinesFixture jvm =
                new RunLinesFixture(pid).after(Duration.ofMinutes(pid)).started(machine);
        Stream.of(first).forEach(jvm::add);
        TestId passed = test("test" + pid);
        return jvm.onHardware()
                .add(new RunEvent.PhaseStarted(passed, Phase.BODY))
                .add(new RunEvent.TestFinished(passed, Outcome.PASSED, List.of(CORE), null));
    }

    private static Arguments run(String refusal, RunLinesFixture... files) {
        return Arguments.of(refusal, List.of(files));
    }

    /** Returns a run of one JVM with a passed test and these events. */
    private static Arguments after(String refusal, RunEvent... events) {
        RunLinesFixture jvm = jvm(1, "n1");
        Stream.of(events).forEach(jvm::add);
        return run(refusal, jvm.finished());
    }

    private static Arguments inTest(String refusal, RunEvent event) {
        return run(
                refusal,
                jvm(1, "n1")
                        .begun(T, CORE)
                        .add(event)
                        .ended(T, Outcome.PASSED, CORE)
                        .finished());
    }

    private static Arguments shards(String refusal, RunEvent.Sharded... shards) {
        return run(
                refusal,
                IntStream.range(0, shards.length)
                        .mapToObj(index ->
                                jvm(index + 1, "n" + index, shards[index]).finished())
                        .toArray(RunLinesFixture[]::new));
    }

    private static RunEvent.Sharded shard(int shard, int count, String timings, String code) {
        return new RunEvent.Sharded(shard, count, timings, "Slurm job 1", 0, code, false);
    }

    private static RunEvent.HostErrors start() {
        return errors(RunEvent.Moment.START, 0, "1", "");
    }

    private static RunEvent.HostErrors errors(RunEvent.Moment moment, long value, String inode, String broken) {
        return new RunEvent.HostErrors(
                moment,
                Map.of(ECC, Optional.of(BigInteger.valueOf(value))),
                Map.of("sys/module/neuron", inode),
                Map.of("neuron0", broken),
                broken.isEmpty() ? Map.of() : Map.of("neuron0 kernel log [1.5]", broken));
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                shards("a shard is missing", shard(1, 2, "", "c0de")),
                shards("shards are missing", shard(1, 4, "", "c0de"), shard(3, 4, "", "c0de")),
                shards("other counts", shard(1, 2, "", ""), shard(2, 2, "", ""), shard(3, 4, "", "")),
                shards("other code", shard(1, 2, "", "c0de"), shard(2, 2, "", "other")),
                shards("other timings", shard(1, 2, "", "c0de"), shard(2, 2, "aa", "c0de")),
                run(
                        "two runs",
                        jvm(1, "n1", new RunEvent.PartOfRun("a", true)).finished(),
                        jvm(2, "n1", new RunEvent.PartOfRun("b", true)).finished()),
                run("days apart", jvm(1, "n1").finished(), jvm(3_000, "n1").finished()),
                run("killed", jvm(1, "n1")),
                run("killed in a test", jvm(1, "n1").begun(T, CORE)),
                run(
                        "killed as another saw",
                        jvm(1, "n1"),
                        jvm(2, "n1")
                                .add(new RunEvent.HolderDied(1, T.name(), List.of(CORE), Phase.BODY, List.of("1")))
                                .finished()),
                run("a test without an end", jvm(1, "n1").begun(T, CORE).finished()),
                after("not replayed", new RunEvent.Replayed(OTHER, false)),
                run("failed", jvm(1, "n1").ran(T, Outcome.FAILED, CORE).finished()),
                run("undecided", jvm(1, "n1").ran(T, Outcome.UNDECIDED, CORE).finished()),
                run(
                        "nothing ran",
                        new RunLinesFixture(1)
                                .started("n1")
                                .ended(T, Outcome.SKIPPED)
                                .finished()),
                inTest("a violation", new RunEvent.Violated(T, new Violation("rule", "it", "yes", "no", "look"))),
                inTest("an undecided expectation", new RunEvent.LeftUndecided(T, new Undecided("rule", "it", "why"))),
                inTest(
                        "counters that restarted",
                        new RunEvent.Recorded(
                                T, "counters", new JsonObject("{\"version\":2,\"restarted\":\"created again\"}"))),
                after("a planned test", new RunEvent.Planned(OTHER)),
                after("left out", new RunEvent.Planned(OTHER), new RunEvent.PlanFinished()),
                after("given up", new RunEvent.PlanGivenUp(List.of())),
                after("quarantined", new RunEvent.Quarantined(T.name(), List.of(CORE), "hung", 1, false)),
                after("never read again", start()),
                after("never read before", errors(RunEvent.Moment.END, 0, "1", "")),
                after("an error", start(), errors(RunEvent.Moment.END, 2, "1", "")),
                after("another driver", start(), errors(RunEvent.Moment.END, 0, "2", "")),
                after("a broken device", start(), errors(RunEvent.Moment.END, 0, "1", "hbm")),
                run(
                        "an error between JVMs",
                        jvm(1, "n1")
                                .add(start())
                                .add(errors(RunEvent.Moment.END, 0, "1", ""))
                                .finished(),
                        jvm(2, "n1")
                                .add(errors(RunEvent.Moment.START, 2, "1", ""))
                                .add(errors(RunEvent.Moment.END, 2, "1", ""))
                                .finished()));
    }

    private record Member(int start, int end, int value, String name) {}

    private static List<Member> members(String line) {
        List<Member> members = new ArrayList<>();
        Deque<Member> open = new ArrayDeque<>();
        try (JsonParser json = Json.parser(line.getBytes(StandardCharsets.UTF_8))) {
            while (json.nextToken() != null) {
                json.getString();
                int end = (int) json.currentLocation().getByteOffset();
                Member parent = open.peek();
                if (json.currentToken() == JsonToken.PROPERTY_NAME) {
                    int start = (int) json.currentTokenLocation().getByteOffset();
                    open.push(new Member(
                            start,
                            0,
                            line.indexOf(':', start + json.currentName().length()) + 1,
                            json.currentName()));
                } else if (parent != null
                        && !json.currentToken().isStructStart()
                        && json.streamReadContext().inObject()) {
                    open.pop();
                    members.add(new Member(parent.start(), end, parent.value(), parent.name()));
                }
            }
        }
        return members;
    }

    /** Returns variants of the line with each member renamed, missing or of another type, and with a misspelt event. */
    private static List<String> mutants(String line) {
        List<String> mutants = new ArrayList<>();
        for (Member each : members(line)) {
            if (each.name().matches(".*[^A-Za-z].*")) {
                continue; // a device or a counter
            }
            String before = line.substring(0, each.start());
            String after = line.substring(each.end());
            String value = line.substring(each.value(), each.end());
            mutants.add(before + '"' + each.name() + "X\":" + value + after);
            mutants.add((before + "|" + after)
                    .replaceFirst(",?\\|,?", before.endsWith("{") || after.startsWith("}") ? "" : ","));
            for (String other : List.of("null", value.matches("[{\\[].*") ? "0" : "{}")) {
                mutants.add(before + '"' + each.name() + "\":" + other + after);
            }
            if (each.name().equals("event")) {
                mutants.add(before + "\"event\":" + value.replaceFirst("\"$", "x\"") + after);
            }
        }
        return mutants;
    }

    private boolean isGreen() {
        return GateRules.ofDefaults()
                .decide(RunReports.merge(List.of(folder), RunChoice.ONE, (read, all) -> {}))
                .stream()
                .allMatch(GateOutcome::passed);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void areRefusedByGate(String refusal, List<RunLinesFixture> files) throws IOException {
        // given
        Map<Path, List<String>> contents = new HashMap<>();
        for (RunLinesFixture each : files) {
            Path file = each.writeTo(folder);
            contents.put(file, Files.readAllLines(file));
        }
        assertThat(isGreen()).as(refusal).isFalse();

        for (Map.Entry<Path, List<String>> file : contents.entrySet()) {
            for (int line = 0; line < file.getValue().size(); line++) {
                for (String mutant : mutants(file.getValue().get(line))) {
                    // when
                    List<String> changed = new ArrayList<>(file.getValue());
                    changed.set(line, mutant);
                    Files.write(file.getKey(), changed);

                    // then
                    assertThat(isGreen()).as("%s with %s", refusal, mutant).isFalse();
                }
            }
            Files.write(file.getKey(), file.getValue());
        }
    }
}
