/** Rules that compare a test with earlier runs, and the texts of comparisons. */
@NullMarked
package dev.neurontest.internal.baseline;

import org.jspecify.annotations.NullMarked;
