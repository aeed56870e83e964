/** Traced executions: the command capture, programs that are profiled inline, and their traces. */
@NullMarked
package dev.neurontest.fake.internal.profiler.capture;

import org.jspecify.annotations.NullMarked;
