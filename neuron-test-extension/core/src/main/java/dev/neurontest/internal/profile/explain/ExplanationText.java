package dev.neurontest.internal.profile.explain;

import dev.neurontest.internal.text.DurationText;
import dev.neurontest.internal.text.TextTable;
import dev.neurontest.internal.text.VisibleText;
import dev.neurontest.metric.ByteSize;
import dev.neurontest.profile.Grouping;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The text of an explanation. */
record ExplanationText(Explanation explanation) {

    /** Maximum length of a name. Longer names are truncated at their beginning, because the end is more informative. */
    private static final int LONGEST_NAME = 44;

    /** Pattern of a text line: as many words as fit, or a part of a long word. */
    private static final Pattern LINE =
            Pattern.compile(".{1,%s}(?: |$)|.{%s}".formatted(TextTable.MESSAGE - 1, TextTable.MESSAGE));

    /** Maximum number of rows, for readability. The JSON contains all rows. */
    private static final int MOST_ROWS = 20;

    String headline() {
        return whole() + cause();
    }

    private String whole() {
        long before = explanation.nanosBefore();
        long change = Math.abs(explanation.nanosAfter() - before);
        String amount = "%s (%s)".formatted(time(change), percent((double) change / Math.max(1, before)));
        return switch (explanation.answer()) {
            case SLOWER ->
                explanation.ofExecutions()
                        ? "Slower by " + amount
                        : "The instructions took " + amount + " more, added up";
            case FASTER ->
                explanation.ofExecutions()
                        ? "Faster by " + amount
                        : "The instructions took " + amount + " less, added up";
            case SAME ->
                "As fast as before, within %s: %s, then %s"
                        .formatted(percent(Explanation.SAME), time(before), time(explanation.nanosAfter()));
        };
    }

    private String cause() {
        boolean faster = explanation.answer() == Explanation.Answer.FASTER;
        Optional<Explanation.Main> main = faster ? explanation.shrankMost() : explanation.grewMost();
        return main.isPresent() ? cause(main.get(), faster) : evenText(faster);
    }

    private String cause(Explanation.Main main, boolean faster) {
        GroupChange group = main.group();
        RowChange change = main.change();
        return "%s %s took %s %s, which is %s of all %s%s."
                .formatted(
                        explanation.answer() == Explanation.Answer.SAME ? ", though" : ":",
                        named(change.name()),
                        time(Math.abs(change.nanos())),
                        faster ? "less" : "more",
                        percent(Math.abs(change.nanos()) / (double) (faster ? group.shrinkage() : group.growth())),
                        faster ? "shrinkage" : "growth",
                        spill(change));
    }

    /** Returns the cause if no name is distinctive by its time. A name may be distinctive by its spilled bytes or its number of events. */
    private String evenText(boolean faster) {
        boolean same = explanation.answer() == Explanation.Answer.SAME;
        Optional<GroupChange> alike = same ? Optional.empty() : explanation.alike(!faster);
        Optional<Explanation.Main> otherwise = explanation.otherwiseMost();
        if (otherwise.isPresent()) {
            RowChange change = otherwise.get().change();
            return "%s %s %s changed: %s."
                    .formatted(
                            same ? ", though" : ";",
                            otherwise.get().group().grouping().word(),
                            named(change.name()),
                            change.why());
        }
        if (alike.isPresent()) {
            GroupChange group = alike.get();
            return ": no single cause, all %ss took about %s %s."
                    .formatted(
                            group.grouping().word(),
                            percent(Math.abs(group.after() - group.before()) / (double) Math.max(1, group.before())),
                            faster ? "less" : "more");
        }
        return switch (explanation.answer()) {
            case SAME -> ". No instruction changed by more than noise.";
            case SLOWER -> waitingText();
            case FASTER -> ", though no instruction took less by more than noise: there was less waiting.";
        };
    }

    private String waitingText() {
        return explanation
                .group(Grouping.QUEUE)
                .flatMap(queues -> queues.grown().stream().findFirst())
                .map(queue -> ", though no instruction took longer by more than noise: DMA queue %s took %s more."
                        .formatted(named(queue.name()), time(queue.nanos())))
                .orElse(", though no instruction took longer by more than noise: there was more waiting between them.");
    }

    private static String spill(RowChange change) {
        return change.spilled() == 0
                ? ""
                : "; it spilled %s %s"
                        .formatted(bytes(Math.abs(change.spilled())), change.spilled() > 0 ? "more" : "less");
    }

    List<String> beginning(int most) {
        List<String> lines = new ArrayList<>(folded(headline()));
        explanation.cautions().forEach(caution -> lines.addAll(folded(caution)));
        explanation
                .grewMost()
                .or(explanation::otherwiseMost)
                .map(Explanation.Main::group)
                .ifPresent(group -> lines.addAll(table(
                                group,
                                (group.grown().isEmpty() ? group.otherwise() : group.grown())
                                        .stream().limit(most).toList(),
                                "  ")
                        .lines()
                        .toList()));
        return lines;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        folded(headline()).forEach(line -> text.append(line).append('\n'));
        explanation
                .cautions()
                .forEach(caution ->
                        folded(caution).forEach(line -> text.append(line).append('\n')));
        text.append('\n');
        facts().forEach(fact -> folded(fact).forEach(line -> text.append(line).append('\n')));
        for (GroupChange group : explanation.groups()) {
            text.append('\n').append(group(group));
        }
        return text.toString();
    }

    /** Returns the totals of both profiles, and a hint about sums. */
    List<String> facts() {
        List<String> facts = new ArrayList<>();
        if (explanation.ofExecutions()) {
            facts.add("Execution: %s before, %s now."
                    .formatted(time(explanation.nanosBefore()), time(explanation.nanosAfter())));
        }
        facts.add(
                "Instructions: %s before, %s now, added up. Engines work in parallel, so the sums are not the execution time."
                        .formatted(
                                time(explanation.before().nanos(Grouping.ENGINE)),
                                time(explanation.after().nanos(Grouping.ENGINE))));
        OptionalLong before = Explanation.spilled(explanation.before());
        OptionalLong after = Explanation.spilled(explanation.after());
        if (before.isPresent() && after.isPresent()) {
            facts.add("Spilled: %s before, %s now.".formatted(bytes(before.getAsLong()), bytes(after.getAsLong())));
        }
        return facts;
    }

    private static String group(GroupChange group) {
        int omitted = group.omitted(MOST_ROWS);
        List<RowChange> rows = group.shown(MOST_ROWS);
        return heading(group)
                + "\n"
                + (rows.isEmpty() ? "" : table(group, rows, "  "))
                + (omitted > 0 ? "  and %s more\n".formatted(omitted) : "");
    }

    static String heading(GroupChange group) {
        String word = "By " + group.grouping().word();
        boolean grew = !group.grown().isEmpty();
        boolean shrank = !group.shrunk().isEmpty();
        if (!grew && !shrank) {
            return group.otherwise().isEmpty()
                    ? word + ": nothing changed by more than noise (%s of all).".formatted(percent(GroupChange.NOISE))
                    : word + ": as long as before, but the number of events or the spilled bytes changed.";
        }
        return "%s: %s, %s."
                .formatted(
                        word,
                        grew ? time(group.growth()) + " of growth" : "no growth",
                        shrank ? time(group.shrinkage()) + " of shrinkage" : "no shrinkage");
    }

    private static String table(GroupChange group, List<RowChange> rows, String indent) {
        TextTable table = new TextTable(group.grouping().word(), ">before", ">now", ">change", ">of growth", "why");
        for (RowChange change : rows) {
            table.row(
                    named(change.name()),
                    time(change.before().nanos()),
                    time(change.after().nanos()),
                    signed(change.nanos()),
                    ofGrowth(group, change),
                    VisibleText.line(change.why()));
        }
        return table.within(TextTable.MESSAGE - indent.length()).toString().replaceAll("(?m)^(?=.)", indent);
    }

    static String ofGrowth(GroupChange group, RowChange change) {
        return change.nanos() > 0 ? percent(group.share(change)) : "";
    }

    /** Formats a name of the profile, which may contain any characters. */
    static String named(String name) {
        String shown = VisibleText.line(name);
        return shown.length() <= LONGEST_NAME ? shown : "\u2026" + shown.substring(shown.length() - LONGEST_NAME + 1);
    }

    static String signed(long nanos) {
        return (nanos > 0 ? "+" : "") + time(nanos);
    }

    static String time(long nanos) {
        return DurationText.exact(Duration.ofNanos(nanos));
    }

    static String bytes(long bytes) {
        return ByteSize.human(BigInteger.valueOf(bytes));
    }

    static String percent(double part) {
        double percent = 100 * part;
        return percent >= 9.5 || percent == Math.rint(percent)
                ? Math.round(percent) + " %"
                : String.format(Locale.ROOT, "%.1f %%", percent);
    }

    private static List<String> folded(String sentence) {
        return LINE.matcher(VisibleText.line(sentence))
                .results()
                .map(line -> line.group().stripTrailing())
                .toList();
    }
}
