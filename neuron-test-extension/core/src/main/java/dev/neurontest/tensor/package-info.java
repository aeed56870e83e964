/** Values of a tensor: data type, shape, bytes, and comparison. */
@NullMarked
package dev.neurontest.tensor;

import org.jspecify.annotations.NullMarked;
