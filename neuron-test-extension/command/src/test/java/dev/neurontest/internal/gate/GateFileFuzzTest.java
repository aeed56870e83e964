package dev.neurontest.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateFileFuzzTest {

    @TempDir
    Path folder;

    private Map<Gate, GateLimit> read(byte[] input) throws IOException {
        return GateWords.in(Files.write(folder.resolve(GateRules.FILE), input));
    }

    @Test
    void eachLineIsLimitThatSurvivesRoundTrip() {
        Fuzzing.of(GateFileFuzzTest.class, "gate")
                .seeds(
                        "# nightly\nhardware.min = 40\nfailed.max=3\n\nskipped.max = any\r\nwaiting.max = 1.5 min\n",
                        "\ufeffundecided-comparisons.max=2147483647\n!x\nregressions.max = 0\n")
                .words("lost.max=", "any", "h", "PT1M", "\f", "\u0661", "hardware.min")
                .refusing(GateRulesException.class)
                .check(this::read, (input, limits) -> {
                    assertThat(limits)
                            .hasSize(saying(new String(input, StandardCharsets.UTF_8))
                                    .size());
                    assertThat(limits.values())
                            .allSatisfy(
                                    limit -> assertThat(limit.value().orElse(0)).isNotNegative());
                    assertThat(values(read(written(limits)))).isEqualTo(values(limits));
                });
    }

    /** Returns the lines with content. An ignored limit would let a run pass. */
    private static List<String> saying(String file) {
        return (file.startsWith("\ufeff") ? file.substring(1) : file)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && "#!".indexOf(line.charAt(0)) < 0)
                .toList();
    }

    private static byte[] written(Map<Gate, GateLimit> limits) {
        return limits.entrySet().stream()
                .map(each -> each.getKey().key() + " = " + each.getValue().text() + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Map<Gate, OptionalLong> values(Map<Gate, GateLimit> limits) {
        return limits.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().value()));
    }
}
