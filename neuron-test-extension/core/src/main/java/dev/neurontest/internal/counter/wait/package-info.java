/** Waits, bounded, until a counter or an attribute says what a test asks for. */
@NullMarked
package dev.neurontest.internal.counter.wait;

import org.jspecify.annotations.NullMarked;
