package dev.neurontest.profile.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * What became longer and shorter of all that one grouping has.
 *
 * @param grouping by what
 * @param changes of every name, those that grew most first
 * @param before nanoseconds of all
 * @param after nanoseconds of all
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record GroupChange(Grouping grouping, List<ShareChange> changes, long before, long after) {

    /** What is less of all that was there is noise. */
    static final double NOISE = 0.005;

    /** What is less of all that grew or shrank is not worth a line. */
    private static final double LEAST = 0.02;

    /**
     * Keeps its own copy.
     *
     * @param grouping by what
     * @param changes of every name
     * @param before nanoseconds of all
     * @param after nanoseconds of all
     */
    public GroupChange {
        changes = List.copyOf(changes);
    }

    static GroupChange of(Grouping grouping, EventShares before, EventShares after) {
        Map<String, EventShare> old = new HashMap<>(before.group(grouping));
        Map<String, EventShare> now = new HashMap<>(after.group(grouping));
        Set<String> names = new LinkedHashSet<>(now.keySet());
        names.addAll(old.keySet());
        List<ShareChange> changes = new ArrayList<>();
        for (String name : names) {
            boolean known = isKnown(name, old, now) && isKnown(name, now, old);
            EventShare was = share(name, old, now);
            EventShare is = share(name, now, old);
            changes.add(new ShareChange(name, was, is, known));
        }
        // What was taken out of them is known only now.
        changes.replaceAll(change -> change.name().equals(EventShares.OTHERS)
                ? new ShareChange(
                        change.name(),
                        old.getOrDefault(change.name(), EventShare.NONE),
                        now.getOrDefault(change.name(), EventShare.NONE),
                        true)
                : change);
        changes.sort(Comparator.comparingLong(ShareChange::nanos).reversed().thenComparing(ShareChange::name));
        return new GroupChange(grouping, changes, before.nanos(grouping), after.nanos(grouping));
    }

    private static boolean isKnown(String name, Map<String, EventShare> here, Map<String, EventShare> there) {
        return here.containsKey(name) || !here.containsKey(EventShares.OTHERS) || !there.containsKey(name);
    }

    /**
     * What is not kept apart took at most as long as the shortest that is, as the longest are kept. It is taken to be that, so that no
     * growth is made up, and out of the others, so that sums stay.
     */
    private static EventShare share(String name, Map<String, EventShare> here, Map<String, EventShare> there) {
        EventShare share = here.get(name);
        EventShare others = here.get(EventShares.OTHERS);
        if (share != null || others == null || name.equals(EventShares.OTHERS)) {
            return share == null ? EventShare.NONE : share;
        }
        long shortest = here.entrySet().stream()
                .filter(each -> !each.getKey().equals(EventShares.OTHERS)
                        && !each.getKey().equals(EventShares.NONE))
                .mapToLong(each -> each.getValue().nanos())
                .min()
                .orElse(0);
        EventShare other = there.getOrDefault(name, EventShare.NONE);
        long taken = Math.min(Math.min(shortest, others.nanos()), other.nanos());
        here.put(EventShares.OTHERS, new EventShare(others.nanos() - taken, others.count(), others.spilledBytes()));
        return new EventShare(taken, 0, OptionalLong.empty());
    }

    /**
     * All that became longer, added up.
     *
     * @return nanoseconds
     */
    public long growth() {
        return changes.stream().mapToLong(change -> Math.max(0, change.nanos())).sum();
    }

    /**
     * All that became shorter, added up.
     *
     * @return nanoseconds, not negative
     */
    public long shrinkage() {
        return changes.stream()
                .mapToLong(change -> Math.max(0, -change.nanos()))
                .sum();
    }

    /**
     * What became longer by more than noise.
     *
     * @return the most first
     */
    public List<ShareChange> grown() {
        long least = least(growth());
        return changes.stream().filter(change -> change.nanos() >= least).toList();
    }

    /**
     * What became shorter by more than noise.
     *
     * @return the most first
     */
    public List<ShareChange> shrunk() {
        long least = least(shrinkage());
        return changes.stream()
                .filter(change -> -change.nanos() >= least)
                .sorted(Comparator.comparingLong(ShareChange::nanos))
                .toList();
    }

    private long least(long all) {
        return all < NOISE * before ? Long.MAX_VALUE : Math.max(1, Math.round(LEAST * all));
    }

    /**
     * How much of all that grew.
     *
     * @param change one that grew
     * @return from 0 to 1
     */
    public double share(ShareChange change) {
        return change.nanos() > 0 ? (double) change.nanos() / growth() : 0;
    }

    /** How much of the time has no name now. */
    double unnamed() {
        return changes.stream()
                        .filter(change -> change.name().equals(EventShares.NONE))
                        .mapToLong(change -> change.after().nanos())
                        .sum()
                / (double) Math.max(1, after);
    }

    /** Whether there are names at all. */
    boolean hasNames() {
        return changes.stream().anyMatch(change -> !change.name().equals(EventShares.NONE));
    }
}
