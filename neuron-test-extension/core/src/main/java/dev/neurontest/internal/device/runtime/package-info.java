/** Environment variables of a process that uses the runtime, release of its cores, and groups of cores for collectives. */
@NullMarked
package dev.neurontest.internal.device.runtime;

import org.jspecify.annotations.NullMarked;
