/** Stand-ins for the profiler commands: what runs in their processes, and the files that they read and write. */
@NullMarked
package dev.neurontest.fake.profiler;

import org.jspecify.annotations.NullMarked;
