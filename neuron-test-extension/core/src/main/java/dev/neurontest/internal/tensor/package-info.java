/** Comparison of tensors, and the text of values. */
@NullMarked
package dev.neurontest.internal.tensor;

import org.jspecify.annotations.NullMarked;
