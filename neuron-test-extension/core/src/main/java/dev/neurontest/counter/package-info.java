/**
 * The driver's counters before and after a test: a {@link dev.neurontest.counter.CounterSnapshot snapshot} at each time, and
 * their {@link dev.neurontest.counter.CounterDiff difference}.
 */
@NullMarked
package dev.neurontest.counter;

import org.jspecify.annotations.NullMarked;
