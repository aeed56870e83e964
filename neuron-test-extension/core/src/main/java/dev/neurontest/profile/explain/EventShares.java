package dev.neurontest.profile.explain;

import dev.neurontest.process.Redaction;
import dev.neurontest.profile.event.EventSummary;
import dev.neurontest.profile.event.ProfileEvents;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What the events of one profile took, by source line, layer, opcode, engine and DMA queue: small enough to be kept beside a baseline.
 *
 * @param about what makes two of them alike, such as {@code tool}, {@code instance} and {@code schema}; what is not known is not there
 * @param executionNanos what the whole execution took; empty where the profile does not say
 * @param spilledBytes of the whole execution; empty where the profile does not say
 * @param groups what took most time first
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record EventShares(
        SortedMap<String, String> about,
        OptionalLong executionNanos,
        OptionalLong spilledBytes,
        Map<Grouping, Map<String, EventShare>> groups) {

    /** What has no name in the profile. */
    static final String NONE = "(none)";

    /** What is not kept apart. */
    static final String OTHERS = "(others)";

    /** Longer names are cut when shares are written. */
    private static final int LONGEST_NAME = 160;

    /**
     * Keeps its own copies.
     *
     * @param about what makes two of them alike
     * @param executionNanos what the whole execution took
     * @param spilledBytes of the whole execution
     * @param groups in any order
     */
    public EventShares {
        about = Collections.unmodifiableSortedMap(new TreeMap<>(about));
        Map<Grouping, Map<String, EventShare>> sorted = new EnumMap<>(Grouping.class);
        for (Grouping grouping : Grouping.values()) {
            sorted.put(grouping, sorted(groups.getOrDefault(grouping, Map.of())));
        }
        groups = Collections.unmodifiableMap(sorted);
    }

    private static Map<String, EventShare> sorted(Map<String, EventShare> group) {
        Map<String, EventShare> sorted = new LinkedHashMap<>();
        group.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, EventShare> each) ->
                                -each.getValue().nanos())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(each -> sorted.put(each.getKey(), each.getValue()));
        return Collections.unmodifiableMap(sorted);
    }

    /**
     * Sums up events. Names that look secret are masked.
     *
     * @param events of one execution
     * @param about what makes two of them alike
     * @return the shares
     */
    public static EventShares of(ProfileEvents events, Map<String, String> about) {
        Map<Grouping, Map<String, EventShare>> groups = new EnumMap<>(Grouping.class);
        groups.put(Grouping.LINE, shares(events.byLine()));
        groups.put(Grouping.LAYER, shares(events.byLayer()));
        groups.put(Grouping.OPCODE, shares(events.byOpcode()));
        groups.put(Grouping.ENGINE, shares(events.byEngine()));
        groups.put(Grouping.QUEUE, shares(events.dmaByQueue()));
        Map<String, Double> summary = events.summaryNumbers();
        return new EventShares(
                new TreeMap<>(about),
                nanos(summary.get("total_time")),
                sum(summary.get("spill_save_bytes"), summary.get("spill_reload_bytes")),
                groups);
    }

    private static Map<String, EventShare> shares(Map<String, EventSummary> summaries) {
        Map<String, EventShare> shares = new LinkedHashMap<>();
        summaries.forEach(
                (name, events) -> shares.merge(Redaction.mask(name), EventShare.of(events), EventShare::plus));
        return shares;
    }

    private static OptionalLong nanos(@Nullable Double seconds) {
        return seconds == null ? OptionalLong.empty() : OptionalLong.of(Math.round(seconds * 1e9));
    }

    private static OptionalLong sum(@Nullable Double saved, @Nullable Double reloaded) {
        return saved == null && reloaded == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.round((saved == null ? 0 : saved) + (reloaded == null ? 0 : reloaded)));
    }

    Map<String, EventShare> group(Grouping grouping) {
        return groups.getOrDefault(grouping, Map.of());
    }

    /** All of a grouping. Engines work at the same time, so this may be longer than the execution. */
    long nanos(Grouping grouping) {
        return group(grouping).values().stream().mapToLong(EventShare::nanos).sum();
    }

    /** The same without those that took least where there are more; whole names. */
    EventShares keeping(int names) {
        return groups.values().stream().anyMatch(group -> group.size() > names + 2) ? atMost(names) : this;
    }

    /** The same with fewer names: those that took most time stay. */
    EventShares atMost(int names) {
        Map<Grouping, Map<String, EventShare>> smaller = new EnumMap<>(Grouping.class);
        groups.forEach((grouping, group) -> smaller.put(grouping, atMost(group, names)));
        return new EventShares(about, executionNanos, spilledBytes, smaller);
    }

    private static Map<String, EventShare> atMost(Map<String, EventShare> group, int names) {
        Map<String, EventShare> smaller = new LinkedHashMap<>();
        List<String> special = List.of(NONE, OTHERS);
        int kept = 0;
        for (Map.Entry<String, EventShare> each : group.entrySet()) {
            boolean stays = special.contains(each.getKey()) || kept++ < names;
            smaller.merge(stays ? cut(each.getKey()) : OTHERS, each.getValue(), EventShare::plus);
        }
        return smaller;
    }

    /** The end of a layer or line says more than its beginning. */
    private static String cut(String name) {
        return name.length() <= LONGEST_NAME ? name : "\u2026" + name.substring(name.length() - LONGEST_NAME + 1);
    }
}
