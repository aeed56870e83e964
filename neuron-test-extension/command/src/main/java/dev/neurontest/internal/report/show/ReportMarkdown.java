package dev.neurontest.internal.report.show;

import dev.neurontest.internal.page.PageTemplate;
import dev.neurontest.internal.report.GateOutcome;
import dev.neurontest.internal.report.RunReport;
import dev.neurontest.internal.report.compare.RunChanges;
import dev.neurontest.internal.text.VisibleText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/** A run as the summary of a CI job, in the Markdown of GitHub; GitLab and Gitea show the same. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportMarkdown {

    private static final PageTemplate TEMPLATE =
            PageTemplate.ofText(ReportMarkdown.class, "summary", ReportMarkdown::escaped);

    /** GitHub refuses the summary of a step that has more than a mebibyte; other output of the step needs space too. */
    private static final int MOST_BYTES = 1_000_000;

    private static final int LONGEST = 2_000;
    private static final String SPECIAL = "&<>|*_`[]\\~#$@";

    private ReportMarkdown() {}

    /**
     * Writes the summary.
     *
     * @param report of the run
     * @param gates what they decided; none when no gates were given
     * @param changes since an earlier run; empty where it is compared with none
     * @return Markdown that a job page takes: where it would be too large, everything is cut by half until it fits
     */
    public static String of(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes) {
        for (Limits limits = Limits.SUMMARY; ; limits = limits.half()) {
            String text = TEMPLATE.fill(new ReportView(report, gates, changes, limits));
            if (text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES || limits.lines() == 0) {
                return text;
            }
        }
    }

    /** Returns one line with character references, which mean the same in Markdown, in its tables and in HTML. */
    static String escaped(String content) {
        StringBuilder escaped = new StringBuilder();
        Limits.bounded(content, LONGEST).codePoints().forEach(point -> {
            if (point < 128 && SPECIAL.indexOf(point) >= 0) {
                escaped.append("&#").append(point).append(';');
            } else {
                escaped.append(point == '\n' || point == '\t' ? " " : VisibleText.line(Character.toString(point)));
            }
        });
        return escaped.toString();
    }
}
