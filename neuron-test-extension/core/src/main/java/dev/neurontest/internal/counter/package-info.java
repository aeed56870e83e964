/** The recorder of counters around a test, the parts of a difference, and its texts. */
@NullMarked
package dev.neurontest.internal.counter;

import org.jspecify.annotations.NullMarked;
