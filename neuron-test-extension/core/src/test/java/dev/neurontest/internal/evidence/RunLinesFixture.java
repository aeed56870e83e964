package dev.neurontest.internal.evidence;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A writer of run files like those of a JVM, with a clock and a process ID of the test's choice. */
public final class RunLinesFixture {

    private final long pid;
    private final LineWriter lines = new LineWriter();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private Instant now = Instant.parse("2026-11-21T09:00:00Z");

    public RunLinesFixture(long pid) {
        this.pid = pid;
    }

    public static TestId test(String name) {
        return new TestId(
                "[engine:junit-jupiter]/[class:com.acme.BertTest]/[method:" + name + "()]",
                "BertTest > " + name + "()");
    }

    public static TestId testClass() {
        return new TestId("[engine:junit-jupiter]/[class:com.acme.BertTest]", "BertTest");
    }

    public RunLinesFixture started(String machine) {
        return started(machine, new TestTool(TestTool.MAVEN, null, null));
    }

    public RunLinesFixture started(String machine, @Nullable TestTool tool) {
        return add(new RunEvent.RunStarted(
                RunFile.VERSION, pid, "17.0.15+6", "Linux 6.1 amd64", "0.1.0", "examples", machine, tool));
    }

    public RunLinesFixture onHardware() {
        return add(new RunEvent.PlatformChosen(
                "real", "/", "auto", "default", "trn2.48xlarge", null, "2.30.51.0", 16, 64, 2));
    }

    public RunLinesFixture onFake() {
        return add(EventsFixture.PLATFORM);
    }

    public RunLinesFixture at(String time) {
        now = Instant.parse(time);
        return this;
    }

    public RunLinesFixture after(Duration later) {
        now = now.plus(later);
        return this;
    }

    public RunLinesFixture add(RunEvent event) {
        content.writeBytes(lines.next(now, event, LineWriter.members(event)));
        now = now.plusMillis(10);
        return this;
    }

    /** Adds a test from its lease to its body. */
    public RunLinesFixture begun(TestId test, String... cores) {
        return add(new RunEvent.Requested(test, "1 core"))
                .add(new RunEvent.Leased(test, List.of(cores), Duration.ofMillis(4)))
                .add(new RunEvent.PhaseStarted(test, Phase.SETUP))
                .add(new RunEvent.PhaseStarted(test, Phase.BODY));
    }

    public RunLinesFixture ended(TestId test, Outcome outcome, String... cores) {
        return add(new RunEvent.Released(test, List.of(cores), Duration.ofMillis(30)))
                .add(new RunEvent.TestFinished(
                        test, outcome, List.of(cores), outcome == Outcome.PASSED ? null : "reason of " + test.name()));
    }

    public RunLinesFixture ran(TestId test, Outcome outcome, String... cores) {
        return begun(test, cores).ended(test, outcome, cores);
    }

    public RunLinesFixture finished() {
        return add(new RunEvent.RunFinished(1, 0, 0, 0, 0));
    }

    public RunLinesFixture raw(String bytes) {
        content.writeBytes(bytes.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public byte[] bytes() {
        return content.toByteArray();
    }

    public Path writeTo(Path folder) throws IOException {
        return Files.write(
                Files.createDirectories(folder).resolve("run-%s-%s.jsonl".formatted(pid, UUID.randomUUID())), bytes());
    }
}
