package dev.neurontest.profile.table;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * A place in the source of a model, and the time of the instructions that come from it. Instructions of several engines overlap, so
 * the sum may be longer than the execution.
 *
 * @param kind a line or a layer
 * @param name such as {@code attention.py:120}
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record InstructionPlace(Kind kind, String name) {

    private static final String INSTRUCTION = "Instruction";

    /** What of the source is meant. */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public enum Kind {
        /** A line of a file, by the end of its path: {@code attention.py:120} is {@code /src/attention.py:120}. */
        LINE(
                List.of("nki_source_location", "bir_debug_info_source_location"),
                "%1$s = ? OR ends_with(%1$s, '/' || ?)",
                "regexp_replace(%s, '.*/', '')"),
        /** A layer of the model, and those in it: {@code Block[0]} has {@code Block[0]/Linear[1]}. */
        LAYER(List.of("layer"), "%1$s = ? OR starts_with(%1$s, ? || '/')", "%s");

        private final List<String> columns;
        private final String matches;
        private final String comparable;

        Kind(List<String> columns, String matches, String comparable) {
            this.columns = columns;
            this.matches = matches;
            this.comparable = comparable;
        }

        /** What the tables have of it; an absent text may be NULL or empty. */
        private Optional<String> in(TableSession session) {
            TableColumns there = new TableColumns(session, INSTRUCTION);
            return columns.stream().anyMatch(there::has)
                    ? Optional.of(
                            columns.stream().map(there::text).collect(Collectors.joining(", ", "coalesce(", ", NULL)")))
                    : Optional.empty();
        }
    }

    /**
     * The time of its instructions.
     *
     * @param tables of one execution
     * @return nanoseconds; empty when no instruction is of it, which is not zero
     * @throws TablesException when the tables cannot be read, or have no instructions
     */
    public OptionalLong nanoseconds(ProfileTables tables) {
        try (TableSession session = tables.session()) {
            if (!session.has(INSTRUCTION)) {
                throw new TablesException(
                        TablesException.Kind.NO_TABLE,
                        "The tables in %s have no instructions: there are %s. Trace instructions, and view them without --ignore-instruction-trace."
                                .formatted(tables.folder(), tables.names()),
                        null);
            }
            return kind.in(session).stream()
                    .map(place -> session.rows(
                            "SELECT sum(duration_ns)::BIGINT FROM Instruction WHERE " + kind.matches.formatted(place),
                            name,
                            name))
                    .map(found -> found.rows().get(0).get(0))
                    .filter(Objects::nonNull)
                    .mapToLong(sum -> ((Number) sum).longValue())
                    .findFirst();
        }
    }

    /**
     * Names that are there and look like it.
     *
     * @param tables of one execution
     * @return at most three, the most alike first; none when no instruction has any
     */
    public List<String> nearest(ProfileTables tables) {
        try (TableSession session = tables.session()) {
            return kind.in(session).stream()
                    .flatMap(place -> nearest(session, place))
                    .toList();
        }
    }

    private Stream<String> nearest(TableSession session, String place) {
        return session.rows("""
                        SELECT p FROM (SELECT DISTINCT %s AS p FROM Instruction) WHERE p IS NOT NULL
                        ORDER BY jaro_winkler_similarity(%s, ?) DESC, p LIMIT 3""".formatted(place, kind.comparable.formatted("p")), name).rows().stream()
                .map(row -> String.valueOf(row.get(0)));
    }

    /** For tables and messages. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + name;
    }
}
