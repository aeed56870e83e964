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

/** Writer of a run as the summary of a CI job, in GitHub's Markdown; GitLab and Gitea render it too. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ReportMarkdown {

    private static final PageTemplate TEMPLATE =
            PageTemplate.ofText(ReportMarkdown.class, "summary", ReportMarkdown::escaped);

    /** Maximum size of a summary. GitHub rejects the summary of a step above one mebibyte; other output of the step needs space too. */
    private static final int MOST_BYTES = 1_000_000;

    private static final int LONGEST = 2_000;
    private static final String SPECIAL = "&<>|*_`[]\\~#$@";

    private ReportMarkdown() {}

    /**
     * Writes the summary.
     *
     * @param gates verdicts of the gates; empty when there are no gates
     * @param changes changes since an earlier run; empty without a comparison
     * @return Markdown for a job page; where it would be too large, all limits are halved until it fits
     */
    public static String of(RunReport report, List<GateOutcome> gates, Optional<RunChanges> changes) {
        for (Limits limits = Limits.SUMMARY; ; limits = limits.half()) {
            String text = TEMPLATE.fill(new ReportView(report, gates, changes, limits));
            if (text.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES || limits.lines() == 0) {
                return text;
            }
        }
    }

    /** Returns one line with character references, which have the same meaning in Markdown, in its tables and in HTML. */
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
