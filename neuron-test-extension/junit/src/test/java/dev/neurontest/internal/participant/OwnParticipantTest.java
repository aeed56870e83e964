package dev.neurontest.internal.participant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.configuration.Settings;
import dev.neurontest.internal.evidence.AttachmentSink;
import dev.neurontest.internal.evidence.Evidence;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.RunLine;
import dev.neurontest.internal.evidence.RunLog;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Violation;
import dev.neurontest.internal.lifecycle.TestLifecycle;
import dev.neurontest.internal.lifecycle.host.HostServices;
import dev.neurontest.internal.lifecycle.lease.TestCores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;

/** Tests that a new participant needs only its place in the list of participants. */
@EnabledOnOs(OS.LINUX)
class OwnParticipantTest {

    private static final TestId TEST = new TestId("[method:reads()]", "reads");

    @TempDir
    private Path folder;

    private final Map<String, String> attached = new LinkedHashMap<>();
    private final AttachmentSink junit = (name, mediaType, content) -> {
        attached.put(name, new String(content, StandardCharsets.UTF_8));
        return Optional.empty();
    };
    private RunFile runFile;
    private HostServices host;
    private TestJournal lines;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(folder.resolve("model.neff"), "weights");
        runFile = new RunFile(folder.resolve("run"), problem -> {});
        lines = new TestJournal(runFile, TEST);
        Map<String, String> settings = Map.of("neuron.test.platform", "fake:trn1.2xlarge");
        host = HostServices.open(Settings.of(name -> Optional.ofNullable(settings.get(name))), runFile);
    }

    @AfterEach
    void close() {
        host.close();
        runFile.close();
    }

    private TestLifecycle lifecycle(Participant... more) {
        TestCores cores = TestCores.of(host.openHost().leases());
        List<Participant> participants = new ArrayList<>(List.of(new OpenFiles(lines, folder)));
        participants.addAll(List.of(more));
        return new TestLifecycle(
                lines,
                new Evidence(passed -> !passed, runFile, List.of()),
                cores,
                new Suspicions(lines, cores),
                new UserCode(),
                (driven, code) -> {},
                participants,
                null);
    }

    private InputStream read() throws IOException {
        return Files.newInputStream(folder.resolve("model.neff"));
    }

    private List<RunEvent> events() throws IOException {
        return RunLog.read(runFile.path().orElseThrow()).lines().stream()
                .map(RunLine::event)
                .toList();
    }

    @Test
    void findingFailsTestAndIsRecorded() throws IOException {
        // given
        TestLifecycle lifecycle = lifecycle();
        lifecycle.start(junit);
        try (InputStream leak = read()) {

            // when, then
            assertThatExceptionOfType(AssertionFailedError.class)
                    .isThrownBy(() -> lifecycle.conclude(BodyOutcome.PASSED, junit, Optional.empty(), ""))
                    .withMessage("reads left files open:\nmodel.neff\n");
            assertThat(leak).isNotNull();
        }
        lifecycle.finished(Outcome.FAILED, "files");
        assertThat(attached)
                .containsEntry("neuron-files.txt", "model.neff\n")
                .containsEntry("neuron-files.json", "{\"version\":1,\"files\":[\"model.neff\"]}");
        assertThat(attached.get("neuron-judgement.txt")).contains("violated: a test closes its files");
        assertThat(events())
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                RunEvent.Recorded.class,
                                recorded -> assertThat(recorded.kind()).isEqualTo("files")))
                .anySatisfy(event -> assertThat(event)
                        .isInstanceOfSatisfying(
                                RunEvent.Violated.class,
                                violated -> assertThat(violated.violation().actual())
                                        .isEqualTo("model.neff")))
                .anySatisfy(event -> assertThat(event).isInstanceOf(RunEvent.TestFinished.class));
    }

    @Test
    void findingsOfOthersAreReportedTogether() throws IOException {
        // given
        Participant other = new Participant() {
            @Override
            public List<Verdict> judge(TestResult findings) {
                int before = findings.found().violations().size();
                return List.of(lines.verdict(
                        new Judgement(
                                List.of(new Violation("a rule", "it", "this", "that", "mend it")),
                                List.of(),
                                List.of()),
                        UndecidedHandling.NONE,
                        () -> new AssertionFailedError("another participant fails, after %s".formatted(before))));
            }
        };
        TestLifecycle lifecycle = lifecycle(other);
        lifecycle.start(junit);
        try (InputStream leak = read()) {

            // when, then
            assertThatExceptionOfType(MultipleFailuresError.class)
                    .isThrownBy(() -> lifecycle.conclude(BodyOutcome.PASSED, junit, Optional.empty(), ""))
                    .withMessageContainingAll("reads left files open", "another participant fails, after 1");
            assertThat(leak).isNotNull();
        }
    }

    /** Verifies the order: a program ends before the counters that it moves are read. */
    @Test
    void settlesParticipantMarkedLastAfterOthers() {
        // given
        List<String> steps = new ArrayList<>();
        TestLifecycle lifecycle = lifecycle(step("counters", steps, true), step("program", steps, false));

        // when
        lifecycle.start(junit);
        lifecycle.conclude(BodyOutcome.PASSED, junit, Optional.empty(), "");

        // then
        assertThat(steps)
                .containsExactly(
                        "counters starts",
                        "program starts",
                        "program settles",
                        "counters settles",
                        "counters concludes",
                        "program concludes");
    }

    private static Participant step(String name, List<String> steps, boolean settlesLast) {
        return new Participant() {
            @Override
            public boolean settlesLast() {
                return settlesLast;
            }

            @Override
            public void start() {
                steps.add(name + " starts");
            }

            @Override
            public void settle() {
                steps.add(name + " settles");
            }

            @Override
            public void conclude(TestResult findings) {
                steps.add(name + " concludes");
            }
        };
    }

    @Test
    void closedFilePasses() throws IOException {
        // given
        TestLifecycle lifecycle = lifecycle();
        lifecycle.start(junit);
        read().close();

        // when, then
        assertThatCode(() -> lifecycle.conclude(BodyOutcome.PASSED, junit, Optional.empty(), ""))
                .doesNotThrowAnyException();
        assertThat(attached).isEmpty();
    }
}
