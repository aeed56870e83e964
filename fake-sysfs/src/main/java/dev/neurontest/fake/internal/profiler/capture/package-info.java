/** Executions that are measured: the command capture, programs that are profiled inline, and the traces they leave. */
@NullMarked
package dev.neurontest.fake.internal.profiler.capture;

import org.jspecify.annotations.NullMarked;
