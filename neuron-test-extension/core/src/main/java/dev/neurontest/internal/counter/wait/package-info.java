/** Time-limited waits for a counter or an attribute to meet the conditions of a test. */
@NullMarked
package dev.neurontest.internal.counter.wait;

import org.jspecify.annotations.NullMarked;
