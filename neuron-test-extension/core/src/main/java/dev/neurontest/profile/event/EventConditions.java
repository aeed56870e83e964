package dev.neurontest.profile.event;

import dev.neurontest.profile.event.EventQuery.All;
import dev.neurontest.profile.event.EventQuery.Any;
import dev.neurontest.profile.event.EventQuery.Condition;
import dev.neurontest.profile.event.EventQuery.Field;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * The conditions of all queries, one bit each. What a name meets is found out once; afterwards an instruction is a few bits for
 * every query.
 */
final class EventConditions {

    static final int MOST = Long.SIZE;

    private final List<Condition> conditions;
    private final Map<Field, Long> masks = new EnumMap<>(Field.class);

    EventConditions(Collection<EventQuery> queries) {
        conditions = requireFew(queries);
        for (Field field : Field.values()) {
            long mask = 0;
            for (int bit = 0; bit < conditions.size(); bit++) {
                mask |= conditions.get(bit).field() == field ? 1L << bit : 0;
            }
            masks.put(field, mask);
        }
    }

    /** Gives the different conditions of all queries if there is a bit for each. */
    static List<Condition> requireFew(Collection<EventQuery> queries) {
        List<Condition> conditions =
                queries.stream().flatMap(EventQuery::conditions).distinct().toList();
        if (conditions.size() > MOST) {
            throw new IllegalArgumentException(
                    "The queries have %s different conditions, of which one reading takes %s. Read again for the other queries."
                            .formatted(conditions.size(), MOST));
        }
        return conditions;
    }

    /** In the order of their bits. */
    List<Condition> all() {
        return conditions;
    }

    /** The bits of the conditions on a field. */
    long mask(Field field) {
        return masks.getOrDefault(field, 0L);
    }

    /** The bits of the conditions that a text meets, whichever field it is found in. */
    long metBy(String text) {
        long met = 0;
        for (int bit = 0; bit < conditions.size(); bit++) {
            met |= conditions.get(bit).isMetBy(text) ? 1L << bit : 0;
        }
        return met;
    }

    /** Whether the conditions that an instruction meets answer a query. */
    LongPredicate compile(EventQuery query) {
        return compile(query.node());
    }

    private LongPredicate compile(EventQuery.Node node) {
        if (node instanceof All all) {
            return all.nodes().stream()
                    .map(this::compile)
                    .reduce(LongPredicate::and)
                    .orElseThrow();
        }
        if (node instanceof Any any) {
            return any.nodes().stream()
                    .map(this::compile)
                    .reduce(LongPredicate::or)
                    .orElseThrow();
        }
        long mask = 1L << conditions.indexOf((Condition) node);
        return met -> (met & mask) != 0;
    }
}
