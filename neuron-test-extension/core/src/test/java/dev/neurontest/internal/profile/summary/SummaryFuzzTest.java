package dev.neurontest.internal.profile.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.fuzz.Fuzzing;
import dev.neurontest.internal.json.Json;
import dev.neurontest.internal.json.RecordWriter;
import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.SampleFixture;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryFuzzTest {

    private static final String PRINTED = """
            INFO reading ntff.json {took 3 ms}
            {"n_6a9f": {"total_time": 2.6416626e-05, "hbm_read_bytes": 2048000, "neff_node": "größe", "mfu": NaN},
             "n_7b0e": {"total_time": "1.5", "other": {"a": [1, "x"]}, "flag": true, "gone": null}}""";

    @Test
    void acceptedInputSurvivesWritingAndReading() {
        Fuzzing.of(SummaryFuzzTest.class, "summary")
                .seeds(
                        PRINTED,
                        "{\"n_\": " + SampleFixture.text("explorer_summary-partial_trn2_llm-context-graph.json") + "}")
                .words(
                        "\"n_\":",
                        "\"summary\":[",
                        "\"total_time\":",
                        "-Infinity",
                        "NaN",
                        "\"level\":\"info\"",
                        "{\"error\":",
                        "\\ud83d")
                .refusing(SummaryException.class)
                .check(
                        input -> SummaryReader.read(new String(input, StandardCharsets.UTF_8))
                                .summaries(),
                        (input, read) -> {
                            String text = new String(input, StandardCharsets.UTF_8);
                            assertThat(PRINTED.startsWith(text) && !PRINTED.equals(text))
                                    .as("the beginning of a summary is no summary")
                                    .isFalse();
                            assertThat(written(SummaryReader.read(written(read)).summaries()))
                                    .isEqualTo(written(read));
                        });
    }

    private static String written(List<ProfileSummary> summaries) {
        Map<String, Map<String, Object>> graphs = new LinkedHashMap<>();
        summaries.forEach(summary -> graphs.put("n_" + graphs.size(), summary.values()));
        return Json.text(json -> new RecordWriter(json).value(graphs));
    }
}
