/** The tables that the profiler's view writes as Parquet, and what SQL finds in them. DuckDB reads them; it is loaded for the first one. */
@NullMarked
package dev.neurontest.internal.profile.table;

import org.jspecify.annotations.NullMarked;
