/** Small records of runs, and their trends. */
@NullMarked
package dev.neurontest.internal.report.history;

import org.jspecify.annotations.NullMarked;
