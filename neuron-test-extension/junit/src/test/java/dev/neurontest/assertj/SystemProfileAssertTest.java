package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.profile.Doubt;
import dev.neurontest.profile.system.SystemEvents;
import dev.neurontest.profile.system.SystemProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemProfileAssertTest {

    @TempDir
    Path folder;

    /** Two calls, of 1 and of 3 microseconds. */
    private SystemProfile profile(Doubt... doubts) throws IOException {
        Path json = Files.writeString(
                folder.resolve("system_profile.json"),
                "{\"trace_events\": [{\"name\": \"nrt_execute\", \"timestamp\": 0, \"duration\": 1000}, {\"name\": \"nrt_execute\", \"timestamp\": 2000, \"duration\": 3000}]}");
        return new SystemProfile(
                "resnet50.neff",
                "neuron-explorer 2.33.38.0",
                SystemEvents.of(json, SystemEvents.MOST_PER_CORE),
                List.of(doubts),
                List.of(),
                List.of(),
                folder,
                Optional.empty());
    }

    @Test
    void looksAtEachStatistic() throws IOException {
        // given
        SystemProfile profile = profile();

        // then
        assertThat(profile).event("nrt_execute").isAtMost("3 us").isAtLeast("3 us");
        assertThat(profile).event("nrt_execute").p50().isAtMost("1 us").isAtLeast("1 us");
        assertThat(profile).event("nrt_execute").p99().isAtMost("3 us").max().isAtMost("3 us");
        assertThat(profile).event("nrt_execute").total().isAtMost("4 us").isAtLeast("4 us");
        assertThat(profile).event("nrt_execute").count().isAtMost("2").isAtLeast("2");
    }

    @Test
    void failsWithTheValueAndTheLimit() throws IOException {
        // given
        SystemProfile profile = profile();

        // then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(profile).event("nrt_execute").p99().isAtMost("2 us"))
                .withMessageContainingAll(
                        "System profile of resnet50.neff by neuron-explorer 2.33.38.0: 1 demand violated",
                        "p99 of nrt_execute",
                        "expected at most",
                        "was 3");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(
                        () -> assertThat(profile).event("nrt_execute").count().isAtLeast("3"))
                .withMessageContaining("expected at least 3");
    }

    @Test
    void failsUndecidedWhereEventsWereDropped() throws IOException {
        // given
        SystemProfile profile = profile(new Doubt(Doubt.Kind.DROPPED_NOTIFICATIONS, "12 trace events were dropped."));

        // then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(profile).event("nrt_execute").max().isAtMost("1 s"))
                .withMessageContainingAll("1 demand undecided", "12 trace events were dropped.");
    }

    @Test
    void failsUndecidedForAnEventThatIsNotThere() throws IOException {
        // given
        SystemProfile profile = profile();

        // then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(profile).event("nrt_exec").count().isAtMost("0"))
                .withMessageContainingAll("1 demand undecided", "which is not zero", "Was nrt_execute meant?");
    }

    @Test
    void collectsFailuresSoftly() throws IOException {
        // given
        NeuronSoftAssertions softly = new NeuronSoftAssertions();

        // when
        softly.assertThat(profile())
                .event("nrt_execute")
                .p99()
                .isAtMost("2 us")
                .count()
                .isAtMost("1");

        // then
        org.assertj.core.api.Assertions.assertThat(softly.errorsCollected()).hasSize(2);
    }
}
