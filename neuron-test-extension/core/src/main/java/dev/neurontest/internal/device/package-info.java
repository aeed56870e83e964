/** The kinds of counters, the map of cores, and the condition of devices. */
@NullMarked
package dev.neurontest.internal.device;

import org.jspecify.annotations.NullMarked;
