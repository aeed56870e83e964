/** What the profiler tools measured on the device: files and summaries, thresholds, views. */
@NullMarked
package dev.neurontest.profile;

import org.jspecify.annotations.NullMarked;
