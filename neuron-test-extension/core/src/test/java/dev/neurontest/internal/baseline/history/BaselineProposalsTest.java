package dev.neurontest.internal.baseline.history;

import static dev.neurontest.baseline.ComparisonOutcome.CONTAMINATED;
import static dev.neurontest.baseline.ComparisonOutcome.NOT_WORSE;
import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.baseline.ComparisonOutcome.UNDECIDED;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static dev.neurontest.internal.baseline.history.BaselineFixture.INSTRUCTIONS;
import static dev.neurontest.internal.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.comparison;
import static dev.neurontest.internal.baseline.history.BaselineFixture.improved;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static dev.neurontest.internal.baseline.history.BaselineFixture.runs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.neurontest.baseline.Sample;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaselineProposalsTest {

    private static final Sample FIVE = runs(30, 0.0148, 0.0149, 0.015, 0.0151, 0.0152);

    @TempDir
    Path folder;

    private BaselineStore store;

    @BeforeEach
    void open() {
        store = BaselineStore.in(folder.resolve("baselines"));
    }

    private BaselineProposals proposals(BaselinePolicy policy) {
        return BaselineProposals.of(store, folder.resolve("output"), policy);
    }

    private BaselineProposals session(int number) {
        return session(number, false);
    }

    private BaselineProposals session(int number, boolean writesMissing) {
        return proposals(
                new BaselinePolicy(writesMissing, "commit" + number, () -> TODAY.plusDays(number), "run-" + number));
    }

    private Path proposed() {
        return folder.resolve("output").resolve("baseline-proposals").resolve("com.acme.BertTest.json");
    }

    @Nested
    class Recorded {

        @Test
        void proposesMissingBaselineWithoutWritingIt() throws IOException {
            // when
            Optional<String> notice =
                    session(1).record(comparison(NO_BASELINE, around(17)), Optional.of("ab12"), Optional::empty);

            // then
            assertThat(notice)
                    .contains("A baseline of %s is proposed in %s."
                            .formatted(KEY, session(1).directory()));
            assertThat(store.directory()).doesNotExist();
            BaselineEntry read = BaselineFile.read(Files.readAllBytes(proposed()), proposed())
                    .find(KEY, TRN2)
                    .orElseThrow();
            assertThat(read.sample()).isEqualTo(around(17));
            assertThat(read.neff()).contains("ab12");
            assertThat(read.commit()).isEqualTo("commit1");
            assertThat(read.recorded()).isEqualTo(TODAY.plusDays(1));
        }

        @Test
        void writesMissingBaselineButOnlyProposesImprovement() {
            // when
            Optional<String> written =
                    session(1, true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);
            Optional<String> proposed =
                    session(2, true).record(improved(around(15)), Optional.empty(), Optional::empty);

            // then
            assertThat(written).contains("The baseline of %s was written to %s.".formatted(KEY, store.directory()));
            assertThat(proposed)
                    .contains(
                            "A baseline of %s is proposed in %s. It was seen in 1 of 3 sessions, and one can be a coincidence."
                                    .formatted(KEY, session(1).directory()));
            assertThat(store.find(KEY, TRN2).orElseThrow().sample()).isEqualTo(around(17));
        }

        @Test
        void removesProposalWhenBaselineIsWritten() {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);
            assertThat(proposed()).exists();

            // when
            session(2, true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);

            // then
            assertThat(proposed()).doesNotExist();
            assertThat(store.find(KEY, TRN2)).isPresent();
        }

        @Test
        void removesProposalWhenItsChangeDisappears() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            session(1).record(comparison(WORSE, around(18)), Optional.empty(), Optional::empty);
            session(2).record(comparison(UNDECIDED, around(17.5)), Optional.empty(), Optional::empty);
            session(2).record(comparison(CONTAMINATED, around(17)), Optional.empty(), Optional::empty);
            assertThat(proposed()).exists();

            // when
            session(3).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), Optional::empty);

            // then
            assertThat(proposed()).doesNotExist();
        }

        @Test
        void removesProposalWhenAnotherWriterAddedBaseline() {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);
            BaselineFixture.write(store, List.of(latency(16)));

            // when
            session(1, true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);

            // then
            assertThat(store.entries()).containsExactly(latency(16));
            assertThat(proposed()).doesNotExist();
        }

        @Test
        void writesNothingWithoutChange() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));

            // when
            Optional<String> kept =
                    session(1).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), Optional::empty);
            Optional<String> refused =
                    session(1).record(comparison(CONTAMINATED, around(15)), Optional.empty(), Optional::empty);

            // then
            assertThat(kept).isEmpty();
            assertThat(refused).isEmpty();
            assertThat(folder.resolve("output")).doesNotExist();
        }

        @Test
        void replacesProposalByNewerSufficientSample() {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);

            // when
            session(1).record(comparison(NO_BASELINE, around(16)), Optional.empty(), Optional::empty);

            // then
            assertThat(session(1).changes())
                    .singleElement()
                    .satisfies(change -> assertThat(change.proposed().sample()).isEqualTo(around(16)));
        }

        @Test
        void mergesSmallSamplesOfSameCommit() {
            // given
            session(1).record(comparison(NO_BASELINE, FIVE), Optional.empty(), Optional::empty);

            // when
            session(1, true).record(comparison(NO_BASELINE, FIVE), Optional.empty(), Optional::empty);

            // then
            assertThat(store.find(KEY, TRN2).orElseThrow().sample().runs()).hasSize(10);
        }

        @Test
        void keepsProposalsInSeparateFolder() {
            // then
            assertThat(session(1).directory())
                    .isEqualTo(folder.resolve("output").resolve("baseline-proposals"));
        }

        @ParameterizedTest
        @CsvSource({"2, ab12", "1, cd34"})
        void doesNotMergeSamplesOfOtherSourceOrModel(int source, String model) {
            // given
            session(1).record(comparison(NO_BASELINE, FIVE), Optional.of("ab12"), Optional::empty);

            // when
            session(source).record(comparison(NO_BASELINE, FIVE), Optional.of(model), Optional::empty);

            // then
            assertThat(session(source).changes())
                    .singleElement()
                    .satisfies(change ->
                            assertThat(change.proposed().sample().runs()).hasSize(5));
        }
    }

    @Nested
    class Improvement {

        @BeforeEach
        void baseline() {
            BaselineFixture.write(store, List.of(latency(17)));
        }

        @Test
        void isReadyAfterThreeConsecutiveSessions() {
            for (int number = 1; number <= 3; number++) {
                // when
                session(number).record(improved(FIVE), Optional.empty(), Optional::empty);

                // then
                BaselineChange change = session(number).changes().get(0);
                assertThat(change.sessions()).isEqualTo(number);
                assertThat(session(number).obstacles(change, ""))
                        .isEqualTo(
                                switch (number) {
                                    case 1 ->
                                        "It has 5 of 10 runs: measure it again."
                                                + " It was seen in 1 of 3 sessions, and one can be a coincidence.";
                                    case 2 -> "It was seen in 2 of 3 sessions, and one can be a coincidence.";
                                    default -> "";
                                });
            }
        }

        @Test
        void countsEachSessionOnce() {
            // when
            session(1).record(improved(around(15)), Optional.empty(), Optional::empty);
            session(1).record(improved(around(15)), Optional.empty(), Optional::empty);

            // then
            assertThat(session(1).changes().get(0).sessions()).isEqualTo(1);
        }

        @Test
        void restartsCountAfterSessionWithoutIt() {
            // given
            session(1).record(improved(around(15)), Optional.empty(), Optional::empty);
            session(2).record(improved(around(15)), Optional.empty(), Optional::empty);
            session(3).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), Optional::empty);

            // when
            session(4).record(improved(around(15)), Optional.empty(), Optional::empty);

            // then
            assertThat(session(4).changes().get(0).sessions()).isEqualTo(1);
        }

        @Test
        void omitsItsSessionsFromBaselineHistory() {
            // given
            for (int number = 1; number <= 3; number++) {
                session(number).record(improved(around(15)), Optional.empty(), Optional::empty);
            }

            // when
            session(3).approve(key -> true, "", false);

            // then
            assertThat(store.find(KEY, TRN2).orElseThrow().history())
                    .containsExactly(new BaselineEntry.Former(0.017, TODAY, "", ""));
        }
    }

    @Nested
    class Approved {

        @Test
        void writesProposalsMatchingFilterAndKeepsOthers() {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);
            session(1)
                    .record(
                            comparison(INSTRUCTIONS, NO_BASELINE, false, runs(1, 7)),
                            Optional.empty(),
                            Optional::empty);

            // when
            BaselineProposals.Approval approval = session(1)
                    .approve(change -> change.proposed().key().metric().equals("total_time"), "first", false);

            // then
            assertThat(approval.written())
                    .extracting(change -> change.proposed().key())
                    .containsExactly(KEY);
            assertThat(approval.remaining()).isEmpty();
            assertThat(store.entries()).extracting(BaselineEntry::note).containsExactly("first");
            assertThat(session(1).changes())
                    .extracting(change -> change.proposed().key().metric())
                    .containsExactly("instruction_count");
        }

        @Test
        void requiresNoteForWorseBaseline() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            session(1).record(comparison(WORSE, around(18)), Optional.empty(), Optional::empty);

            // when
            BaselineProposals.Approval refused = session(1).approve(key -> true, "", false);

            // then
            assertThat(refused.written()).isEmpty();
            assertThat(refused.remaining())
                    .extracting(BaselineProposals.Approval.Remaining::reason)
                    .containsExactly("It gets worse: add the reason with --note.");
            assertThat(store.entries()).containsExactly(latency(17));

            // when
            session(1).approve(key -> true, "longer sequences", false);

            // then
            assertThat(store.entries()).extracting(BaselineEntry::note).containsExactly("longer sequences");
        }

        @Test
        void excludesTooSmallSample() {
            // given
            session(1).record(comparison(NO_BASELINE, FIVE), Optional.empty(), Optional::empty);

            // when
            BaselineProposals.Approval approval = session(1).approve(key -> true, "note", true);

            // then
            assertThat(approval.remaining())
                    .extracting(BaselineProposals.Approval.Remaining::reason)
                    .containsExactly("It has 5 of 10 runs: measure it again.");
            assertThat(store.directory()).doesNotExist();
        }

        @Test
        void includesEarlyImprovementOnlyOnRequest() {
            // given
            BaselineFixture.write(store, List.of(latency(17)));
            session(1).record(improved(around(15)), Optional.empty(), Optional::empty);

            // then
            assertThat(session(1).approve(key -> true, "", false).written()).isEmpty();
            assertThat(session(1).approve(key -> true, "", true).written()).hasSize(1);
        }

        @Test
        void dropsProposalEqualToBaseline() {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);
            BaselineFixture.write(store, List.of(latency(17)));

            // when
            BaselineProposals.Approval approval = session(1).approve(key -> true, "", false);

            // then
            assertThat(approval.written()).isEmpty();
            assertThat(session(1).changes()).isEmpty();
            assertThat(store.entries()).containsExactly(latency(17));
        }

        @Test
        void excludesProposalReplacedDuringApproval() {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);

            // when
            BaselineProposals.Approval approval = session(1)
                    .approve(
                            key -> {
                                session(2)
                                        .record(comparison(NO_BASELINE, around(40)), Optional.empty(), Optional::empty);
                                return true;
                            },
                            "",
                            false);

            // then
            assertThat(approval.written()).isEmpty();
            assertThat(approval.remaining())
                    .extracting(BaselineProposals.Approval.Remaining::reason)
                    .containsExactly("Another baseline was proposed, or this one was approved, in between.");
            assertThat(store.entries()).isEmpty();
        }

        @Test
        void refusesDamagedProposalAndKeepsIt() throws IOException {
            // given
            session(1).record(comparison(NO_BASELINE, around(17)), Optional.empty(), Optional::empty);
            String half = Files.readString(proposed()).substring(0, 200);
            Files.writeString(proposed(), half);

            // then
            assertThatThrownBy(() -> session(1).approve(key -> true, "", false))
                    .isInstanceOf(BaselineException.class)
                    .hasMessageContaining("com.acme.BertTest.json: line ");
            assertThat(proposed()).content().isEqualTo(half);
            assertThat(store.directory()).doesNotExist();
        }
    }

    @Test
    void refusesBaselineFolderForProposals() {
        // given
        BaselineStore same = BaselineStore.in(folder.resolve("output/../output/baseline-proposals"));

        // then
        assertThatThrownBy(() -> BaselineProposals.of(
                        same, folder.resolve("output"), new BaselinePolicy(false, "", () -> TODAY, "run-1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neuron.test.baseline.directory");
    }
}
