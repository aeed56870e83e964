package dev.neurontest.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.merge.RunReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the gate from the run files of JVMs to its decision. */
class GateOnRunFilesTest {

    private static final String STARTED = """
            "event":"runStarted","version":2,"pid":1,"java":"17","os":"Linux","module":"0.1","directory":"app","machine":"ip-10-0-0-1"
            """;
    private static final String HARDWARE = """
            "event":"platformChosen","kind":"real","host":"/","choice":"real","origin":"default","devices":1,"cores":2,"lnc":1
            """;
    private static final String SKIPPED = """
            "event":"testFinished","test":{"id":"[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:infer()]","name":"BertTest > infer()"},"outcome":"skipped","cores":[],"reason":"the module neuron is not loaded"
            """;
    private static final String PASSED = """
            "event":"testFinished","test":{"id":"[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:train()]","name":"BertTest > train()"},"outcome":"passed","cores":["neuron0/neuron_core0"]
            """;
    private static final String SIMULATED = """
            "event":"onlySimulated","test":{"id":"[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:train()]","name":"BertTest > train()"}
            """;
    private static final String VIOLATED = """
            "event":"violated","test":{"id":"[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:train()]","name":"BertTest > train()"},"violation":{"rule":"no error counter moves","subject":"status/timeout","expected":"unchanged","actual":"+3","advice":"look"}
            """;
    private static final String BODY = """
            "event":"phaseStarted","test":{"id":"[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:hang()]","name":"BertTest > hang()"},"phase":"body"
            """;
    private static final String QUARANTINED = """
            "event":"quarantined","test":"BertTest > hang()","cores":["neuron0/neuron_core1"],"reason":"timed out in nrt_execute","pid":1,"suspect":false
            """;
    private static final String FINISHED = """
            "event":"runFinished","passed":1,"failed":0,"undecided":0,"aborted":0,"skipped":0
            """;

    @TempDir
    Path folder;

    private List<GateOutcome> refusals(String... assignments) {
        return GateRules.ofDefaults()
                .withAssignments(List.of(assignments))
                .decide(RunReports.merge(List.of(folder)))
                .stream()
                .filter(outcome -> !outcome.passed())
                .toList();
    }

    private void runFile(int jvm, String... events) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int number = 1; number <= events.length; number++) {
            lines.append(String.format(
                    Locale.ROOT,
                    "{\"seq\":%s,\"time\":\"2026-11-21T02:00:%02dZ\",%s}\n",
                    number,
                    number,
                    events[number - 1].strip()));
        }
        String name = String.format(Locale.ROOT, "run-%1$s-00000000-0000-0000-0000-%1$012d.jsonl", jvm);
        Files.writeString(folder.resolve(name), lines);
    }

    @Test
    void aRunOnHardwareMayPass() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, PASSED, FINISHED);

        // then
        assertThat(refusals("hardware.min=1")).isEmpty();
    }

    @Test
    void simulatedKernelsAreNoTestOnHardware() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, SIMULATED, PASSED, FINISHED);

        // then
        assertThat(refusals("hardware.min=1")).extracting(GateOutcome::gate).containsExactly("hardware.min");
    }

    @Test
    void runWithoutLoadedDriverDoesNotPass() throws IOException {
        // given
        runFile(1, STARTED, SKIPPED, FINISHED);

        // then
        assertThat(refusals("hardware.min=40"))
                .extracting(GateOutcome::actual)
                .containsExactly(
                        "nothing ran in 1 JVM; the first skip: BertTest > infer(): the module neuron is not loaded",
                        "none of 1 test ran on hardware; the first skip: BertTest > infer(): the module neuron is not loaded");
    }

    @Test
    void aFolderWithoutRunFilesDoesNotPass() {
        // then
        assertThat(refusals()).extracting(GateOutcome::gate).contains("ran");
    }

    @Test
    void killedJvmFailsCompleteAndLostGates() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, PASSED, BODY);

        // then
        assertThat(refusals()).extracting(GateOutcome::gate).containsExactly("complete", "lost.max");
        assertThat(refusals())
                .extracting(GateOutcome::actual)
                .last()
                .isEqualTo("1 lost test: BertTest > hang() in its body");
    }

    @Test
    void violationInPassedTestDoesNotPass() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, VIOLATED, PASSED, FINISHED);

        // then
        assertThat(refusals())
                .extracting(GateOutcome::gate, GateOutcome::actual)
                .containsExactly(tuple(
                        "complete",
                        folder.resolve("run-1-00000000-0000-0000-0000-000000000001.jsonl")
                                + ": BertTest > train() is recorded as passed, although it violated no error counter"
                                + " moves. Treat it as failed."));
    }

    @Test
    void aHalfWrittenFileDoesNotPass() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, PASSED, FINISHED);
        runFile(2, STARTED, HARDWARE, PASSED.substring(0, 40));

        // then
        assertThat(refusals()).extracting(GateOutcome::gate).containsExactly("complete");
    }

    @Test
    void runFileNamedWithNonAsciiDigitsDoesNotPass() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, PASSED, FINISHED);
        runFile(2, STARTED, HARDWARE, PASSED, FINISHED);
        Files.move(
                folder.resolve("run-2-00000000-0000-0000-0000-000000000002.jsonl"),
                folder.resolve("run-\u0662-00000000-0000-0000-0000-000000000002.jsonl"));

        // then
        assertThat(refusals()).singleElement().satisfies(refusal -> {
            assertThat(refusal.gate()).isEqualTo("complete");
            assertThat(refusal.actual()).contains("run-\u0662-00000000-0000-0000-0000-000000000002.jsonl was not read");
        });
    }

    @Test
    void aCoreInQuarantineDoesNotPass() throws IOException {
        // given
        runFile(1, STARTED, HARDWARE, PASSED, QUARANTINED, FINISHED);

        // then
        assertThat(refusals())
                .singleElement()
                .satisfies(
                        outcome -> assertThat(outcome.actual())
                                .isEqualTo(
                                        "1 quarantined core: neuron0/neuron_core1 of ip-10-0-0-1 after BertTest > hang(): timed out in nrt_execute"));
    }
}
