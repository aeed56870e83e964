package dev.neurontest.internal.baseline.history;

import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static dev.neurontest.internal.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.LATENCY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.comparison;
import static dev.neurontest.internal.baseline.history.BaselineFixture.instructions;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static dev.neurontest.internal.baseline.history.BaselineFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.baseline.BaselineEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTextTest {

    private static BaselineEntry noted(BaselineEntry entry, String neff, String commit, String note, int daysAgo) {
        return new BaselineEntry(
                entry.key(),
                entry.metric(),
                entry.stack(),
                entry.sample(),
                Optional.of(neff),
                TODAY.minusDays(daysAgo),
                commit,
                note,
                entry.history());
    }

    private static BaselineDiff diff(BaselineEntry old, BaselineEntry proposed) {
        return new BaselineDiff(new BaselineChange(Optional.of(old), proposed));
    }

    @Nested
    class Diff {

        @Test
        void showsBothSidesAndTheirNotes() {
            // then
            assertThat(diff(
                                    noted(latency(16.9), "ab12", "abc1234", "first", 51),
                                    noted(latency(17.6), "cd34", "def5678", "longer sequences", 0))
                            .text())
                    .isEqualTo("""
                            com.acme.BertTest#inference(int)[1] total_time gets worse: 16.9 ms -> 17.6 ms (+4.1 %)
                              runs   10 runs of 30 executions, 16.85 ms to 16.95 ms ->
                                     10 runs of 30 executions, 17.55 ms to 17.65 ms
                              stack  driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33
                              NEFF   ab12 -> cd34
                              was    2026-10-01, commit abc1234: first
                              is     2026-11-21, commit def5678: longer sequences
                            """);
        }

        @Test
        void showsNewBaselineWithoutFormerSide() {
            // then
            assertThat(new BaselineDiff(new BaselineChange(Optional.empty(), instructions(2048000))).text())
                    .isEqualTo("""
                            com.acme.BertTest#inference(int)[1] instruction_count is new: 2,048,000
                              runs   1 run of 1 execution, all 2,048,000
                              stack  driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33
                              is     2026-11-21
                            """);
        }

        @Test
        void showsEnoughDigitsToDistinguishNumbers() {
            // given
            BaselineEntry old = BaselineFixture.entry(KEY, LATENCY, TRN2, runs(30, 0.017));
            BaselineEntry proposed = BaselineFixture.entry(KEY, LATENCY, TRN2, runs(30, 0.016999));

            // then
            assertThat(diff(old, proposed).headline()).isEqualTo(KEY + " gets better: 17 ms -> 16.999 ms (-0.01 %)");
        }

        @Test
        void hasNoRatioToZero() {
            // then
            assertThat(diff(instructions(0), instructions(7)).headline())
                    .isEqualTo("com.acme.BertTest#inference(int)[1] instruction_count gets worse: 0 -> 7");
        }
    }

    @Nested
    class Command {

        @TempDir
        Path folder;

        private BaselineStore store;
        private BaselineProposals proposals;

        @BeforeEach
        void open() {
            store = BaselineStore.in(folder.resolve("baselines"));
            proposals = BaselineProposals.of(
                    store, folder.resolve("output"), new BaselinePolicy(false, "abc1234", () -> TODAY, "run-1"));
        }

        @Test
        void showsBaselinesAndUnreadableFiles() throws IOException {
            // given
            BaselineFixture.write(store, List.of(noted(latency(17), "ab12", "abc1234", "first", 0)));
            Path broken = Files.writeString(store.directory().resolve("X.json"), "");

            // then
            assertThat(BaselineCommandText.show(store.directory(), store.contents()))
                    .isEqualTo("""
                            %s: 1 baseline of 1 test class

                            com.acme.BertTest#inference(int)[1] total_time: 17 ms
                              10 runs of 30 executions, 16.95 ms to 17.05 ms
                              driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33
                              2026-11-21, commit abc1234: first

                            Not read: %s: is empty, expected a JSON object. Correct it, or restore the file from version control.
                            """.formatted(store.directory(), broken));
        }

        @Test
        void reportsEmptyStoreAndMissingProposals() {
            // then
            assertThat(BaselineCommandText.show(store.directory(), store.contents()))
                    .isEqualTo(store.directory() + ": 0 baselines of 0 test classes\n");
            assertThat(BaselineCommandText.diff(proposals, proposals.changes(), ""))
                    .isEqualTo("Nothing is proposed in %s.\n".formatted(proposals.directory()));
            assertThat(BaselineCommandText.approved(store, proposals, proposals.approve(key -> true, "", false)))
                    .isEqualTo("Nothing is proposed in %s.\n".formatted(proposals.directory()));
        }

        @Test
        void reportsWhetherProposalIsReady() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            proposals.record(comparison(WORSE, around(18)), Optional.empty(), Optional::empty);

            // then
            assertThat(BaselineCommandText.diff(proposals, proposals.changes(), ""))
                    .startsWith("1 proposal in " + proposals.directory() + "\n\n" + KEY + " gets worse: 17 ms -> 18 ms")
                    .endsWith("\n  Not ready: It gets worse: add the reason with --note.\n");
            assertThat(BaselineCommandText.diff(proposals, proposals.changes(), "because"))
                    .endsWith("\n  Ready to be approved.\n");
        }

        @Test
        void reportsWrittenAndRemainingProposals() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            proposals.record(comparison(WORSE, around(18)), Optional.empty(), Optional::empty);
            proposals.record(
                    comparison(BaselineFixture.INSTRUCTIONS, NO_BASELINE, false, runs(1, 7)),
                    Optional.empty(),
                    Optional::empty);

            // when
            BaselineProposals.Approval approval = proposals.approve(key -> true, "", false);

            // then
            assertThat(BaselineCommandText.approved(store, proposals, approval))
                    .isEqualTo("""
                            Written: com.acme.BertTest#inference(int)[1] instruction_count is new: 7
                              %s /entries/0
                            Not written: com.acme.BertTest#inference(int)[1] total_time gets worse: 17 ms -> 18 ms (+5.9 %%)
                              It gets worse: add the reason with --note.
                            """.formatted(store.directory().resolve("com.acme.BertTest.json")));
        }

        @Test
        void listsBaselinesNoLongerMeasured() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));

            // then
            assertThat(BaselineCommandText.orphans(store, store.entries()))
                    .isEqualTo("""
                            1 baseline of metrics that were not measured
                              com.acme.BertTest#inference(int)[1] total_time on driver 2.30, instance trn2.48xlarge, lnc 2, runtime 2.33
                                %s /entries/0
                            """.formatted(store.directory().resolve("com.acme.BertTest.json")));
        }
    }
}
