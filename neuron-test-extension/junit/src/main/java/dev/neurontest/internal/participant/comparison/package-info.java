/** Comparisons of the measurements of a test with baselines. */
@NullMarked
package dev.neurontest.internal.participant.comparison;

import org.jspecify.annotations.NullMarked;
