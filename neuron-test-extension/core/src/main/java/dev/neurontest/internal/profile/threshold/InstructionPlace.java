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
 * A place in the source of a model, and the time of the instructions that come from it. Instructions of several engines overlap, therefore
 * the sum may be longer than the execution.
 *
 * @param by {@link Grouping#LINE}, a line of a file, by the end of its path: {@code attention.py:120} matches
 *     {@code /src/attention.py:120}; or {@link Grouping#LAYER}, a layer of the model with its sub-layers: {@code Block[0]} includes
 *     {@code Block[0]/Linear[1]}
 * @param name for example {@code attention.py:120}
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

    /** Returns the nanoseconds of the instructions of this place; empty when no instruction belongs to it, which is not zero. */
    public OptionalLong nanoseconds(ProfileEvents events) {
        return events.rows(by).stream()
                .filter(this::isOf)
                .mapToLong(EventRow::nanos)
                .reduce(Long::sum);
    }

    /** Returns the three most similar names; empty when no instruction has a name. */
    List<String> nearest(ProfileEvents events) {
        return events.rows(by).stream()
                .filter(EventRow::isNamed)
                .map(EventRow::name)
                .sorted(Comparator.comparingInt((String candidate) ->
                                NearestName.edits(name, candidate.substring(candidate.lastIndexOf('/') + 1)))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(NEAREST)
                .toList();
    }

    /** Returns the word for the kind of place, for messages. */
    String word() {
        return by.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return word() + " " + name;
    }
}
