package dev.neurontest.internal.participant.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.profile.KeptEvents;
import dev.neurontest.profile.EventsFixture;
import dev.neurontest.profile.MeasuredFixture;
import dev.neurontest.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the slower parts in the message of a failure. */
class ComparedEventsTest {

    @TempDir
    Path folder;

    private final ComparedEvents events = new ComparedEvents();

    private Profile profile(String fullJson) throws IOException {
        Files.writeString(folder.resolve("profile_exec_1.json"), fullJson);
        return MeasuredFixture.in(folder).and("total_time", 40e-6).profile();
    }

    private Profile profile() throws IOException {
        return profile("""
                {"instruction": [
                  {"timestamp": 1, "duration": 30000, "label": "Tensor", "opcode": "MATMUL", "layer": "attention"},
                  {"timestamp": 2, "duration": 10000, "label": "Vector", "opcode": "COPY", "layer": "norm"}],
                 "summary": [{"total_time": 0.00004}]}
                """);
    }

    private Path baseline(String content) throws IOException {
        return Files.writeString(folder.resolve("it's.events.json"), content);
    }

    private Path baseline() throws IOException {
        return baseline(KeptEvents.write(EventsFixture.events()
                .execution(30)
                .layer("attention", 20, 1)
                .layer("norm", 10, 1)
                .engine("Tensor", 20, 1)
                .engine("Vector", 10, 1)
                .made()));
    }

    @Test
    void explainsGrowthAndGivesCommand() throws IOException {
        // given
        events.add(profile());

        // when
        ComparedEvents.Why why = events.why(Optional.of(baseline()));

        // then
        assertThat(why.lines())
                .containsExactly(
                        "What took longer, by the events of one execution:",
                        "Slower by 10 \u00b5s (33 %): attention took 10 \u00b5s more, which is 100 % of all growth.",
                        "  layer      before    now  change  of growth  why",
                        "  attention   20 \u00b5s  30 \u00b5s  +10 \u00b5s      100 %  each 30 \u00b5s instead of 20 \u00b5s",
                        "All of it:",
                        "  neuron-test explain '%s/it'\\''s.events.json' '%1$s/profile_exec_1.json'".formatted(folder));
        assertThat(why.explanation()).isPresent();
    }

    @Test
    void advisesTablesWhenProfileHasNoEvents() throws IOException {
        // given
        events.add(MeasuredFixture.in(folder).and("total_time", 40e-6).profile());

        // then
        assertThat(events.why(Optional.of(baseline())).lines())
                .containsExactly(
                        "What took longer is unknown: this profile has no events. Keep them with @ProfileNeff(tables = true). A baseline accepted afterwards keeps the events of its run.");
        assertThat(events.kept()).isEmpty();
    }

    @Test
    void advisesTablesWhenBaselineHasNoEvents() throws IOException {
        // given
        events.add(profile());

        // then
        assertThat(events.why(Optional.empty()).lines())
                .containsExactly(
                        "What took longer is unknown: the baseline has no events of its run. Keep them with @ProfileNeff(tables = true). A baseline accepted afterwards keeps the events of its run.");
        assertThat(events.kept()).get().asString().contains("\"attention\": {\"ns\": 30000, \"count\": 1}");
    }

    @Test
    void reportsBaselineEventsOfUnknownVersion() throws IOException {
        // given
        events.add(profile());

        // then
        assertThat(events.why(Optional.of(baseline("{\"kind\": \"event-shares\", \"version\": 7}")))
                        .lines())
                .singleElement()
                .asString()
                .startsWith("What took longer is unknown: " + folder.resolve("it's.events.json")
                        + ": is of version 7, but this reader supports 1");
    }

    @Test
    void reportsTruncatedProfile() throws IOException {
        // given
        events.add(profile("{\"instruction\": ["));

        // then
        assertThat(events.why(Optional.of(baseline())).lines())
                .singleElement()
                .asString()
                .startsWith("What took longer is unknown: " + folder.resolve("profile_exec_1.json")
                        + " is readable only until byte");
        assertThat(events.kept()).isEmpty();
    }
}
