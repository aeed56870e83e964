/** The tables of a profile: their columns, and files of them in Parquet. */
@NullMarked
package dev.neurontest.fake.internal.profiler.table;

import org.jspecify.annotations.NullMarked;
