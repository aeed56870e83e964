/** The counters and the kernel log while a test runs. */
@NullMarked
package dev.neurontest.internal.participant.counter;

import org.jspecify.annotations.NullMarked;
