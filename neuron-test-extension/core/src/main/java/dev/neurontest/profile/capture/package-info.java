/** Makes profiles: has the profiler trace a graph or a workload, and views what was traced. */
@NullMarked
package dev.neurontest.profile.capture;

import org.jspecify.annotations.NullMarked;
