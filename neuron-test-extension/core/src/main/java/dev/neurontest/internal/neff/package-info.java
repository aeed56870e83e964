/** Compiled graphs: what the head of a NEFF says. */
@NullMarked
package dev.neurontest.internal.neff;

import org.jspecify.annotations.NullMarked;
