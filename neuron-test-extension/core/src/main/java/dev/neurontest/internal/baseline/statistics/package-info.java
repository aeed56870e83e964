/** Statistics of runs: ranks, intervals, drift, and groups. */
@NullMarked
package dev.neurontest.internal.baseline.statistics;

import org.jspecify.annotations.NullMarked;
