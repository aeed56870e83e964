/** Threads that are interrupted, as those of tests are after their timeout. */
@NullMarked
package dev.neurontest.thread;

import org.jspecify.annotations.NullMarked;
