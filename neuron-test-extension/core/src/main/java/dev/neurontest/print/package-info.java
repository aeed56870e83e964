/** Prints of kernels from the device: the prints of a test, the expectations about them, and their presentation. */
@NullMarked
package dev.neurontest.print;

import org.jspecify.annotations.NullMarked;
