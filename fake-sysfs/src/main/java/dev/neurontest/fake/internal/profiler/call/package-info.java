/** A call of a profiler command: its command line, its host, and its scripted effects. */
@NullMarked
package dev.neurontest.fake.internal.profiler.call;

import org.jspecify.annotations.NullMarked;
