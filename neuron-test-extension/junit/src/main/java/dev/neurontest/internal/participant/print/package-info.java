/** Prints of kernels while a test runs. */
@NullMarked
package dev.neurontest.internal.participant.print;

import org.jspecify.annotations.NullMarked;
