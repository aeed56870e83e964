/** Decides over a run: may it pass, and if not, why. */
@NullMarked
package dev.neurontest.internal.gate;

import org.jspecify.annotations.NullMarked;
