package dev.neurontest.counter.wait;

import dev.neurontest.counter.SeenValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The values that files were seen with, bounded: how it began and how it ended. */
final class Timeline {

    private static final int FIRST = 20;
    private static final int LAST = 30;

    private final Map<String, String> latest = new HashMap<>();
    private final List<SeenValue> first = new ArrayList<>();
    private final Deque<SeenValue> last = new ArrayDeque<>();
    private long leftOut;

    /** Takes a reading; one that is the file's latest value again says nothing new. */
    void add(Duration after, String value, String location) {
        if (value.equals(latest.put(location, value))) {
            return;
        }
        SeenValue seen = new SeenValue(after, value, location);
        if (first.size() < FIRST) {
            first.add(seen);
            return;
        }
        last.add(seen);
        if (last.size() > LAST) {
            last.remove();
            leftOut++;
        }
    }

    List<SeenValue> seen() {
        return Stream.concat(first.stream(), last.stream()).toList();
    }

    List<SeenValue> first() {
        return first;
    }

    List<SeenValue> last() {
        return List.copyOf(last);
    }

    /** How many there were between the first and the last ones. */
    long leftOut() {
        return leftOut;
    }
}
