/** The decision about a run: whether it may pass, and the reasons if not. */
@NullMarked
package dev.neurontest.internal.gate;

import org.jspecify.annotations.NullMarked;
