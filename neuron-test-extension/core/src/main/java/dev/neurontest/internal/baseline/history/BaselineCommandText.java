package dev.neurontest.internal.baseline.history;

import dev.neurontest.internal.baseline.BaselineEntry;
import dev.neurontest.internal.text.CountText;
import java.nio.file.Path;
import java.util.List;
import org.apiguardian.api.API;

/** The output of {@code neuron-test baseline}. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class BaselineCommandText {

    private BaselineCommandText() {}

    /**
     * Returns the text for the baselines of a store.
     *
     * @return lines of text; the last one ends with a line break too
     */
    public static String show(Path directory, BaselineStore.Contents contents) {
        long classes = contents.entries().stream()
                .map(entry -> entry.key().testClass())
                .distinct()
                .count();
        StringBuilder text = new StringBuilder("%s: %s of %s\n"
                .formatted(
                        directory,
                        CountText.of(contents.entries().size(), "baseline"),
                        CountText.of(classes, "test class")));
        contents.entries()
                .forEach(entry -> text.append("\n%s: %s\n  %s\n  %s\n  %s\n"
                        .formatted(
                                entry.key(),
                                BaselineDiff.shown(entry.metric(), BaselineChange.median(entry)),
                                BaselineDiff.runs(entry),
                                entry.stack(),
                                BaselineDiff.origin(entry))));
        contents.problems()
                .forEach(problem ->
                        text.append("\nNot read: ").append(problem.getMessage()).append('\n'));
        return text.toString();
    }

    /**
     * Returns the text for proposals.
     *
     * @param changes the changes to show
     * @param note the reason for the approval; empty when none was given
     * @return lines of text; the last one ends with a line break too
     */
    public static String diff(BaselineProposals proposals, List<BaselineChange> changes, String note) {
        if (changes.isEmpty()) {
            return nothing(proposals);
        }
        StringBuilder text = new StringBuilder(
                "%s in %s\n".formatted(CountText.of(changes.size(), "proposal"), proposals.directory()));
        for (BaselineChange change : changes) {
            String obstacles = proposals.obstacles(change, note);
            text.append('\n')
                    .append(new BaselineDiff(change).text())
                    .append(obstacles.isEmpty() ? "  Ready to be approved." : "  Not ready: " + obstacles)
                    .append('\n');
        }
        return text.toString();
    }

    /**
     * Returns the text for the result of an approval.
     *
     * @return lines of text; the last one ends with a line break too
     */
    public static String approved(
            BaselineStore store, BaselineProposals proposals, BaselineProposals.Approval approval) {
        StringBuilder text = new StringBuilder();
        approval.written()
                .forEach(change -> text.append("Written: %s\n  %s\n"
                        .formatted(
                                new BaselineDiff(change).headline(),
                                store.pointer(
                                        change.proposed().key(),
                                        change.proposed().stack()))));
        approval.remaining()
                .forEach(entry -> text.append("Not written: %s\n  %s\n"
                        .formatted(new BaselineDiff(entry.change()).headline(), entry.reason())));
        if (!text.isEmpty()) {
            return text.toString();
        }
        int others = proposals.changes().size();
        return others == 0
                ? nothing(proposals)
                : "None of the %s in %s was chosen.\n"
                        .formatted(CountText.of(others, "proposal"), proposals.directory());
    }

    /**
     * Returns the text for baselines of metrics that are no longer measured.
     *
     * @return lines of text; the last one ends with a line break too
     */
    public static String orphans(BaselineStore store, List<BaselineEntry> orphans) {
        StringBuilder text = new StringBuilder(
                "%s of metrics that were not measured\n".formatted(CountText.of(orphans.size(), "baseline")));
        orphans.forEach(entry -> text.append("  %s on %s\n    %s\n"
                .formatted(entry.key(), entry.stack(), store.pointer(entry.key(), entry.stack()))));
        return text.toString();
    }

    private static String nothing(BaselineProposals proposals) {
        return "Nothing is proposed in %s.\n".formatted(proposals.directory());
    }
}
