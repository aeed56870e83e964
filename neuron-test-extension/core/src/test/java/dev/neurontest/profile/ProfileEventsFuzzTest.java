package dev.neurontest.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.profile.KeptEvents;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Fuzz tests of files: each is read or refused in one way, in finite time. */
class ProfileEventsFuzzTest {

    private static final byte[] WHOLE = """
            {"metadata": [{"a": [1, {}, "b\\u00e9\u00e9"]}],
             "instruction": [
              {"timestamp": 10, "duration": 1500, "evt_wait_time": -3, "label": "Tensor", "opcode": "MATMUL", "compiler_opcode": "x",
               "operands": "S[5] \\"q\\" \u20ac", "hlo_name": "%add", "layer": "a/b", "stack_frame_ids": [1, 2]},
              {"duration": "17", "subgroup": "q", "opcode": null, "layer": "\ud83d\ude00", "bir_debug_info_source_location": 1.5e3},
              {"duration": NaN}],
             "dma": [{"dma_queue": "q1", "duration": 5, "duplicate": true, "semaphore_id": "-1", "transfer_rate": 0.25}],
             "summary": [{"total_time": 0.017, "name": "x", "spill": -1}],
             "warnings": ["lost", {"category": "c", "message": "m"}]}
            """.strip().getBytes(StandardCharsets.UTF_8);

    /** Reads a file, and verifies the partial results if it is refused. */
    private static ProfileEvents read(byte[] content) {
        try {
            return new ProfileEventsParser(Path.of("ntff.json")).read(new ByteArrayInputStream(content));
        } catch (ProfileEventsException refused) {
            assertCanBeShown(refused.partial().orElseThrow());
            throw refused;
        }
    }

    private static void assertCanBeShown(ProfileEvents events) {
        assertThat(events.toText()).startsWith("Events of ");
        assertThat(KeptEvents.read(events.path(), KeptEvents.write(events).getBytes(StandardCharsets.UTF_8))
                        .rows())
                .hasSameSizeAs(events.rows());
    }

    private static Throwable outcome(byte[] content) {
        return catchThrowable(() -> read(content));
    }

    @Test
    void theWholeFileIsRead() {
        // then
        assertThat(outcome(WHOLE)).isNull();
    }

    @Test
    void aFileCutAnywhereIsRefused() {
        for (int length = 0; length < WHOLE.length; length++) {
            // when
            Throwable thrown = outcome(Arrays.copyOf(WHOLE, length));

            // then
            assertThat(thrown).as("cut after %s bytes", length).isInstanceOf(ProfileEventsException.class);
        }
    }

    @Test
    void aCutFileKeepsAllCompleteRecords() {
        // given
        String text = new String(WHOLE, StandardCharsets.UTF_8);
        int afterSecond = text.substring(0, text.indexOf(", \"bir_debug") + 55).getBytes(StandardCharsets.UTF_8).length;

        // when
        ProfileEventsException failure = (ProfileEventsException) outcome(Arrays.copyOf(WHOLE, afterSecond));

        // then
        assertThat(failure).hasMessageContaining("The 2 records before it are in partial()");
        assertThat(failure.partial().orElseThrow().count(Grouping.ENGINE)).isEqualTo(2);
    }

    @Test
    void changedFilesAreReadOrRefused() {
        // then
        Fuzzing.of(ProfileEventsFuzzTest.class, "events")
                .seeds(WHOLE)
                .words("1e999", "\"duration\":", "\"instruction\": [", "\"dma\": [", "\"17\"", "\"summary\": [")
                .refusing(ProfileEventsException.class)
                .check(ProfileEventsFuzzTest::read, (input, events) -> {
                    assertCanBeShown(events);
                    byte[] longer = Arrays.copyOf(input, input.length + 1);
                    longer[input.length] = '0';
                    assertThat(outcome(longer)).isInstanceOf(ProfileEventsException.class);
                });
    }
}
