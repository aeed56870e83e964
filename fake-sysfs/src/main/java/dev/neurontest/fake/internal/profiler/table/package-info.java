/** The tables of a profile: their columns, and their files in Parquet. */
@NullMarked
package dev.neurontest.fake.internal.profiler.table;

import org.jspecify.annotations.NullMarked;
