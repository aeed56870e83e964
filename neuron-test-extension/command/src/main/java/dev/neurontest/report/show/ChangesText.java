package dev.neurontest.report.show;

import dev.neurontest.report.compare.Change;
import dev.neurontest.report.compare.ChangeKind;
import dev.neurontest.report.compare.RunChanges;
import dev.neurontest.terminal.Look;
import dev.neurontest.terminal.Style;
import dev.neurontest.text.VisibleText;
import java.util.List;
import org.apiguardian.api.API;

/** What is different from an earlier run, on a console. It goes below the report of the run itself. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class ChangesText {

    private static final int MOST = 20;
    private static final int LONGEST = 240;

    private static final String HEADING = "Compared with";

    private final Look look;
    private final StringBuilder text = new StringBuilder();

    private ChangesText(Look look) {
        this.look = look;
    }

    /**
     * Writes it.
     *
     * @param changes of two runs
     * @param look where it is read
     * @return lines, at most 20 tests of each kind, the last one ended too
     */
    public static String of(RunChanges changes, Look look) {
        return new ChangesText(look).write(changes);
    }

    private String write(RunChanges changes) {
        text.append('\n');
        line("", HEADING + " " + changes.headline());
        text.replace(1, 1 + HEADING.length(), look.show(Style.HEADING, HEADING));
        changes.notes().forEach(note -> line("  ", note));
        for (ChangeKind kind : ChangeKind.values()) {
            List<Change> all = changes.of(kind);
            if (!all.isEmpty()) {
                line("  ", "%s: %s".formatted(kind.words(), all.size()));
                int shown = all.size() <= MOST ? all.size() : MOST - 1;
                all.subList(0, shown).forEach(each -> line("    ", each.test() + ": " + each.words(kind)));
                if (shown < all.size()) {
                    line("    ", "and %s more".formatted(all.size() - shown));
                }
            }
        }
        if (changes.changes().isEmpty()) {
            line("  ", "No test ended otherwise than before.");
        }
        changes.evidence().ifPresent(sentence -> line("  ", sentence));
        return text.toString();
    }

    /** Names come from outside: nothing of them is to move the cursor. */
    private void line(String prefix, String content) {
        String plain = VisibleText.line(content.replaceAll("\\s*\\R\\s*|\t", " "));
        int end = plain.length() <= LONGEST
                ? plain.length()
                : LONGEST - (Character.isHighSurrogate(plain.charAt(LONGEST - 1)) ? 1 : 0);
        String cut = plain.substring(0, end) + (end < plain.length() ? "\u2026" : "");
        text.append(look.folded(prefix + cut, prefix + "    ")).append('\n');
    }
}
