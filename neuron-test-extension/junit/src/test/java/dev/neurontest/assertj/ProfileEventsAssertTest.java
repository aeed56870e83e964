package dev.neurontest.assertj;

import static dev.neurontest.assertj.NeuronAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.neurontest.profile.EventQuery;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileEventsAssertTest {

    @TempDir
    private Path folder;

    private ProfileEvents events(String instructions) throws IOException {
        return ProfileEvents.read(Files.writeString(
                folder.resolve("ntff.json"), "{\"instruction\": [" + instructions + "], \"dma\": []}"));
    }

    /** Returns events of 1,000 ns, 150 of them in transposes. */
    private ProfileEvents someTransposes() throws IOException {
        return events("""
                {"timestamp": 1, "duration": 850, "label": "TensorMatrix", "opcode": "MATMUL"},
                {"timestamp": 2, "duration": 150, "label": "Tensor", "opcode": "TRANSPOSE"}
                """);
    }

    @Test
    void acceptsShareWithinLimits() throws IOException {
        // when, then
        assertThat(someTransposes())
                .spendsAtMost("15 %", EventQuery.transposes())
                .spendsAtLeast("85 %", EventQuery.of(Grouping.OPCODE, "MATMUL"));
    }

    @Test
    void failureNamesShareLimitFileAndLongestInstructions() throws IOException {
        // given
        ProfileEvents events = someTransposes();

        // when, then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(events).spendsAtMost("10 %", EventQuery.of(Grouping.OPCODE, "TRANSPOSE")))
                .withMessageContainingAll(
                        "take 15 % of the time of all instructions, expected at most 10 %",
                        folder.resolve("ntff.json").toString(), "2 instructions", "MATMUL: 850 ns");
    }

    @Test
    void refusesTooSmallAShare() throws IOException {
        // given
        ProfileEvents events = someTransposes();

        // when, then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(events).spendsAtLeast("90 %", EventQuery.of(Grouping.OPCODE, "MATMUL")))
                .withMessageContaining("take 85 % of the time of all instructions, expected at least 90 %");
    }

    @Test
    void failsWithoutInstructions() throws IOException {
        // given
        ProfileEvents events = events("");

        // when, then
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(events).spendsAtMost("10 %", EventQuery.transposes()))
                .withMessageContaining("no instruction");
    }

    @Test
    void refusesShareWithoutPercent() throws IOException {
        // given
        ProfileEvents events = someTransposes();

        // when, then
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assertThat(events).spendsAtMost("0.1", EventQuery.transposes()))
                .withMessageContaining("%");
    }
}
