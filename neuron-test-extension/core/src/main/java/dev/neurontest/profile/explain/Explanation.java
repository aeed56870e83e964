package dev.neurontest.profile.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * Why one profile took longer than another: what grew, and how much of all growth that is.
 *
 * @param before what it is compared with
 * @param after what is explained
 * @param groups by source line, layer, opcode, engine and DMA queue; without those of which neither side has names
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record Explanation(EventShares before, EventShares after, List<GroupChange> groups) {

    /** A whole that differs by less is the same. */
    static final double SAME = 0.01;

    /** What of one grouping is so much of all growth is a better answer than what is coarser. */
    private static final double TELLING = 0.25;

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
    record Main(GroupChange group, ShareChange change) {}

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
    public static Explanation of(EventShares before, EventShares after) {
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

    /** Of the whole execution, or where the summary does not say, of all instructions that do. */
    static OptionalLong spilled(EventShares shares) {
        if (shares.spilledBytes().isPresent()) {
            return shares.spilledBytes();
        }
        return shares.group(Grouping.ENGINE).values().stream()
                .reduce(EventShare.NONE, EventShare::plus)
                .spilledBytes();
    }

    /** The finest name that is a good part of all growth, else the one with the largest part. Transfers are no instructions. */
    Optional<Main> grewMost() {
        return most(true);
    }

    /** The same of what shrank. */
    Optional<Main> shrankMost() {
        return most(false);
    }

    private Optional<Main> most(boolean grown) {
        Optional<Main> largest = Optional.empty();
        double part = 0;
        for (GroupChange group : groups) {
            double all = grown ? group.growth() : group.shrinkage();
            Optional<ShareChange> first = (grown ? group.grown() : group.shrunk())
                    .stream().filter(change -> isNamed(change.name())).findFirst();
            if (first.isEmpty() || group.grouping() == Grouping.QUEUE) {
                continue;
            }
            double its = Math.abs(first.get().nanos()) / all;
            if (its > part) {
                largest = Optional.of(new Main(group, first.get()));
                part = its;
            }
            if (part >= TELLING) {
                break;
            }
            Optional<ShareChange> whole = group.grouping() == Grouping.LAYER
                    ? LayerTree.of(group.changes()).holding(WHOLE, grown, Math.round(all))
                    : Optional.empty();
            if (whole.isPresent()) {
                return whole.map(change -> new Main(group, change));
            }
        }
        return largest;
    }

    private static boolean isNamed(String name) {
        return !name.equals(EventShares.NONE) && !name.equals(EventShares.OTHERS);
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

    private static boolean hasNames(EventShares shares, Grouping grouping) {
        return shares.group(grouping).keySet().stream().anyMatch(name -> !name.equals(EventShares.NONE));
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
