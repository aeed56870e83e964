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
 * Why one profile took longer than another: what grew, and how much of all growth that is.
 *
 * @param before what it is compared with
 * @param after what is explained
 * @param groups by source line, layer, opcode, engine and DMA queue; without those of which neither side has names
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Explanation(ProfileEvents before, ProfileEvents after, List<GroupChange> groups) {

    /** A whole that differs by less is the same. */
    static final double SAME = 0.01;

    /** What of one grouping is so much of all growth is a better answer than what is coarser. */
    private static final double TELLING = 0.25;

    /** The same of a source line, than which nothing is finer. */
    private static final double TELLING_LINE = 0.1;

    /** A layer with parts, each of them too small to be an answer, is one if it holds so much of all growth. */
    private static final double WHOLE = 0.5;

    /** What came of it. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Answer {
        /** It took longer. */
        SLOWER,
        /** It took less. */
        FASTER,
        /** It took as long, but for noise. */
        SAME
    }

    /** What grew or shrank most, and in which grouping. */
    record Main(GroupChange group, RowChange change) {}

    /**
     * Keeps its own copy.
     *
     * @param before what it is compared with
     * @param after what is explained
     * @param groups by source line, layer, opcode, engine and DMA queue
     */
    public Explanation {
        groups = List.copyOf(groups);
    }

    /**
     * Compares two profiles.
     *
     * @param before the earlier or faster one
     * @param after the one that is to be explained
     * @return what changed
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

    /**
     * What came of it: by the time of the execution, or where one side does not say, by all instructions added up.
     *
     * @return the answer
     */
    public Answer answer() {
        double change = (double) nanosAfter() / Math.max(1, nanosBefore()) - 1;
        return Math.abs(change) < SAME ? Answer.SAME : change > 0 ? Answer.SLOWER : Answer.FASTER;
    }

    /** Whether both say how long the execution took. */
    boolean ofExecutions() {
        return before.executionNanos().isPresent() && after.executionNanos().isPresent();
    }

    long nanosBefore() {
        return ofExecutions() ? before.executionNanos().getAsLong() : before.nanos(Grouping.ENGINE);
    }

    long nanosAfter() {
        return ofExecutions() ? after.executionNanos().getAsLong() : after.nanos(Grouping.ENGINE);
    }

    /** Returns what the whole execution spilled, or where the summary does not say, all instructions that do. */
    static OptionalLong spilled(ProfileEvents events) {
        return events.spilledBytes().isPresent()
                ? events.spilledBytes()
                : events.rows(Grouping.ENGINE).stream()
                        .flatMapToLong(row -> row.spilledBytes().stream())
                        .reduce(Long::sum);
    }

    /** Returns the finest name that grew otherwise than the rest and is a good part of all growth, else the largest of these. */
    Optional<Main> grewMost() {
        return most(true);
    }

    /** Returns the same of what shrank. */
    Optional<Main> shrankMost() {
        return most(false);
    }

    private Optional<Main> most(boolean grown) {
        // One name is all of its grouping: it cannot stand out where another grouping has several.
        boolean haveOthers = instructions().anyMatch(group -> group.names() > 1);
        Optional<Main> largest = Optional.empty();
        double part = 0;
        for (GroupChange group :
                instructions().filter(each -> !haveOthers || each.names() > 1).toList()) {
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
            // A line is in many layers, of which none is more of an answer than the line.
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

    /** Returns the finest grouping that grew or shrank without a name that did so more than the others. */
    Optional<GroupChange> alike(boolean grown) {
        return instructions()
                .filter(group -> group.names() > 1)
                .filter(group -> !(grown ? group.grown() : group.shrunk()).isEmpty())
                .findFirst();
    }

    /** Returns the finest name that took as long as before, but spilled more or less, or is of more or fewer events. */
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

    /**
     * Why the two may not be compared, and what they leave out.
     *
     * @return one sentence each
     */
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
                cautions.add("Only the profile %s names its %ss: what is new or gone there says nothing."
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
     * The answer in one sentence.
     *
     * @return such as {@code Slower by 1.9 ms (11 %): attention.py:120 took 1.4 ms more, which is 74 % of what grew.}
     */
    public String headline() {
        return new ExplanationText(this).headline();
    }

    /**
     * The beginning of the text, for a message.
     *
     * @param most how many names are listed
     * @return the headline, cautions, and what grew most; lines of at most 120 characters
     */
    public List<String> beginning(int most) {
        return new ExplanationText(this).beginning(most);
    }

    /**
     * All of it for a person.
     *
     * @return lines of at most 120 characters, the last one ended too
     */
    public String toText() {
        return new ExplanationText(this).text();
    }

    /**
     * All of it for a program, as {@code neuron-explanation.schema.json} says.
     *
     * @return one JSON object
     */
    public String toJson() {
        return ExplanationJson.of(this);
    }

    /**
     * All of it as one page that needs nothing else, with the layers drawn.
     *
     * @param title what was compared
     * @return an HTML page
     */
    public String toHtml(String title) {
        return ExplanationPage.html(title, this);
    }
}
