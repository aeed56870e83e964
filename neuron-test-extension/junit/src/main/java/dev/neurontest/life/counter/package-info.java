/** The counters and the kernel log while a test runs. */
@NullMarked
package dev.neurontest.life.counter;

import org.jspecify.annotations.NullMarked;
