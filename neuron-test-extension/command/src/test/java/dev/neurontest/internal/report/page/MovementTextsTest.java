package dev.neurontest.internal.report.page;

import static dev.neurontest.internal.evidence.RunLinesFixture.test;
import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.counter.CounterDeltaExpectation;
import dev.neurontest.counter.CounterDiff;
import dev.neurontest.counter.CounterExpectations;
import dev.neurontest.counter.CounterSnapshot;
import dev.neurontest.internal.counter.CounterFailure;
import dev.neurontest.internal.counter.tree.CounterScope;
import dev.neurontest.internal.counter.tree.ScopeFixture;
import dev.neurontest.internal.counter.tree.TreeFixture;
import dev.neurontest.internal.evidence.Outcome;
import dev.neurontest.internal.evidence.RunEvent;
import dev.neurontest.internal.evidence.RunLinesFixture;
import dev.neurontest.internal.json.JsonObject;
import dev.neurontest.internal.judgement.Judgement;
import dev.neurontest.internal.report.HostError;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.merge.MergeFixture;
import dev.neurontest.internal.report.show.ReportJson;
import dev.neurontest.internal.report.show.ReportMarkdown;
import dev.neurontest.internal.report.show.ReportText;
import dev.neurontest.internal.terminal.TerminalStyle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a counter has the same text in the failure of its test, in the attachment, and in each form of the report.
 */
class MovementTextsTest {

    private static final String CORE = "neuron0/neuron_core1";
    private static final Pattern ESCAPED = Pattern.compile("&#([0-9]+);");

    private final TreeFixture tree = TreeFixture.host(1, 2);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "neuron0/neuron_core1 status/timeout, 0, 3, +3, ''",
        "neuron0/neuron_core1 status/timeout, 9, 2, at least +2, 'decreased: written to, or driver reloaded'",
        "neuron0/neuron_core1 status/timeout, -1, 1, +2, wrapped at 64 bits",
        "neuron0/neuron_core1 status/of_tomorrow, 0, 3, +3, ''",
        "neuron0/neuron_core1 other_info/reset_fail_count, 4, 1, at least +1, 'decreased: written to, or driver reloaded'",
        "neuron0 hardware/mem_ecc_uncorrected, 65534, 2, +4, wrapped: the register has 16 bits",
        "neuron0 hardware/mem_ecc_uncorrected, 9, 2, at least +2, 'decreased: written to, or driver reloaded'",
        "neuron0 hardware/cache_ecc_uncorrectable, 65534, 2, +4, wrapped: the register has 16 bits",
    })
    void agreeInFailureAttachmentAndReport(String counter, long before, long after, String delta, String remark)
            throws IOException {
        // given
        tree.count(counter, before);
        CounterScope scope = ScopeFixture.of(tree, 2, 1);
        CounterExpectations rules = CounterExpectations.builder()
                .expect(CounterDeltaExpectation.byAtMost(counter.substring(counter.indexOf(' ') + 1), 0))
                .build();
        RunLinesFixture run = new RunLinesFixture(1).started("a").onHardware().add(host(RunEvent.Moment.START, scope));

        // when
        CounterDiff diff = ScopeFixture.diff(scope, () -> tree.count(counter, after));
        Judgement found = rules.judge(diff);
        JsonObject recording = new JsonObject(diff.judged(found).toJson());
        run.begun(test("t"), CORE).add(new RunEvent.Recorded(test("t"), "counters", recording));
        found.violations().forEach(violation -> run.add(new RunEvent.Violated(test("t"), violation)));
        run.ended(test("t"), Outcome.FAILED, CORE)
                .add(host(RunEvent.Moment.END, scope))
                .finished()
                .writeTo(folder);
        RunReport report = MergeFixture.afterAllEnded(List.of(folder));

        // then the failure and the attachment
        String text = remark.isEmpty() ? delta : delta + " (" + remark + ")";
        assertThat(found.violations())
                .hasSize(2)
                .allSatisfy(violation -> assertThat(violation.actual()).isEqualTo(text));
        assertThat(CounterFailure.of(found, diff).toError()).hasMessageContaining("was " + text);
        assertThat(diff.toText()).containsPattern(Pattern.quote(delta) + " *" + Pattern.quote(remark));
        assertThat(recording.text()).contains("\"error\":true", "\"verdict\":\"violated\"");

        // then the report
        assertThat(report.hostErrors()).singleElement().satisfies(error -> {
            assertThat(error.change()).isEqualTo(text);
            assertThat(error.unexplained()).isZero();
        });
        HostError moved = report.hostErrors().get(0);
        assertThat(unbroken(ReportText.of(report, List.of(), Optional.empty(), TerminalStyle.PLAIN)))
                .contains("%s: expected unchanged, was %s".formatted(counter, text), moved.toString());
        assertThat(unescaped(ReportMarkdown.of(report, List.of(), Optional.empty())))
                .contains("unchanged | %s |".formatted(text), "| %s | %s |".formatted(moved.after(), text));
        Path json = folder.resolve("report.json");
        ReportJson.write(report, List.of(), Optional.empty(), json);
        assertThat(Files.readString(json)).contains("\"actual\":\"" + text + '"', "\"change\":\"" + text + '"');
        String page = unescaped(ReportPage.html(
                report,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                new PageFiles(folder.resolve("report.html"), List.of(folder))));
        assertThat(page)
                .contains(
                        "<td data-label=\"Actual\"><div>%s</div>".formatted(text),
                        "<tr class=\"bad\"><td>%s</td>".formatted(counter.substring(counter.indexOf(' ') + 1)),
                        "<td class=\"number\">%s</td>".formatted(text),
                        "<td data-label=\"Change\" class=\"number\"><div>%s</div>".formatted(text))
                .contains("<title>%s %s, BertTest > t()</title>".formatted(counter, text));
    }

    private static RunEvent host(RunEvent.Moment moment, CounterScope scope) {
        return new RunEvent.HostErrors(moment, CounterSnapshot.of(scope).errors(), Map.of(), Map.of(), Map.of());
    }

    private static String unbroken(String text) {
        return text.replaceAll("\\n +", " ");
    }

    private static String unescaped(String text) {
        return ESCAPED.matcher(text)
                .replaceAll(escape -> Character.toString(Integer.parseInt(escape.group(1))))
                .replace("&gt;", ">")
                .replace("<wbr/>", "");
    }
}
