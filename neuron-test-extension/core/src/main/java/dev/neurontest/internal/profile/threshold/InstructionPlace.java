package dev.neurontest.internal.profile.threshold;

import dev.neurontest.internal.text.NearestName;
import dev.neurontest.profile.EventRow;
import dev.neurontest.profile.Grouping;
import dev.neurontest.profile.ProfileEvents;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apiguardian.api.API;

/**
 * A place in the source of a model, and the time of the instructions that come from it. Instructions of several engines overlap, so
 * the sum may be longer than the execution.
 *
 * @param by {@link Grouping#LINE}, a line of a file by the end of its path: {@code attention.py:120} is {@code /src/attention.py:120};
 *     or {@link Grouping#LAYER}, a layer of the model, and those in it: {@code Block[0]} has {@code Block[0]/Linear[1]}
 * @param name such as {@code attention.py:120}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstructionPlace(Grouping by, String name) {

    private static final int NEAREST = 3;

    private boolean isOf(EventRow row) {
        return row.name().equals(name)
                || (by == Grouping.LINE
                        ? row.name().endsWith("/" + name)
                        : row.name().startsWith(name + "/"));
    }

    /** Returns the nanoseconds of its instructions; empty when no instruction is of it, which is not zero. */
    public OptionalLong nanoseconds(ProfileEvents events) {
        return events.rows(by).stream()
                .filter(this::isOf)
                .mapToLong(EventRow::nanos)
                .reduce(Long::sum);
    }

    /** Returns the three names that look most like it; none when no instruction has any. */
    List<String> nearest(ProfileEvents events) {
        return events.rows(by).stream()
                .filter(EventRow::isNamed)
                .map(EventRow::name)
                .sorted(Comparator.comparingInt(
                                (String found) -> NearestName.edits(name, found.substring(found.lastIndexOf('/') + 1)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(NEAREST)
                .toList();
    }

    /** Returns the word for it. */
    String word() {
        return by.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return word() + " " + name;
    }
}
