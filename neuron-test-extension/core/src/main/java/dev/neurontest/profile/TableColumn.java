package dev.neurontest.profile;

import dev.neurontest.metric.Unit;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A column of a table, or of what a query found.
 *
 * @param name as the table, or the query, calls it
 * @param type as DuckDB names it, such as {@code BIGINT} or {@code VARCHAR}
 * @param unit what its numbers count: by the table's own schema, or else by the ending of its name; empty when neither tells
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TableColumn(String name, String type, Optional<Unit> unit) {}
