package dev.neurontest.internal.baseline.history;

import static dev.neurontest.baseline.ComparisonOutcome.NOT_WORSE;
import static dev.neurontest.baseline.ComparisonOutcome.NO_BASELINE;
import static dev.neurontest.baseline.ComparisonOutcome.WORSE;
import static dev.neurontest.internal.baseline.history.BaselineFixture.KEY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TODAY;
import static dev.neurontest.internal.baseline.history.BaselineFixture.TRN2;
import static dev.neurontest.internal.baseline.history.BaselineFixture.around;
import static dev.neurontest.internal.baseline.history.BaselineFixture.comparison;
import static dev.neurontest.internal.baseline.history.BaselineFixture.latency;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the events that are stored with a baseline. */
class BaselineEventsTest {

    @TempDir
    Path folder;

    private BaselineStore store;

    @BeforeEach
    void open() {
        store = BaselineStore.in(folder.resolve("baselines"));
    }

    private BaselineProposals session(boolean writesMissing) {
        return BaselineProposals.of(
                store, folder.resolve("output"), new BaselinePolicy(writesMissing, "commit", () -> TODAY, "run-1"));
    }

    private Optional<String> proposed() {
        return BaselineStore.in(folder.resolve("output/baseline-proposals")).readEvents(KEY, TRN2);
    }

    @Test
    void areWrittenWithTheBaseline() {
        // when
        session(true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), () -> Optional.of("{}"));

        // then
        assertThat(store.events(KEY, TRN2)).get().satisfies(file -> {
            assertThat(file).hasContent("{}").hasParent(store.directory());
            assertThat(file.getFileName().toString()).matches("com\\.acme\\.BertTest\\+[0-9a-f-]{13}\\.events\\.json");
        });
        assertThat(store.entries()).hasSize(1);
        assertThat(store.contents().problems()).isEmpty();
    }

    @Test
    void areProposedAndApprovedWithBaseline() {
        // given
        session(false).record(comparison(NO_BASELINE, around(17)), Optional.empty(), () -> Optional.of("{}"));
        assertThat(proposed()).contains("{}");
        assertThat(store.events(KEY, TRN2)).isEmpty();

        // when
        session(false).approve(key -> true, "", true);

        // then
        assertThat(store.readEvents(KEY, TRN2)).contains("{}");
        assertThat(proposed()).isEmpty();
        assertThat(folder.resolve("output/baseline-proposals")).isDirectoryNotContaining("glob:**.json");
    }

    @Test
    void areRemovedWhenBaselineIsReplaced() {
        // given
        session(true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), () -> Optional.of("old"));
        session(false).record(comparison(WORSE, around(18)), Optional.empty(), Optional::empty);

        // when
        session(false).approve(change -> true, "note", false);

        // then
        assertThat(store.find(KEY, TRN2)).isPresent();
        assertThat(store.events(KEY, TRN2)).isEmpty();
    }

    @Test
    void areAddedToUnchangedBaseline() {
        // given
        BaselineFixture.write(store, List.of(latency(17)));

        // when
        session(true).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), () -> Optional.of("new"));

        // then
        assertThat(store.readEvents(KEY, TRN2)).contains("new");
        assertThat(store.entries()).containsExactly(latency(17));
    }

    @Test
    void areNotAddedByReadOnlyRun() {
        // given
        BaselineFixture.write(store, List.of(latency(17)));

        // when
        session(false).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), () -> Optional.of("new"));

        // then
        assertThat(store.events(KEY, TRN2)).isEmpty();
    }

    @Test
    void areNotReadWhenBaselineAlreadyHasEvents() {
        // given
        session(true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), () -> Optional.of("old"));

        // when
        session(true).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), () -> {
            throw new AssertionError("events were read");
        });

        // then
        assertThat(store.readEvents(KEY, TRN2)).contains("old");
    }

    @Test
    void areRemovedWithObsoleteProposal() {
        // given
        BaselineFixture.write(store, List.of(latency(17)));
        session(false).record(comparison(WORSE, around(18)), Optional.empty(), () -> Optional.of("slow"));
        assertThat(proposed()).contains("slow");

        // when
        session(false).record(comparison(NOT_WORSE, around(17.001)), Optional.empty(), () -> Optional.of("new"));

        // then
        assertThat(proposed()).isEmpty();
    }

    @Test
    void areRemovedWithTheBaseline() {
        // given
        session(true).record(comparison(NO_BASELINE, around(17)), Optional.empty(), () -> Optional.of("{}"));

        // when
        store.remove(KEY, TRN2);

        // then
        assertThat(Files.exists(store.directory())).isTrue();
        assertThat(store.directory()).isDirectoryNotContaining("glob:**.json");
    }
}
