package dev.neurontest.internal.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.neurontest.internal.evidence.TestId;
import dev.neurontest.internal.report.TestOutcome;
import dev.neurontest.internal.report.compare.CompareFixture;
import dev.neurontest.internal.report.compare.RunChanges;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the part of the page about an earlier run. */
class PageChangesTest {

    @TempDir
    private Path folder;

    private String section(RunChanges changes) {
        String page = ReportPage.html(
                CompareFixture.later().report(),
                List.of(),
                Optional.of(changes),
                Optional.empty(),
                new PageFiles(folder.resolve("report.html"), List.of(folder)));
        int start = page.indexOf("<section id=\"compared\">");
        assertThat(start).as(page).isPositive();
        return page.substring(start, page.indexOf("</section>", start));
    }

    @Test
    void showsChangedOutcomesAndTimes() {
        // when
        String section = section(CompareFixture.everything(folder));

        // then
        assertThat(section)
                .contains(
                        "previous.json, begun 2026-11-21T02:10:00Z: 10 tests before, 10 now</p>",
                        "<p class=\"warn\">Other hosts: instance trn1.32xlarge before and trn2.48xlarge now.",
                        "<details open><summary>newly failing: 1</summary>",
                        "<bdi>BertTest &gt; breaks()</bdi>",
                        "<td data-label=\"Changed\"><div>failed, was passed</div>",
                        "<details open><summary>gone: 1</summary>",
                        "<details><summary>new: 1</summary>",
                        "<div>total_time 18.2 ms, was 16.5 ms (1.10 times)</div>",
                        "One run against one is weak evidence:");
    }

    @Test
    void foldsListOf21NewlyFailingTests() {
        // given
        CompareFixture before = new CompareFixture();
        CompareFixture now = new CompareFixture();
        for (int i = 0; i < 21; i++) {
            before.passed("t" + i);
            now.failed("t" + i);
        }

        // then
        assertThat(section(RunChanges.of(before.written(folder), now.report())))
                .contains("<details><summary>newly failing: 21</summary>");
    }

    @Test
    void showsHundredTestsPerKindAndEscapesNames() {
        // given
        CompareFixture now = new CompareFixture();
        for (int i = 0; i < 130; i++) {
            now.test(
                    new TestId("[engine:x]/[class:T]/[method:m%s()]".formatted(i), "<b onclick='x'>" + i),
                    TestOutcome.PASSED);
        }

        // when
        String section = section(RunChanges.of(new CompareFixture().written(folder), now.report()));

        // then
        assertThat(section)
                .contains("&lt;b onclick&#x3D;&#39;x&#39;&gt;99<", "and 30 more")
                .doesNotContain("<b onclick", ">100<");
    }
}
