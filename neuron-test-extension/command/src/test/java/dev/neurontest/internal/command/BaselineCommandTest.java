package dev.neurontest.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.baseline.BaselineKey;
import dev.neurontest.baseline.Comparison;
import dev.neurontest.baseline.ComparisonOutcome;
import dev.neurontest.baseline.Sample;
import dev.neurontest.baseline.Stack;
import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.baseline.history.BaselineFixture;
import dev.neurontest.internal.baseline.history.BaselineStore;
import dev.neurontest.internal.command.run.ExitStatus;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunFile;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.metric.Direction;
import dev.neurontest.metric.Fraction;
import dev.neurontest.metric.Metric;
import dev.neurontest.metric.Noise;
import dev.neurontest.metric.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BaselineCommandTest {

    private static final Metric LATENCY = new Metric("total_time", Unit.SECONDS, Direction.LOWER, Noise.NOISY);
    private static final Stack STACK = Stack.of(Map.of("instance", "trn1.2xlarge", "driver", "2.30"));

    @TempDir
    private Path folder;

    private BaselineStore baselines;
    private BaselineStore proposals;

    @BeforeEach
    void folders() {
        baselines = BaselineStore.in(folder.resolve("baselines"));
        proposals = BaselineStore.in(folder.resolve("output/baseline-proposals"));
    }

    private static BaselineEntry entry(String test, double seconds) {
        List<Double> runs = DoubleStream.iterate(seconds, run -> run + seconds / 1000)
                .limit(10)
                .boxed()
                .toList();
        return new BaselineEntry(
                new BaselineKey("com.acme.BertTest", test, LATENCY.name()),
                LATENCY,
                STACK,
                new Sample(runs, 30),
                Optional.empty(),
                LocalDate.parse("2026-11-21"),
                "abc1234",
                "",
                List.of());
    }

    private CommandFixture baseline(String... arguments) {
        List<String> all = new ArrayList<>(List.of("baseline"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--directory", folder + "/baselines", "--output", folder + "/output"));
        return CommandFixture.run(all.toArray(String[]::new));
    }

    @Test
    void listsBaselines() {
        // given
        BaselineFixture.write(baselines, List.of(entry("infers()", 0.017), entry("answers()", 0.5)));

        // when
        CommandFixture show = baseline("show", "--only", "infers");

        // then
        assertThat(show.status()).as(show.err()).isZero();
        assertThat(show.out()).contains("com.acme.BertTest#infers() total_time").doesNotContain("answers()");
    }

    @Test
    void refusesMissingBaselineFolder() {
        // when
        CommandFixture show = baseline("show");

        // then
        assertThat(show.status()).isEqualTo(ExitStatus.COULD_NOT_RUN);
        assertThat(show.out()).isEmpty();
        assertThat(show.err())
                .startsWith("There is no folder of baselines: %s/baselines does not exist.".formatted(folder))
                .contains("--directory", "neuron.test.baseline.directory", "neuron-test baseline approve --note 'why'");
    }

    @Test
    void reportsFolderWithoutBaselines() throws IOException {
        // given
        Files.createDirectory(folder.resolve("baselines"));

        // when
        CommandFixture show = baseline("show");

        // then
        assertThat(show.status()).isZero();
        assertThat(show.out()).isEqualTo("no baselines in %s/baselines\n".formatted(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "approve"})
    void refusesMissingRunFolder(String command) throws IOException {
        // given
        Files.createFile(folder.resolve("output"));

        // when
        CommandFixture file = baseline(command);
        Files.delete(folder.resolve("output"));
        CommandFixture nothing = baseline(command);

        // then
        assertThat(List.of(file.status(), nothing.status())).containsOnly(ExitStatus.COULD_NOT_RUN);
        assertThat(file.err()).startsWith("There is no folder of a run: %s/output is not a folder. ".formatted(folder));
        assertThat(nothing.err())
                .startsWith("There is no folder of a run: %s/output does not exist. ".formatted(folder))
                .contains("--output", "neuron.test.output", "run the tests first");
    }

    @Test
    void showsProposals() {
        // given
        BaselineFixture.write(baselines, List.of(entry("infers()", 0.017)));
        BaselineFixture.write(proposals, List.of(entry("infers()", 0.018)));

        // when
        CommandFixture diff = baseline("diff");

        // then
        assertThat(diff.status()).as(diff.err()).isZero();
        assertThat(diff.out()).startsWith("1 proposal in ").contains("com.acme.BertTest#infers() total_time");
    }

    @Test
    void namesFolderWhenNoProposalIsChosen() {
        // given
        BaselineFixture.write(proposals, List.of(entry("infers()", 0.017)));

        // when
        CommandFixture approve = baseline("approve", "--only", "answers()");

        // then
        assertThat(approve.status()).isEqualTo(1);
        assertThat(approve.out())
                .isEqualTo("None of the 1 proposal in %s was chosen.\n".formatted(proposals.directory()));
    }

    @Test
    void approvesNewBaseline() {
        // given
        BaselineEntry proposed = entry("infers()", 0.017);
        BaselineFixture.write(proposals, List.of(proposed));

        // when
        CommandFixture approve = baseline("approve");

        // then
        assertThat(approve.status()).as(approve.out() + approve.err()).isZero();
        assertThat(baselines.find(proposed.key(), STACK))
                .hasValueSatisfying(entry -> assertThat(entry.sample()).isEqualTo(proposed.sample()));
    }

    @Test
    void approvesWorseValueOnlyWithNote() {
        // given
        BaselineEntry worse = entry("infers()", 0.018);
        BaselineFixture.write(baselines, List.of(entry("infers()", 0.017)));
        BaselineFixture.write(proposals, List.of(worse));

        // when
        CommandFixture without = baseline("approve");
        CommandFixture with = baseline("approve", "--note", "compiler 2.24 spills more");

        // then
        assertThat(without.status()).isEqualTo(1);
        assertThat(without.out()).startsWith("Not written: ");
        assertThat(with.status()).isZero();
        assertThat(baselines.find(worse.key(), STACK))
                .hasValueSatisfying(entry -> assertThat(entry.note()).isEqualTo("compiler 2.24 spills more"));
    }

    @Test
    void advisesCommandThatApprovesWorseValue() {
        // given
        Matcher advised = Pattern.compile("neuron-test baseline (approve .* '.*?')")
                .matcher(baseline("show").err());
        BaselineEntry worse = entry("infers()", 0.018);
        BaselineFixture.write(baselines, List.of(entry("infers()", 0.017)));
        BaselineFixture.write(proposals, List.of(worse));

        // when
        assertThat(advised.find()).isTrue();
        CommandFixture approve = baseline(advised.group(1).replace("'", "").split(" "));

        // then
        assertThat(approve.status()).as(approve.out()).isZero();
        assertThat(baselines.find(worse.key(), STACK))
                .hasValueSatisfying(entry -> assertThat(entry.sample()).isEqualTo(worse.sample()));
    }

    @Test
    void approvesOnlyChosenProposal() {
        // given
        BaselineFixture.write(proposals, List.of(entry("infers()", 0.017), entry("answers()", 0.5)));

        // when
        baseline("approve", "--only", "#answers()");

        // then
        assertThat(baselines.entries()).extracting(entry -> entry.key().test()).containsExactly("answers()");
    }

    @Test
    void prunesBaselineNoLongerMeasured() {
        // given
        BaselineFixture.write(baselines, List.of(entry("infers()", 0.017), entry("gone()", 0.5)));
        measured(entry("infers()", 0.017), Outcome.PASSED);

        // when
        CommandFixture prune = baseline("approve", "--prune");

        // then
        assertThat(prune.status()).as(prune.err()).isZero();
        assertThat(prune.out()).contains("com.acme.BertTest#gone() total_time");
        assertThat(baselines.entries()).extracting(entry -> entry.key().test()).containsExactly("infers()");
    }

    @Test
    void prunesNothingAfterFailedRun() {
        // given
        BaselineFixture.write(baselines, List.of(entry("infers()", 0.017), entry("gone()", 0.5)));
        measured(entry("infers()", 0.017), Outcome.FAILED);

        // when
        CommandFixture prune = baseline("approve", "--prune");

        // then
        assertThat(prune.status()).isEqualTo(ExitStatus.COULD_NOT_RUN);
        assertThat(prune.err()).contains("Prune after a whole run that passed");
        assertThat(baselines.entries()).hasSize(2);
    }

    private void measured(BaselineEntry entry, Outcome outcome) {
        Comparison comparison = new Comparison(
                entry.key(),
                entry.metric(),
                entry.stack(),
                ComparisonOutcome.NOT_WORSE,
                "not-worse",
                Fraction.ofPercent(3),
                Optional.of(entry.sample()),
                entry.sample(),
                Optional.empty(),
                false,
                List.of(5),
                List.of(),
                "",
                "BertTest.json",
                Optional.empty(),
                "neuron-test baseline approve",
                List.of(),
                List.of());
        TestId test = new TestId("[class:com.acme.BertTest]/[method:infers()]", "BertTest > infers()");
        try (RunFile file = new RunFile(folder.resolve("output"), warning -> {})) {
            file.append(new RunEvent.Compared(test, JsonObject.of(comparison)));
            file.append(new RunEvent.TestFinished(test, outcome, List.of(), null));
            file.finish();
        }
    }
}
