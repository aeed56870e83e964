package dev.neurontest.internal.profile;

import static dev.neurontest.profile.EventsFixture.events;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.internal.json.JsonException;
import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.EventsFixture;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeptEventsTest {

    private static ProfileEvents small() {
        return events().about("tool", "neuron-explorer 2.33.1.0")
                .execution(17_200)
                .spilled(4096)
                .line("a.py:1", 12, 3, 4096)
                .layer("model/\"quoted\"", 12, 3)
                .engine("Tensor", 12, 3)
                .made();
    }

    @Test
    void writesOneLineForEachName() {
        // then
        assertThat(KeptEvents.write(small())).isEqualTo("""
                {
                  "version": 1,
                  "kind": "event-shares",
                  "about": {"tool": "neuron-explorer 2.33.1.0"},
                  "executionNs": 17200000,
                  "spilledBytes": 4096,
                  "lines": {
                    "a.py:1": {"ns": 12000, "count": 3, "spilledBytes": 4096}
                  },
                  "layers": {
                    "model/\\"quoted\\"": {"ns": 12000, "count": 3}
                  },
                  "opcodes": {},
                  "engines": {
                    "Tensor": {"ns": 12000, "count": 3}
                  },
                  "dmaQueues": {}
                }
                """);
    }

    @Test
    void readsWrittenEventsBackUnchanged() {
        // then
        assertThat(read(KeptEvents.write(small()))).isEqualTo(small());
    }

    @Test
    void keepsLongestEventsAndSumsOthers() {
        // given
        EventsFixture many = events();
        for (int i = 1; i <= 1000; i++) {
            many.layer("layer" + i, i, 1);
        }

        // when
        ProfileEvents kept = read(KeptEvents.write(many.made()));

        // then
        assertThat(kept.rows(Grouping.LAYER))
                .hasSize(201)
                .contains(
                        new EventRow(Grouping.LAYER, "layer801", 801_000, 1, OptionalLong.empty()),
                        new EventRow(Grouping.LAYER, "(others)", 320_400_000, 800, OptionalLong.empty()));
        assertThat(kept.nanos(Grouping.LAYER)).isEqualTo(many.made().nanos(Grouping.LAYER));
    }

    @Test
    void keepsEventsWithMostSpillHoweverShort() {
        // given
        EventsFixture many = events();
        for (int i = 1; i <= 1000; i++) {
            many.layer("layer" + i, i, 1, i < 100 ? i : 0);
        }

        // when
        ProfileEvents kept = read(KeptEvents.write(many.made()));

        // then
        assertThat(kept.rows(Grouping.LAYER))
                .extracting(EventRow::name)
                .contains("layer1000", "layer801", "layer99", "layer50")
                .doesNotContain("layer49", "layer800");
    }

    @Test
    void fileNeverExceeds100KiB() {
        // given
        EventsFixture many = events();
        for (int i = 1; i <= 1000; i++) {
            String name = ("\u20ac" + i).repeat(100);
            many.layer(name, i, 1)
                    .line(name, i, 1, 7)
                    .opcode(name, i, 1)
                    .engine(name, i, 1)
                    .queue(name, i, 1);
        }

        // then
        assertThat(KeptEvents.write(many.made()).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(100 << 10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | line 1: has no \"kind\", expected an object with that member",
                "{\"version\": 2, \"kind\": \"event-shares\"} | is of version 2, but this reader supports 1",
                "{\"version\": 1, \"kind\": \"events\"} | is of kind \"events\", expected \"event-shares\"",
                "{\"version\": 1, \"kind\": \"event-shares\", \"about\": {}, \"lines\": {\"a\": {\"ns\": -1, \"count\": 1}}} |"
                        + " line 1, /lines/a: has -1, expected 0 to 9007199254740992",
                "{\"version\": 1, \"kind\": \"event-shares\", \"about\": {}, \"lines\": {\"a\": {\"ns\": 9223372036854775807, \"count\": 1}}} |"
                        + " line 1, /lines/a: has 9223372036854775807, expected 0 to 9007199254740992",
                "{\"version\": 1, \"kind\": \"event-shares\", \"about\": {}, \"executionNs\": -1, \"lines\": {}, \"layers\": {},"
                        + " \"opcodes\": {}, \"engines\": {}, \"dmaQueues\": {}} | line 1: has -1, expected 0 to 9007199254740992",
            })
    void refusesInvalidFileWithPosition(String content, String message) {
        // then
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> read(content))
                .satisfies(wrong -> assertThat(wrong.placed()).startsWith(message));
    }

    private static ProfileEvents read(String text) {
        return KeptEvents.read(Path.of("events.json"), text.getBytes(StandardCharsets.UTF_8));
    }
}
