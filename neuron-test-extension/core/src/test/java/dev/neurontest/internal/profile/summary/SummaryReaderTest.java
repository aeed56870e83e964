package dev.neurontest.internal.profile.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import dev.neurontest.profile.ProfileSummary;
import dev.neurontest.profile.SampleFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryReaderTest {

    private static final String WHOLE = "summary-json_derived_trn2_2.25_transpose_1024.json";

    private static List<String> summaryFiles() {
        return SampleFixture.summaryFiles();
    }

    private static List<ProfileSummary> read(String printed) {
        return SummaryReader.read(printed).summaries();
    }

    @ParameterizedTest
    @MethodSource("summaryFiles")
    void readsEveryMetricOfASample(String file) {
        // given
        var written = SampleFixture.json(file);
        var graph = written.propertyNames().iterator().next().startsWith("n_")
                ? written.values().iterator().next()
                : written;

        // when
        ProfileSummary summary = SampleFixture.summary(file);

        // then
        assertThat(summary.oddities()).isEmpty();
        assertThat(summary.values()).hasSize(graph.size());
        graph.properties()
                .forEach(metric -> assertThat(summary.values())
                        .containsEntry(
                                metric.getKey(),
                                metric.getValue().isNumber()
                                        ? metric.getValue().doubleValue()
                                        : metric.getValue().asString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"transpose_1024", "vecadd_fd1k", "vecadd_fd2k"})
    void readsSameValuesAsTextFormat(String kernel) {
        // given
        List<String> lines = SampleFixture.text("summary-text_trn2_2.25_%s.txt".formatted(kernel))
                .lines()
                .toList();

        // when
        ProfileSummary summary = SampleFixture.summary("summary-json_derived_trn2_2.25_%s.json".formatted(kernel));

        // then
        assertThat(lines).contains(summary.key());
        List<String[]> metrics = lines.stream()
                .filter(line -> line.startsWith("    "))
                .map(line -> line.strip().split(" +", 2))
                .toList();
        assertThat(summary.values()).hasSize(metrics.size());
        metrics.forEach(metric -> assertThat(summary.values().get(metric[0]))
                .as(metric[0])
                .isIn(metric[1], metric[1].matches("[0-9.e+-]+") ? Double.valueOf(metric[1]) : metric[1]));
    }

    @Test
    void readsTheSummaryOfAFullJson() {
        // when
        List<ProfileSummary> summaries = read(SampleFixture.text("full-json_excerpt_docs.json"));

        // then
        assertThat(summaries).singleElement().satisfies(summary -> {
            assertThat(summary.key()).isEqualTo("summary[0]");
            assertThat(summary.values()).containsExactly(entry("total_time", 0.017), entry("event_count", 11215.0));
        });
    }

    @Test
    void readsOneSummaryForEachKey() {
        // when
        List<ProfileSummary> summaries =
                read("{\"n_b\": {\"total_time\": 2}, \"n_a\": {\"total_time\": 1}, \"n_c\": {}}");

        // then
        assertThat(summaries).extracting(ProfileSummary::key).containsExactly("n_b", "n_a", "n_c");
        assertThat(summaries)
                .extracting(ProfileSummary::values)
                .containsExactly(Map.of("total_time", 2.0), Map.of("total_time", 1.0), Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WARN[0000] NeuronCore buffer usage simulation is disabled.\n",
                "INFO[0001] config={}\n",
                "INFO[0001] config={a b {c}}\n",
                "INFO[0001] queue {\"name\": unquoted}\n",
                "INFO[0001] queue {\"name\": \"q\", \"size\":\n",
                "INFO[0001] queue {\"name\": \"open\n",
                "INFO[0001] queue {\"name\": [1, 2\n",
                "{\"level\": \"info\", \"driver_version\": \"2.23\", \"at\": {\"second\": 3}}\n",
                "{{{{ \"\\",
                "\u0000\u001b[31m{\u001b[0m "
            })
    void skipsLogAroundSummary(String noise) {
        // when
        List<ProfileSummary> summaries = read(noise + "{\"n_a\": {\"total_time\": 1}}\nINFO[0002] done {}\n");

        // then
        assertThat(summaries).containsExactly(new ProfileSummary("n_a", Map.of("total_time", 1.0), List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "1.024e+06, 1024000",
        "1e-7, 0.0000001",
        "1e-07, 0.0000001",
        "0, 0",
        "-1, -1",
        "19279660899840, 19279660899840",
        "123456789012345678901234567890, 123456789012345680000000000000",
        "\"0.017\", 0.017",
        "2., 2",
        ".5, 0.5"
    })
    void readsNumbersAsTheToolsWriteThem(String written, double number) {
        // when
        ProfileSummary summary =
                read("{\"n_a\": {\"total_time\": " + written + "}}").get(0);

        // then
        assertThat(summary.values()).containsExactly(entry("total_time", number));
        assertThat(summary.oddities()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e999", "\"NaN\"", "\"n/a\"", "true", "[1]", "{}"})
    void reportsValuesThatAreNoNumbers(String written) {
        // when
        ProfileSummary summary = read("{\"n_a\": {\"total_time\": " + written + ", \"event_count\": 3}}")
                .get(0);

        // then
        assertThat(summary.number("total_time")).isEmpty();
        assertThat(summary.oddities()).containsExactly("total_time: " + written);
        assertThat(summary.oddity("total_time")).contains(written);
        assertThat(summary.oddity("total")).isEmpty();
        assertThat(summary.values()).containsExactly(entry("event_count", 3.0));
    }

    @Test
    void treatsNullAsAbsent() {
        // when
        ProfileSummary summary = read("{\"n_a\": {\"total_time\": null}}").get(0);

        // then
        assertThat(summary).isEqualTo(new ProfileSummary("n_a", Map.of(), List.of()));
    }

    @Test
    void treatsNegativeNumberAsUnavailable() {
        // when
        ProfileSummary summary = read("{\"n_a\": {\"total_time\": -1}}").get(0);

        // then
        assertThat(summary.values()).containsEntry("total_time", -1.0);
        assertThat(summary.number("total_time")).isEmpty();
    }

    @Test
    void keepsFractionsOverOne() {
        // when
        ProfileSummary summary = read("{\"n_a\": {\"throttle_periodic_avg_util_limit_nc4_percent\": 253.0}}")
                .get(0);

        // then
        assertThat(summary.number("throttle_periodic_avg_util_limit_nc4_percent"))
                .hasValue(253);
    }

    @Test
    void usesLastOfRepeatedMetricAndReportsIt() {
        // when
        ProfileSummary summary =
                read("{\"n_a\": {\"total_time\": 1, \"event_count\": 3, \"total_time\": 2, \"event_count\": 3}}")
                        .get(0);

        // then
        assertThat(summary.values()).containsExactly(entry("total_time", 2.0), entry("event_count", 3.0));
        assertThat(summary.oddities()).containsExactly("total_time: written twice, 1 and then 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"n_a\": {\"total_time\": 1}, \"n_a\": {\"total_time\": 2}} | the graph n_a is written twice",
                "{\"n_a\": {\"total_time\": 1, \"total_time\": 2}} | total_time: written twice, 1 and then 2",
                "{\"n_a\": {\"total_time\": 1}} {\"n_a\": {\"total_time\": 2}} | a second JSON object begins at character 27",
                "{\"n_a\": {\"total_time\": 1}}~{\"other\": 2} | a second JSON object begins at character 27",
                "{\"n_a\": {\"total_time\": 1}}~and {\"n_b\": {\"total_time\": 2 | a second JSON object begins at character 31"
            })
    void reportsRepeatedGraphMetricOrSummary(String printed, String problem) {
        // when
        SummaryReader.Printed read = SummaryReader.read(printed.replace('~', '\n'));

        // then
        assertThat(read.summaries()).hasSize(1);
        assertThat(read.problems())
                .singleElement()
                .satisfies(told -> assertThat(told).startsWith(problem));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\nINFO[0002] done {}\n",
                "\nINFO[0002] queue {\"name\": \"q\"}\n",
                "\n{\"level\": \"info\", \"total_time\": 3}\n",
                "\nWARN[0002] {a {b\n"
            })
    void acceptsLogBehindSummary(String log) {
        // then
        assertThat(SummaryReader.read("{\"n_a\": {\"total_time\": 1}}" + log).problems())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"level\": \"info\", \"total_time\": 3}\n",
                "{\"msg\": \"summary\", \"n_a\": {\"total_time\": 3}}\n"
            })
    void doesNotMistakeLogLineForSummary(String line) {
        // then
        assertThat(read(line + "{\"n_a\": {\"total_time\": 1}}"))
                .containsExactly(new ProfileSummary("n_a", Map.of("total_time", 1.0), List.of()));
        assertThatThrownBy(() -> read(line)).isInstanceOf(SummaryException.class);
    }

    @Test
    void requiresTheKeyOfTheGraph() {
        // given
        String withoutKey = SampleFixture.text("summary-json_partial_inf2_2.28_matvec.json");

        // then
        assertThatThrownBy(() -> read(withoutKey)).isInstanceOf(SummaryException.class);
    }

    @Test
    void findsNoProblemsInGenuineSummaries() {
        // then
        assertThat(summaryFiles().stream().map(SampleFixture::text).filter(text -> text.contains("\"n_")))
                .isNotEmpty()
                .allSatisfy(
                        text -> assertThat(SummaryReader.read(text).problems()).isEmpty());
    }

    @Test
    void keepsUnknownMetrics() {
        // when
        ProfileSummary summary =
                read("{\"n_a\": {\"new_count\": 7, \"new_name\": \"2.0\", \"new_list\": [1, {\"a\": 2}], \"new_flag\": true,"
                                + " \"driver_version\": 2.23}}")
                        .get(0);

        // then
        assertThat(summary.values())
                .containsExactly(
                        entry("new_count", 7.0),
                        entry("new_name", "2.0"),
                        entry("new_list", "[1, {\"a\": 2}]"),
                        entry("new_flag", "true"),
                        entry("driver_version", "2.23"));
        assertThat(summary.oddities()).isEmpty();
    }

    @Test
    void readsEscapedNames() {
        // when
        ProfileSummary summary = read("{\"n_\\u0061\": {\"a \\\"name\\\"\\n with\\\\ \\t\\/\": \"\\b\\f\\r\"}}")
                .get(0);

        // then
        assertThat(summary.key()).isEqualTo("n_a");
        assertThat(summary.values()).containsExactly(entry("a \"name\"\n with\\ \t/", "\b\f\r"));
    }

    @Test
    void refusesEmptyOutput() {
        // then
        assertThatThrownBy(() -> read(" \n"))
                .isInstanceOf(SummaryException.class)
                .hasMessage("The tool printed nothing, expected a summary. See its log, or run the command by hand.");
    }

    @Test
    void quotesOutputWithoutSummary() {
        // then
        assertThatThrownBy(() -> read("influxdb not setup\n\u001bcorrectly {a}"))
                .isInstanceOf(SummaryException.class)
                .hasMessage(
                        "The tool printed no summary in 33 characters, which begin with"
                                + " \"influxdb not setup\\n\\u001bcorrectly {a}\". Expected one JSON object such as"
                                + " {\"n_6a9f\": {\"total_time\": 2.6e-05}}. See the log, and check that this version still supports --output-format summary-json.");
    }

    @Test
    void reportsPositionOfTruncation() {
        // given
        String printed = "WARN {\n{\"n_a\": {\"total_time\": 1, \"hbm_read_bytes\": 20";

        // when
        Throwable cut = catchThrowable(() -> read(printed));

        // then
        assertThat(cut)
                .hasMessage("The summary that begins at character 7 is cut at its end, character 53."
                        + " 3 names were read, the last is \"hbm_read_bytes\"."
                        + " The tool or its output was ended early; see its log.");
    }

    @Test
    void reportsPositionOfSyntaxError() {
        // then
        assertThatThrownBy(() -> read("{\"n_a\": {\"total_time\": 1, hbm_read_bytes: 20}}"))
                .isInstanceOf(SummaryException.class)
                .hasMessage(
                        "The summary that begins at character 0 is broken at character 26: Unexpected character ('h' (code 104)):"
                                + " was expecting double-quote to start property name, there is \"hbm_read_bytes: 20}}\". 2 names were read, the last is"
                                + " \"total_time\". Run the command by hand; if it prints the same again, report it with the"
                                + " version of the tool.");
    }

    @Test
    void stopsAtFirstBrokenGraph() {
        // then
        assertThatThrownBy(() -> read("{\"n_a\": {\"total_time\": oops}, \"n_b\": {\"total_time\": 1}}"))
                .isInstanceOf(SummaryException.class)
                .hasMessageContaining("is broken at character 23: Unrecognized token 'oops'");
    }

    @Test
    void limitsNestingDepth() {
        // then
        assertThatThrownBy(() -> read("{\"n_a\": " + "[".repeat(1_000_000)))
                .isInstanceOf(SummaryException.class)
                .hasMessageContaining("nesting depth (65) exceeds the maximum allowed (64");
    }

    @Test
    void refusesSummaryTruncatedAnywhere() {
        // given
        String whole = "WARN[0000] {\n" + SampleFixture.text(WHOLE).strip();

        // then
        for (int length = 0; length < whole.length(); length++) {
            String cut = whole.substring(0, length);
            assertThatThrownBy(() -> read(cut)).as("cut at %s", length).isInstanceOf(SummaryException.class);
        }
        assertThat(read(whole)).hasSize(1);
    }
}
