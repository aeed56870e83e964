/** What counters must do during a test, and the verdict on what they did. */
@NullMarked
package dev.neurontest.counter.rule;

import org.jspecify.annotations.NullMarked;
