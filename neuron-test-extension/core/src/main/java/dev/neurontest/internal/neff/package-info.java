/** Compiled graphs: reader of the header of a NEFF. */
@NullMarked
package dev.neurontest.internal.neff;

import org.jspecify.annotations.NullMarked;
