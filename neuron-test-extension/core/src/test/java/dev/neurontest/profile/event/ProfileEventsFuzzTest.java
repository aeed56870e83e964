package dev.neurontest.profile.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files that are broken anywhere: read, or refused in one way, and always to an end. */
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

    /** What went wrong, if anything; that it can be looked at is part of it. */
    private static Throwable outcome(byte[] content) {
        Map<String, EventQuery> queries = Map.of("q", EventQuery.hloNameContains("add"));
        Throwable thrown = catchThrowable(() -> new ProfileEventsParser(Path.of("ntff.json"), queries, 10)
                .read(new ByteArrayInputStream(content))
                .toText());
        if (thrown instanceof ProfileEventsException failure) {
            assertThat(failure.partial().toText()).startsWith("Events of ");
            assertThat(failure.partial().toJson()).startsWith("{\"version\"");
            assertThat(failure.byteOffset().orElseThrow()).isBetween(0L, (long) content.length);
        }
        return thrown;
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
            assertThat(thrown).as("cut after %d bytes", length).isInstanceOf(ProfileEventsException.class);
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
        assertThat(failure.completeRecords()).isEqualTo(2);
        assertThat(failure.partial().instructions().count()).isEqualTo(2);
    }

    @Test
    void aFileWithOtherBytesIsReadOrRefused() {
        // given
        Random random = new Random(20261121);
        int refused = 0;
        int rounds = 4_000;

        for (int round = 0; round < rounds; round++) {
            byte[] content = WHOLE.clone();
            int changes = 1 + random.nextInt(4);
            for (int change = 0; change < changes; change++) {
                content[random.nextInt(content.length)] = (byte) random.nextInt(256);
            }

            // when
            Throwable thrown = outcome(content);

            // then
            if (thrown != null) {
                refused++;
                assertThat(thrown)
                        .as("round %d: %s", round, new String(content, StandardCharsets.ISO_8859_1))
                        .isInstanceOf(ProfileEventsException.class);
            }
        }
        assertThat(refused).isBetween(rounds / 4, rounds);
    }

    @Test
    void aFileWithOtherPartsIsReadOrRefused() {
        // given
        String[] parts = {
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"",
            "null",
            "-1",
            "1e999",
            "NaN",
            "\"duration\":",
            "\"instruction\": [",
            "\\"
        };
        Random random = new Random(7);

        for (int round = 0; round < 6_000; round++) {
            byte[] part = parts[random.nextInt(parts.length)].getBytes(StandardCharsets.UTF_8);
            int place = random.nextInt(WHOLE.length);
            int skipped = random.nextInt(Math.min(40, WHOLE.length - place));
            byte[] content = new byte[WHOLE.length - skipped + part.length];
            System.arraycopy(WHOLE, 0, content, 0, place);
            System.arraycopy(part, 0, content, place, part.length);
            System.arraycopy(WHOLE, place + skipped, content, place + part.length, WHOLE.length - place - skipped);

            // when
            Throwable thrown = outcome(content);

            // then
            if (thrown != null) {
                assertThat(thrown)
                        .as("round %d: %s", round, new String(content, StandardCharsets.UTF_8))
                        .isInstanceOf(ProfileEventsException.class);
            }
        }
    }
}
