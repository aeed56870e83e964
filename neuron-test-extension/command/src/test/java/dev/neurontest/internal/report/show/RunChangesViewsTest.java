package dev.neurontest.internal.report.show;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.compare.CompareFixture;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.terminal.TerminalStyle;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.node.ObjectNode;

/** Tests of the changes from an earlier run: as text, as Markdown and as JSON. */
class RunChangesViewsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A style that is wide enough for any folder. */
    private static final TerminalStyle WIDE = new TerminalStyle(1000, Optional.empty());

    @TempDir
    private Path folder;

    private String json(RunChanges changes) throws IOException {
        StringWriter out = new StringWriter();
        ReportJson.write(CompareFixture.later().report(), List.of(), Optional.of(changes), out);
        return out.toString();
    }

    /** Returns the lines about the earlier run. */
    private static String text(RunChanges changes, TerminalStyle look) {
        String text = ReportText.of(CompareFixture.later().report(), List.of(), Optional.of(changes), look);
        return text.substring(text.indexOf("\nCompared with"));
    }

    private static String markdown(RunChanges changes) {
        return ReportMarkdown.of(CompareFixture.later().report(), List.of(), Optional.of(changes));
    }

    private RunChanges manyFailing(int count, String name) {
        CompareFixture before = new CompareFixture();
        CompareFixture now = new CompareFixture();
        IntStream.range(0, count).forEach(i -> {
            before.test(new TestId("[engine:x]/[class:T]/[method:m%s()]".formatted(i), name + i), TestOutcome.PASSED);
            now.test(new TestId("[engine:x]/[class:T]/[method:m%s()]".formatted(i), name + i), TestOutcome.FAILED);
        });
        return RunChanges.of(before.written(folder), now.report());
    }

    @Test
    void listOtherHostsThenFailuresThenRest() {
        // when
        String text = text(CompareFixture.everything(folder), WIDE);

        // then
        assertThat(text).isEqualTo("""

                        Compared with %s/previous.json, begun 2026-11-21T02:10:00Z: 10 tests before, 10 now
                          Other hosts: instance trn1.32xlarge before and trn2.48xlarge now. What is slower or faster is undecided for 1 test.
                          newly failing: 1
                            BertTest > breaks(): failed, was passed
                          gone: 1
                            BertTest > away(): was passed
                          newly skipped or undecided: 1
                            BertTest > skips(): skipped, was passed
                          still failing: 1
                            BertTest > stillBroken(): failed, was failed
                          flaky: 1
                            BertTest > shaky(): passed only when run again, now
                          slower or worse: 1
                            BertTest > slows(): total_time 18.2 ms, was 16.5 ms (1.10 times)
                          faster or better: 1
                            BertTest > quickens(): total_time 12 ms, was 16.5 ms (0.73 times)
                          fixed: 1
                            BertTest > mended(): passed, was failed
                          passed now, not decided before: 1
                            BertTest > ranAgain(): passed, was skipped
                          new: 1
                            BertTest > added(): passed
                          One run against one is weak evidence: metrics are listed from 10 %% on, times of tests from 50 %% and 100 ms on; a baseline decides.
                        """.formatted(folder));
    }

    @Test
    void reportThatNoTestEndedDifferently() {
        // given
        RunChanges same = RunChanges.of(
                new CompareFixture().tests(TestOutcome.SKIPPED, "a").written(folder),
                new CompareFixture().tests(TestOutcome.SKIPPED, "a").report());

        // then
        assertThat(text(same, TerminalStyle.PLAIN))
                .endsWith("1 test before, 1 now\n  No test ended differently from before.\n");
        assertThat(markdown(same)).contains("1 test before, 1 now\n\n- No test ended differently from before.\n");
    }

    @Test
    void escapeNamesFromOutside() throws IOException {
        // given
        RunChanges changes = manyFailing(1, "a\u001b[2J\u202eb\n## <script>|`x` " + "long ".repeat(100));

        // then
        assertThat(text(changes, TerminalStyle.PLAIN))
                .contains("    a\\u001b[2J\\u202eb ## <script>|`x` long", "\u2026\n")
                .doesNotMatch("(?s).*[\\p{Cc}\\p{Cf}&&[^\\n]].*");
        assertThat(markdown(changes))
                .contains("- a\\u001b&#91;2J\\u202eb &#35;&#35; &#60;script&#62;&#124;&#96;x&#96;");
        assertThat(JSON.readTree(json(changes))
                        .at("/comparison/changes/newly_failing/0/name")
                        .asString())
                .startsWith("a\u001b[2J\u202eb\n## <script>");
    }

    @Test
    void comeBetweenVerdictAndFailuresInMarkdown() {
        // when
        String markdown = markdown(CompareFixture.everything(folder));

        // then
        assertThat(markdown.indexOf("### Compared with "))
                .isGreaterThan(markdown.indexOf("## Neuron Test"))
                .isLessThan(markdown.indexOf("<details open>"));
        assertThat(markdown)
                .contains("""
                        - Other hosts: instance trn1.32xlarge before and trn2.48xlarge now. What is slower or faster is undecided for 1 test.

                        **newly failing: 1**

                        - BertTest &#62; breaks(): failed, was passed

                        **gone: 1**

                        - BertTest &#62; away(): was passed
                        """)
                .contains("- BertTest &#62; slows(): total&#95;time 18.2 ms, was 16.5 ms (1.10 times)\n");
    }

    @Test
    void limitLengthOfTextAndMarkdown() {
        // then
        assertThat(markdown(manyFailing(20, "<".repeat(30_000))).length()).isLessThan(300_000);
        assertThat(markdown(manyFailing(30, "t"))).contains("t19: failed", "- and 10 more\n");
        assertThat(text(manyFailing(30, "t"), TerminalStyle.PLAIN))
                .contains("  newly failing: 30\n", "    and 10 more\n");
    }

    @Test
    void matchSchemaInJson() throws IOException {
        // given
        try (InputStream in = RunReport.class.getResourceAsStream("neuron-report.schema.json")) {
            ObjectNode schema = (ObjectNode) JSON.readTree(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            ((ObjectNode) schema.at("/properties/comparison")).put("additionalProperties", false);
            ((ObjectNode) schema.at("/$defs/change")).put("additionalProperties", false);
            ((ObjectNode) schema.at("/$defs/change/properties/values/items")).put("additionalProperties", false);

            // when
            List<Error> errors = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(schema.toString())
                    .validate(json(CompareFixture.everything(folder)), InputFormat.JSON);

            // then
            assertThat(errors).isEmpty();
        }
    }

    @Test
    void listChangesInJson() throws IOException {
        // when
        JsonNode comparison =
                JSON.readTree(json(CompareFixture.everything(folder))).get("comparison");

        // then
        assertThat(comparison.get("before").asInt()).isEqualTo(10);
        assertThat(comparison.at("/notes/0").asString()).startsWith("Other hosts: instance");
        assertThat(comparison.at("/changes/newly_failing/0/before").asString()).isEqualTo("passed");
        assertThat(comparison.at("/changes/newly_failing/0/now").asString()).isEqualTo("failed");
        assertThat(comparison.at("/changes/gone/0").has("now")).isFalse();
        assertThat(comparison.at("/changes/flaky/0/flakyNow").asBoolean()).isTrue();
        assertThat(comparison.at("/changes/slower/0/values/0/metric/name").asString())
                .isEqualTo("total_time");
        assertThat(comparison.at("/changes/slower/0/values/0/before").asDouble())
                .isEqualTo(0.0165);
    }

    @Test
    void areAbsentFromJsonWithoutComparison() throws IOException {
        // when
        StringWriter out = new StringWriter();
        ReportJson.write(CompareFixture.later().report(), List.of(), Optional.empty(), out);

        // then
        assertThat(JSON.readTree(out.toString()).has("comparison")).isFalse();
    }
}
