package dev.neurontest.internal.evidence;

import static dev.neurontest.internal.evidence.EventsFixture.TEST;
import static dev.neurontest.internal.evidence.EventsFixture.UNDECIDED;
import static dev.neurontest.internal.evidence.EventsFixture.VIOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.EventsFixture.PictureFixture;
import dev.neurontest.internal.evidence.EventsFixture.RecordingFixture;
import dev.neurontest.internal.judgement.Attachment;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.judgement.Measurement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EvidenceTest {

    private static final Predicate<Boolean> ALWAYS = passed -> true;
    private static final Predicate<Boolean> FAILURE = passed -> !passed;

    private static final Measurement COUNTERS =
            new RecordingFixture("counters", "hw_error 0 -> 3\n", "{\"version\":1,\"hw_error\":3}");
    private static final Judgement ALL =
            new Judgement(List.of(VIOLATION), List.of(UNDECIDED), List.of("counters did not settle within 2 s"));

    private final Map<String, String> attached = new LinkedHashMap<>();

    @TempDir
    Path folder;

    @AutoClose
    private RunFile runFile;

    @BeforeEach
    void open() {
        runFile = new RunFile(folder, warning -> {});
    }

    private Optional<Path> sink(String name, String mediaType, byte[] content) {
        attached.put(name + " " + mediaType, new String(content, StandardCharsets.UTF_8));
        return Optional.of(folder.resolveSibling("junit").resolve("report.txt"));
    }

    private Evidence evidence(Predicate<Boolean> policy) {
        return new Evidence(policy, runFile, List.of());
    }

    private List<RunEvent> events() throws IOException {
        return RunLog.read(runFile.path().orElseThrow()).lines().stream()
                .map(RunLine::event)
                .skip(1)
                .toList();
    }

    @Test
    void attachesRecordingAsTextAndJsonUnderStableName() {
        // given
        Measurement prints = new RecordingFixture("prints", "tile 17\n", "{\"version\":1}");

        // when
        evidence(ALWAYS).attach(TEST, true, List.of(COUNTERS, prints, COUNTERS), Judgement.NOTHING, this::sink);

        // then
        assertThat(attached)
                .containsExactly(
                        Map.entry("neuron-counters.txt text/plain", "hw_error 0 -> 3\n"),
                        Map.entry("neuron-counters.json application/json", "{\"version\":1,\"hw_error\":3}"),
                        Map.entry("neuron-prints.txt text/plain", "tile 17\n"),
                        Map.entry("neuron-prints.json application/json", "{\"version\":1}"),
                        Map.entry("neuron-counters-2.txt text/plain", "hw_error 0 -> 3\n"),
                        Map.entry("neuron-counters-2.json application/json", "{\"version\":1,\"hw_error\":3}"));
    }

    private static Measurement profile(String subject) {
        return new Measurement() {
            @Override
            public String kind() {
                return PROFILE;
            }

            @Override
            public String subject() {
                return subject;
            }

            @Override
            public String toText() {
                return "";
            }

            @Override
            public String toJson() {
                return "{}";
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "decode.neff, -decode.neff",
        "../a b/ö.neff, -a-b-.neff",
        "API_TOKEN=abc, -API_TOKEN",
        "..., ''",
        "'', ''",
    })
    void namesFurtherRecordingAfterItsSubject(String subject, String inName) {
        // when
        evidence(ALWAYS).attach(TEST, true, List.of(profile("first"), profile(subject)), Judgement.NOTHING, this::sink);

        // then
        assertThat(attached)
                .containsOnlyKeys(
                        "neuron-profile.txt text/plain",
                        "neuron-profile.json application/json",
                        "neuron-profile-2%s.txt text/plain".formatted(inName),
                        "neuron-profile-2%s.json application/json".formatted(inName));
    }

    @Test
    void boundsSubjectInNameOfFile() {
        // when
        evidence(ALWAYS)
                .attach(
                        TEST,
                        true,
                        List.of(COUNTERS, profile(""), profile("n".repeat(300))),
                        Judgement.NOTHING,
                        this::sink);

        // then
        assertThat(attached).containsKey("neuron-profile-2-%s.txt text/plain".formatted("n".repeat(60)));
    }

    @Test
    void attachesFilesOfRecordingAndMasksOnlyText() {
        // given
        byte[] secret = "API_TOKEN=abc".getBytes(StandardCharsets.UTF_8);
        Measurement picture = new PictureFixture(
                "profile",
                "",
                "{}",
                List.of(
                        new Attachment(".html", "text/html", secret),
                        new Attachment("-0017.npy", "application/octet-stream", secret)));

        // when
        evidence(ALWAYS).attach(TEST, true, List.of(picture), Judgement.NOTHING, this::sink);

        // then
        assertThat(attached)
                .containsEntry("neuron-profile.html text/html", "API_TOKEN=***")
                .containsEntry("neuron-profile-0017.npy application/octet-stream", "API_TOKEN=abc");
    }

    @Test
    void attachesJudgement() {
        // when
        evidence(FAILURE).attach(TEST, true, List.of(), ALL, this::sink);

        // then
        assertThat(attached).containsExactly(Map.entry("neuron-judgement.txt text/plain", """
                        violated: no error counter may move
                          neuron0/neuron_core1 status/hw_error
                          expected no movement
                          but was +3
                          see dmesg, or @AllowCounter("hw_error")
                        undecided: @ExpectCounter("inference_count", delta = 100)
                          neuron0/neuron_core1
                          the process that owns the core is still alive
                        notice: counters did not settle within 2 s
                        """));
    }

    static Stream<Arguments> tests() {
        Judgement violated = new Judgement(List.of(VIOLATION), List.of(), List.of());
        Judgement undecided = new Judgement(List.of(), List.of(UNDECIDED), List.of());
        Judgement noticed = new Judgement(List.of(), List.of(), List.of("a notice"));
        return Stream.of(
                Arguments.of(true, Judgement.NOTHING, true),
                Arguments.of(true, noticed, true),
                Arguments.of(false, Judgement.NOTHING, false),
                Arguments.of(true, violated, false),
                Arguments.of(true, undecided, false));
    }

    @ParameterizedTest
    @MethodSource("tests")
    void policySeesPassOnlyWithoutViolationOrUndecided(boolean bodyPassed, Judgement judgement, boolean expected) {
        // given
        List<Boolean> asked = new ArrayList<>();

        // when
        evidence(passed -> !asked.add(passed)).attach(TEST, bodyPassed, List.of(COUNTERS), judgement, this::sink);

        // then
        assertThat(asked).containsExactly(expected);
        assertThat(attached).isEmpty();
    }

    @Test
    void recordsAttachmentsInRunFile() throws IOException {
        // when
        evidence(ALWAYS).attach(TEST, true, List.of(COUNTERS), Judgement.NOTHING, this::sink);

        // then
        assertThat(events())
                .containsExactly(
                        new RunEvent.Attached(TEST, "neuron-counters.txt", "text/plain", 16, "../junit/report.txt"),
                        new RunEvent.Attached(
                                TEST, "neuron-counters.json", "application/json", 26, "../junit/report.txt"));
    }

    @Test
    void failedAttachmentIsNoticedAndOthersContinue() throws IOException {
        // when
        evidence(ALWAYS).attach(TEST, true, List.of(COUNTERS), Judgement.NOTHING, (name, mediaType, content) -> {
            if (name.endsWith(".txt")) {
                throw new IOException("No space left on device");
            }
            return sink(name, mediaType, content);
        });

        // then
        assertThat(attached).containsOnlyKeys("neuron-counters.json application/json");
        assertThat(events())
                .containsExactly(
                        new RunEvent.Noticed(
                                TEST,
                                "neuron-counters.txt could not be attached:"
                                        + " java.io.IOException: No space left on device"),
                        new RunEvent.Attached(
                                TEST, "neuron-counters.json", "application/json", 26, "../junit/report.txt"));
    }

    @Test
    void reportsPathsOfAttachments() {
        // given
        List<Path> heard = new ArrayList<>();
        Evidence evidence = evidence(ALWAYS);
        evidence.onFileWritten(heard::add);

        // when
        evidence.attach(TEST, true, List.of(COUNTERS), Judgement.NOTHING, this::sink);

        // then
        assertThat(heard).hasSize(2).allSatisfy(file -> assertThat(file).hasFileName("report.txt"));
    }

    @Test
    void masksSecretsInAttachments() {
        // given
        Measurement recording =
                new RecordingFixture("prints", "HF_TOKEN=hf_abc\n", "{\"HF_TOKEN\":\"hf_abc\",\"version\":1}");

        // when
        evidence(ALWAYS).attach(TEST, true, List.of(recording), Judgement.NOTHING, this::sink);

        // then
        assertThat(attached.values()).containsExactly("HF_TOKEN=***\n", "{\"HF_TOKEN\":\"***\",\"version\":1}");
    }

    @Test
    void keepsJsonValidWhenMaskingPartialSecrets() {
        // given
        Measurement recording = new RecordingFixture(
                "prints", "", "{\"prefix\":\"token=\",\"doubt\":\"secret: [\",\"key\":\"token=abc\",\"version\":1.50}");

        // when
        evidence(ALWAYS).attach(TEST, true, List.of(recording), Judgement.NOTHING, this::sink);

        // then
        assertThat(attached)
                .containsEntry(
                        "neuron-prints.json application/json",
                        "{\"prefix\":\"token=\",\"doubt\":\"secret: ***\",\"key\":\"token=***\",\"version\":1.50}");
    }
}
