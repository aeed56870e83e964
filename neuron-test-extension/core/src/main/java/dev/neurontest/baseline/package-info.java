/** Comparisons of current measurements with earlier ones. */
@NullMarked
package dev.neurontest.baseline;

import org.jspecify.annotations.NullMarked;
