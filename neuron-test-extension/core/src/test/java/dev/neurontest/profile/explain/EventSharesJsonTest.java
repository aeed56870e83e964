package dev.neurontest.profile.explain;

import static dev.neurontest.profile.explain.SharesFixture.shares;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.neurontest.json.JsonException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventSharesJsonTest {

    private static EventShares small() {
        return shares().about("tool", "neuron-explorer 2.33.1.0")
                .execution(17_200)
                .spilled(4096)
                .line("a.py:1", 12, 3, 4096)
                .layer("model/\"quoted\"", 12, 3)
                .engine("Tensor", 12, 3)
                .made();
    }

    @Test
    void eachNameHasALineOfItsOwn() {
        // then
        assertThat(EventSharesJson.write(small())).isEqualTo("""
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
    void whatWasWrittenIsReadAgain() {
        // then
        assertThat(read(EventSharesJson.write(small()))).isEqualTo(small());
    }

    @Test
    void theLongestStayAndTheRestIsSummedTogether() {
        // given
        SharesFixture many = shares();
        for (int i = 1; i <= 1000; i++) {
            many.layer("layer" + i, i, 1);
        }

        // when
        EventShares kept = read(EventSharesJson.write(many.made()));

        // then
        assertThat(kept.group(Grouping.LAYER)).hasSize(201).containsKeys("layer1000", "layer801");
        assertThat(kept.group(Grouping.LAYER).get("(others)").count()).isEqualTo(800);
        assertThat(kept.nanos(Grouping.LAYER)).isEqualTo(many.made().nanos(Grouping.LAYER));
    }

    @Test
    void aFileIsNeverLargerThanOneThatCanLieInVersionControl() {
        // given
        SharesFixture many = shares();
        for (int i = 1; i <= 1000; i++) {
            String name = ("\u20ac" + i).repeat(100);
            many.layer(name, i, 1)
                    .line(name, i, 1, 7)
                    .opcode(name, i, 1)
                    .engine(name, i, 1)
                    .queue(name, i, 1);
        }

        // then
        assertThat(EventSharesJson.write(many.made()).getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(100 << 10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | line 1: has no \"version\", expected an object with that member",
                "[] | line 1: is an array, expected an object",
                "{\"version\": 2} | line 1, /version: is 2, written by a newer version, expected at most 1",
                "{\"version\": 1, \"kind\": \"events\"} | line 1, /kind: is \"events\", expected \"event-shares\"",
                "{\"version\": 1, \"kind\": \"event-shares\", \"about\": {}, \"lines\": {\"a\": {\"ns\": -1, \"count\": 1}}} |"
                        + " line 1, /lines/a/ns: is -1, expected a whole number of 64 bits",
                "{\"version\": 1, \"kind\": \"event-shares\", \"about\": {}, \"lines\": {\"a\": {\"ns\": 9223372036854775807, \"count\": 1}}} |"
                        + " line 1, /lines/a/ns: is 9223372036854775807, expected at most 9007199254740992",
            })
    void whatIsWrongIsSaidWithItsPlace(String content, String message) {
        // then
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> read(content))
                .satisfies(wrong -> assertThat(wrong.placed()).startsWith(message));
    }

    private static EventShares read(String text) {
        return EventSharesJson.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
