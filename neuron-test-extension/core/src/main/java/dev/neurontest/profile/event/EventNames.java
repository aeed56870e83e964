package dev.neurontest.profile.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The different names of one field, found by the parser's characters without a string for each. Bounded: names that come when
 * it is full are one, {@value #OTHERS}.
 */
final class EventNames {

    static final String OTHERS = "(others)";
    static final String NONE = "(none)";

    /** What is longer is cut; names that begin alike become one. */
    static final int LONGEST_NAME = 256;

    /** So many have a tally that is quick, and large. */
    private static final int WIDE = 512;

    private final String field;
    private final int most;
    private final EventConditions conditions;
    private final @Nullable EventName[] slots;
    private final EventName none;
    private final EventName others;
    private EventName last;
    private int size;
    private long met;
    private long cut;

    EventNames(String field, int most, EventConditions conditions) {
        this.field = field;
        this.most = most;
        this.conditions = conditions;
        this.slots = new @Nullable EventName[Integer.highestOneBit(most) * 4];
        this.none = new EventName(NONE, 0, true);
        this.others = new EventName(OTHERS, 0, true);
        this.last = none;
    }

    /** For what has no name. */
    EventName none() {
        return none;
    }

    EventName find(char[] buffer, int start, int length) {
        int kept = Math.min(length, LONGEST_NAME);
        int end = start + kept;
        EventName found = last;
        // Neighbours in the file often share their engine and layer.
        if (!Arrays.equals(found.characters, 0, found.characters.length, buffer, start, end) || found == none) {
            found = lookUp(buffer, start, end);
        }
        if (length > LONGEST_NAME) {
            cut++;
            met = conditions.metBy(new String(buffer, start, length));
        } else if (found == others) {
            met = conditions.metBy(new String(buffer, start, length));
        } else {
            met = found.met;
            last = found;
        }
        return found;
    }

    /** The conditions that the name found last meets, all of it and not only what was kept. */
    long met() {
        return met;
    }

    private EventName lookUp(char[] buffer, int start, int end) {
        int slot = hash(buffer, start, end) & (slots.length - 1);
        for (EventName name = slots[slot]; name != null; name = slots[slot]) {
            if (Arrays.equals(name.characters, 0, name.characters.length, buffer, start, end)) {
                return name;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        if (size == most) {
            return others;
        }
        String text = new String(buffer, start, end - start);
        if (text.equals(NONE) || text.equals(OTHERS)) {
            return text.equals(NONE) ? none : others;
        }
        EventName name = new EventName(text, conditions.metBy(text), size++ < WIDE);
        slots[slot] = name;
        return name;
    }

    private static int hash(char[] buffer, int start, int end) {
        int hash = 0;
        for (int index = start; index < end; index++) {
            hash = 31 * hash + buffer[index];
        }
        return hash ^ (hash >>> 16);
    }

    /** Those that took most time first. */
    Map<String, EventSummary> summaries() {
        Map<String, EventSummary> all = new HashMap<>();
        for (EventName name : slots) {
            add(name, all);
        }
        add(none, all);
        add(others, all);
        return byTotal(all);
    }

    static Map<String, EventSummary> byTotal(Map<String, EventSummary> summaries) {
        Map<String, EventSummary> sorted = new LinkedHashMap<>();
        summaries.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, EventSummary> each) ->
                                each.getValue().total())
                        .reversed()
                        .thenComparing(Map.Entry::getKey))
                .forEach(each -> sorted.put(each.getKey(), each.getValue()));
        return Collections.unmodifiableMap(sorted);
    }

    private void add(@Nullable EventName name, Map<String, EventSummary> summaries) {
        EventTally tally = name == null ? null : name.tally();
        if (name != null && tally != null) {
            summaries.put(name.text, tally.summary(field + " " + name.text));
        }
    }

    /** Whether a name by itself is no longer certain to be all of what it stands for. */
    boolean isComplete() {
        return cut == 0 && others.tally() == null;
    }

    List<String> notices() {
        List<String> notices = new ArrayList<>();
        EventTally tally = others.tally();
        if (tally != null) {
            notices.add(String.format(
                    Locale.ROOT,
                    "%s: only the first %,d names are kept apart; %,d records with later ones are summed as %s.",
                    field,
                    most,
                    tally.count(),
                    OTHERS));
        }
        if (cut > 0) {
            notices.add(cut(field, cut));
        }
        return notices;
    }

    static String cut(String field, long names) {
        return String.format(
                Locale.ROOT,
                "%s: %,d names were cut to their first %s characters; those that begin alike are summed together.",
                field,
                names,
                LONGEST_NAME);
    }
}
