/** What the profiler tools measured on the device: capture, summary, thresholds, events. */
@NullMarked
package dev.neurontest.profile;

import org.jspecify.annotations.NullMarked;
