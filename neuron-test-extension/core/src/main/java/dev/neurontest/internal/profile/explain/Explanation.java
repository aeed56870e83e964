package dev.neurontest.internal.profile.explain;

import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * The explanation why one profile took longer than another: the parts that grew, with their shares of the total growth.
 *
 * @param before the reference profile
 * @param after the explained profile
 * @param groups changes by source line, layer, opcode, engine and DMA queue, without groupings that have no names on either side
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Explanation(ProfileEvents before, ProfileEvents after, List<GroupChange> groups) {

    /** Smallest relative difference of the total that counts as a change. */
    static final double SAME = 0.01;

    /** Share of the total growth that makes a change of one grouping a better answer than coarser groupings. */
    private static final double TELLING = 0.25;

    /** The same share for source lines, the finest grouping. */
    private static final double TELLING_LINE = 0.1;

    /** Share of the total growth that makes a layer the answer if its parts are all too small. */
    private static final double WHOLE = 0.5;

    /** The results of a comparison. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Answer {
        /** A longer time. */
        SLOWER,
        /** A shorter time. */
        FASTER,
        /** An equal time, apart from noise. */
        SAME
    }

    /** The largest change, with its grouping. */
    record Main(GroupChange group, RowChange change) {}

    /** Creates an explanation with its own copy of the groups. */
    public Explanation {
        groups = List.copyOf(groups);
    }

    /**
     * Compares two profiles.
     *
     * @param before the earlier or faster profile
     * @param after the profile to explain
     */
    public static Explanation of(ProfileEvents before, ProfileEvents after) {
        return new Explanation(
                before,
                after,
                Arrays.stream(Grouping.values())
                        .map(grouping -> GroupChange.of(grouping, before, after))
                        .filter(GroupChange::hasNames)
                        .toList());
    }

    /** Returns the result. It uses the time of the execution, or the sum of all instructions if a profile lacks that time. */
    public Answer answer() {
        double change = (double) nanosAfter() / Math.max(1, nanosBefore()) - 1;
        return Math.abs(change) < SAME ? Answer.SAME : change > 0 ? Answer.SLOWER : Answer.FASTER;
    }

    /** Returns whether both profiles contain the time of the execution. */
    boolean ofExecutions() {
        return before.executionNanos().isPresent() && after.executionNanos().isPresent();
    }

    long nanosBefore() {
        return ofExecutions() ? before.executionNanos().getAsLong() : before.nanos(Grouping.ENGINE);
    }

    long nanosAfter() {
        return ofExecutions() ? after.executionNanos().getAsLong() : after.nanos(Grouping.ENGINE);
    }

    /**
     * Returns the spilled bytes of the whole execution. If the summary lacks them, it returns the sum over all instructions with known
     * bytes.
     */
    static OptionalLong spilled(ProfileEvents events) {
        return events.spilledBytes().isPresent()
                ? events.spilledBytes()
                : events.rows(Grouping.ENGINE).stream()
                        .flatMapToLong(row -> row.spilledBytes().stream())
                        .reduce(Long::sum);
    }

    /**
     * Finds the finest name with a large share of the total growth among the names that changed differently from the rest. If none is large
     * enough, returns the largest of them.
     */
    Optional<Main> grewMost() {
        return most(true);
    }

    /** Finds the corresponding name among those that shrank. */
    Optional<Main> shrankMost() {
        return most(false);
    }

    private Optional<Main> most(boolean grown) {
        // A single name is its whole grouping. It cannot be distinctive if another grouping has several names.
        boolean haveSeveralNames = instructions().anyMatch(group -> group.names() > 1);
        Optional<Main> largest = Optional.empty();
        double part = 0;
        for (GroupChange group : instructions()
                .filter(each -> !haveSeveralNames || each.names() > 1)
                .toList()) {
            List<RowChange> changes = grown ? group.grown() : group.shrunk();
            if (changes.isEmpty()) {
                continue;
            }
            double all = grown ? group.growth() : group.shrinkage();
            Optional<RowChange> first = changes.stream()
                    .filter(change -> change.after().isNamed())
                    .filter(change -> group.isApart(change.before().nanos(), change.nanos()))
                    .findFirst();
            double share = first.isPresent() ? Math.abs(first.get().nanos()) / all : 0;
            // A line can belong to many layers. None of them is a better answer than the line.
            boolean isFinest = part > share;
            if (share > part) {
                largest = first.map(change -> new Main(group, change));
                part = share;
            }
            if (part >= (group.grouping() == Grouping.LINE ? TELLING_LINE : TELLING)) {
                break;
            }
            Optional<LayerTree> whole = group.grouping() == Grouping.LAYER && !isFinest
                    ? LayerTree.of(group.changes())
                            .holding(WHOLE, grown, Math.round(all))
                            .filter(layer -> group.isApart(layer.before(), layer.change()))
                    : Optional.empty();
            if (whole.isPresent()) {
                return whole.map(layer -> new Main(group, layer.toChange()));
            }
        }
        return largest;
    }

    private Stream<GroupChange> instructions() {
        return groups.stream().filter(group -> group.grouping() != Grouping.QUEUE);
    }

    /** Finds the finest grouping that grew or shrank without a distinctive name. */
    Optional<GroupChange> alike(boolean grown) {
        return instructions()
                .filter(group -> group.names() > 1)
                .filter(group -> !(grown ? group.grown() : group.shrunk()).isEmpty())
                .findFirst();
    }

    /** Finds the finest name with about the same time but other spilled bytes or another number of events. */
    Optional<Main> otherwiseMost() {
        return instructions()
                .flatMap(group -> group.otherwise().stream()
                        .filter(change -> change.after().isNamed())
                        .map(change -> new Main(group, change)))
                .min(Comparator.comparing((Main main) -> main.change().spilled() == 0));
    }

    Optional<GroupChange> group(Grouping grouping) {
        return groups.stream().filter(each -> each.grouping() == grouping).findFirst();
    }

    /** Returns the reasons against a comparison, and the gaps in the profiles, one sentence each. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>();
        for (Map.Entry<String, String> part : before.about().entrySet()) {
            String now = after.about().get(part.getKey());
            if (now != null && !now.equals(part.getValue())) {
                cautions.add("The %s differs: %s before, %s now. That alone may change times."
                        .formatted(part.getKey(), part.getValue(), now));
            }
        }
        for (Grouping grouping : List.of(Grouping.LINE, Grouping.LAYER)) {
            Optional<GroupChange> change = group(grouping);
            if (change.isPresent() && hasNames(before, grouping) != hasNames(after, grouping)) {
                cautions.add("Only the profile %s names its %ss: additions and removals there mean nothing."
                        .formatted(hasNames(before, grouping) ? "before" : "now", grouping.word()));
            } else if (change.isPresent() && change.get().unnamed() > 0.2) {
                cautions.add("%s of the time now has no %s in the profile."
                        .formatted(ExplanationText.percent(change.get().unnamed()), grouping.word()));
            }
        }
        return cautions;
    }

    private static boolean hasNames(ProfileEvents events, Grouping grouping) {
        return events.rows(grouping).stream().anyMatch(row -> !row.name().equals(EventRow.NONE));
    }

    /**
     * Returns the answer in one sentence, such as
     * {@code Slower by 1.9 ms (11 %): attention.py:120 took 1.4 ms more, which is 74 % of all growth.}
     */
    public String headline() {
        return new ExplanationText(this).headline();
    }

    /**
     * Returns the beginning of the text, for a message.
     *
     * @param most maximum number of listed names
     * @return the headline, cautions, and the largest growth; lines of at most 120 characters
     */
    public List<String> beginning(int most) {
        return new ExplanationText(this).beginning(most);
    }

    /**
     * Returns the whole text.
     *
     * @return lines of at most 120 characters; the last one ends with a line break too
     */
    public String toText() {
        return new ExplanationText(this).text();
    }

    /** Returns the explanation as one JSON object in the form of {@code neuron-explanation.schema.json}. */
    public String toJson() {
        return ExplanationJson.of(this);
    }

    /** Returns the explanation as a self-contained HTML page with a drawing of the layers. */
    public String toHtml(String title) {
        return ExplanationPage.html(title, this);
    }
}
