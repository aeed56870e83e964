/** Stand-ins for the profiler commands: the scripts that start them, and the code of their processes. */
@NullMarked
package dev.neurontest.fake.internal.profiler;

import org.jspecify.annotations.NullMarked;
