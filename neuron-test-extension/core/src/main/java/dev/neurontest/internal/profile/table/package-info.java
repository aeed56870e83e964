/**
 * Tables that the view command of the profiler writes as Parquet, and SQL queries on them. DuckDB reads the tables; it is loaded for the
 * first query.
 */
@NullMarked
package dev.neurontest.internal.profile.table;

import org.jspecify.annotations.NullMarked;
