/** What the profiler measured on the device: the profile, its executions and metrics, and what puts them in doubt. */
@NullMarked
package dev.neurontest.profile;

import org.jspecify.annotations.NullMarked;
