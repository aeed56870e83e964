package dev.neurontest.report.show;

import dev.neurontest.report.compare.Change;
import dev.neurontest.report.compare.ChangeKind;
import dev.neurontest.report.compare.RunChanges;
import java.util.List;

/** What is different from an earlier run, as a part of the summary of a CI job. */
final class ChangesMarkdown {

    private static final int MOST = 20;

    /** A summary has a limit, and more to say. */
    private static final int MOST_CHARACTERS = 100_000;

    private final StringBuilder text = new StringBuilder();

    private ChangesMarkdown() {}

    static String of(RunChanges changes) {
        return new ChangesMarkdown().write(changes);
    }

    private String write(RunChanges changes) {
        text.append("### Compared with ")
                .append(ReportMarkdown.escape(changes.headline()))
                .append("\n\n");
        changes.notes().stream().limit(MOST).forEach(this::item);
        for (ChangeKind kind : ChangeKind.values()) {
            List<Change> all = changes.of(kind);
            if (!all.isEmpty()) {
                text.append("\n**%s: %s**\n\n".formatted(kind.words(), all.size()));
                int shown = 0;
                while (shown < all.size() && shown < MOST && text.length() < MOST_CHARACTERS) {
                    Change change = all.get(shown++);
                    item(change.test() + ": " + change.words(kind));
                }
                if (shown < all.size()) {
                    item("and %s more".formatted(all.size() - shown));
                }
            }
        }
        if (changes.changes().isEmpty()) {
            item("No test ended otherwise than before.");
        }
        changes.evidence()
                .ifPresent(sentence -> text.append('\n')
                        .append(ReportMarkdown.escape(sentence))
                        .append('\n'));
        return text.append('\n').toString();
    }

    private void item(String line) {
        text.append("- ").append(ReportMarkdown.escape(line)).append('\n');
    }
}
