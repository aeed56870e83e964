/** One call of a profiler command: its words, its host, and what the host says is different about it. */
@NullMarked
package dev.neurontest.fake.internal.profiler.call;

import org.jspecify.annotations.NullMarked;
