/** Comparison of two runs: tests that are new, gone, slower or faster than in an earlier run. */
@NullMarked
package dev.neurontest.internal.report.compare;

import org.jspecify.annotations.NullMarked;
