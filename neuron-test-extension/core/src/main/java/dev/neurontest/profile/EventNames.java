package dev.neurontest.profile;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The distinct names of one property in the full JSON. It finds a name by the parser's characters without creating a string. Its size is
 * limited: when it is full, all further names count as {@link EventRow#OTHERS}.
 */
final class EventNames {

    /** Number of names with a tally that is fast but large. */
    private static final int WIDE = 512;

    private final Grouping by;
    private final @Nullable EventTally[] slots;
    private final EventTally none = new EventTally(EventRow.NONE, true);
    private final EventTally others = new EventTally(EventRow.OTHERS, true);
    private EventTally last = none;
    private int size;

    EventNames(Grouping by) {
        this.by = by;
        this.slots = new @Nullable EventTally[Integer.highestOneBit(by.most()) * 4];
    }

    /** Returns the tally of events without a name. */
    EventTally none() {
        return none;
    }

    EventTally find(char[] buffer, int start, int length) {
        int end = start + Math.min(length, EventRow.LONGEST_NAME);
        // Consecutive records in the file often share their engine and layer.
        if (last == none || !Arrays.equals(last.characters, 0, last.characters.length, buffer, start, end)) {
            last = findSlot(buffer, start, end);
        }
        return last;
    }

    private EventTally findSlot(char[] buffer, int start, int end) {
        int slot = hash(buffer, start, end) & (slots.length - 1);
        for (EventTally name = slots[slot]; name != null; name = slots[slot]) {
            if (Arrays.equals(name.characters, 0, name.characters.length, buffer, start, end)) {
                return name;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        String text = new String(buffer, start, end - start);
        if (size == by.most() || text.equals(EventRow.OTHERS)) {
            return others;
        }
        if (text.equals(EventRow.NONE)) {
            return none;
        }
        EventTally name = new EventTally(text, size++ < WIDE);
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

    Stream<EventRow> rows() {
        return Stream.concat(Stream.of(none, others), Arrays.stream(slots).filter(Objects::nonNull))
                .flatMap(name -> name.row(by).stream());
    }
}
