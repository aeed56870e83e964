/** The values of a tensor: dtype, shape, bytes, and how they compare. */
@NullMarked
package dev.neurontest.tensor;

import org.jspecify.annotations.NullMarked;
