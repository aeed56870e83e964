package dev.neurontest.profile;

import dev.neurontest.metric.Unit;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A column of a table or of a query result.
 *
 * @param name the name in the table or query
 * @param type the DuckDB type, such as {@code BIGINT} or {@code VARCHAR}
 * @param unit the unit of its numbers, from the table's own schema or else from the ending of its name; empty when it is unknown
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TableColumn(String name, String type, Optional<Unit> unit) {}
