/**
 * The driver's counters around a test: a {@link dev.neurontest.counter.CounterSnapshot snapshot} before and after, their
 * {@link dev.neurontest.counter.CounterDiff difference}, and the {@link dev.neurontest.counter.CounterRules rules} that judge it.
 */
@NullMarked
package dev.neurontest.counter;

import org.jspecify.annotations.NullMarked;
