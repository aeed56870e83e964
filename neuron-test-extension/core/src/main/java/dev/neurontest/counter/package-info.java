/**
 * The driver's counters around a test: a {@link dev.neurontest.counter.CounterSnapshot snapshot} before and after, and their
 * {@link dev.neurontest.counter.CounterDiff difference}.
 */
@NullMarked
package dev.neurontest.counter;

import org.jspecify.annotations.NullMarked;
